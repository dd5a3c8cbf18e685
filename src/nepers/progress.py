"""A line on the terminal for runs long enough to be waited for."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_PATIENCE = 2.0  # seconds


class Progress:
    """What is going on and the share of the time budget that is used, on standard error.

    ``wanted`` None: only if that is a terminal and the run takes longer than two seconds.
    """

    def __init__(self, wanted: bool | None, max_seconds: float) -> None:
        self._began = time.perf_counter()
        self._budget = max_seconds
        self._on = sys.stderr.isatty() if wanted is None else wanted
        self._from = self._began + (_PATIENCE if wanted is None else 0.0)
        self._bar: Any = None

    def report(self, words: str) -> None:
        """Say what is going on."""
        if not self._on or time.perf_counter() < self._from:
            return
        if self._bar is None:
            self._bar = _start(self._budget)
        used = min(time.perf_counter() - self._began, self._budget)
        self._bar.update(self._bar.task_ids[0], completed=used, description=words)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def _start(budget: float) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.add_task("", total=budget)
    bar.start()
    return bar

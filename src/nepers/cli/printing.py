"""Where words go: answers to standard output, everything else to standard error."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.comparison import Comparison

WRONG_INPUT, INTERRUPTED = 2, 130


def say(text: str) -> None:
    """A line of the answer; flushed here, so that a closed pipe is met where it is handled."""
    print(text, flush=True)


def say_json(values: dict[str, Any]) -> None:
    """The answer as one JSON object."""
    import json

    say(json.dumps(values, indent=2, allow_nan=False))


def note(text: str) -> None:
    """A line for the user that is not the answer."""
    print(f"nepers: {' '.join(text.split())}", file=sys.stderr, flush=True)


def stop(status: int, text: str) -> int:
    """The last words, and the exit status."""
    note(text)
    return status


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C ends the command, and is said."""
    try:
        yield
    except KeyboardInterrupt:
        raise typer.Exit(stop(INTERRUPTED, "interrupted")) from None


@contextmanager
def plain_warnings() -> Iterator[None]:
    """A warning is a line for the user, not a place in the source."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: note(f"warning: {message}")
        yield


@contextmanager
def rows_of_a_file() -> Iterator[None]:
    """A message that names rows says how they are counted in a file."""
    try:
        yield
    except InputError as error:
        text = str(error)
        counted = " (rows counted from 0, the header not counted)"
        raise InputError(text if counted in text or " row" not in text else text + counted) from None


def check_level(level: float) -> None:
    """What would otherwise only fail after the sampling."""
    if not 0.0 < level < 1.0:
        raise InputError(f"--level must lie between 0 and 1; it is {level}")


def check_place(save: Path | None, option: str = "--save") -> None:
    """What would otherwise only fail after the sampling."""
    if save is not None and (save.is_dir() or not save.absolute().parent.is_dir()):
        raise InputError(f"{option} must be a file in a folder that exists; it is {str(save)!r}")


def check_report(report: Path | None) -> None:
    """What would otherwise only fail after the sampling."""
    if report is not None:
        from nepers.files import writable

        writable("--report", report)


def write_report(result: Assessment | Comparison, report: Path | None) -> None:
    """The report, where one is wanted."""
    if report is not None:
        from nepers.files import put
        from nepers.report.choice import page_of

        put("--report", report, page_of(result, None).encode())

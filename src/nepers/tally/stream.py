"""A tally and a watch that are kept in one file and take batches as they come.

`Stream.update` returns when the file with the batch in it is on disk, whole, in place of the one before. So
a process that is killed at any moment leaves the file before the batch or the one after it. A batch that is
sent again, because nobody knows whether it was taken, is known by its name and counts once.
"""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.files import writable, write_whole
from nepers.tally.file import as_header, read_bytes, restored
from nepers.tally.grid import Grid
from nepers.tally.monitor import Change, Limits, Monitor, Run
from nepers.tally.sealed import sealed, unsealed
from nepers.tally.tally import Tally, from_arrays

FORMAT = 1
_KIND = "nepers stream"
_BINS, _GAINS = "bins_", "gains"


@dataclass(eq=False)
class Stream:
    """The tally of all batches so far, and the watch over J if limits were given. One process writes it."""

    path: Path
    tally: Tally
    monitor: Monitor | None

    @staticmethod
    def open(
        path: str | os.PathLike[str],
        *,
        bounds: Limits | None = None,
        clip: Limits | None = None,
        alpha: float = 0.05,
        grid: Grid | None = None,
    ) -> Stream:
        """The stream in the file at ``path``, or a new one if there is no such file.

        bounds: what every j lies between; clip: what j is clipped to for the watch, in its place. Without
        either there is no watch. alpha: the probability of ever seeing a change where there is none. A stream
        that exists already must have the same settings.
        """
        if bounds is not None and clip is not None:
            raise InputError("give bounds, if j is known to be bounded, or clip, if it is not; got both")
        limits = bounds or clip
        watch = None if limits is None else Monitor(_pair(limits), clip is not None, alpha)
        if not Path(path).exists():
            return Stream(writable("path", path), Tally(grid or Grid(), from_arrays([]).bins), watch)
        found = _loaded(Path(path))
        _refuse_other(found, watch, grid)
        return found

    @property
    def change(self) -> Change | None:
        """The first change of J that was seen."""
        return None if self.monitor is None else self.monitor.change

    def update(
        self, j: Any = None, *, log_q: Any = None, log_p: Any = None, batch: str, tally: Tally | None = None
    ) -> bool:
        """Take a batch, given as for `from_arrays` or as a ``tally``, and say whether it was new.

        If it was not, nothing is done.
        """
        if not isinstance(batch, str) or not batch:
            raise InputError(f"batch must be the batch's name; it is {batch!r}")
        if batch in self.tally.batches:
            return False
        if tally is None:
            tally = from_arrays(j, log_q=log_q, log_p=log_p, grid=self.tally.grid)
        named = dataclasses.replace(tally, batches=tally.batches | {batch}, name=None)
        after = Stream(
            self.path,
            self.tally.merge(named),
            None if self.monitor is None else self.monitor.update(tally, batch),
        )
        write_whole(self.path, after.to_bytes())
        self.tally, self.monitor = after.tally, after.monitor
        return True

    def to_bytes(self) -> bytes:
        """The content of the file."""
        arrays: dict[str, NDArray[Any]] = {
            _BINS + name: column for name, column in self.tally.bins.columns().items()
        }
        header: dict[str, Any] = {"tally": as_header(self.tally), "monitor": None}
        if self.monitor is not None:
            header["monitor"] = {
                **{name: getattr(self.monitor, name) for name in ("limits", "clipped", "alpha", "number")},
                "change": None if self.monitor.change is None else dataclasses.asdict(self.monitor.change),
                "runs": [
                    [run.number, run.batch, run.before, run.cases, run.total] for run in self.monitor.runs
                ],
            }
            arrays[_GAINS] = np.array([run.gains for run in self.monitor.runs])
        return sealed(_KIND, FORMAT, header, arrays)

    def __repr__(self) -> str:
        return f"<Stream of {len(self.tally.batches):,} batches: {self.tally!r}>"


def _loaded(path: Path) -> Stream:
    header, arrays = unsealed(_KIND, FORMAT, read_bytes(path), str(path))
    bins = {name.removeprefix(_BINS): column for name, column in arrays.items() if name.startswith(_BINS)}
    told = header["monitor"]
    monitor = None
    if told is not None:
        monitor = Monitor(
            limits=_pair(told["limits"]),
            clipped=told["clipped"],
            alpha=told["alpha"],
            number=told["number"],
            runs=tuple(
                Run(number, batch, _pair(before), cases, total, gains)
                for (number, batch, before, cases, total), gains in zip(
                    told["runs"], arrays[_GAINS], strict=True
                )
            ),
            change=None if told["change"] is None else _change(told["change"]),
        )
    return Stream(path, restored(header["tally"], bins), monitor)


def _change(told: dict[str, Any]) -> Change:
    return Change(told["seen_at"], told["since"], _pair(told["before"]), _pair(told["after"]))


def _pair(limits: Any) -> Limits:
    low, high = (float(value) for value in limits)
    return low, high


def _refuse_other(found: Stream, watch: Monitor | None, grid: Grid | None) -> None:
    """What is asked for of a stream that exists already must be what it has."""
    there, asked = (
        None if one is None else (one.limits, one.clipped, one.alpha) for one in (found.monitor, watch)
    )
    if asked is not None and asked != there:
        raise InputError(
            f"{found.path} must be opened with the settings it was begun with: limits, clipped, alpha are "
            f"{there}, and {asked} is asked for"
        )
    if grid is not None and grid != found.tally.grid:
        raise InputError(
            f"{found.path} must be opened with its own grid, {found.tally.grid}; asked for {grid}"
        )

"""The order of the bets: by rows, or by the time at which each outcome became known.

What becomes known at the same time is one step. Within it the order means nothing, and nothing here depends
on it: the pile after a step is the pile before it times all of the step's factors.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.outcomes import outcomes
from nepers.rows import name_rows, refuse_other_labels

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Steps:
    """The rows in the order of play, how many bets are settled after each step, the steps' times if given."""

    order: Rows
    settled: Rows
    times: NDArray[Any] | None


def steps_of(time: Any, n: int, labels: NDArray[Any] | None) -> Steps:
    """The steps of ``n`` cases with these row labels."""
    if time is None:
        return Steps(np.arange(n), np.arange(1, n + 1), None)
    values = _checked(time, n, labels)
    try:
        times, step, cases = np.unique(values, return_inverse=True, return_counts=True)
    except TypeError as error:
        raise InputError(f"time must hold values of one kind, which can be put in order: {error}") from None
    return Steps(np.argsort(step, kind="stable"), np.cumsum(cases), times)


def _checked(time: Any, n: int, labels: NDArray[Any] | None) -> NDArray[Any]:
    found = outcomes("time", time)
    values = found.values
    if values.size != n:
        raise InputError(f"j and time must have a row for each case; j has {n}, time {values.size}")
    refuse_other_labels("j", labels, "time", found.labels)
    for i, value in enumerate(values if values.dtype.kind == "O" else values[:1]):
        if not isinstance(value, _NUMBERS if values.dtype.kind != "O" else date | timedelta):
            raise InputError(f"time must hold numbers or dates; row {_label(found.labels, i)} is {value!r}")
    wrong = np.isnat(values) if values.dtype.kind in "Mm" else np.zeros(n, dtype=bool)
    if values.dtype.kind == "f":
        wrong = np.isinf(values)
    if wrong.any():
        value = values[np.flatnonzero(wrong)[0]]
        raise InputError(f"time must be finite; {value} in {name_rows(wrong, found.labels)}")
    return values


_NUMBERS = np.integer | np.floating | np.datetime64 | np.timedelta64


def _label(labels: NDArray[Any] | None, row: int) -> Any:
    return row if labels is None else labels[row]

"""From the rows of a group-by to tallies: a row for each segment and bin, wherever it was made.

Besides the bins' own keys there are keys for what is no finite number. Missing values, NaN and +inf are
errors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.tally.bins import Bins, grouped
from nepers.tally.grid import LARGEST_KEY, Grid
from nepers.tally.tally import Tally

MINUS_INFINITY, PLUS_INFINITY, NOT_A_NUMBER, MISSING = -32_701, 32_701, 32_702, 32_703
_WRONG = {
    PLUS_INFINITY: "j must be below +inf: there the prior gave the truth probability zero",
    NOT_A_NUMBER: "j must be a number, made from probabilities of 0 or more; it is NaN or missing",
    MISSING: "j must have no missing values",
}
COLUMNS = ("key", "count", "total", "square", "least", "greatest")


@dataclass(frozen=True, eq=False)
class Gathered:
    """The columns of the group-by, and the segment of each row, if it was by segment.

    ``where`` says in which parts of the data the rows of a key are, for messages: names and numbers.
    """

    columns: dict[str, NDArray[Any]]
    segment: NDArray[Any] | None
    where: Callable[[int], dict[str, int]]


def tallies_of(found: Gathered, grid: Grid, name: str | None) -> dict[Any, Tally]:
    """A tally for each segment, in order; one under None if there are no segments."""
    key = found.columns["key"].astype(np.int64)
    for code, rule in _WRONG.items():
        if (key == code).any():
            raise InputError(_told(rule, found, code))
    beyond = (np.abs(key) > LARGEST_KEY) & (key != MINUS_INFINITY)
    if beyond.any():
        worst = found.columns["least"][beyond][0]
        raise InputError(
            f"j must lie within {grid.reach:.3g} nats of 0 for this grid; it is {worst:.6g}: "
            "give a grid of larger unit"
        )
    infinite = found.where(MINUS_INFINITY) if (key == MINUS_INFINITY).any() else {}
    if found.segment is None:
        return {None: _one(found.columns, key, np.ones(key.size, dtype=bool), grid, infinite, name)}
    labels, owner = np.unique(found.segment, return_inverse=True)
    return {
        label: _one(found.columns, key, owner == i, grid, None, str(label))
        for i, label in enumerate(labels.tolist())
    }


def _one(
    columns: dict[str, NDArray[Any]],
    key: NDArray[np.int64],
    mine: NDArray[np.bool_],
    grid: Grid,
    infinite: dict[str, int] | None,
    name: str | None,
) -> Tally:
    lost = mine & (key == MINUS_INFINITY)
    if infinite is None:
        infinite = {"cases": int(columns["count"][lost].sum())} if lost.any() else {}
    kept = mine & ~lost
    real = (columns[c][kept].astype(np.float64) for c in COLUMNS[2:])
    rows = Bins(key[kept], columns["count"][kept].astype(np.int64), *real)
    return tally_of(grouped(rows, rows.key), grid, infinite, name)


def tally_of(
    bins: Bins, grid: Grid, infinite: dict[str, int] | None = None, name: str | None = None
) -> Tally:
    """The tally of these bins."""
    largest = float(np.abs([bins.least, bins.greatest]).max(initial=0.0))
    return Tally(grid, bins, infinite or {}, largest, name=name)


def _told(rule: str, found: Gathered, code: int) -> str:
    parts = found.where(code)
    number = sum(parts.values())
    named = ", ".join(f"{part} ({cases:,})" for part, cases in list(parts.items())[:5])
    more = f" and {len(parts) - 5:,} more" if len(parts) > 5 else ""
    return f"{rule}; so in {number:,} rows, of {named}{more}"

"""Columns side by side, and the one form of an error about some of their rows."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column, name_rows, refuse_other_rows
from nepers.errors import InputError


class Rows(Protocol):
    """What has a row for each case: a column, a table, outcomes."""

    @property
    def argument(self) -> str:
        """What the user calls it."""

    @property
    def values(self) -> NDArray[Any]:
        """A row for each case."""

    @property
    def labels(self) -> NDArray[Any] | None:
        """The user's own names of the rows, if there are any."""


def refuse(given: Rows, wrong: NDArray[np.bool_], rule: str) -> None:
    """An error for the first of the ``wrong`` rows, if there is one: argument, rule, value and place."""
    if wrong.any():
        value = given.values[np.flatnonzero(wrong)[0]]
        raise InputError(f"{given.argument} {rule}; {value} in {name_rows(wrong, given.labels)}")


def refuse_other_cases(a: Rows, b: Rows) -> None:
    """Both must be of the same cases: as many rows, and the same row labels where both have labels."""
    if len(a.values) != len(b.values):
        raise InputError(
            f"{a.argument} and {b.argument} must have the same number of rows; "
            f"{a.argument} has {len(a.values):,}, {b.argument} {len(b.values):,}"
        )
    refuse_other_rows(_row_labels(a), _row_labels(b))


def _row_labels(given: Rows) -> Column:
    return Column(given.argument, np.empty(0), given.labels, None)

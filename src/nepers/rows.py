"""What has a row for each case, and the one form of an error about some of its rows."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

Labels = NDArray[Any] | None
_SHOWN = 5


class Rows(Protocol):
    """What has a row for each case: a column, a table, outcomes."""

    @property
    def argument(self) -> str:
        """What the user calls it."""

    @property
    def values(self) -> NDArray[Any]:
        """A row for each case."""

    @property
    def labels(self) -> Labels:
        """The user's own names of the rows, if there are any."""


def name_rows(chosen: NDArray[np.bool_], labels: Labels) -> str:
    """The chosen rows in words: the first few by label, and how many there are."""
    rows = np.flatnonzero(chosen)
    named = [str(row if labels is None else labels[row]) for row in rows[:_SHOWN]]
    more = f" and {rows.size - _SHOWN:,} more" if rows.size > _SHOWN else ""
    return (
        f"{'row' if rows.size == 1 else 'rows'} {', '.join(named)}{more} ({rows.size:,} of {chosen.size:,})"
    )


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
    refuse_other_labels(a.argument, a.labels, b.argument, b.labels)


def refuse_other_labels(a: str, of_a: Labels, b: str, of_b: Labels) -> None:
    """Two things side by side must have the same row labels, where both have labels."""
    if of_a is None or of_b is None:
        return
    # a missing label is not equal to itself
    unlike = (of_a != of_b) & ((of_a == of_a) | (of_b == of_b))
    different = np.flatnonzero(unlike)
    if different.size:
        i = int(different[0])
        raise InputError(
            f"{a} and {b} must have the same row labels in the same order; "
            f"at position {i} {a} has {_shown(of_a[i])} and {b} {_shown(of_b[i])}"
        )


def _shown(label: Any) -> str:
    return repr(label.item() if isinstance(label, np.generic) else label)

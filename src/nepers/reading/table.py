"""What every format offers once it is open, and how the cells that are no numbers are told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

Array = NDArray[np.float64]
SHOWN_ROWS = 3
_SHOWN_NAMES = 12


class Table(Protocol):
    """A file's columns."""

    @property
    def name(self) -> str:
        """What the user calls the file."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names as the file has them, in its order."""
        ...

    def numeric_names(self) -> list[str]:
        """The columns in which every cell is a number."""
        ...

    def read(self, columns: Sequence[str]) -> dict[str, Array]:
        """The columns as float64; InputError for a column or a cell that is not what was asked for."""
        ...


def check_columns(file: str, names: Sequence[str], wanted: Sequence[str]) -> None:
    """Every wanted column is there exactly once."""
    counts = Counter(names)
    for column in wanted:
        if counts[column] > 1:
            raise InputError(
                f"column {column!r} must be unique; {file} has {counts[column]} columns of that name"
            )
        if not counts[column]:
            raise InputError(f"column {column!r} is not in {file}; {listed(names, near=column)}")


def listed(names: Sequence[str], near: str = "") -> str:
    """The columns there are, in words: those nearest to ``near`` first, else in the file's order."""
    if not names:
        return "there are no columns, since it holds no records"
    if all(_is_number(name) for name in names):
        shown = ", ".join(names[:SHOWN_ROWS])
        return f"its first line holds only numbers ({shown}), so it seems to lack a header of column names"
    ordered = sorted(names, key=lambda name: -_likeness(name, near)) if near else list(names)
    more = f" and {len(names) - _SHOWN_NAMES} more" if len(names) > _SHOWN_NAMES else ""
    return f"its columns are {', '.join(map(repr, ordered[:_SHOWN_NAMES]))}{more}"


def _likeness(name: str, near: str) -> float:
    return SequenceMatcher(None, name.casefold(), near.casefold()).ratio()


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def finish_column(
    file: str, column: str, found: NDArray[np.float64], cell: Callable[[int], str | None]
) -> Array:
    """The values, if all are numbers; ``cell(row)`` is the text of a cell that is not (None: empty)."""
    values: Array = np.asarray(np.ma.filled(found.astype(np.float64), np.nan), dtype=np.float64)
    wrong = np.flatnonzero(np.isnan(values))
    if not wrong.size:
        return values
    rows = "; ".join(f"row {row} {_complaint(cell(int(row)))}" for row in wrong[:SHOWN_ROWS])
    more = "; ..." if wrong.size > SHOWN_ROWS else ""
    raise InputError(
        f"column {column!r} of {file} must hold a number in every row; "
        f"{wrong.size:,} of {values.size:,} do not: {rows}{more} "
        "(rows counted from 0, the header not counted)"
    )


def _complaint(text: str | None) -> str:
    if text is None or not text.strip():
        return "is empty"
    shown = repr(text if len(text) <= 40 else text[:37] + "...")
    if _is_number(text) and np.isinf(float(text)):
        return f"is {shown}, too large for a double (write inf or -inf for an infinite value)"
    return f"is {shown}"

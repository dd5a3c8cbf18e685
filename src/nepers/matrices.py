"""Several columns of numbers out of whatever holds them: a 2-D array, nested lists, a dataframe, a mapping.

As `nepers.columns`, for tables: the only change made is of type, and a missing value is an error that names
the row and the column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column, as_chunked, column, index_labels
from nepers.errors import InputError
from nepers.rows import name_rows, refuse_other_cases

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Matrix:
    """(n, k) values under the argument's name; the user's own row labels and column names, if any."""

    argument: str
    values: Array
    labels: NDArray[Any] | None
    names: tuple[str, ...] | None

    def column(self, number: int) -> Column:
        """One column, named in messages as a part of this argument."""
        name = number if self.names is None else self.names[number]
        return Column(f"{self.argument}[{name!r}]", self.values[:, number], self.labels, str(name))

    def name_column(self, number: int) -> str:
        """What the user calls a column."""
        return f"column {number}" if self.names is None else f"column {self.names[number]!r}"

    def refuse(self, wrong: NDArray[np.bool_], rule: str) -> None:
        """An error for the first cell of ``wrong`` (n, k), if there is one: place, rule and value."""
        if not wrong.any():
            return
        chosen = np.asarray(wrong.any(axis=1))
        row = int(np.flatnonzero(chosen)[0])
        number = int(np.flatnonzero(wrong[row])[0])
        raise InputError(
            f"{self.argument} {rule}; {self.values[row, number]} in {self.name_column(number)} of the first "
            f"of {name_rows(chosen, self.labels)}"
        )


def matrix(argument: str, data: Any) -> Matrix:
    """``data`` as (n, k) float64 without missing values; infinite ones are the caller's to judge."""
    found = _from_columns(argument, data)
    if found is None:
        found = Matrix(argument, _from_array(argument, data), None, None)
    found.refuse(np.isnan(found.values), "must have no missing values (NaN)")
    return found


def stacked(argument: str, columns: Mapping[str, Any]) -> Matrix:
    """Named columns side by side; each must be as long as the first and have its row labels."""
    if not columns:
        raise InputError(f"{argument} must have at least one column; it is empty")
    found = [column(f"{argument}[{name!r}]", values) for name, values in columns.items()]
    labelled = [one for one in found if one.labels is not None]
    for one in found[1:]:
        refuse_other_cases((labelled or found)[0], one)
    values = np.column_stack([one.values for one in found])
    return Matrix(argument, values, labelled[0].labels if labelled else None, tuple(map(str, columns)))


def _from_columns(argument: str, data: Any) -> Matrix | None:
    """A table with named columns; None for anything else."""
    if isinstance(data, Mapping):
        return stacked(argument, data)
    if isinstance(data, np.ndarray | list | tuple | str | int | float):
        return None
    import narwhals as nw

    _refuse_same_names(argument, data)
    found: Any = nw.from_native(as_chunked(data), allow_series=True, pass_through=True)
    if isinstance(found, nw.LazyFrame):
        found = found.collect()
    if not isinstance(found, nw.DataFrame):
        return None
    columns = [column(f"{argument}[{name!r}]", found.get_column(name).to_native()) for name in found.columns]
    if not columns:
        raise InputError(f"{argument} must have at least one column; the table has none")
    values = np.column_stack([one.values for one in columns])
    return Matrix(argument, values, index_labels(found.to_native()), tuple(map(str, found.columns)))


def _refuse_same_names(argument: str, data: Any) -> None:
    """pandas allows columns of one name, narwhals does not."""
    names = [str(name) for name in getattr(data, "columns", ())] if hasattr(data, "iloc") else []
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"{argument} must have columns of different names; {name!r} comes {names.count(name)} times"
            )


def _from_array(argument: str, data: Any) -> Array:
    if isinstance(data, np.ma.MaskedArray) and np.ma.getmaskarray(data).any():
        raise InputError(f"{argument} must have no masked values")
    try:
        array = np.asarray(data)
    except (TypeError, ValueError) as error:
        _refuse_odd_rows(argument, data)
        raise InputError(f"{argument} must be a table of numbers; it is not: {error}") from None
    if array.dtype.kind not in "iuf":
        _refuse_odd_rows(argument, data)
        raise InputError(
            f"{argument} must be a table of real numbers; it is {type(data).__name__} of {array.dtype}"
        )
    if array.ndim != 2:
        raise InputError(
            f"{argument} must have two dimensions, a row for each case; its shape is {array.shape}"
        )
    return np.asarray(array, dtype=np.float64)


def _refuse_odd_rows(argument: str, data: Any) -> None:
    """An error for the first row that is not as long as the others, or has a cell that is no number."""
    if not isinstance(data, list | tuple | np.ndarray) or getattr(data, "ndim", 2) == 0:
        return
    rows = [list(row) for row in data if isinstance(row, list | tuple | np.ndarray) and np.ndim(row) != 0]
    if len(rows) != len(data):
        return
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{argument} must have as many columns in each row; row {number} has {len(row)}, row 0 has "
                f"{len(rows[0])}"
            )
        for place, cell in enumerate(row):
            if cell is None:
                raise InputError(
                    f"{argument} must have no missing values; None in column {place} of row {number}"
                )
            if not isinstance(cell, int | float | np.integer | np.floating) or isinstance(cell, bool):
                raise InputError(
                    f"{argument} must hold real numbers; {_plain(cell)!r} in column {place} of row {number}"
                )


def _plain(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic) else cell

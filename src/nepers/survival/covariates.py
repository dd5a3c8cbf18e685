"""Covariates out of whatever holds them: a dataframe, a mapping of columns, a 2-D array, nested lists.

Each column is numbers, with NaN where a value is missing, or texts, with None there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import as_chunked, index_labels
from nepers.errors import InputError
from nepers.rows import name_rows

Values = NDArray[Any]


class WrongCell(InputError, TypeError):
    """A cell that is neither number nor text; scikit-learn's contract wants a TypeError for it."""


@dataclass(frozen=True, eq=False)
class Covariate:
    """One column: float64, or objects that are texts or None. ``is_flag``: it held True and False."""

    name: str
    values: Values
    is_flag: bool = False

    @property
    def is_text(self) -> bool:
        """Whether it holds texts."""
        return self.values.dtype.kind == "O"

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Where there is no value."""
        if self.is_text:
            return np.array([value is None for value in self.values], dtype=bool)
        return np.asarray(np.isnan(self.values))


@dataclass(frozen=True, eq=False)
class Covariates:
    """The columns; ``named`` tells whether their names are the user's own. Labels are those of the rows."""

    columns: tuple[Covariate, ...]
    n: int
    named: bool
    labels: Values | None

    @property
    def names(self) -> list[str]:
        """The columns' names: "x0", "x1" ... where the user gave none."""
        return [column.name for column in self.columns]


def covariates(argument: str, data: Any) -> Covariates:
    """``data`` with a row for each patient and a column for each covariate."""
    framed = _framed(argument, data)
    if framed is None:
        columns = [(f"x{i}", values) for i, values in enumerate(_array(argument, data).T)]
        named, labels = False, None
    else:
        columns, labels, named = *framed, True
    n = len(columns[0][1]) if columns else 0
    if not columns:
        rows = np.shape(data)[0]
        raise InputError(f"{argument} has 0 feature(s) (shape=({rows}, 0)) while a minimum of 1 is required.")
    if n == 0:
        raise InputError(
            f"{argument} has 0 sample(s) (shape=(0, {len(columns)})) while a minimum of 1 is required."
        )
    found = tuple(_covariate(argument, name, values, labels) for name, values in columns)
    return Covariates(found, n, named, labels)


def _framed(argument: str, data: Any) -> tuple[list[tuple[str, Values]], Values | None] | None:
    """The columns of a table with names, and the labels of its rows; None for anything else."""
    if hasattr(data, "toarray"):
        raise InputError(f"{argument} must be dense; a sparse matrix was passed: call its toarray()")
    if isinstance(data, Mapping):
        columns = [(str(name), np.asarray(values)) for name, values in data.items()]
        for name, values in columns:
            if values.ndim != 1 or len(values) != len(columns[0][1]):
                raise InputError(f"{argument} must have columns of the same length; {name!r} has not")
        return columns, None
    if isinstance(data, np.ndarray | list | tuple | str | int | float) or data is None:
        return None
    import narwhals as nw

    if hasattr(data, "iloc") and not all(isinstance(name, str) for name in getattr(data, "columns", ())):
        return None  # pandas with numbers for names: an array
    found: Any = nw.from_native(as_chunked(data), pass_through=True)
    if isinstance(found, nw.LazyFrame):
        found = found.collect()
    if not isinstance(found, nw.DataFrame):
        return None
    names = found.columns
    return [(name, _cells(found.get_column(name))) for name in names], index_labels(found.to_native())


def _cells(series: Any) -> Values:
    import narwhals as nw

    if series.dtype.is_numeric():
        return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if series.dtype in (nw.Categorical, nw.Enum):
        series = series.cast(nw.String)  # codes that are numbers are levels all the same
    return np.array([*series.to_list(), None], dtype=object)[:-1]


def _array(argument: str, data: Any) -> Values:
    try:
        array = np.asarray(data)
    except (TypeError, ValueError) as error:
        raise InputError(f"{argument} must be a table of covariates; it is not: {error}") from None
    if array.ndim != 2:
        raise InputError(
            f"{argument} must have two dimensions, a row for each patient; its shape is {array.shape}. "
            "Reshape your data: a single covariate is a column, a single patient a row"
        )
    if array.dtype.kind == "c":
        raise InputError(f"{argument} must be real. Complex data not supported")
    if array.dtype.kind in "iufb":
        return array
    return np.asarray(array, dtype=object)


def _covariate(argument: str, name: str, values: Values, labels: Values | None) -> Covariate:
    if values.dtype.kind == "b":
        return Covariate(name, values.astype(np.float64), is_flag=True)
    found = values.astype(np.float64) if values.dtype.kind in "iuf" else _sorted_out(argument, name, values)
    if found.dtype.kind == "f":
        wrong = np.isinf(found)
        if wrong.any():
            raise InputError(
                f"{argument} must hold no infinite values (infinity); {found[wrong][0]} in column {name!r} "
                f"of {name_rows(wrong, labels)}"
            )
    flags = values.dtype.kind == "O" and all(v is None or isinstance(v, bool | np.bool_) for v in values)
    return Covariate(name, found, is_flag=flags)


def _sorted_out(argument: str, name: str, values: Values) -> Values:
    """Objects as numbers if all that are there are numbers, as texts if all are; else an error."""
    given = [None if _is_missing(value) else value for value in values.tolist()]
    there = [value for value in given if value is not None]
    if all(isinstance(value, str) for value in there) and there:
        return np.array([*given, None], dtype=object)[:-1]
    try:
        return np.array([math.nan if value is None else float(value) for value in given])
    except (TypeError, ValueError):
        odd = next(value for value in there if not isinstance(value, int | float))
        raise WrongCell(
            f"{argument} must hold numbers or texts, and not both in one column; column {name!r} holds "
            f"{odd!r} (argument must be a string or a number)"
        ) from None


def _is_missing(value: Any) -> bool:
    # pandas' own missing value has a type of its own
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)

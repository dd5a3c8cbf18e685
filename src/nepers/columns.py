"""One column of numbers out of whatever holds it: a list, an array, or a dataframe library's column.

The only change made is of type: whole and short numbers become float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.rows import name_rows

Array = NDArray[np.float64]
_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Column:
    """The values under the argument's name, the user's own row labels if there are any, the column's name."""

    argument: str
    values: Array
    labels: NDArray[Any] | None
    name: str | None


def column(argument: str, data: Any) -> Column:
    """``data`` as float64 without missing values; infinite ones are the caller's to judge. A Column stays."""
    if isinstance(data, Column):
        return data
    framed = _from_dataframe(argument, data)
    found = framed if framed is not None else _from_array(argument, data)
    missing = np.isnan(found.values)
    if missing.any():
        raise InputError(f"{argument} must have no missing values (NaN); {name_rows(missing, found.labels)}")
    return found


def _from_dataframe(argument: str, data: Any) -> Column | None:
    found = series_of(argument, data)
    return None if found is None else _from_series(argument, found)


def series_of(argument: str, data: Any) -> Any:
    """A column or one-column table of a library narwhals knows, as its series; None for anything else."""
    if isinstance(data, np.ndarray | list | tuple | range | str | int | float | dict):
        return None
    import narwhals as nw

    found: Any = nw.from_native(as_chunked(data), allow_series=True, pass_through=True)
    if isinstance(found, nw.LazyFrame):
        _refuse_several(argument, found.collect_schema().names())
        found = found.collect()
    if isinstance(found, nw.DataFrame):
        _refuse_several(argument, found.columns)
        found = found[found.columns[0]]
    return found if isinstance(found, nw.Series) else None


def as_chunked(data: Any) -> Any:
    """narwhals knows pyarrow's chunked arrays but not its plain ones."""
    if type(data).__module__.partition(".")[0] != "pyarrow":
        return data
    import pyarrow as pa

    return pa.chunked_array([data]) if isinstance(data, pa.Array) else data


def _refuse_several(argument: str, names: list[str]) -> None:
    if len(names) != 1:
        shown = ", ".join(repr(name) for name in names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
        raise InputError(
            f"{argument} must be one column; the table has {len(names)} ({shown}): name it, as in table[name]"
        )


def _from_series(argument: str, series: Any) -> Column:
    import narwhals as nw

    native = series.to_native()
    labels = index_labels(native)
    missing = series.is_null().to_numpy().astype(bool)
    if missing.any():
        raise InputError(f"{argument} must have no missing values (null); {name_rows(missing, labels)}")
    if len(series) == 0:  # an empty column may have any type
        values = np.empty(0)
    elif series.dtype.is_numeric():
        values = np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    else:
        kind = getattr(native, "dtype", getattr(native, "type", series.dtype))
        raise InputError(f"{argument} must hold real numbers; the type of the column is {kind}")
    return Column(argument, values, labels, str(series.name) if series.name not in (None, "") else None)


def index_labels(native: Any) -> NDArray[Any] | None:
    """The values of a pandas-like index; None where there is none."""
    index = getattr(native, "index", None)
    if index is None or callable(index) or not hasattr(index, "to_numpy"):
        return None
    return np.asarray(index.to_numpy())


def _from_array(argument: str, data: Any) -> Column:
    if isinstance(data, np.ma.MaskedArray):
        masked = np.ma.getmaskarray(data)
        if masked.any():
            raise InputError(f"{argument} must have no masked values; {name_rows(masked.ravel(), None)}")
    if isinstance(data, list | tuple):
        _refuse_odd_items(argument, data)
    try:
        array = np.asarray(data)
    except (TypeError, ValueError) as error:
        raise InputError(f"{argument} must be a list or array of numbers; it is not: {error}") from None
    if array.dtype.kind not in "iuf" and (array.size or array.dtype.kind != "O" or array.ndim != 1):
        raise InputError(
            f"{argument} must be a list or array of real numbers; it is {type(data).__name__} "
            f"of {_KINDS.get(array.dtype.kind, array.dtype)}"
        )
    if array.ndim != 1:
        raise InputError(
            f"{argument} must have one dimension, a number for each case; its shape is {array.shape}"
        )
    return Column(argument, np.asarray(array, dtype=np.float64), None, None)


_KINDS = {"O": "objects", "U": "text", "S": "text", "T": "text", "b": "booleans", "c": "complex numbers"}


def _refuse_odd_items(argument: str, items: list[Any] | tuple[Any, ...]) -> None:
    """numpy would turn True into 1.0 and a list with one text into texts: name the item itself."""
    for row, item in enumerate(items):
        if item is None:
            raise InputError(f"{argument} must have no missing values; row {row} is None")
        if isinstance(item, str | bytes | bool | np.bool_ | complex | np.complexfloating):
            raise InputError(f"{argument} must hold real numbers; row {row} is {item!r}")

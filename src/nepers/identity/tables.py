"""Cases as columns that can be compared: a dataframe, a mapping of columns, a 2-D array, or 1-D ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nepers.columns import as_chunked, index_labels
from nepers.errors import InputError
from nepers.identity.cells import Cells
from nepers.identity.sources import cells_of
from nepers.reading.table import listed
from nepers.rows import name_rows

Form = Literal["ids", "array", "table"]


@dataclass(frozen=True, eq=False)
class Cases:
    """The ``n`` rows under the argument's name: columns by name, or by place in an array."""

    argument: str
    form: Form
    n: int
    columns: dict[Any, Cells]
    labels: NDArray[Any] | None

    def label(self, row: int) -> str:
        """What the user calls the row."""
        return str(row if self.labels is None else self.labels[row])


def cases_of(argument: str, data: Any) -> Cases:
    """``data`` with a row for each case."""
    if isinstance(data, Mapping):
        return _table(argument, dict(data.items()), None)
    if isinstance(data, list | tuple | range):
        return _from_array(argument, _as_array(argument, data), data)
    if isinstance(data, np.ndarray) and data.dtype.names:
        return _table(argument, {name: data[name] for name in data.dtype.names}, None)
    if isinstance(data, np.ndarray):
        return _from_array(argument, data, data)
    return _from_frame(argument, data) or _from_array(argument, _converted(argument, data), data)


def chosen(a: Cases, b: Cases, by: Any) -> list[Any]:
    """The names of the columns to compare: those of ``by``, or all that both have."""
    if a.form != b.form:
        raise InputError(
            f"{a.argument} and {b.argument} must both be tables with names, 2-D arrays, or 1-D ids; "
            f"{a.argument} is {_FORMS[a.form]}, {b.argument} {_FORMS[b.form]}"
        )
    if by is not None:
        return _by(a, b, by)
    if a.form == "array" and len(a.columns) != len(b.columns):
        raise InputError(
            f"{a.argument} and {b.argument} must have the same columns; {a.argument} has {len(a.columns)}, "
            f"{b.argument} {len(b.columns)}"
        )
    shared = [name for name in a.columns if name in b.columns]
    if not shared:
        raise InputError(
            f"{a.argument} and {b.argument} must share columns; in {a.argument} {_listed(a)}, "
            f"in {b.argument} {_listed(b)}"
        )
    return shared


def refuse_missing_ids(cases: Cases, names: Sequence[Any]) -> None:
    """What identifies a case must be there."""
    for name in names:
        missing = cases.columns[name].missing()
        if missing.any():
            raise InputError(
                f"{cases.columns[name].place} must have no missing values, as it identifies cases; "
                f"{name_rows(missing, cases.labels)}"
            )


_FORMS = {"ids": "1-D", "array": "a 2-D array", "table": "a table with names"}


def _by(a: Cases, b: Cases, by: Any) -> list[Any]:
    if a.form == "ids":
        raise InputError(f"by must be left out where {a.argument} holds the ids themselves; it is {by!r}")
    names = list(by) if isinstance(by, list | tuple) else [by]
    if not names or len(set(names)) < len(names):
        raise InputError(f"by must name one column or several different ones; it is {by!r}")
    for cases in (a, b):
        for name in names:
            if name not in cases.columns:
                raise InputError(
                    f"by must name columns; {name!r} is not in {cases.argument}; {_listed(cases, name)}"
                )
    return names


def _listed(cases: Cases, near: Any = "") -> str:
    if cases.form == "array":
        return f"its columns are 0 to {len(cases.columns) - 1}"
    return listed([str(name) for name in cases.columns], near=str(near))


def _table(argument: str, columns: dict[Any, Any], labels: NDArray[Any] | None) -> Cases:
    if not columns:
        raise InputError(f"{argument} must have at least one column; it has none")
    found = {name: cells_of(f"column {name!r} of {argument}", values) for name, values in columns.items()}
    first, *others = found.values()
    for other in others:
        if other.n != first.n:
            raise InputError(
                f"{argument} must have a row for each case in every column; {first.place} has {first.n}, "
                f"{other.place} {other.n}"
            )
    return Cases(argument, "table", first.n, found, labels)


def _from_frame(argument: str, data: Any) -> Cases | None:
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        found: Any = nw.from_native(as_chunked(data), allow_series=True, pass_through=True)
        found = found.collect() if isinstance(found, nw.LazyFrame) else found
    except DuplicateError as error:
        said = " ".join(str(error).split())
        raise InputError(f"{argument} must have columns of different names: {said}") from None
    if isinstance(found, nw.Series):
        return Cases(argument, "ids", len(found), {"": cells_of(argument, data)}, index_labels(data))
    if not isinstance(found, nw.DataFrame):
        return None
    columns = {name: found.get_column(name).to_native() for name in found.columns}
    return _table(argument, columns, index_labels(found.to_native()))


def _from_array(argument: str, array: NDArray[Any], data: Any) -> Cases:
    if array.ndim == 1:
        ids = cells_of(argument, data if isinstance(data, list | tuple | range) else array)
        return Cases(argument, "ids", array.size, {"": ids}, None)
    if array.ndim != 2 or array.shape[1] == 0:
        raise InputError(
            f"{argument} must have a row for each case, and columns or one id; its shape is {array.shape}"
        )
    places = range(array.shape[1])
    columns = {i: cells_of(f"column {i} of {argument}", array[:, i]) for i in places}
    return Cases(argument, "array", array.shape[0], columns, None)


def _as_array(argument: str, data: Sequence[Any]) -> NDArray[Any]:
    """Rows of several values as a 2-D array of objects; anything else as one id for each case."""
    rows = [item for item in data if isinstance(item, list | tuple | np.ndarray)]
    sizes = sorted({len(row) for row in rows})
    if not rows:
        return np.empty(len(data), dtype=object)
    if len(rows) != len(data) or len(sizes) != 1:
        raise InputError(
            f"{argument} must have rows of the same length; they have {_sizes(sizes, rows, data)}"
        )
    array = np.empty((len(rows), sizes[0]), dtype=object)
    for i, row in enumerate(rows):
        array[i] = list(row)
    return array


def _sizes(sizes: list[int], rows: list[Any], data: Sequence[Any]) -> str:
    said = " and ".join(str(size) for size in sizes[:3])
    return said if len(rows) == len(data) else f"{said}, and some are no rows"


def _converted(argument: str, data: Any) -> NDArray[Any]:
    if hasattr(data, "tocsr"):
        raise InputError(f"{argument} must be dense, or the ids of its cases; it is sparse: give .toarray()")
    array = np.asarray(data) if hasattr(data, "__array__") else np.empty(())
    if array.ndim == 0:
        raise InputError(
            f"{argument} must be a dataframe, a 2-D array, or a 1-D list of ids; it is {type(data).__name__}"
        )
    return array

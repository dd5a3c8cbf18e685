"""Cells out of Python objects, which may be of several types."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.identity.arrays import array_cells
from nepers.identity.cells import Cells, Part, Taken


def object_cells(place: str, items: Sequence[Any], missing: NDArray[np.bool_] | None = None) -> Cells:
    """Python objects: numbers and times as arrays of them if all are, else as they are."""
    absent = np.zeros(len(items), dtype=bool) if missing is None else np.array(missing)
    if set(map(type, items)) - {str}:
        absent |= np.fromiter(map(_absent, items), dtype=bool, count=len(items))
    if absent.all():
        return Cells(place, "empty", absent.size, lambda part: _nothing(absent, part))
    present = np.flatnonzero(~absent).tolist()
    kinds = {_kind_of_type(kind) for kind in {type(items[row]) for row in present}}
    kind = kinds.pop() if len(kinds) == 1 else "float64" if kinds == {"whole", "float64"} else "object"
    if kind in ("text", "object"):
        return _as_they_are(place, kind, items, absent)
    some = items[present[0]]
    filled = [some if no else item for item, no in zip(items, absent.tolist(), strict=True)]
    return array_cells(place, np.ma.masked_array(_packed(filled, kind), mask=absent))


def _nothing(missing: NDArray[np.bool_], part: Part) -> Taken:
    return np.zeros(missing[part].shape, dtype=np.int64), missing[part]


def _as_they_are(place: str, kind: str, items: Sequence[Any], absent: NDArray[np.bool_]) -> Cells:
    values = np.empty(len(items), dtype=object)
    for row, item in enumerate(items):
        values[row] = item
    values[absent] = None
    if kind == "object":
        _refuse_odd(place, values)
    return Cells(place, kind, values.size, lambda part: (values[part], absent[part]))


def _refuse_odd(place: str, values: NDArray[Any]) -> None:
    for row, value in enumerate(values.tolist()):
        if isinstance(value, bytes | complex) or type(value).__hash__ is None:
            raise InputError(
                f"{place} must hold numbers, texts, times, or other values that can be compared; "
                f"row {row} is of type {type(value).__name__}"
            )


def _packed(items: list[Any], kind: str) -> NDArray[Any]:
    if kind == "time":
        return np.array([_moment(item) for item in items], dtype="M8[us]")
    if kind == "span":
        return np.array(items, dtype="m8[us]")
    if kind == "whole":
        for dtype in (np.int64, np.uint64):
            try:
                return np.array(items, dtype=dtype)
            except OverflowError:
                continue
    return np.array([float(item) for item in items])


def _moment(item: Any) -> Any:
    """In universal time where there is a time zone."""
    if getattr(item, "tzinfo", None) is None:
        return item
    return item.astimezone(UTC).replace(tzinfo=None)


def _absent(item: Any) -> bool:
    if item is None or type(item).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return True
    return isinstance(item, float | np.floating | Decimal) and bool(item != item)


def _kind_of_type(kind: type) -> str:
    if issubclass(kind, str):
        return "text"
    if issubclass(kind, bool | int | np.bool_ | np.integer):
        return "whole"
    if issubclass(kind, float | Decimal | np.floating):
        return "float64"
    if issubclass(kind, date | datetime):
        return "time"
    return "span" if issubclass(kind, timedelta) else "object"

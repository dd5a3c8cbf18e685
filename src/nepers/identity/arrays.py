"""Cells out of a numpy array of one type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.identity.cells import Cells, Part, Taken


def array_cells(place: str, array: NDArray[Any]) -> Cells:
    """The cells of a 1-D array, masked or not, of any type but objects."""
    kind = _kind(place, array.dtype)
    mask = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    plain: NDArray[Any] = np.ma.getdata(array)

    def take(part: Part) -> Taken:
        values = plain[part]
        missing = np.zeros(values.shape, dtype=bool) if mask is None else mask[part]
        if kind in ("time", "span"):
            missing = missing | np.isnat(values)
            values = values.astype(f"{values.dtype.kind}8[us]").view(np.int64)
        elif kind == "text":
            values = values.astype(object)
        elif kind == "whole":
            values = values.astype(np.uint64 if values.dtype.kind == "u" else np.int64)
        else:
            missing = missing | np.isnan(values)
        return values, missing

    return Cells(place, kind, array.size, take)


def _kind(place: str, dtype: np.dtype[Any]) -> str:
    if dtype.kind == "f":
        return dtype.name if dtype.name in ("float16", "float32") else "float64"
    if dtype.kind not in _KINDS:
        raise InputError(f"{place} must hold numbers, texts or times; it is of {dtype}")
    return _KINDS[dtype.kind]


_KINDS = {"b": "whole", "i": "whole", "u": "whole", "U": "text", "T": "text", "M": "time", "m": "span"}

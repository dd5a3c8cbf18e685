"""Cells out of an array, a list of Python objects, or a series of a dataframe library."""

from __future__ import annotations

from typing import Any

import numpy as np

from nepers.columns import as_chunked
from nepers.errors import InputError
from nepers.identity.arrays import array_cells
from nepers.identity.cells import Cells, Part, Taken
from nepers.identity.objects import object_cells


def cells_of(place: str, data: Any) -> Cells:
    """The cells of one column, whatever holds it."""
    if isinstance(data, list | tuple | range):
        return object_cells(place, data)
    if not isinstance(data, np.ndarray):
        import narwhals as nw

        series: Any = nw.from_native(as_chunked(data), allow_series=True, pass_through=True)
        if isinstance(series, nw.Series):
            return _of_series(place, series)
        data = np.asarray(data)
    if data.ndim != 1:
        raise InputError(f"{place} must have one dimension; its shape is {data.shape}")
    if data.dtype.kind != "O":
        return array_cells(place, data)
    mask = np.ma.getmaskarray(data) if isinstance(data, np.ma.MaskedArray) else None
    return object_cells(place, np.ma.getdata(data).tolist(), mask)


def _of_series(place: str, series: Any) -> Cells:
    import narwhals as nw

    kind = _kind_of_series(series)
    if kind == "object":
        return object_cells(place, series.to_list(), np.array(series.is_null().to_numpy(), dtype=bool))

    def take(part: Part) -> Taken:
        chosen = series[part]
        missing = np.array(chosen.is_null().to_numpy(), dtype=bool)
        if kind == "text":
            values = np.empty(missing.size, dtype=object)
            values[:] = chosen.to_list()
            values[missing] = None
            return values, missing
        if kind == "time":
            chosen = chosen.cast(nw.Datetime("us")) if chosen.dtype == nw.Date else chosen
            chosen = chosen.dt.timestamp("us")
        elif kind == "span":
            chosen = chosen.dt.total_microseconds()
        elif series.dtype == nw.Boolean:
            chosen = chosen.fill_null(False).cast(nw.Int64)
        elif kind == "float64":
            chosen = chosen.cast(nw.Float64)
        values = (chosen.fill_null(0) if missing.any() else chosen).to_numpy()
        return values, missing | np.isnan(values) if values.dtype.kind == "f" else missing

    return Cells(place, kind, len(series), take)


def _kind_of_series(series: Any) -> str:
    """An object series of pandas is called text if its first cells are: all are looked at instead."""
    import narwhals as nw

    dtype = series.dtype
    if getattr(series.to_native(), "dtype", None) == np.dtype(object):
        return "object"
    if dtype == nw.Float32:
        return "float32"
    if dtype in (nw.Date, nw.Datetime):
        return "time"
    if dtype == nw.Duration:
        return "span"
    if dtype == nw.Boolean or (dtype.is_integer() and dtype not in (nw.Int128, nw.UInt128)):
        return "whole"
    if dtype.is_numeric():
        return "float64"
    return "text" if dtype == nw.String else "object"

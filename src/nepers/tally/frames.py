"""Tallies by the user's own dataframe engine, as one lazy group-by through narwhals.

polars, pandas, pyarrow, DuckDB, PySpark and Dask: the engine makes the bins, and nothing but their rows comes
back. Where rows are odd, frames in partitions are asked once more, in which.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from nepers.errors import InputError
from nepers.tally.gathered import (
    COLUMNS,
    MINUS_INFINITY,
    MISSING,
    NOT_A_NUMBER,
    PLUS_INFINITY,
    Gathered,
    tallies_of,
)
from nepers.tally.given import Column, Given, read_given, refuse_absent
from nepers.tally.grid import Grid
from nepers.tally.partitions import merged_by_dask, odd_by_partition, real_values
from nepers.tally.streamed import bins_of_columns
from nepers.tally.tally import Tally

_SEGMENT, _J = "nepers_segment", "nepers_j"
_SPARKS_LARGEST = 9e18


def from_frame(
    frame: Any,
    *,
    j: str | None = None,
    log_q: str | None = None,
    log_p: Column | None = None,
    q: str | None = None,
    p: Column | None = None,
    by: str | None = None,
    grid: Grid | None = None,
    name: str = "the frame",
) -> Any:
    """The tally of a table of polars, pandas, pyarrow, DuckDB, PySpark or Dask; a row is a case.

    The columns are named: ``j``; or ``log_q`` and ``log_p``, the logs of what prediction and prior gave to
    what came true; or ``q`` and ``p``, the probabilities themselves. ``log_p`` and ``p`` may be a number.

    by: a column of segments. The result is then a dict of tallies, all made by the same group-by.
    name: how messages call the table.
    """
    import narwhals as nw

    given, grid = read_given(j, log_q, log_p, q, p), grid or Grid()
    try:
        lazy = nw.from_native(frame).lazy()
    except TypeError:
        raise InputError(
            "frame must be a table of polars, pandas, pyarrow, DuckDB, PySpark or Dask; "
            f"it is {type(frame).__name__}"
        ) from None
    _refuse_columns(lazy.collect_schema(), given, by, name)
    columns = _columns(_collected(nw, lazy, given, grid, by))
    segment = columns.pop(_SEGMENT, None)
    if segment is not None and by is not None:
        _refuse_missing_segments(segment, by, name)

    def where(code: int) -> dict[str, int]:
        return _parts(odd_by_partition(_rows(nw, lazy, given, by), _J, code), columns, name, code)

    found = tallies_of(Gathered(columns, segment, where), grid, None)
    return found[None] if by is None else found


def from_frames(frames: Mapping[str, Any], **asked: Any) -> Tally:
    """One tally of several tables, each with a name for messages, taken one by one; see `from_frame`."""
    if not frames:
        raise InputError("frames must hold at least one table; it is empty")
    tallies: list[Tally] = [from_frame(frame, **asked, name=name) for name, frame in frames.items()]
    return tallies[0].merge(*tallies[1:])


def _refuse_columns(schema: Any, given: Given, by: str | None, name: str) -> None:
    refuse_absent(name, list(schema), [*given.columns, *([by] if by is not None else [])])
    for column in given.columns:
        if not schema[column].is_numeric():
            raise InputError(
                f"column {column!r} of {name} must hold real numbers; its type is {schema[column]}"
            )


def _rows(nw: Any, lazy: Any, given: Given, by: str | None) -> Any:
    def log(x: Any) -> Any:
        if not isinstance(x, nw.Expr):
            return float(np.log(x))
        # not every engine has a logarithm of 0, and some warn of it
        positive = nw.when(x > 0.0).then(x).otherwise(nw.lit(1.0)).log()
        rest = nw.when(x == 0.0).then(nw.lit(-np.inf)).otherwise(nw.lit(np.nan))
        return nw.when(x > 0.0).then(positive).otherwise(rest)

    expression = given.expression(lambda name: nw.col(name).cast(nw.Float64), log)
    segment = [] if by is None else [nw.col(by).alias(_SEGMENT)]
    return lazy.select(expression.alias(_J), *segment)


def _grouped(nw: Any, rows: Any, grid: Grid, by: str | None) -> Any:
    j = nw.col(_J)
    x = j.abs() / grid.unit
    asinh = (x + (x * x + 1.0).sqrt()).log() * grid.steps
    # where j is infinite, NaN or missing, so is the key, but in Spark: see `_codes`
    key = nw.when(j < 0.0).then(-asinh).otherwise(asinh).floor()
    keyed = rows.with_columns(key.alias("key"), (j * j).alias("square"))
    names = ["key"] if by is None else ["key", _SEGMENT]
    return keyed.group_by(names, drop_null_keys=False).agg(
        nw.len().alias("count"),
        j.sum().alias("total"),
        nw.col("square").sum(),
        j.min().alias("least"),
        j.max().alias("greatest"),
    )


def _collected(nw: Any, lazy: Any, given: Given, grid: Grid, by: str | None) -> Any:
    """The rows of the group-by, as a table of narwhals."""
    if lazy.implementation.is_dask():
        wanted = list(dict.fromkeys([*given.columns, *([] if by is None else [by])]))
        group = partial(_grouped_part, given=given, grid=grid, by=by)
        names = ["key"] if by is None else ["key", _SEGMENT]
        return nw.from_native(merged_by_dask(lazy.to_native()[wanted], group, names), eager_only=True)
    backend = next((one for one in ("pyarrow", "polars", "pandas") if find_spec(one)), None)
    if backend is None:
        raise InputError(
            "the rows of a group-by come back through pyarrow, polars or pandas, of which none is installed: "
            "pip install 'nepers[arrow]'"
        )
    return _grouped(nw, _rows(nw, lazy, given, by), grid, by).collect(backend=backend)


def _grouped_part(frame: Any, given: Given, grid: Grid, by: str | None) -> Any:
    """The group-by of one partition, a pandas frame: counted by compiled loops where nothing is odd."""
    import narwhals as nw

    if by is None and len(frame):
        bins = bins_of_columns({name: real_values(frame[name]) for name in given.columns}, given, grid)
        if bins is not None:
            columns = bins.columns()
            return type(frame)(columns | {"key": columns["key"].astype(np.float64)})
    rows = _rows(nw, nw.from_native(frame).lazy(), given, by)
    return _grouped(nw, rows, grid, by).collect().to_native()


def _columns(table: Any) -> dict[str, Any]:
    names = [*COLUMNS, *([_SEGMENT] if _SEGMENT in table.columns else [])]
    columns = {name: table[name].to_numpy() for name in names}
    columns["key"] = _codes(table["key"], columns["total"])
    return columns


def _codes(key: Any, total: Any) -> Any:
    """The keys as whole numbers, with codes for those of no bin.

    Spark's floor makes whole numbers of everything: the largest there are of what is infinite, and 0 of NaN,
    so that the sum of that bin is NaN.
    """
    missing = key.is_null().to_numpy()
    found = np.asarray(key.to_numpy(), dtype=np.float64)
    for where, code in (
        (np.isnan(found) | np.isnan(np.asarray(total, dtype=np.float64)), NOT_A_NUMBER),
        (found > _SPARKS_LARGEST, PLUS_INFINITY),
        (found < -_SPARKS_LARGEST, MINUS_INFINITY),
        (missing, MISSING),
    ):
        found = np.where(where, float(code), found)
    return found.astype(np.int64)


def _parts(found: dict[int, int] | None, columns: dict[str, Any], name: str, code: int) -> dict[str, int]:
    if found:
        return {f"partition {number} of {name}": cases for number, cases in found.items()}
    return {name: int(columns["count"][columns["key"] == code].sum())}


def _refuse_missing_segments(segment: Any, by: str, name: str) -> None:
    missing = [value is None or value != value for value in segment.tolist()]
    if any(missing):
        raise InputError(f"column {by!r} of {name} must name the segment of every row; some are missing")

"""Frames in partitions: Dask's are counted one by one; and in which partition the rows are that are odd.

Dask makes many small steps of narwhals' expressions. So each partition, which is a pandas frame, is counted
or grouped by itself, and Dask merges the bins.

Which partition a row came from is asked only where some rows are odd, in a second pass.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nepers.tally.gathered import MINUS_INFINITY, MISSING, NOT_A_NUMBER, PLUS_INFINITY


def merged_by_dask(frame: Any, group: Callable[[Any], Any], names: list[str]) -> Any:
    """The rows of ``group``, a group-by of a pandas frame by ``names``, of all partitions together."""
    bins = frame.map_partitions(group, meta=group(frame._meta))
    merged = bins.groupby(names, sort=False, dropna=False).agg(
        {"count": "sum", "total": "sum", "square": "sum", "least": "min", "greatest": "max"}
    )
    return merged.reset_index().compute()


def odd_by_partition(rows: Any, j: str, code: int) -> dict[int, int] | None:
    """In which partitions the column ``j`` is what the code says, and how often; None without partitions.

    ``rows`` is a frame of narwhals.
    """
    native = rows.to_native()
    if rows.implementation.is_pyspark():
        return _by_spark(native, j, code)
    if rows.implementation.is_dask():
        found = native[j].map_partitions(_count_odd, code, meta=("count", "int64")).compute()
        return {i: int(n) for i, n in enumerate(found) if n}
    return None


def real_values(column: Any) -> Any:
    """A column of a pandas frame; missing values are NaN."""
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _by_spark(frame: Any, j: str, code: int) -> dict[int, int]:
    from pyspark.sql import functions as F

    column = F.col(j)
    is_odd = {
        MISSING: column.isNull(),
        NOT_A_NUMBER: F.isnan(column),
        PLUS_INFINITY: column == float("inf"),
        MINUS_INFINITY: column == float("-inf"),
    }[code]
    odd = frame.where(is_odd).select(F.spark_partition_id().alias("part"))
    return {row["part"]: row["count"] for row in odd.groupBy("part").count().orderBy("part").collect()}


def _count_odd(j: Any, code: int) -> Any:
    """Of one partition of Dask, as a series of one number."""
    values = real_values(j)
    # pandas tells missing values from NaN no more than we do here
    odd = {PLUS_INFINITY: values == np.inf, MINUS_INFINITY: values == -np.inf}.get(code, np.isnan(values))
    return type(j)([int(odd.sum())], name="count")

"""Files to bins as fast as they can be read: DuckDB decodes, and compiled loops count what it hands over.

Only for rows without anything odd. Where there is a missing value, or a j that is not finite or has no bin,
`bins_of_rows` gives nothing, and the caller takes the slower way, which can say what is wrong and where.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nepers.tally.bins import Bins, merged
from nepers.tally.given import Given
from nepers.tally.grid import LARGEST_KEY, Grid

if TYPE_CHECKING:
    import duckdb

_ROWS = 1 << 18  # of a batch
_WAITING = 4  # batches for each thread


class Counts(NamedTuple):
    """The bins of one thread, a place for every key; and how many rows were odd."""

    number: NDArray[np.int64]
    total: NDArray[np.float64]
    square: NDArray[np.float64]
    least: NDArray[np.float64]
    greatest: NDArray[np.float64]
    odd: NDArray[np.int64]

    def bins(self) -> Bins:
        """The places that hold a case."""
        filled = np.flatnonzero(self.number)
        real = (column[filled] for column in (self.total, self.square, self.least, self.greatest))
        return Bins(filled - LARGEST_KEY, self.number[filled], *real)


def is_possible() -> bool:
    """Whether what DuckDB hands over can be taken."""
    return find_spec("pyarrow") is not None


def bins_of_rows(
    connection: duckdb.DuckDBPyConnection, relation: str, given: Given, grid: Grid, threads: int | None
) -> Bins | None:
    """The bins of the rows of a relation, or nothing, if some of them are odd."""
    from nepers.reading.query import quoted

    columns = ", ".join(f"CAST({quoted(name)} AS DOUBLE)" for name in given.columns)
    several = threads or os.cpu_count() or 1
    free: SimpleQueue[Counts] = SimpleQueue()
    every = [_no_counts() for _ in range(several)]
    for one in every:
        free.put(one)
    waiting: deque[Future[None]] = deque()
    with ThreadPoolExecutor(several) as pool:
        for batch in _reader(connection, f"SELECT {columns} FROM {relation}"):
            if any(column.null_count for column in batch.columns):
                return None
            waiting.append(pool.submit(_counted, batch, given, grid, free))
            if len(waiting) > _WAITING * several:
                waiting.popleft().result()
        for last in waiting:
            last.result()
    return None if any(one.odd[0] for one in every) else merged([one.bins() for one in every])


def _reader(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    rows: Any = connection.sql(query)
    # its name before DuckDB 1.4
    read = getattr(rows, "to_arrow_reader", None) or rows.fetch_arrow_reader
    return read(_ROWS)


def _no_counts() -> Counts:
    size = 2 * LARGEST_KEY + 1
    nothing = np.zeros(size, dtype=np.int64)
    lowest = np.full(size, np.inf)
    return Counts(nothing, np.zeros(size), np.zeros(size), lowest, -lowest, np.zeros(1, dtype=np.int64))


def _counted(batch: Any, given: Given, grid: Grid, free: SimpleQueue[Counts]) -> None:
    from nepers.tally.counting import count_rows

    columns = dict(zip(given.columns, (column.to_numpy() for column in batch.columns), strict=True))
    first = columns[given.j or given.q or ""]
    second = columns[given.p] if isinstance(given.p, str) else np.full(1, _constant(given))
    counts = free.get()
    try:
        logs = given.j is None and not given.logs
        count_rows(first, second, logs, 1.0 / grid.unit, float(grid.steps), LARGEST_KEY, counts)
    finally:
        free.put(counts)


def _constant(given: Given) -> float:
    """What is subtracted from every row, or its probability."""
    return 0.0 if given.p is None else float(given.p)

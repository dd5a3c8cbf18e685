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
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.tally.bins import Bins, merged
from nepers.tally.given import Given
from nepers.tally.grid import LARGEST_KEY, Array, Grid

if TYPE_CHECKING:
    import duckdb

_ROWS = 1 << 18  # of a batch
_WAITING = 4  # batches for each thread


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
    free: SimpleQueue[Array] = SimpleQueue()
    every = [_no_cells() for _ in range(several)]
    for one in every:
        free.put(one)
    waiting: deque[Future[int]] = deque()
    odd = 0
    with ThreadPoolExecutor(several) as pool:
        for batch in _reader(connection, f"SELECT {columns} FROM {relation}"):
            if any(column.null_count for column in batch.columns):
                return None
            waiting.append(pool.submit(_counted, batch, given, grid, free))
            if len(waiting) > _WAITING * several:
                odd += waiting.popleft().result()
        odd += sum(one.result() for one in waiting)
    return None if odd else merged([_bins(cells) for cells in every])


def _reader(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    rows: Any = connection.sql(query)
    # its name before DuckDB 1.4
    read = getattr(rows, "to_arrow_reader", None) or rows.fetch_arrow_reader
    return read(_ROWS)


def _no_cells() -> Array:
    """A place for every key."""
    from nepers.tally.counting import GREATEST, LEAST, WIDTH

    cells = np.zeros((2 * LARGEST_KEY + 1, WIDTH))
    cells[:, LEAST], cells[:, GREATEST] = np.inf, -np.inf
    return cells


def _bins(cells: Array) -> Bins:
    """The places that hold a case."""
    from nepers.tally.counting import GREATEST, LEAST, NUMBER, SQUARE, TOTAL

    filled = np.flatnonzero(cells[:, NUMBER])
    real = (cells[filled, column] for column in (TOTAL, SQUARE, LEAST, GREATEST))
    return Bins(filled - LARGEST_KEY, cells[filled, NUMBER].astype(np.int64), *real)


def _counted(batch: Any, given: Given, grid: Grid, free: SimpleQueue[Array]) -> int:
    """Count the rows of a batch in the cells that nobody uses; how many are odd."""
    from nepers.tally.counting import count_rows

    columns = dict(zip(given.columns, (column.to_numpy() for column in batch.columns), strict=True))
    first = columns[given.j or given.q or ""]
    second = columns[given.p] if isinstance(given.p, str) else np.full(1, _constant(given))
    cells = free.get()
    try:
        logs = given.j is None and not given.logs
        return int(count_rows(first, second, logs, 1.0 / grid.unit, float(grid.steps), LARGEST_KEY, cells))
    finally:
        free.put(cells)


def _constant(given: Given) -> float:
    """What is subtracted from every row, or its probability."""
    return 0.0 if given.p is None else float(given.p)

"""Files to bins as fast as they can be read: others decode, and compiled loops count what they hand over.

DuckDB decodes whatever it reads; Parquet files whose columns are plain real numbers are decoded by pyarrow,
several row groups side by side.

Only for rows without anything odd. Where there is a missing value, or a j that is not finite or has no bin,
there are no bins, and the caller takes the slower way, which can say what is wrong and where.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Sequence
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

_ROWS = 1 << 16  # of a batch: few enough to stay in the cache
_WAITING = 4  # batches for each thread
_GROUPS = 8  # row groups that a thread takes at a time
_BUFFER = 1 << 20  # bytes of a column that are read at a time


def is_possible() -> bool:
    """Whether what others hand over can be taken."""
    return find_spec("pyarrow") is not None


def is_plain(paths: Sequence[str], given: Given) -> bool:
    """Whether the columns of all these Parquet files can be taken as they are."""
    from pyarrow import ArrowException, types
    from pyarrow.parquet import read_schema

    try:
        schemas = [read_schema(path) for path in paths]
    except ArrowException:  # which DuckDB will make words of
        return False
    return all(
        schema.names.count(name) == 1 and types.is_float64(schema.field(name).type)
        for schema in schemas
        for name in given.columns
    )


def bins_of_rows(
    connection: duckdb.DuckDBPyConnection, relation: str, given: Given, grid: Grid, threads: int | None
) -> Bins | None:
    """The bins of the rows of a relation, or nothing, if some of them are odd."""
    from nepers.reading.query import quoted

    columns = ", ".join(f"CAST({quoted(name)} AS DOUBLE)" for name in given.columns)
    counter = _Counter(given, grid, threads or os.cpu_count() or 1)
    waiting: deque[Future[int]] = deque()
    odd = 0
    with ThreadPoolExecutor(counter.several) as pool:
        for batch in _reader(connection, f"SELECT {columns} FROM {relation}"):
            waiting.append(pool.submit(counter.count, batch))
            if len(waiting) > _WAITING * counter.several and (odd := odd + waiting.popleft().result()):
                return None
        odd += sum(one.result() for one in waiting)
    return None if odd else counter.bins()


def bins_of_parquet(paths: Sequence[str], given: Given, grid: Grid, threads: int | None) -> Bins | None:
    """The bins of the rows of plain Parquet files, or nothing, if some are odd."""
    counter = _Counter(given, grid, threads or os.cpu_count() or 1)
    odd = False

    def count(part: tuple[str, Any, range]) -> None:
        nonlocal odd
        for batch in _batches(*part, given.columns):
            if odd:
                return
            if counter.count(batch):
                odd = True

    with ThreadPoolExecutor(counter.several) as pool:
        for _ in pool.map(count, _parts(paths)):
            pass
    return None if odd else counter.bins()


def bins_of_columns(columns: dict[str, Array], given: Given, grid: Grid) -> Bins | None:
    """The bins of the rows of these columns, or nothing, if some are odd."""
    counter = _Counter(given, grid, 1)
    return None if counter.count_columns(columns) else counter.bins()


class _Counter:
    """Counts batches, several at a time, each in cells that nobody uses."""

    def __init__(self, given: Given, grid: Grid, several: int) -> None:
        self.several = several
        self._given, self._grid = given, grid
        self._every = [_no_cells() for _ in range(several)]
        self._free: SimpleQueue[Array] = SimpleQueue()
        for cells in self._every:
            self._free.put(cells)

    def count(self, batch: Any) -> int:
        """Count the rows of a batch whose columns are those that are given; how many are odd."""
        if missing := sum(column.null_count for column in batch.columns):
            return int(missing)
        arrays = (column.to_numpy() for column in batch.columns)
        return self.count_columns(dict(zip(self._given.columns, arrays, strict=True)))

    def count_columns(self, columns: dict[str, Array]) -> int:
        """Count the rows of columns by name; how many are odd."""
        from nepers.tally.counting import count_rows

        given, grid = self._given, self._grid
        first = columns[given.j or given.q or ""]
        second = columns[given.p] if isinstance(given.p, str) else np.full(1, _constant(given))
        logs = given.j is None and not given.logs
        cells = self._free.get()
        try:
            flat = cells.reshape(-1)
            return int(count_rows(first, second, logs, 1.0 / grid.unit, float(grid.steps), LARGEST_KEY, flat))
        finally:
            self._free.put(cells)

    def bins(self) -> Bins:
        """The bins of all that was counted."""
        return merged([_bins(cells) for cells in self._every])


def _reader(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    rows: Any = connection.sql(query)
    # its name before DuckDB 1.4
    read = getattr(rows, "to_arrow_reader", None) or rows.fetch_arrow_reader
    return read(_ROWS)


def _parts(paths: Sequence[str]) -> Iterator[tuple[str, Any, range]]:
    """The files by some row groups at a time, each with what is known of the file."""
    from pyarrow.parquet import read_metadata

    for path in paths:
        about = read_metadata(path)
        groups = range(about.num_row_groups)
        yield from ((path, about, groups[first : first + _GROUPS]) for first in groups[::_GROUPS])


def _batches(path: str, about: Any, groups: range, columns: Sequence[str]) -> Any:
    """The rows of some row groups, a batch at a time, with the columns in the order given."""
    from pyarrow.parquet import ParquetFile

    with ParquetFile(path, metadata=about, buffer_size=_BUFFER) as file:
        for batch in file.iter_batches(
            batch_size=_ROWS, row_groups=list(groups), columns=list(columns), use_threads=False
        ):
            yield batch.select(list(columns))


def _no_cells() -> Array:
    """A place for every key, and one for rows without."""
    from nepers.tally.counting import GREATEST, LEAST, WIDTH

    cells = np.zeros((2 * LARGEST_KEY + 2, WIDTH))
    cells[:, LEAST], cells[:, GREATEST] = np.inf, -np.inf
    return cells


def _bins(cells: Array) -> Bins:
    """The places that hold a case."""
    from nepers.tally.counting import GREATEST, LEAST, NUMBER, SQUARE, TOTAL

    filled = np.flatnonzero(cells[:-1, NUMBER])
    real = (cells[filled, column] for column in (TOTAL, SQUARE, LEAST, GREATEST))
    return Bins(filled - LARGEST_KEY, cells[filled, NUMBER].astype(np.int64), *real)


def _constant(given: Given) -> float:
    """What is subtracted from every row, or its probability."""
    return 0.0 if given.p is None else float(given.p)

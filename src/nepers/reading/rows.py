"""Columns of anything out of files, in types that can be compared: numbers, times, or text.

Whole numbers that fit 64 bits stay whole; other numbers are doubles; dates and times are microseconds;
everything else is text, as DuckDB writes it. csv, tsv and JSON do not say what a cell is. There a column is
numbers if every cell that is not empty is one, without leading zeros (``007`` is an id, not seven) and not a
whole one too long for 64 bits. It is times if every such cell is as ``2026-01-31`` or
``2026-01-31 23:59:59.5`` (T between, or Z after, are the same). Else it is text, as written; and so it is if
the other file says that it is text, or, of ids, seems to hold text. An empty cell is missing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.reading import open_table
from nepers.reading.query import Cells, QueryTable, connected, told
from nepers.reading.table import check_columns, listed

Kind = Literal["whole", "number", "time", "text"]

_WHOLE_TYPES = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
_WHOLE = "(-?[1-9][0-9]*|0)"
_PADDED = "[+-]?0[0-9].*|[+].*"
_DAY, _CLOCK = "[0-9]{4}-[0-9]{2}-[0-9]{2}", "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?"


@dataclass(frozen=True)
class FileRows:
    """The columns of one file by name; missing cells are masked."""

    name: str
    columns: dict[str, NDArray[Any]]


def read_both(
    file: str | os.PathLike[str],
    other: str | os.PathLike[str],
    columns: Sequence[str] | None,
    format: str | None,
    other_format: str | None,
) -> tuple[FileRows, FileRows]:
    """The named columns of both files, or those that both have; a pair of the same kind where it may be."""
    with _query(file, format) as a, _query(other, other_format) as b:
        names = [name for name in a.names if name in b.names] if columns is None else list(columns)
        for table in (a, b):
            check_columns(table.name, table.names, names)
        if not names:
            raise InputError(
                f"{a.name} and {b.name} must share columns; in {a.name} {listed(a.names)}, "
                f"in {b.name} {listed(b.names)}"
            )
        kinds = _agreed(a, b, names, columns is not None)
        return _read(a, names, kinds[0]), _read(b, names, kinds[1])


@dataclass(frozen=True)
class AnyTable:
    """One file whose columns are taken for numbers, or for whatever they are, as they are asked for."""

    table: QueryTable

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names as the file has them, in its order."""
        return self.table.names

    def numbers(self, columns: Sequence[str]) -> dict[str, NDArray[np.float64]]:
        """The columns as float64; InputError for a cell that is no number."""
        return self.table.read(columns)

    def values(self, column: str) -> NDArray[Any]:
        """The column as whole numbers, numbers, times or text; InputError for an empty cell."""
        found = self.masked(column)
        empty = np.flatnonzero(np.ma.getmaskarray(found))
        if empty.size:
            raise InputError(
                f"column {column!r} of {self.table.name} must have a value in every row; {empty.size:,} of "
                f"{found.size:,} are empty: row {empty[0]} (rows counted from 0, the header not counted)"
            )
        return np.asarray(found)

    def masked(self, column: str) -> NDArray[Any]:
        """The same with empty cells masked."""
        check_columns(self.table.name, self.names, [column])
        return _read(self.table, [column], _kinds(self.table, [column])).columns[column]


@contextmanager
def open_any(file: str | os.PathLike[str], format: str | None) -> Iterator[AnyTable]:
    """The file as an `AnyTable`; closed on leaving."""
    with _query(file, format) as table:
        yield AnyTable(table)


@contextmanager
def _query(file: str | os.PathLike[str], format: str | None) -> Iterator[QueryTable]:
    with open_table(file, format=format) as table:
        if isinstance(table, QueryTable):
            yield table
            return
        from nepers.reading.arrow import ArrowTable

        assert isinstance(table, ArrowTable)
        with connected(table.source) as connection:
            yield _registered(table, connection)


def _registered(table: Any, connection: Any) -> QueryTable:
    """An Arrow file as a table of DuckDB; its names by place, as SQL's are blind to upper and lower case."""
    import pyarrow as pa

    from nepers.reading.parquet import _cells

    places = [f"c{i}" for i in range(len(table.names))]
    columns = [pa.chunked_array(table._batches(i), kind) for i, kind in enumerate(table.types)]
    connection.register("arrow_rows", pa.Table.from_arrays(columns, names=places))
    types = connection.execute("DESCRIBE arrow_rows").fetchall()
    cells = tuple(_cells(str(row[0]), str(row[1])) for row in types)
    return QueryTable(table.name, table.names, cells, connection, "arrow_rows", ())


def _agreed(a: QueryTable, b: QueryTable, names: list[str], ids: bool) -> tuple[list[Kind], list[Kind]]:
    """What each column is in each file: text, if one says so, or (of ids) takes it for that."""
    one, other = _kinds(a, names), _kinds(b, names)
    for i, name in enumerate(names):
        if one[i] == other[i] or {one[i], other[i]} == {"whole", "number"}:
            continue
        says_a, says_b = (_of(table, name).kind != "text" for table in (a, b))
        text_a = not says_a and (other[i] == "text" if says_b else ids)
        text_b = not says_b and (one[i] == "text" if says_a else ids)
        one[i], other[i] = ("text" if text_a else one[i]), ("text" if text_b else other[i])
    return one, other


def _kinds(table: QueryTable, names: list[str]) -> list[Kind]:
    several = [_of(table, name) for name in names]
    unsaid = [cells for cells in several if cells.kind == "text"]
    found = iter(_spelt(table, unsaid)) if unsaid else iter(())
    return [next(found) if cells.kind == "text" else _typed(cells) for cells in several]


def _spelt(table: QueryTable, several: list[Cells]) -> list[Kind]:
    """What the cells of columns without a type look like, in one pass over the file."""
    parts = [part for i, cells in enumerate(several) for part in _counts(cells, f"n{i}")]
    with told(table.name):
        row = _select(table, several, parts).fetchone() or ()
    kinds: tuple[Kind, ...] = ("whole", "number", "time")
    found = zip(row[::4], *(row[start::4] for start in (1, 2, 3)), strict=True)
    return [
        next((kind for kind, count in zip(kinds, counts, strict=True) if count == n), "text")
        for n, *counts in found
    ]


def _counts(cells: Cells, cell: str) -> tuple[str, ...]:
    """How many cells there are, and how many of them are of each kind."""
    text = _trimmed(cell)
    digits, fits = f"regexp_full_match({text}, '{_WHOLE}')", f"try_cast({text} AS BIGINT) IS NOT NULL"
    day, exists = f"regexp_full_match({text}, '{_DAY}([ T]{_CLOCK}Z?)?')", f"try_cast({text} AS TIMESTAMP)"
    tests = (
        f"{text} IS NOT NULL",
        f"{digits} AND {fits}",
        f"NOT regexp_full_match({text}, '{_PADDED}') AND {cells.number(cell)} IS NOT NULL "
        f"AND ({fits} OR NOT {digits})",
        f"{day} AND {exists} IS NOT NULL",
    )
    return tuple(f"count(*) FILTER ({test})" for test in tests)


def _typed(cells: Cells) -> Kind:
    name = cells.type_name
    if name.removeprefix("U") in _WHOLE_TYPES or name == "BOOLEAN":
        return "whole"
    if name == "DATE" or (name.startswith("TIMESTAMP") and not name.endswith("]")):
        return "time"
    return "number" if name in ("FLOAT", "DOUBLE") or cells.kind == "decimal" else "text"


def _read(table: QueryTable, names: list[str], kinds: list[Kind]) -> FileRows:
    several = [_of(table, name) for name in names]
    places = range(len(names))
    parts = [f"{_value(several[i], f'n{i}', kinds[i])} AS r{i}" for i in places]
    with told(table.name):
        found = _select(table, several, parts).fetchnumpy()
    columns = [np.ma.asanyarray(found[f"r{i}"]) for i in places]
    times = [column.view("M8[us]") if kinds[i] == "time" else column for i, column in enumerate(columns)]
    return FileRows(table.name, dict(zip(names, times, strict=True)))


def _value(cells: Cells, cell: str, kind: Kind) -> str:
    said = cells.kind != "text"
    if kind == "text":
        return f"CASE WHEN {_trimmed(cell)} IS NOT NULL THEN CAST({cell} AS VARCHAR) END"
    if kind == "time":
        return f"epoch_us({cell if said else f'CAST({_trimmed(cell)} AS TIMESTAMP)'})"
    if kind == "whole":
        return cell if said else f"CAST({_trimmed(cell)} AS BIGINT)"
    return cell if cells.type_name == "FLOAT" else cells.number(cell)


def _trimmed(cell: str) -> str:
    """NULL where there is nothing but blanks."""
    return f"nullif(trim(CAST({cell} AS VARCHAR), ' \t\r'), '')"


def _of(table: QueryTable, name: str) -> Cells:
    return table.cells[table.names.index(name)]


def _select(table: QueryTable, several: list[Cells], parts: list[str]) -> Any:
    inner = ", ".join(f"{cells.cell} AS n{i}" for i, cells in enumerate(several))
    parameters = [value for cells in several for value in cells.parameters]
    query = f"SELECT {', '.join(parts)} FROM (SELECT {inner} FROM {table.relation})"
    return table.connection.execute(query, [*parameters, *table.parameters])

"""Comma- and tab-separated text. The header is read here; DuckDB is told everything and guesses nothing."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import TextIO

import duckdb

from nepers.errors import InputError
from nepers.reading.query import Cells, QueryTable, literal_path
from nepers.reading.source import Source

_LONGEST_LINE = 1 << 20


def open_csv(source: Source, connection: duckdb.DuckDBPyConnection) -> QueryTable:
    """Values between commas, quoted by ``"`` where they need it."""
    return _open(source, connection, ",")


def open_tsv(source: Source, connection: duckdb.DuckDBPyConnection) -> QueryTable:
    """The same between tabs."""
    return _open(source, connection, "\t")


def _open(source: Source, connection: duckdb.DuckDBPyConnection, delimiter: str) -> QueryTable:
    names = _header(source, delimiter)
    # Names by place: SQL's are blind to upper and lower case, and the user's may be anything.
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
    relation = (
        f"read_csv(?, auto_detect = false, header = true, delim = '{delimiter}', quote = '\"', "
        f"escape = '\"', columns = {{{columns}}}, compression = 'none', "
        "hive_partitioning = false)"
    )
    cells = tuple(Cells(f"c{i}", "text") for i in range(len(names)))
    return QueryTable(source.name, names, cells, connection, relation, (literal_path(source),))


def _header(source: Source, delimiter: str) -> tuple[str, ...]:
    try:
        with source.path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as stream:
            row = next(csv.reader(_lines(stream), delimiter=delimiter, strict=True), [])
    except (csv.Error, OSError) as error:
        raise InputError(f"{source.name} cannot be read: {error} (in its first line)") from None
    if not any(name.strip() for name in row):
        raise InputError(f"{source.name} must begin with a line of column names; its first line is empty")
    if any("\ud800" <= mark <= "\udfff" for name in row for mark in name):
        raise InputError(f"{source.name} must be text in UTF-8; its first line is not")
    return tuple(name.strip() for name in row)


def _lines(stream: TextIO) -> Iterator[str]:
    while line := stream.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE:
            raise csv.Error(f"no line ends within {_LONGEST_LINE:,} characters")
        yield line

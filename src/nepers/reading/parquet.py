"""Parquet: columns with types, so a cell is a number or missing."""

from __future__ import annotations

import duckdb

from nepers.reading.query import Cells, QueryTable, literal_path, quoted
from nepers.reading.source import Source

_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL", "NULL")


def open_parquet(source: Source, connection: duckdb.DuckDBPyConnection) -> QueryTable:
    """The top-level columns under their true names."""
    path = literal_path(source)
    relation = "read_parquet(?, hive_partitioning = false)"
    described = connection.execute(f"DESCRIBE SELECT * FROM {relation}", [path]).fetchall()
    names = _true_names(connection, path)
    cells = tuple(_cells(str(row[0]), str(row[1])) for row in described)
    return QueryTable(source.name, names, cells, connection, relation, (path,))


def _true_names(connection: duckdb.DuckDBPyConnection, path: str) -> tuple[str, ...]:
    """DuckDB renames a column that differs from another only by case; the file's own schema does not lie."""
    schema = connection.execute("SELECT name, num_children FROM parquet_schema(?)", [path]).fetchall()
    names: list[str] = []
    place = 1  # row 0 is the root
    while place < len(schema):
        names.append(str(schema[place][0]))
        place = _after_subtree(schema, place)
    return tuple(names)


def _after_subtree(schema: list[tuple[str, int | None]], place: int) -> int:
    to_visit = 1
    while to_visit:
        to_visit += (schema[place][1] or 0) - 1
        place += 1
    return place


def _cells(identifier: str, type_name: str) -> Cells:
    bare = type_name.partition("(")[0].removeprefix("U")
    if bare not in _NUMBERS or type_name.endswith("]"):
        return Cells(quoted(identifier), "other", type_name=type_name)
    return Cells(quoted(identifier), "decimal" if bare == "DECIMAL" else "number", type_name=type_name)

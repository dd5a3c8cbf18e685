"""JSON: an array of objects, or an object on each line. A number may also be text, as ``"-inf"`` must be."""

from __future__ import annotations

import duckdb

from nepers.errors import InputError
from nepers.reading.query import Cells, QueryTable, literal_path
from nepers.reading.source import Source


def open_json(source: Source, connection: duckdb.DuckDBPyConnection) -> QueryTable:
    """The keys of all the objects are the columns; an object without the key has an empty cell there."""
    relation = (
        "read_json_objects(?, format = 'auto', compression = 'uncompressed', hive_partitioning = false)"
    )
    path = literal_path(source)
    _check_objects(source, connection, relation, path)
    keys = connection.execute(
        "SELECT key FROM (SELECT unnest(json_keys(json)) AS key, row_number() OVER () AS place "
        f"FROM {relation}) GROUP BY key ORDER BY min(place), key",
        [path],
    ).fetchall()
    names = tuple(str(key) for (key,) in keys)
    return QueryTable(source.name, names, tuple(map(_cells, names)), connection, relation, (path,))


def _check_objects(source: Source, connection: duckdb.DuckDBPyConnection, relation: str, path: str) -> None:
    """Every record is an object, and no object has a key twice (the second would be ignored)."""
    found = connection.execute(
        "SELECT place, kind FROM (SELECT row_number() OVER () - 1 AS place, json_type(json) AS kind, "
        f"json_keys(json) AS keys FROM {relation}) "
        "WHERE kind <> 'OBJECT' OR len(keys) <> len(list_distinct(keys)) ORDER BY place LIMIT 1",
        [path],
    ).fetchone()
    if found is None:
        return
    what = "has a key twice" if found[1] == "OBJECT" else "is not one"
    raise InputError(
        f"{source.name} must hold JSON objects, each key once; "
        f"record {found[0]} {what} (records counted from 0)"
    )


def _cells(name: str) -> Cells:
    pointer = "/" + name.replace("~", "~0").replace("/", "~1")
    return Cells("json_extract_string(json, ?)", "text", (pointer,))

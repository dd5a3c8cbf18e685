"""Tallies of files too large for memory, by the embedded engine, DuckDB: one group-by over all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    tally_of,
)
from nepers.tally.given import Column, Given, read_given, refuse_absent
from nepers.tally.grid import LARGEST_KEY, Grid
from nepers.tally.streamed import bins_of_parquet, bins_of_rows, is_plain, is_possible

if TYPE_CHECKING:
    import duckdb

_FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".ndjson": "json",
    ".jsonl": "json",
}
# all but the types is said, or rows that do not fit would be taken for a title
_DELIMITED = (
    ", header = true, nullstr = '', delim = '{}', quote = '\"', escape = '\"', skip = 0, comment = ''"
)
_NUMBERS = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
)
_REAL = ("FLOAT", "DOUBLE", "DECIMAL")


def from_files(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    j: str | None = None,
    log_q: str | None = None,
    log_p: Column | None = None,
    q: str | None = None,
    p: Column | None = None,
    by: str | None = None,
    grid: Grid | None = None,
    format: str | None = None,
    memory: str = "1500MB",
    threads: int | None = None,
) -> Any:
    """The tally of files, or globs of files, of one format: Parquet, csv, tsv or JSON, plain or gzipped.

    The columns are named as for `from_frame`; so is ``by``, with which the result is a dict of tallies.

    format: parquet, csv, tsv or json; without it the first file's name decides.
    memory, threads: what DuckDB may use. The files are read in pieces, so their size does not matter.
    """
    given, grid = read_given(j, log_q, log_p, q, p), grid or Grid()
    paths = found_files(files)
    from nepers.reading.query import told

    shown = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1:,} more"
    with told(shown), _connected(memory, threads) as connection:
        format = format or _format(paths[0])
        relation = _relation(connection, paths, format, given, by)
        if by is None and is_possible():
            if format == "parquet" and is_plain(paths, given):
                bins = bins_of_parquet(paths, given, grid, threads)
            else:
                bins = bins_of_rows(connection, relation, given, grid, threads)
            if bins is not None:
                return tally_of(bins, grid)
        rows = (
            f"SELECT {_ratio(given)} AS j{'' if by is None else f', {quoted(by)} AS segment'} FROM {relation}"
        )
        keyed = f"SELECT {_key(grid)} AS key, * FROM ({rows})"
        columns = connection.execute(_group_by(keyed, by)).fetchnumpy()
        named = {name: np.ma.getdata(columns[name]) for name in COLUMNS}

        def where(code: int) -> dict[str, int]:
            named_rows = rows.replace("SELECT ", "SELECT filename, ", 1)
            found = connection.execute(
                f"SELECT filename, count(*) FROM (SELECT {_key(grid)} AS key, filename FROM ({named_rows})) "
                f"WHERE key = {code} GROUP BY filename ORDER BY filename"
            ).fetchall()
            return dict(found)

        segment = None
        if by is not None:
            segment = columns["segment"]
            if np.ma.getmaskarray(segment).any():
                raise InputError(f"column {by!r} must name the segment of every row; some are missing")
            segment = np.ma.getdata(segment)
        tallies = tallies_of(Gathered(named, segment, where), grid, None)
    return tallies[None] if by is None else tallies


def found_files(files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """The files, each once, in order; a glob must match something."""
    given = [files] if isinstance(files, str | os.PathLike) else list(files)
    paths: list[str] = []
    for one in (str(os.fspath(name)) for name in given):
        matched = sorted(glob(one, recursive=True)) if has_magic(one) and not Path(one).exists() else [one]
        if not matched:
            raise InputError(f"files must match something; {one!r} matches no file")
        paths += matched
    for path in paths:
        if not Path(path).is_file():
            raise InputError(f"files must be files that exist; {path!r} is none")
    twice = sorted({path for path in paths if paths.count(path) > 1})
    if twice:
        raise InputError(
            f"files must be named once, or their cases would count twice; {twice[0]!r} comes twice"
        )
    if not paths:
        raise InputError("files must name at least one file; there is none")
    return paths


def quoted(identifier: str) -> str:
    """The identifier as SQL takes it."""
    from nepers.reading.query import quoted as as_sql

    return as_sql(identifier)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _format(path: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    if suffixes and suffixes[-1] in _FORMATS:
        return _FORMATS[suffixes[-1]]
    raise InputError(
        f"format of {path!r} cannot be told from its name; give format: parquet, csv, tsv or json"
    )


def _connected(memory: str, threads: int | None) -> duckdb.DuckDBPyConnection:
    import duckdb

    config: dict[str, Any] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "memory_limit": memory,
        "preserve_insertion_order": "false",
        # a key of 16 bits is then a place in a table, not hashed
        "perfect_ht_threshold": "17",
    }
    if threads is not None:
        config["threads"] = threads
    connection = duckdb.connect(config=config)
    connection.execute("SET enable_progress_bar = false")
    return connection


def _relation(
    connection: duckdb.DuckDBPyConnection, paths: list[str], format: str, given: Given, by: str | None
) -> str:
    """The files as a table, its columns checked."""
    # DuckDB's own wildcards are made literal: the globs have been looked up
    listed = ", ".join(
        _text("".join(f"[{mark}]" if mark in "*?[" else mark for mark in path)) for path in paths
    )
    options = {
        "parquet": "",
        "csv": _DELIMITED.format(","),
        "tsv": _DELIMITED.format("\t"),
        "json": "",
    }
    if format not in options:
        raise InputError(f"format must be parquet, csv, tsv or json; it is {format!r}")
    reader = "csv" if format == "tsv" else format
    relation = f"read_{reader}([{listed}], filename = true{options[format]})"
    found = connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
    kinds = {name: kind for name, kind, *_ in found}
    refuse_absent(
        paths[0], [name for name in kinds if name != "filename"], [*given.columns, *([by] if by else [])]
    )
    for name in given.columns:
        if kinds[name].partition("(")[0] not in (*_NUMBERS, *_REAL):
            raise InputError(
                f"column {name!r} of {paths[0]} must hold real numbers; its type is {kinds[name]}"
            )
    return relation


def _ratio(given: Given) -> str:
    def column(name: str) -> str:
        return f"CAST({quoted(name)} AS DOUBLE)"

    if given.j is not None:
        return column(given.j)
    q, p = (column(c) if isinstance(c, str) else repr(float(c or 0.0)) for c in (given.q, given.p))
    return f"{q} - {p}" if given.logs else f"{_log(q)} - {_log(p)}"


def _log(x: str) -> str:
    return (
        f"CASE WHEN {x} > 0 THEN ln({x}) WHEN {x} = 0 THEN CAST('-inf' AS DOUBLE) "
        f"WHEN {x} IS NOT NULL THEN CAST('nan' AS DOUBLE) END"
    )


def _key(grid: Grid) -> str:
    x = f"(abs(j) / {grid.unit!r})"
    asinh = f"ln({x} + sqrt({x} * {x} + 1))"
    last = LARGEST_KEY + 1
    finite = f"floor(greatest(least(sign(j) * {asinh} * {grid.steps}, {last}), {-last}))"
    codes = f"WHEN j IS NULL THEN {MISSING} WHEN isnan(j) THEN {NOT_A_NUMBER} WHEN j > 0 THEN {PLUS_INFINITY}"
    return f"CAST(CASE WHEN isfinite(j) THEN {finite} {codes} ELSE {MINUS_INFINITY} END AS SMALLINT)"


def _group_by(keyed: str, by: str | None) -> str:
    names = "key" if by is None else "key, segment"
    return (
        f"SELECT {names}, count(*) AS count, sum(j) AS total, sum(j * j) AS square, min(j) AS least, "
        f"max(j) AS greatest FROM ({keyed}) GROUP BY {names}"
    )

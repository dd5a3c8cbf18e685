"""Columns of numbers out of files, through DuckDB, only the columns asked for.

Nothing is repaired in silence. A cell that is empty, text, ``nan``, or too large for a double is an error
that names the column, the row, the rule and the value; ``inf`` and ``-inf`` are numbers. Rows are counted
from 0, the header not counted, as everywhere in the package. A table with a header and no rows is legal
and gives empty arrays.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from nepers.reading.source import FORMATS, Source, open_source
from nepers.reading.table import Array, Table

__all__ = ["FORMATS", "Table", "open_table", "read_columns"]


def read_columns(
    path: str | os.PathLike[str], columns: Sequence[str], *, format: str | None = None
) -> dict[str, Array]:
    """The named columns of the file at ``path`` as float64 arrays, a row of the file in each place.

    ``format`` is one of ``FORMATS``; without it the file's name decides (``.csv``, ``.tsv``, ``.json``,
    ``.ndjson``, ``.jsonl``, ``.parquet``, ``.arrow``, ``.feather``, ``.ipc``; any of them gzipped).
    ``-`` is standard input, and csv unless ``format`` says otherwise.
    """
    with open_table(path, format=format) as table:
        return table.read(columns)


@contextmanager
def open_table(path: str | os.PathLike[str], *, format: str | None = None) -> Iterator[Table]:
    """The file as a ``Table``: its column names first, its numbers when asked; closed on leaving."""
    with open_source(path, format) as source, _opened(source) as table:
        yield table


@contextmanager
def _opened(source: Source) -> Iterator[Table]:
    if source.format == "arrow":
        from nepers.reading.arrow import open_arrow

        yield open_arrow(source)
        return
    from nepers.reading import delimited, parquet, records
    from nepers.reading.query import connected

    reader = {
        "csv": delimited.open_csv,
        "tsv": delimited.open_tsv,
        "json": records.open_json,
        "parquet": parquet.open_parquet,
    }[source.format]
    with connected(source) as connection:
        yield reader(source, connection)

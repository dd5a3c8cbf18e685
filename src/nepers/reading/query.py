"""DuckDB as the reader: a closed-off connection, and a table that is a query over one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import duckdb
import numpy as np

from nepers.errors import InputError
from nepers.reading.source import Source
from nepers.reading.table import Array, check_columns, finish_column

_FINITE = r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
_INFINITE = r"[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?"


@dataclass(frozen=True)
class Cells:
    """One column in SQL: ``cell`` with its ``parameters``, and what kind of thing its cells are."""

    cell: str
    kind: Literal["text", "number", "decimal", "other"]
    parameters: tuple[Any, ...] = ()
    type_name: str = ""

    def number(self, cell: str) -> str:
        """The SQL of a cell's double; NULL or nan where the cell is no number."""
        if self.kind == "number":
            return f"CAST({cell} AS DOUBLE)"
        if (
            self.kind == "decimal"
        ):  # through its text: the nearest double to what is written, whatever the scale
            return f"CAST(CAST({cell} AS VARCHAR) AS DOUBLE)"
        return _number_in_text(cell)


def _number_in_text(cell: str) -> str:
    """A cast alone would take 1_000 for 1000 and make infinity of 1e400."""
    trimmed = f"trim({cell}, ' \t\r')"
    double = f"try_cast({trimmed} AS DOUBLE)"
    return (
        f"CASE WHEN regexp_full_match({trimmed}, '{_FINITE}') AND NOT isinf({double}) "
        f"OR regexp_full_match({trimmed}, '{_INFINITE}') THEN {double} END"
    )


@dataclass(frozen=True)
class QueryTable:
    """A file as ``FROM relation`` with ``parameters``; ``cells`` in the order of ``names``."""

    name: str
    names: tuple[str, ...]
    cells: tuple[Cells, ...]
    connection: duckdb.DuckDBPyConnection
    relation: str
    parameters: tuple[Any, ...]

    def numeric_names(self) -> list[str]:
        """The columns in which every cell is a number."""
        hopeful = [i for i, cells in enumerate(self.cells) if cells.kind != "other"]
        if not hopeful:
            return []
        wrong = "count(*) FILTER (WHERE coalesce(isnan({}), TRUE))"
        with told(self.name):
            counts = self._select(wrong, [self.cells[i] for i in hopeful]).fetchone() or ()
        return [self.names[i] for i, count in zip(hopeful, counts, strict=True) if count == 0]

    def read(self, columns: Sequence[str]) -> dict[str, Array]:
        """The columns as float64; InputError for a column or a cell that is not what was asked for."""
        check_columns(self.name, self.names, columns)
        wanted = {column: self.cells[self.names.index(column)] for column in columns}
        for column, cells in wanted.items():
            if cells.kind == "other":
                raise InputError(
                    f"column {column!r} of {self.name} must hold numbers; its type is {cells.type_name}"
                )
        if not wanted:
            return {}
        with told(self.name):
            found = self._select("{}", list(wanted.values())).fetchnumpy()
        arrays = dict(zip(wanted, found.values(), strict=True))
        return {column: self._finish(column, arrays[column]) for column in wanted}

    def _select(self, template: str, several: list[Cells]) -> duckdb.DuckDBPyConnection:
        """One pass over the file; ``template`` says what becomes of each column's number."""
        outer = ", ".join(
            f"{template.format(cells.number(f'n{i}'))} AS r{i}" for i, cells in enumerate(several)
        )
        inner = ", ".join(f"{cells.cell} AS n{i}" for i, cells in enumerate(several))
        parameters = [value for cells in several for value in cells.parameters]
        query = f"SELECT {outer} FROM (SELECT {inner} FROM {self.relation})"
        return self.connection.execute(query, [*parameters, *self.parameters])

    def _finish(self, column: str, found: Any) -> Array:
        cells = self.cells[self.names.index(column)]

        def cell(row: int) -> str | None:
            query = f"SELECT CAST({cells.cell} AS VARCHAR) FROM {self.relation} LIMIT 1 OFFSET {row}"
            one = self.connection.execute(query, [*cells.parameters, *self.parameters]).fetchone()
            return None if one is None or one[0] is None else str(one[0])

        return finish_column(self.name, column, np.ma.asanyarray(found), cell)


def quoted(identifier: str) -> str:
    """The identifier as SQL takes it whatever it holds."""
    return '"' + identifier.replace('"', '""') + '"'


def literal_path(source: Source) -> str:
    """The path with DuckDB's wildcards made literal: ``a[1].csv`` would otherwise read ``a1.csv``."""
    return "".join(f"[{mark}]" if mark in "*?[" else mark for mark in str(source.path))


@contextmanager
def connected(source: Source) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of its own that neither downloads extensions nor draws on the terminal."""
    settings = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    with duckdb.connect(config=dict(settings)) as connection:
        connection.execute("SET enable_progress_bar = false")
        with told(source.name):
            yield connection


@contextmanager
def told(file: str) -> Iterator[None]:
    """DuckDB's errors in one line: what is wrong, without its advice on switches the user does not have."""
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise InputError(f"{file} cannot be read: {_first_lines(str(error))}") from None


_ADVICE = ("Possible", "Try setting", "This can happen", "LINE ", "  file =")


def _first_lines(message: str) -> str:
    """What comes before DuckDB's advice, without the line it quotes from the file."""
    kept: list[str] = []
    for line in message.splitlines():
        if line.startswith(_ADVICE):
            break
        if line.strip() and not line.startswith("Original Line"):
            kept.append(line.strip()[:150])
    told = "; ".join(kept).partition("Error: ")
    return (told[2] or told[0])[:300]

"""Arrow IPC (feather) files and streams, through pyarrow: DuckDB has no reader of its own for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nepers.errors import InputError
from nepers.reading.source import Source
from nepers.reading.table import Array, check_columns, finish_column

_FILE_MAGIC = b"ARROW1"


def open_arrow(source: Source) -> ArrowTable:
    """The file's schema now, its columns when asked."""
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError(
            f"{source.name} is an Arrow file, and reading those needs pyarrow: install nepers[arrow]"
        ) from None
    try:
        schema = _reader(source, []).schema
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{source.name} cannot be read as Arrow IPC: {_first_line(error)}") from None
    return ArrowTable(source.name, tuple(schema.names), source, tuple(schema.types))


@dataclass(frozen=True)
class ArrowTable:
    """The columns of an Arrow file, one batch in memory at a time besides the numbers themselves."""

    name: str
    names: tuple[str, ...]
    source: Source
    types: tuple[Any, ...]

    def numeric_names(self) -> list[str]:
        """The columns in which every cell is a number."""
        return [name for i, name in enumerate(self.names) if self._all_numbers(i)]

    def read(self, columns: Sequence[str]) -> dict[str, Array]:
        """The columns as float64; InputError for a column or a cell that is not what was asked for."""
        check_columns(self.name, self.names, columns)
        return {column: self._read_one(column) for column in columns}

    def _all_numbers(self, place: int) -> bool:
        return _is_numeric(self.types[place]) and not any(np.isnan(part).any() for part in self._parts(place))

    def _read_one(self, column: str) -> Array:
        place = self.names.index(column)
        if not _is_numeric(self.types[place]):
            raise InputError(
                f"column {column!r} of {self.name} must hold numbers; its type is {self.types[place]}"
            )
        values = np.concatenate([np.empty(0), *self._parts(place)])
        return finish_column(self.name, column, values, lambda row: self._cell(place, row))

    def _parts(self, place: int) -> list[Array]:
        return [_numbers(batch) for batch in self._batches(place)]

    def _cell(self, place: int, row: int) -> str | None:
        for batch in self._batches(place):
            if row < len(batch):
                value = batch[row].as_py()
                return None if value is None else str(value)
            row -= len(batch)
        return None

    def _batches(self, place: int) -> list[Any]:
        import pyarrow as pa

        try:
            table = _reader(self.source, [place]).read_all()
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{self.name} cannot be read as Arrow IPC: {_first_line(error)}") from None
        return list(table.column(0).chunks)


def _reader(source: Source, places: list[int]) -> Any:
    """A reader of the columns at ``places`` (none: of all) of a file or of a stream."""
    import pyarrow as pa
    from pyarrow import ipc

    mapped = pa.memory_map(str(source.path))
    options = ipc.IpcReadOptions(included_fields=places)
    is_file = bytes(mapped.read(len(_FILE_MAGIC))) == _FILE_MAGIC
    mapped.seek(0)
    return ipc.open_file(mapped, options=options) if is_file else ipc.open_stream(mapped, options=options)


def _is_numeric(kind: Any) -> bool:
    from pyarrow import types

    return any(test(kind) for test in (types.is_floating, types.is_integer, types.is_decimal, types.is_null))


def _numbers(batch: Any) -> Array:
    """Doubles, nan where missing. Decimals go one by one: pyarrow's own cast is not to the nearest double."""
    import pyarrow as pa

    if pa.types.is_decimal(batch.type):
        return np.array(
            [np.nan if cell is None else float(cell) for cell in batch.to_pylist()], dtype=np.float64
        )
    doubles = batch.cast(pa.float64(), safe=False)
    return np.asarray(doubles.to_numpy(zero_copy_only=False), dtype=np.float64)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:300]

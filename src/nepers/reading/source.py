"""Where the bytes are, and in which format: the path, standard input, compression."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from nepers.errors import InputError

FORMATS = ("csv", "tsv", "json", "parquet", "arrow")
_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".json": "json",
    ".ndjson": "json",
    ".jsonl": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
_ZSTD = b"\x28\xb5\x2f\xfd"
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Source:
    """A regular file, neither empty nor compressed. ``name`` is the user's word for it."""

    name: str
    path: Path
    format: str


@contextmanager
def open_source(path: str | os.PathLike[str], format: str | None) -> Iterator[Source]:
    """The file at ``path`` (``-``: standard input), checked; what is not a regular file is copied to one."""
    name = os.fspath(path)
    if not isinstance(name, str):
        raise InputError(f"path must be text or a pathlib.Path; it is {path!r}")
    chosen = _format(name, format)
    shown = "standard input" if name == "-" else name
    with ExitStack() as stack:
        file = stack.enter_context(_spooled(sys.stdin.buffer)) if name == "-" else _located(name, stack)
        yield Source(shown, _plain(file, shown, stack), chosen)


def _format(name: str, format: str | None) -> str:
    if format is not None:
        if format not in FORMATS:
            raise InputError(f"format must be one of {', '.join(FORMATS)}; it is {format!r}")
        return format
    if name == "-":
        return "csv"
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    if suffixes and suffixes[-1] in (".gz", ".gzip"):
        suffixes.pop()
    if suffixes and suffixes[-1] in _SUFFIXES:
        return _SUFFIXES[suffixes[-1]]
    if Path(name).is_dir() or not Path(name).exists():
        return "csv"  # the next check says what is wrong with it
    raise InputError(
        f"format of {name!r} cannot be told from its name; give format (one of {', '.join(FORMATS)})"
    )


def _located(name: str, stack: ExitStack) -> Path:
    """The regular file called ``name``; a pipe is copied, since a table is read more than once."""
    path = Path(name).absolute()
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError(f"path must be a file; {name!r} is a directory")
        with path.open("rb") as stream:
            return path if stat.S_ISREG(mode) else stack.enter_context(_spooled(stream))
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = "it does not exist" if isinstance(error, FileNotFoundError) else _reason(error)
        raise InputError(f"path must be a file that can be read; {name!r}: {reason}") from None


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


@contextmanager
def _spooled(stream: IO[bytes] | gzip.GzipFile) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="nepers-") as folder:
        copy = Path(folder) / "input"
        with copy.open("wb") as out:
            shutil.copyfileobj(stream, out)
        yield copy


def _plain(path: Path, shown: str, stack: ExitStack) -> Path:
    """The file itself, or what is in it if it is gzip (by its content, not its name)."""
    with path.open("rb") as stream:
        first = stream.read(4)
    if not first:
        raise InputError(f"{shown} must hold a table; it is empty (0 bytes)")
    if first == _ZSTD:
        raise InputError(f"{shown} must be plain or gzip; it is compressed with zstd: decompress it first")
    if first[:2] != _GZIP:
        return path
    try:  # here and not in DuckDB, which (before 2.0) took a truncated file for a whole one
        with gzip.open(path) as stream:
            return stack.enter_context(_spooled(stream))
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{shown} cannot be read: {error}") from None

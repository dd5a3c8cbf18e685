"""A tally in one file: numpy's .npz with a JSON header for what is no array, and a digest of every byte.

The digest, SHA-256 of all that stands before it, is the zip archive's comment, so the file is an .npz to all
that read such files, and `load` detects any change.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.files import write_whole
from nepers.tally.bins import Bins
from nepers.tally.grid import Grid
from nepers.tally.tally import Tally

FORMAT = 1
_KIND = "nepers tally"
_DIGEST = 64  # hexadecimal digits


def save(tally: Tally, path: str | os.PathLike[str]) -> None:
    """Write ``tally`` to ``path``, replacing what is there."""
    write_whole(path, to_bytes(tally))


def load(path: str | os.PathLike[str]) -> Tally:
    """The tally that was saved to ``path``."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} must be a file that can be read: {error.strerror}") from None
    return from_bytes(content, str(path))


def to_bytes(tally: Tally) -> bytes:
    """The content of the file."""
    header = {
        "kind": _KIND,
        "format": FORMAT,
        "unit": tally.grid.unit,
        "steps": tally.grid.steps,
        "impossible": tally.impossible,
        "largest": tally.largest,
        "batches": sorted(tally.batches),
        "name": tally.name,
    }
    arrays: dict[str, NDArray[Any]] = {"header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)}
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays, **tally.bins.columns())
    with zipfile.ZipFile(content, "a") as archive:
        archive.comment = b"0" * _DIGEST
    told = content.getvalue()[:-_DIGEST]
    return told + hashlib.sha256(told).hexdigest().encode()


def from_bytes(content: bytes, name: str) -> Tally:
    """The tally in ``content``, which the user calls ``name``."""
    told, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(told).hexdigest().encode() != digest:
        raise InputError(
            f"{name} must be a whole file of a tally; it is another kind of file, or cut short, or altered"
        )
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(arrays.pop("header").tobytes())
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"{name} must be a file of a tally; it is not: {error}") from None
    if header.get("kind") != _KIND or header["format"] > FORMAT:
        raise InputError(
            f"{name} must be a tally of format {FORMAT} or older; it is {header.get('kind')} of format "
            f"{header.get('format')}: update nepers to read it"
        )
    return Tally(
        grid=Grid(header["unit"], header["steps"]),
        bins=Bins(**arrays),
        impossible=header["impossible"],
        largest=header["largest"],
        batches=frozenset(header["batches"]),
        name=header["name"],
    )

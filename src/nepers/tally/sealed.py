"""Arrays and a header in one file that is whole or refused: numpy's .npz, with a digest of every byte.

What is no array is in a JSON header. The digest, SHA-256 of all that stands before it, is the zip archive's
comment, so the file is an .npz to all that read such files, and `unsealed` detects any change.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

_DIGEST = 64  # hexadecimal digits


def sealed(kind: str, format: int, header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> bytes:
    """The content of the file."""
    text = json.dumps({"kind": kind, "format": format, **header})
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, header=np.frombuffer(text.encode(), dtype=np.uint8), **arrays)
    with zipfile.ZipFile(content, "a") as archive:
        archive.comment = b"0" * _DIGEST
    told = content.getvalue()[:-_DIGEST]
    return told + hashlib.sha256(told).hexdigest().encode()


def unsealed(
    kind: str, format: int, content: bytes, name: str
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header and the arrays of a file of that kind, which the user calls ``name``."""
    told, digest = content[:-_DIGEST], content[-_DIGEST:]
    if hashlib.sha256(told).hexdigest().encode() != digest:
        raise InputError(
            f"{name} must be a whole file of a {kind}; it is another kind of file, or cut short, or altered"
        )
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        header = json.loads(arrays.pop("header").tobytes())
    except (ValueError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(f"{name} must be a file of a {kind}; it is not: {error}") from None
    if header.get("kind") != kind or header["format"] > format:
        raise InputError(
            f"{name} must be a {kind} of format {format} or older; it is a {header.get('kind')} of format "
            f"{header.get('format')}: update nepers to read it"
        )
    return header, arrays

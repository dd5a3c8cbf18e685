"""Files of numpy's .npz kind, with everything that is no array in a JSON header. No pickle."""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.files import write_whole

Arrays = dict[str, NDArray[Any]]
Restore = Callable[[dict[str, Any], Arrays], Any]

_SIGNS_OF_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    KeyError,
    TypeError,
    NotImplementedError,
)


def pack(path: str | os.PathLike[str], header: dict[str, Any], arrays: Arrays) -> None:
    """Write to ``path``, replacing what is there. The header has the ``kind`` of file and its ``format``."""
    text = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, header=text, **arrays)
    write_whole(path, content.getbuffer())


def unpack(path: str | os.PathLike[str], known: Mapping[str, tuple[int, Restore]]) -> Any:
    """What was packed to ``path``; ``known`` has the newest format of each kind, and how to restore it."""
    try:
        if not zipfile.is_zipfile(path):
            os.stat(path)
            raise InputError(
                f"{path} must be a file saved by nepers; it is another kind of file, or cut short"
            )
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header, restore = _header(path, arrays, known)
        return restore(header, arrays)
    except _SIGNS_OF_DAMAGE as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} must be a whole file saved by nepers; it is damaged ({error})") from error


def _header(
    path: str | os.PathLike[str], arrays: Arrays, known: Mapping[str, tuple[int, Restore]]
) -> tuple[dict[str, Any], Restore]:
    text = arrays["header"].tobytes() if "header" in arrays else b"{}"
    header: dict[str, Any] = json.loads(text)
    if header.get("kind") not in known:
        raise InputError(f"{path} must be a file saved by nepers; it has the form of one but not its header")
    newest, restore = known[header["kind"]]
    if header["format"] > newest:
        raise InputError(
            f"{path} must be of format {newest} or older; it is of format {header['format']}, "
            f"written by nepers {header.get('version')}: update nepers to read it"
        )
    return header, restore

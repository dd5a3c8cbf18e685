"""A choice under way in one file, so that a run that was stopped goes on as if it had not been.

numpy's .npz, with everything that is no array in a JSON header; written whole or not at all. A file of other
data or of other settings is refused.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.files import write_whole

if TYPE_CHECKING:
    from nepers.evidence.run import Run

Array = NDArray[np.float64]

_KIND = "nepers choice"
_FORMAT = 1


def fingerprint(values: Array) -> str:
    """What tells one set of data from another."""
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()


def write(path: Path, settings: dict[str, Any], runs: list[Run]) -> None:
    """Put down the settings and how far every run has come."""
    states = [run.state() if run.up else None for run in runs]
    header = {
        "kind": _KIND,
        "format": _FORMAT,
        "settings": settings,
        "runs": [None if state is None else state[0] for state in states],
    }
    arrays: dict[str, NDArray[Any]] = {
        f"{i}_{name}": array
        for i, state in enumerate(states)
        if state is not None
        for name, array in state[1].items()
    }
    content = io.BytesIO()
    np.savez(
        content, allow_pickle=False, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **arrays
    )
    write_whole(path, content.getbuffer())


def read_settings(path: Path) -> dict[str, Any]:
    """The settings that a file was made with."""
    settings: dict[str, Any] = _read(path)[0]["settings"]
    return settings


def take_up(path: Path, settings: dict[str, Any], runs: list[Run]) -> None:
    """Bring the runs to where the file left them; an error if it is of other data or settings."""
    header, arrays = _read(path)
    for name, value in settings.items():
        kept = header["settings"].get(name)
        if json.loads(json.dumps(value)) != kept:
            shown = "other data" if name == "data" else f"{kept!r} there and {value!r} here"
            raise InputError(
                f"resume must be a file of the same run; {str(path)!r} differs in {name}: {shown}"
            )
    for i, (run, plain) in enumerate(zip(runs, header["runs"], strict=True)):
        if plain is not None:
            mark = f"{i}_"
            run.restore(plain, {n.removeprefix(mark): a for n, a in arrays.items() if n.startswith(mark)})


def _read(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    try:
        with path.open("rb") as kept, np.load(kept, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = json.loads(arrays.pop("header").tobytes())
        if header["kind"] != _KIND or header["format"] > _FORMAT:
            raise ValueError("of another kind, or by a later version")
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError, OSError) as error:
        raise InputError(
            f"resume must be a file that choose has written, or none yet; {str(path)!r}: {error}"
        ) from error
    return header, arrays

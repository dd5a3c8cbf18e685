"""An assessment in one file: numpy's .npz, with everything that is no array in a JSON header. No pickle."""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.assessment import Assessment
from nepers.atoms import Kinds
from nepers.cases import Case
from nepers.diagnostics import Diagnostics, Row
from nepers.errors import InputError
from nepers.files import write_whole

FORMAT = 2
_KIND = "nepers assessment"
_PLAIN = ("n", "scale", "seed", "stopped", "version", "name", "unit")


def save(assessment: Assessment, path: str | os.PathLike[str]) -> None:
    """Write ``assessment`` to ``path``, replacing what is there."""
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **_arrays(assessment))
    write_whole(path, content.getbuffer())


def load(path: str | os.PathLike[str]) -> Assessment:
    """The assessment that was saved to ``path``."""
    try:
        if not zipfile.is_zipfile(path):
            os.stat(path)
            raise InputError(
                f"{path} must be a file saved by nepers; it is another kind of file, or cut short"
            )
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = _header(path, arrays)
        return _restored(header, arrays)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        ValueError,
        KeyError,
        TypeError,
        NotImplementedError,
    ) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} must be a whole file saved by nepers; it is damaged ({error})") from error


def _arrays(a: Assessment) -> dict[str, NDArray[Any]]:
    header = {
        "kind": _KIND,
        "format": FORMAT,
        **{name: getattr(a, name) for name in _PLAIN},
        "hyperparameters": a.hyperparameters.to_dict(),
        "diagnostics": [asdict(row) for row in a.diagnostics.rows],
        "infinite_cases": list(a.infinite_cases),
        "notes": list(a.notes),
        "worst_cases": [[case.label, case.nats] for case in a.worst_cases],
        "has_remainder": a.kinds.has_remainder,
        "shape_type": None if a.draws is None else a.draws.shape_type,
    }
    arrays: dict[str, NDArray[Any]] = {
        "header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8),
        "nats": a.nats,
    }
    for name in ("atom_values", "atom_counts", "remainder"):
        arrays[f"kinds_{name}"] = getattr(a.kinds, name)
    if a.draws is not None:
        for field in fields(a.draws):
            if field.name != "shape_type":
                arrays[f"draws_{field.name}"] = getattr(a.draws, field.name)
    return arrays


def _header(path: str | os.PathLike[str], arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    text = arrays["header"].tobytes() if "header" in arrays else b"{}"
    header: dict[str, Any] = json.loads(text)
    if header.get("kind") != _KIND:
        raise InputError(f"{path} must be a file saved by nepers; it has the form of one but not its header")
    if header["format"] > FORMAT:
        raise InputError(
            f"{path} must be of format {FORMAT} or older; it is of format {header['format']}, "
            f"written by nepers {header.get('version')}: update nepers to read it"
        )
    return header


def _restored(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Assessment:
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters

    def starting(prefix: str) -> dict[str, Any]:
        return {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}

    shape_type = header["shape_type"]
    return Assessment(
        **{name: header[name] for name in _PLAIN},
        nats=arrays["nats"],
        kinds=Kinds(**starting("kinds_"), has_remainder=header["has_remainder"]),
        draws=None if shape_type is None else Draws(**starting("draws_"), shape_type=shape_type),
        diagnostics=Diagnostics(tuple(Row(**row) for row in header["diagnostics"])),
        hyperparameters=Hyperparameters.from_dict(header["hyperparameters"]),
        infinite_cases=tuple(header["infinite_cases"]),
        notes=tuple(header.get("notes", ())),
        # format 1 did not have them
        worst_cases=tuple(Case(*case) for case in header.get("worst_cases", ())),
    )

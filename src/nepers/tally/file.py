"""A tally in one file: its bins as arrays, all else in the header of `nepers.tally.sealed`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.files import write_whole
from nepers.tally.bins import Bins
from nepers.tally.grid import Grid
from nepers.tally.sealed import sealed, unsealed
from nepers.tally.tally import Tally

FORMAT = 1
_KIND = "nepers tally"


def save(tally: Tally, path: str | os.PathLike[str]) -> None:
    """Write ``tally`` to ``path``, replacing what is there."""
    write_whole(path, sealed(_KIND, FORMAT, as_header(tally), tally.bins.columns()))


def load(path: str | os.PathLike[str]) -> Tally:
    """The tally that was saved to ``path``."""
    header, arrays = unsealed(_KIND, FORMAT, read_bytes(path), str(path))
    return restored(header, arrays)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} must be a file that can be read: {error.strerror}") from None


def as_header(tally: Tally) -> dict[str, Any]:
    """All of a tally but its bins, fit for JSON."""
    return {
        "unit": tally.grid.unit,
        "steps": tally.grid.steps,
        "impossible": tally.impossible,
        "largest": tally.largest,
        "batches": sorted(tally.batches),
        "name": tally.name,
    }


def restored(header: dict[str, Any], bins: dict[str, NDArray[Any]]) -> Tally:
    """The tally of that header and those bins."""
    return Tally(
        grid=Grid(header["unit"], header["steps"]),
        bins=Bins(**bins),
        impossible=header["impossible"],
        largest=header["largest"],
        batches=frozenset(header["batches"]),
        name=header["name"],
    )

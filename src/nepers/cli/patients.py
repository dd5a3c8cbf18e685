"""Patients out of a file: covariates, in which an empty cell is a missing value, outcomes, and ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError


@dataclass(frozen=True)
class Patients:
    """``y`` has "time" and "event"; None where the file has neither."""

    X: dict[str, NDArray[Any]]
    y: dict[str, NDArray[Any]] | None
    ids: dict[str, NDArray[Any]]


def read_patients(
    file: str, format: str | None, time: str, event: str, names: Sequence[str] | None, ids: tuple[str, ...]
) -> Patients:
    """The columns ``names``, or all that are neither outcome nor id."""
    from nepers.reading.rows import open_any

    with open_any(file, format) as table:
        outcome = [name for name in (time, event) if name in table.names]
        if len(outcome) == 1:
            missing = event if outcome == [time] else time
            raise InputError(f"{file} must have {time!r} and {event!r}, or neither; {missing!r} is missing")
        chosen = list(names or [name for name in table.names if name not in (time, event, *ids)])
        if not chosen:
            raise InputError(f"{file} must have a covariate besides outcomes and ids")
        X = {name: _cells(file, name, table.masked(name)) for name in chosen}
        y = {"time": table.values(time), "event": table.values(event)} if outcome else None
        return Patients(X, y, {name: table.values(name) for name in ids})


def _cells(file: str, name: str, found: Any) -> NDArray[Any]:
    """Numbers with NaN, or texts with None, where a cell is empty."""
    empty = np.ma.getmaskarray(found)
    values = np.asarray(np.ma.getdata(found))
    if values.dtype.kind == "M":
        raise InputError(f"column {name!r} of {file} must hold numbers or categories; it holds dates")
    if values.dtype.kind in "biuf":
        return np.where(empty, np.nan, values.astype(np.float64))
    texts = np.array([None if gone else str(v) for v, gone in zip(values, empty, strict=True)] + [None])
    return np.asarray(texts[:-1], dtype=object)

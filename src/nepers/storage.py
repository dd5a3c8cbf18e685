"""An assessment in one file: numpy's .npz, with everything that is no array in a JSON header. No pickle."""

from __future__ import annotations

import os
from dataclasses import asdict, fields
from typing import Any

from nepers.assessment import Assessment
from nepers.atoms import Kinds
from nepers.cases import Case
from nepers.diagnostics import Diagnostics, Row
from nepers.packed import Arrays, Restore, pack, unpack

FORMAT = 3
_KIND = "nepers assessment"
_PLAIN = ("n", "scale", "seed", "stopped", "version", "name", "unit")


def save(assessment: Assessment, path: str | os.PathLike[str]) -> None:
    """Write ``assessment`` to ``path``, replacing what is there."""
    pack(path, _header(assessment), _arrays(assessment))


def load(path: str | os.PathLike[str]) -> Any:
    """What was saved to ``path``: an `Assessment`, or a fitted estimator."""
    return unpack(path, {_KIND: (FORMAT, _restored), **_of_estimators()})


def _of_estimators() -> dict[str, tuple[int, Restore]]:
    from nepers.survival import saving

    return dict.fromkeys(saving.KINDS, (saving.FORMAT, saving.restored))


def _header(a: Assessment) -> dict[str, Any]:
    return {
        "kind": _KIND,
        "format": FORMAT,
        **{name: getattr(a, name) for name in _PLAIN},
        "hyperparameters": a.hyperparameters.to_dict(),
        "diagnostics": [asdict(row) for row in a.diagnostics.rows],
        "infinite_cases": list(a.infinite_cases),
        "notes": list(a.notes),
        "worst_cases": [[case.label, case.nats] for case in a.worst_cases],
        "has_remainder": a.kinds.has_remainder,
        "unseen": a.kinds.unseen,
        "shape_type": None if a.draws is None else a.draws.shape_type,
        "points": None if a.kinds.points is None else [a.kinds.points.finest, a.kinds.points.unit],
    }


def _arrays(a: Assessment) -> Arrays:
    arrays: Arrays = {"nats": a.nats}
    for name in ("atom_values", "atom_counts", "remainder"):
        arrays[f"kinds_{name}"] = getattr(a.kinds, name)
    if a.kinds.points is not None:
        arrays["points_weights"] = a.kinds.points.weights
    if a.draws is not None:
        for field in fields(a.draws):
            if field.name != "shape_type":
                arrays[f"draws_{field.name}"] = getattr(a.draws, field.name)
    return arrays


def _restored(header: dict[str, Any], arrays: Arrays) -> Assessment:
    from nepers.gibbs.chains import Points
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters

    def starting(prefix: str) -> dict[str, Any]:
        return {name.removeprefix(prefix): arrays[name] for name in arrays if name.startswith(prefix)}

    shape_type = header["shape_type"]
    # formats 1 and 2 knew no tallies
    found = header.get("points")
    points = None if found is None else Points(arrays["points_weights"], *found)
    return Assessment(
        **{name: header[name] for name in _PLAIN},
        nats=arrays["nats"],
        # formats 1 and 2 did not have the unseen kind
        kinds=Kinds(
            **starting("kinds_"),
            has_remainder=header["has_remainder"],
            points=points,
            unseen=header.get("unseen"),
        ),
        draws=None if shape_type is None else Draws(**starting("draws_"), shape_type=shape_type),
        diagnostics=Diagnostics(tuple(Row(**row) for row in header["diagnostics"])),
        hyperparameters=Hyperparameters.from_dict(header["hyperparameters"]),
        infinite_cases=tuple(header["infinite_cases"]),
        notes=tuple(header.get("notes", ())),
        # format 1 did not have them
        worst_cases=tuple(Case(*case) for case in header.get("worst_cases", ())),
    )

"""The groups as rows, sorted, and these as a dict for JSON or as a dataframe."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers import export
from nepers.errors import InputError
from nepers.segments.figures import moments

if TYPE_CHECKING:
    from nepers.segments.result import Segments

_SORTS = {"lost": ("lost", -1.0), "J": ("mean", 1.0), "n": ("n", -1.0), "group": None}


def rows(s: Segments, level: float, sort: str) -> list[dict[str, Any]]:
    """A row for each group."""
    if sort not in _SORTS:
        raise InputError(f"sort must be one of {', '.join(map(repr, _SORTS))}; it is {sort!r}")
    every = [_row(s, g, level) for g in range(len(s.groups))]
    if (key := _SORTS[sort]) is None:
        return every
    name, sign = key
    return sorted(every, key=lambda row: math.inf if math.isnan(row[name]) else sign * row[name])


def as_dict(s: Segments, level: float) -> dict[str, Any]:
    """Everything but the draws, fit for JSON."""
    infinite = [(group, cases) for group, cases in zip(s.groups, s.infinite_cases, strict=True) if cases]
    said: dict[str, Any] = export.plain(
        {
            **s.summary(level),
            "rows": s.rows(level),
            "infinite_cases": [{"group": group, "cases": cases} for group, cases in infinite],
            "hyperparameters": s.hyperparameters.to_dict(),
            "scale": s.scale,
            "draws": len(s.nats),
            "problems": s.problems,
        }
    )
    return said


def as_frame(s: Segments, native: str | None, level: float, sort: str) -> Any:
    """The rows as a dataframe; labels of mixed types become texts."""
    every = rows(s, level, sort)
    columns = {name: [row[name] for row in every] for name in every[0]}
    if len({type(label) for label in columns["group"]}) > 1:
        columns["group"] = [str(label) for label in columns["group"]]
    return export.as_frame(columns, native)


def _row(s: Segments, g: int, level: float) -> dict[str, Any]:
    J, rest = s.draws[:, g], s.rest[:, g]
    return {
        "group": s.groups[g],
        "n": int(s.n[g]),
        "share": float(s.weights[:, g].mean()),
        **moments(s[s.groups[g]], level),
        "probability_below_rest": math.nan if np.isnan(rest).any() else float((rest > J).mean()),
        "contribution": float(s.contributions[:, g].mean()),
        "lost": float(s.lost[:, g].mean()),
        "alone_mean": float(s.alone[g].mean()) * s.factor,
        "apart": float(s.apart[g]),
    }

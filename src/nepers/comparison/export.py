"""A comparison handed to others: as a dict for JSON, and as a table."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from nepers import export

if TYPE_CHECKING:
    from nepers.comparison.result import Comparison


def as_dict(comparison: Comparison, level: float) -> dict[str, Any]:
    """Everything but the draws, fit for JSON."""
    c = comparison
    values = {
        "n": c.n,
        "unit": c.unit,
        "level": level,
        "reference": c.reference,
        "equivalence_nats": c.equivalence,
        "algorithms": [asdict(row) for row in c.rows(level)],
        "names": list(c.names),
        "pairwise": c.pairwise.tolist(),
        "infinite_cases": {name: list(c.infinite_cases[i]) for i, name in enumerate(c.names)},
        "worst_cases": {
            name: [case._asdict() for case in c.worst_cases[i]] for i, name in enumerate(c.names)
        },
        "hyperparameters": c.hyperparameters.to_dict(),
        "scale": c.scale,
        "draws": len(c.nats),
        "axes": c.axes.tolist(),
        "diagnostics": [one.table() for one in c.diagnostics],
        "problems": list(c.problems),
        "stopped": c.stopped,
        "seed": c.seed,
        "version": c.version,
    }
    plain: dict[str, Any] = export.plain(values)
    return plain


def as_rows(comparison: Comparison, level: float) -> list[dict[str, Any]]:
    """A row for each algorithm; the probabilities of the ranks are cells of their own."""
    rows = []
    for row in comparison.rows(level):
        cells = asdict(row)
        ranks = cells.pop("rank_probabilities")
        rows.append(cells | {f"probability_rank_{i + 1}": p for i, p in enumerate(ranks)})
    return rows


def as_frame(comparison: Comparison, native: str | None, level: float) -> Any:
    """`as_rows` as a table."""
    rows = as_rows(comparison, level)
    return export.as_frame({key: [row[key] for row in rows] for key in rows[0]}, native)

"""Pictures of results, fit for a journal: grey printers, colour-blind readers, names of any length.

Every picture is a function ``plot_...(result, ax=None)`` that draws on the axes given, or on new ones, and
returns them; results have the same as methods, ``answer.plot_posterior()``. Numbers are in the result's own
unit: ``answer.in_bits().plot_posterior()``. New axes show themselves in a notebook; anywhere else

    ax = answer.plot_histogram()
    ax.figure.savefig("histogram.pdf")

What a picture shows is computed apart from the drawing, by the function ``..._data`` beside it.

| of | pictures |
|---|---|
| an `Assessment` | `plot_histogram`, `plot_densities`, `plot_posterior`, `plot_prior` |
| how well its model fits | `plot_predictive`, `plot_tail`, `plot_quantiles` |
| its chains | `plot_traces`, `plot_ranks` |
| a `Comparison` | `plot_intervals`, `plot_best`, `plot_pairwise` |
| `Segments` | `plot_segments` |
| a `Game` | `plot_piles`, `plot_confidence` |
| a `Recalibration`; `CostlyCases`; `CasesNeeded` | `plot_recalibration`; `plot_costly`; `plot_needed` |
| a `Choice` | `plot_prior_draws` |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nepers.display.betting import plot_confidence, plot_piles
    from nepers.display.chains import plot_ranks, plot_traces
    from nepers.display.choice import plot_prior_draws
    from nepers.display.comparison import plot_best, plot_intervals, plot_pairwise
    from nepers.display.densities import plot_densities
    from nepers.display.histogram import plot_histogram
    from nepers.display.improvement import plot_costly, plot_needed, plot_recalibration
    from nepers.display.posterior import plot_posterior
    from nepers.display.predictive import plot_predictive
    from nepers.display.prior import plot_prior
    from nepers.display.quantiles import plot_quantiles
    from nepers.display.segments import plot_segments
    from nepers.display.tail import plot_tail

# imported when first used: drawing needs matplotlib
_HOMES = {
    "plot_best": "comparison",
    "plot_confidence": "betting",
    "plot_costly": "improvement",
    "plot_densities": "densities",
    "plot_histogram": "histogram",
    "plot_intervals": "comparison",
    "plot_needed": "improvement",
    "plot_pairwise": "comparison",
    "plot_piles": "betting",
    "plot_posterior": "posterior",
    "plot_predictive": "predictive",
    "plot_prior": "prior",
    "plot_prior_draws": "choice",
    "plot_quantiles": "quantiles",
    "plot_ranks": "chains",
    "plot_recalibration": "improvement",
    "plot_segments": "segments",
    "plot_tail": "tail",
    "plot_traces": "chains",
}

__all__ = [
    "plot_best",
    "plot_confidence",
    "plot_costly",
    "plot_densities",
    "plot_histogram",
    "plot_intervals",
    "plot_needed",
    "plot_pairwise",
    "plot_piles",
    "plot_posterior",
    "plot_predictive",
    "plot_prior",
    "plot_prior_draws",
    "plot_quantiles",
    "plot_ranks",
    "plot_recalibration",
    "plot_segments",
    "plot_tail",
    "plot_traces",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nepers.display' has no attribute {name!r}")
    found = getattr(import_module(f"nepers.display.{_HOMES[name]}"), name)
    globals()[name] = found
    return found

"""The cumulative posterior distribution of J (the paper's third figure)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.display import canvas, labels
from nepers.display.sample import J_OF_NEW, Array, refusal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.assessment import Assessment

QUANTILES = (0.025, 0.5, 0.975)
_POINTS = 1000
_SHOWN = (0.001, 0.999)

UNRELIABLE = "NOT YET RELIABLE: the chains have not run long enough."


@dataclass(frozen=True, eq=False)
class PosteriorData:
    """The curve, x against the probability of a J at or below it, and what is marked on it."""

    x: Array
    probability: Array
    quantiles: Array  # at QUANTILES
    mean: float
    at_mean: float  # the probability of a J at or below the mean
    at_zero: float
    above_zero: str  # the probability of a J above 0, in words


def posterior_data(assessment: Assessment) -> PosteriorData:
    """What `plot_posterior` shows."""
    p = np.linspace(0.0, 1.0, min(_POINTS, assessment.nats.size))
    independent = min(assessment.diagnostics.ess_J, float(assessment.nats.size))
    above = labels.probability(assessment.probability_above(0.0), independent)
    return PosteriorData(
        x=assessment.quantile(p),
        probability=p,
        quantiles=assessment.quantile(QUANTILES),
        mean=assessment.mean,
        at_mean=float(assessment.cdf(assessment.mean)),
        at_zero=float(assessment.cdf(0.0)),
        above_zero=f"P(J > 0) {above}",
    )


def plot_posterior(assessment: Assessment, ax: Axes | None = None) -> Axes:
    """The cumulative posterior of J, with the quantiles 0.025, 0.5 and 0.975 and the mean marked.

    Where the curve crosses 0 is the probability that the prediction misleads; the key says the other side's.
    """
    with canvas.on(ax, height=2.8) as ax:
        nothing = refusal(assessment, needs_cases=False)
        if nothing is not None:
            return labels.message(ax, nothing)
        data = posterior_data(assessment)
        ax.plot(data.x, data.probability, color=canvas.MODEL)
        _mark_quantiles(ax, data, assessment.sd)
        mean = f"mean {labels.rounded(data.mean, assessment.sd)}"
        ax.plot([data.mean], [data.at_mean], "D", color="black", markersize=4.0, label=mean, zorder=4.0)
        low, high = assessment.quantile(_SHOWN)
        pad = 0.15 * (high - low) or 1.0
        ax.set_xlim(low - pad, high + pad)
        _mark_zero(ax, data)
        ax.set_ylim(0.0, 1.0)
        ax.set_xlabel(labels.with_unit(J_OF_NEW, assessment.unit))
        ax.set_ylabel("Probability that J is at most this")
        labels.key(ax, assessment.name)
        if not assessment.diagnostics.good():
            labels.note(ax, UNRELIABLE)
        return ax


def _mark_quantiles(ax: Axes, data: PosteriorData, sd: float) -> None:
    """Each with a line down, and its number where the curve leaves room: above its foot, or below it."""
    ax.vlines(data.quantiles, 0.0, QUANTILES, color=canvas.GUIDE, linewidth=0.6, linestyle=(0, (1, 1.5)))
    ax.plot(data.quantiles, QUANTILES, "o", color=canvas.MODEL, label="quantiles 0.025, 0.5 and 0.975")
    for x, p in zip(data.quantiles, QUANTILES, strict=True):
        foot = p < 0.25
        place: dict[str, Any] = {"ha": "right", "va": "bottom", "xytext": (-3.0, 4.0)}
        if not foot:
            place = {"ha": "left", "va": "top", "xytext": (5.0, -2.0)}
        place["bbox"] = {"color": "white", "alpha": 0.8, "pad": 0.3}  # the line at zero may be there
        ax.annotate(
            labels.rounded(float(x), sd),
            (x, p),
            textcoords="offset points",
            fontsize=7.0,
            zorder=5.0,
            **place,
        )


def _mark_zero(ax: Axes, data: PosteriorData) -> None:
    low, high = ax.get_xlim()
    if not low < 0.0 < high:
        ax.plot([], [], linestyle="none", label=data.above_zero)
        return
    ax.axvline(0.0, color=canvas.BAD, linestyle=(0, (4, 2)), linewidth=0.9, label=data.above_zero)
    ax.plot([0.0], [data.at_zero], "s", color=canvas.BAD, markersize=3.0, clip_on=False)

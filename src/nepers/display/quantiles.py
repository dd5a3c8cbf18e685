"""The quantiles of the cases against those of the model: a straight line if the model has the right shape.

The i-th lowest of n cases is set against the predictive quantile at (i - 1/2)/n. The band is for each case by
itself: where the i-th lowest of n new cases would fall with probability 95%, over the posterior draws. In a
draw with distribution function F that is at F^-1(u), with u from Beta(i, n + 1 - i).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.display import canvas, labels
from nepers.display.curves import curves_of, far_points, ranks_shown, steps
from nepers.display.sample import Array, refusal, sample_of
from nepers.posterior import Branch, branch
from nepers.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.assessment import Assessment

_TRIES = 20  # u for each draw and rank


@dataclass(frozen=True, eq=False)
class QuantilesData:
    """For some ranks: the predictive quantile, the case's value, and the band."""

    ranks: Array
    predictive: Array
    cases: Array
    lower: Array
    upper: Array


def quantiles_data(assessment: Assessment) -> QuantilesData:
    """What `plot_quantiles` shows."""
    sample, curves = sample_of(assessment), curves_of(assessment)
    n = sample.n
    ranks = ranks_shown(n)
    x, before = steps(far_points(sample), curves.atom_values)
    each, mean = curves.cdf(x, before)
    rng = np.random.default_rng(branch(assessment.seed, Branch.PREDICTIVE))
    u = rng.beta(ranks, n + 1 - ranks, (each.shape[0], _TRIES, ranks.size))
    drawn = np.stack([_inverse(F, x, level) for F, level in zip(each, u, strict=True)])
    lower, upper = np.quantile(drawn.reshape(-1, ranks.size), (0.025, 0.975), axis=0)
    predictive = _inverse(mean, x, (ranks - 0.5) / n)
    return QuantilesData(ranks.astype(np.float64), predictive, sample.every[ranks - 1], lower, upper)


def _inverse(F: Array, x: Array, level: Array) -> Array:
    """Where F reaches the level, by interpolation; at the ends of x for levels beyond."""
    return np.interp(level, np.maximum.accumulate(F), x)


def plot_quantiles(assessment: Assessment, ax: Axes | None = None) -> Axes:
    """The quantiles of the cases against the predictive ones, with a 95% band for each case by itself.

    Points outside the band, beyond one in twenty, say that the model has the wrong shape there.
    """
    with canvas.on(ax, height=3.2) as ax:
        nothing = refusal(assessment) or unfit(assessment)
        if nothing is not None:
            return labels.message(ax, nothing)
        data = quantiles_data(assessment)
        low, high = _limits(data)
        ax.plot(
            [low, high], [low, high], color=canvas.GUIDE, linewidth=0.7, linestyle=(0, (4, 2)), label="equal"
        )
        ax.fill_between(
            data.predictive,
            np.clip(data.lower, low, high),
            np.clip(data.upper, low, high),
            label="where 95% of such cases would be",
            **canvas.band(),
        )
        own: dict[str, Any] = {"color": "black", "markersize": 2.2, "linestyle": "none"}
        ax.plot(data.predictive, data.cases, marker="o", label=count(assessment.n, "case"), **own)
        ax.set_xlim(low, high)
        ax.set_ylim(low, high)
        ax.set_aspect("equal", adjustable="box")
        ax.locator_params(nbins=5)
        ax.set_xlabel(labels.with_unit("Quantile of j by the model", assessment.unit))
        ax.set_ylabel(labels.with_unit("Quantile of the cases", assessment.unit))
        labels.key(ax, assessment.name)
        return ax


def unfit(assessment: Assessment) -> str | None:
    """Why quantiles would not say whether the model fits, in a sentence; None if they would."""
    if not assessment.kinds.has_remainder:
        return "Every value repeats: it is the shares of the values that are compared, by plot_predictive."
    return f"{count(assessment.n, 'case')}: too few to compare quantiles." if assessment.n < 3 else None


def _limits(data: QuantilesData) -> tuple[float, float]:
    """All cases and the quantiles they are set against; the band too where the cases are all equal."""
    equal = data.cases[0] == data.cases[-1]
    both = np.concatenate([data.predictive, data.cases, *((data.lower, data.upper) if equal else ())])
    low, high = float(both.min()), float(both.max())
    pad = 0.04 * (high - low) or max(0.1 * abs(low), 0.1)
    return low - pad, high + pad

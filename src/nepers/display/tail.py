"""The left tail, where J is decided: how likely a j at or below x is, by the model and among the cases.

On a logarithmic scale of probability a tail that the model makes too light or too heavy shows long before it
shows in a density. The band holds the probabilities of 95 in 100 posterior draws, at each x by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.display import canvas, labels
from nepers.display.curves import curves_of, far_points, ranks_shown, steps
from nepers.display.sample import J_OF_CASE, Array, refusal, sample_of
from nepers.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.assessment import Assessment

_BEYOND = 0.1  # the curve goes on to this many expected cases
_DOTS = 20


@dataclass(frozen=True, eq=False)
class TailData:
    """The predictive curve with its band, and the observed steps; both up to the median."""

    x: Array
    predictive: Array
    lower: Array
    upper: Array
    case_x: Array
    case_share: Array  # of the cases at or below
    n: int
    reach: float  # of the cases shown, or of J's interval if they are all equal

    @property
    def floor(self) -> float:
        """The least probability that the picture shows; not far below the curve where that ends."""
        least = self.lower.min(initial=1.0, where=self.lower > 0.0)
        return max(min(_BEYOND / self.n, 0.01), 0.5 * float(least))


def tail_data(assessment: Assessment) -> TailData:
    """What `plot_tail` shows."""
    sample, curves = sample_of(assessment), curves_of(assessment)
    every, n = sample.every, sample.n
    x, before = steps(far_points(sample), curves.atom_values)
    left = np.searchsorted(x, every[n // 2], side="right")
    x = x[:left]
    each, mean = curves.cdf(x, before[:left])
    lower, upper = np.quantile(each, (0.025, 0.975), axis=0)
    ranks = ranks_shown(n)
    ranks = ranks[ranks <= n // 2 + 1]
    at_or_below = np.searchsorted(every, every[ranks - 1], side="right")
    J = assessment.interval()
    reach = float(every[ranks[-1] - 1] - every[0]) or (J[1] - J[0])
    return TailData(x, mean, lower, upper, every[ranks - 1], at_or_below / n, n, reach)


def plot_tail(assessment: Assessment, ax: Axes | None = None) -> Axes:
    """The probability of a j at or below x, on a logarithmic scale: by the model, and among the cases."""
    with canvas.on(ax, height=2.8) as ax:
        nothing = refusal(assessment)
        if nothing is not None:
            return labels.message(ax, nothing)
        data = tail_data(assessment)
        floor = data.floor
        shown = data.predictive >= 0.5 * floor
        x = data.x[shown]
        positive = [np.maximum(p[shown], 0.1 * floor) for p in (data.lower, data.upper, data.predictive)]
        ax.plot(x, positive[2], color=canvas.MODEL, label="a new case, by the model")
        ax.fill_between(x, positive[0], positive[1], label="its 95% band", **canvas.band())
        _draw_cases(ax, data)
        _scale(ax, floor)
        ax.set_xlim(*_limits(data, x))
        ax.set_xlabel(labels.with_unit(J_OF_CASE, assessment.unit))
        ax.set_ylabel("Probability of this or less")
        labels.key(ax, assessment.name)
        return ax


def _scale(ax: Axes, floor: float) -> None:
    """Probabilities from the floor to 1, as plain numbers, more of them where there are few powers of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter

    ax.set_yscale("log")
    ax.set_ylim(floor, 1.0)
    ax.yaxis.set_major_locator(LogLocator(subs=(1.0,) if floor < 0.005 else (1.0, 2.0, 5.0)))
    ax.yaxis.set_major_formatter(lambda value, _: canvas.tick(value))
    ax.yaxis.set_minor_formatter(NullFormatter())


def _draw_cases(ax: Axes, data: TailData) -> None:
    """Steps, with a dot for each of the lowest."""
    own: dict[str, Any] = {"color": "black", "linewidth": 0.8, "marker": ".", "markersize": 3.5}
    own["markevery"] = slice(0, _DOTS)
    ax.step(data.case_x, data.case_share, where="post", label=count(data.n, "case"), **own)


def _limits(data: TailData, x: Array) -> tuple[float, float]:
    """From where the curve leaves, but no farther beyond the lowest case than that is from the median."""
    lowest, median = float(data.case_x[0]), float(data.case_x[-1])
    left = max(float(x.min(initial=lowest)), lowest - data.reach)
    return min(left, lowest) - 0.02 * data.reach, median + 0.02 * data.reach

"""Pictures of a comparison: every J against the reference, the ranks, and each pair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nepers.comparison.given import PRIOR
from nepers.comparison.result import CERTAINTY
from nepers.display import canvas, grids, interval_rows, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.comparison import Comparison
    from nepers.display.interval_rows import Row

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Intervals:
    """J of each algorithm relative to ``zero``, the best first; gains within ``equivalence`` count as none.

    ``zero`` is the reference, so that what is drawn is what the verdicts are about; the prior has a row too
    where there is one. If the reference's J is -inf no gain over it is finite, and ``zero`` is the prior.
    """

    rows: tuple[Row, ...]
    zero: str
    equivalence: float
    unit: str
    n: int

    @property
    def zero_in_words(self) -> str:
        """What the J are relative to."""
        return "the prior" if self.zero == PRIOR else labels.name(self.zero)


def intervals_data(comparison: Comparison) -> Intervals:
    """What `plot_intervals` shows."""
    c = comparison
    zero = PRIOR if c.reference in c.names and c[c.reference].mean == -math.inf else c.reference
    # an algorithm whose J is exactly 0 stands in the prior's place: then nothing is known of a prior
    with_prior = zero != PRIOR and bool(c[zero].nats.any())
    found = [(name, c.difference(name, zero)) for name in (*c.names, *((PRIOR,) if with_prior else ()))]
    found.sort(key=lambda one: -one[1].mean)
    rows = tuple(
        interval_rows.row("the prior" if name == PRIOR else name, gain, c.verdict(name))
        for name, gain in found
    )
    width = c.equivalence * (1.0 if c.unit == "nats" else 1.0 / math.log(2.0))
    return Intervals(rows, zero, width, c.unit, c.n)


def plot_intervals(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """J of each algorithm relative to the reference, with the verdict.

    Thick and thin bars are 50% and 95% credible intervals, dots medians. A line marks the reference, the
    band round it gains that count as none. An algorithm with J = -inf has an arrow at the left edge.
    """
    shown = intervals_data(comparison)
    band = (-shown.equivalence, shown.equivalence)
    with canvas.on(ax, height=interval_rows.height(len(shown.rows)) + 0.15) as ax:
        ax.axvspan(*band, color=canvas.DATA_FILL, linewidth=0.0, zorder=0)
        ax.axvline(0.0, color=canvas.GUIDE, linewidth=0.8, linestyle="--", zorder=1)
        interval_rows.draw(ax, shown.rows, (0.0, *band))
        ax.set_xlabel(labels.with_unit(f"J relative to {shown.zero_in_words}", shown.unit))
        within = f"{labels.number(shown.equivalence)} {shown.unit}"
        interval_rows.small_print(
            ax,
            f"{shown.n:,} cases. Dot: median; bars: 50% and 95% intervals; grey: within {within} of "
            f"{shown.zero_in_words}. A verdict has probability {CERTAINTY:g} or more.",
        )
    return ax


@dataclass(frozen=True, eq=False)
class Probabilities:
    """A table of probabilities, a row for each of ``names``, the algorithm with the greatest mean first.

    ``best`` are the probabilities of having the largest J; ``draws`` is how many draws all of them are from.
    """

    names: tuple[str, ...]
    values: Array
    best: Array
    draws: int

    @property
    def best_in_words(self) -> list[str]:
        """``best`` in figures."""
        if self.draws == 1:  # everything is certain
            return [f"{p:.3g}" for p in self.best]
        return [labels.probability(float(p), self.draws).removeprefix("= ") for p in self.best]


def best_data(comparison: Comparison) -> Probabilities:
    """What `plot_best` shows: the probability of each rank."""
    return _by_mean(comparison, comparison.rank_probabilities, False)


def pairwise_data(comparison: Comparison) -> Probabilities:
    """What `plot_pairwise` shows: the probability that the row is better than the column; NaN for itself."""
    values = comparison.pairwise.copy()
    np.fill_diagonal(values, np.nan)
    return _by_mean(comparison, values, True)


def plot_best(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """The probability of each rank for each algorithm, darker for more, and of being the best in figures."""
    shown = best_data(comparison)
    with canvas.on(ax, grids.width(len(shown.names)), grids.height(len(shown.names))) as ax:
        grids.draw(ax, shown.values, float(shown.values.max()))
        ax.set_yticklabels(labels.names(shown.names))
        ax.set_xlabel("Rank (1 is the best)")
        interval_rows.heading(ax, "P(best)")
        beside = ax.get_yaxis_transform()
        for place, said in enumerate(shown.best_in_words):
            ax.text(1.04, place, said, transform=beside, va="center", fontsize=7.0, fontweight="bold")
    return ax


def plot_pairwise(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """The probability that the algorithm of the row is better than that of the column, darker for more."""
    shown = pairwise_data(comparison)
    k = len(shown.names)
    with canvas.on(ax, grids.width(k), grids.height(k)) as ax:
        grids.draw(ax, shown.values, 1.0)
        names = labels.names(shown.names)
        ax.set_yticklabels([f"{name}  {place + 1}" for place, name in enumerate(names)])
        ax.set_xlabel("P(row better than column)")
    return ax


def _by_mean(c: Comparison, values: Array, both: bool) -> Probabilities:
    order = np.argsort(-c.nats.mean(axis=0), kind="stable")
    ordered = values[order][:, order] if both else values[order]
    best = c.rank_probabilities[order, 0]
    return Probabilities(tuple(c.names[i] for i in order), ordered, best, len(c.nats))

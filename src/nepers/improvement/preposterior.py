"""How likely m further cases are to decide whether J exceeds a margin.

The posterior draws k of J are taken for the possible truths: in draw k the log ratio j of one case has mean
J_k and variance v_k, so the mean of m further cases is about Gaussian,

    xbar | k ~ N(J_k, v_k / m)

and having seen it the draws have weights w_k proportional to N(xbar; J_k, v_k / m). The question is decided
if the weight of the draws with J_k above the margin is then at least P or at most 1 - P. The chance of that
is over both k and xbar. It is worked out on a grid of xbar with about as much predictive probability in each
cell as in any other: in each cell the question is decided or not, and each draw gives the cells their
Gaussian probabilities. Nothing is simulated, so the error is only that of having finitely many draws; it is
estimated by leaving out a tenth of them at a time (the jackknife).

The limits: what the further cases tell beyond their mean is left out, as is that a mean of few cases with
long tails is not Gaussian; and J is decided by the draws at hand, however many cases there will be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_CELLS = 300
_GROUPS = 10
# where in each draw's Gaussian points are laid, in standard deviations
_SPREAD = np.linspace(-3.5, 3.5, 15)


@dataclass(frozen=True)
class Chance:
    """The chance that it is decided, that it is decided rightly, and the Monte Carlo error of the first."""

    decided: float
    right: float
    error: float


def chance_to_decide(J: Array, variance: Array, m: int, margin: float, probability: float) -> Chance:
    """For m further cases, given draws of J and of the variance of one case's j."""
    s = np.sqrt(variance / m)
    centres, edges = _grid(J, s)
    weight = _likelihood(centres, J, s)
    above = np.greater(J, margin)
    group = np.arange(J.size) * _GROUPS // J.size
    starts = np.searchsorted(group, np.arange(_GROUPS))
    totals = np.add.reduceat(weight, starts, axis=1)
    sides = np.add.reduceat(weight * above, starts, axis=1)
    share = sides.sum(axis=1) / totals.sum(axis=1)
    yes, no = _judged(share, probability)
    each_yes, each_no = _probability_of(yes, edges, J, s), _probability_of(no, edges, J, s)
    left_out = []
    for g in range(_GROUPS):
        others = np.arange(_GROUPS) != g
        rest = totals[:, others].sum(axis=1)
        # where no other draw is near, the share stays what it is
        without = np.divide(sides[:, others].sum(axis=1), rest, out=share.copy(), where=rest > 0.0)
        judged = np.logical_or(*_judged(without, probability))
        left_out.append(_probability_of(judged, edges, J, s)[group != g].mean())
    return Chance(
        decided=float((each_yes + each_no).mean()),
        right=float(np.where(above, each_yes, each_no).mean()),
        error=float(np.sqrt((_GROUPS - 1) * np.var(left_out))),
    )


def _judged(share: Array, probability: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    return share >= probability, share <= 1.0 - probability


def _grid(J: Array, s: Array) -> tuple[Array, Array]:
    """Points of xbar and the edges between them: the quantiles of its predictive distribution."""
    points = (J[:, None] + s[:, None] * _SPREAD).ravel()
    density = np.tile(np.exp(-0.5 * _SPREAD**2), J.size)
    order = np.argsort(points)
    cumulative = np.cumsum(density[order])
    levels = (np.arange(_CELLS) + 0.5) / _CELLS * cumulative[-1]
    centres = np.unique(points[order[np.searchsorted(cumulative, levels)]])
    edges = np.concatenate([[-np.inf], 0.5 * (centres[1:] + centres[:-1]), [np.inf]])
    return centres, edges


def _likelihood(x: Array, J: Array, s: Array) -> Array:
    """N(x; J_k, s_k^2) for each x and draw, scaled to a largest of one for each x."""
    log_w = -0.5 * ((x[:, None] - J) / s) ** 2 - np.log(s)
    return np.asarray(np.exp(log_w - log_w.max(axis=1, keepdims=True)))


def _probability_of(cells: NDArray[np.bool_], edges: Array, J: Array, s: Array) -> Array:
    """The probability of the chosen cells for each draw: from the edges where they begin and end."""
    from scipy.special import ndtr

    change = np.diff(np.concatenate([[0], cells.astype(np.int8), [0]]))
    total = np.zeros(J.size)
    for i in np.flatnonzero(change):
        total -= change[i] * ndtr((edges[i] - J) / s)
    return total

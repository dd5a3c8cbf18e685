"""How heavy the left tail of j is, and how much the interval of J then owes to the prior of tails.

A distribution has left tail index a if the probability of a value below -x falls as x^-a: at an index of 2
or less its variance is infinite, at 1 or less its mean. Few cases lie in a tail, so its index is known
poorly, and the lower it is, the more J depends on what the prior holds possible out there. `left_index` is
Hill's estimate; below 2, `sensitivity` tells the interval of J under two other priors:

- *lighter*: heavy components (m < 1.5, a tail index below 3) have a quarter of their prior odds, and there is
  no kind of case that has not been seen (`nepers.atoms`);
- *heavier*: they have four times their odds, and the unseen kind has twice its probability.

Both are the same draws, weighted by the ratio of the priors.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nepers import atoms
from nepers.posterior import Branch, branch

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]
Interval = tuple[float, float]

HEAVY = 2.0  # an index below this is an infinite variance
_FEWEST = 30  # cases from which an index is estimated
_HEAVY_SHAPE = 1.5
_ODDS = 4.0
_LOPSIDED = 3.0
_LEAST_ESS = 50.0  # of the weighted draws, below which they do not tell


@dataclass(frozen=True)
class TailIndex:
    """Hill's estimate of the left tail's index, and the number of lowest cases it is from."""

    index: float
    cases: int

    @property
    def heavy(self) -> bool:
        """Whether it is below 2. NaN, too few cases to tell, is not."""
        return self.index < HEAVY


class Sensitivity(NamedTuple):
    """The interval of J under the lighter and the heavier prior; None where the draws do not tell."""

    lighter: Interval | None
    heavier: Interval | None


def left_index(values: Array, cases: Array | None = None) -> TailIndex:
    """Hill's estimate from the ceil(sqrt(n)) lowest of n cases, as distances below their median.

    ``cases`` says how many there are at each value, one if left out. With d_1 >= ... >= d_k >= d_(k+1) the
    index is (k - 1) / sum_i log(d_i / d_(k+1)): for a Pareto tail without bias and with the standard error
    index / sqrt(k - 2). NaN for less than 30 cases, infinite if the lowest are all equal.
    """
    cases = np.ones(values.size) if cases is None else cases
    n = int(cases.sum())
    if n < _FEWEST:
        return TailIndex(math.nan, 0)
    k = math.ceil(math.sqrt(n))
    order = np.argsort(values)
    enough = int(np.searchsorted(np.cumsum(cases[order]), k + 1)) + 1
    lowest = np.repeat(values[order[:enough]], cases[order[:enough]].astype(np.int64))[: k + 1]
    distance = atoms.quantiles_of_cases(values, cases, (0.5,))[0] - lowest
    if not distance[-1] > 0.0 or distance[0] == distance[-1]:
        return TailIndex(math.inf, k)
    return TailIndex((k - 1) / float(np.log(distance[:-1] / distance[-1]).sum()), k)


def good_cases_are_far(values: Array, cases: Array | None = None) -> bool:
    """Whether the cases above the mean put more than three times as much into the variance as those below.

    ``cases`` says how many there are at each value, one if left out. Then the good cases are the rare ones,
    as with rare events that are predicted well, and an interval that allows for unseen bad cases is too low.
    """
    cases = np.ones(values.size) if cases is None else cases
    if cases.sum() < 2.0:
        return False
    scale = float(np.abs(values).max()) or 1.0
    d = (values - np.average(values, weights=cases)) / scale
    above, below = (float(cases @ np.square(np.maximum(side, 0.0))) for side in (d, -d))
    return above > _LOPSIDED * below


def sensitivity(a: Assessment, level: float) -> Sensitivity:
    """The intervals of J in the unit of the report, whatever the index is."""
    nats = a.nats.ravel()
    seen, once = nats, np.zeros(nats.size)
    if a.kinds.unseen is not None:
        w = atoms.unseen_weights(a.kinds, branch(a.seed, Branch.WEIGHTS), nats.size)
        seen = (nats - w * a.kinds.unseen) / (1.0 - w)
        once = nats - seen
    found = []
    for J, odds in ((seen, 1.0 / _ODDS), (seen + 2.0 * once, _ODDS)):
        weights = np.ones(nats.size) if a.draws is None else odds_weights(a.draws, a.hyperparameters, odds)
        ends = weighted_quantiles(J, weights, (0.5 * (1.0 - level), 0.5 * (1.0 + level)))
        enough = weights.sum() ** 2 / np.square(weights).sum() >= min(_LEAST_ESS, nats.size)
        factor = 1.0 if a.unit == "nats" else 1.0 / math.log(2.0)
        found.append((ends[0] * factor, ends[1] * factor) if enough else None)
    return Sensitivity(*found)


def odds_weights(draws: Draws, h: Hyperparameters, odds: float) -> Array:
    """The ratio of the priors of all m_c in each draw, where heavy ones have ``odds`` times their odds."""
    heavy = prior_of_heavy(h)
    each = 1.0 / (1.0 + (odds - 1.0) * heavy)
    C, first = draws.C.ravel(), draws.first.ravel()
    before = np.concatenate([[0], np.cumsum(draws.m < _HEAVY_SHAPE)])
    return np.asarray(odds ** (before[first + C] - before[first]) * each**C)


@lru_cache
def prior_of_heavy(h: Hyperparameters) -> float:
    """The prior probability of a heavy component."""
    from scipy import integrate

    from nepers.hierarchy.prior import component_shape_prior

    if h.m_lower >= _HEAVY_SHAPE:
        return 0.0
    return float(integrate.quad(component_shape_prior(h).pdf, h.m_lower, _HEAVY_SHAPE)[0])


def weighted_quantiles(values: Array, weights: Array, q: tuple[float, float]) -> tuple[float, float]:
    """Quantiles of weighted draws; with equal weights those of numpy."""
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    place = (sums - weights[order]) / (sums[-1] - weights[order[-1]])
    low, high = np.interp(q, place, values[order])
    return float(low), float(high)

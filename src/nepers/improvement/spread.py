"""The variance of one case's j in each posterior draw, as far as M cases show it.

A component of the mixture is Gaussian given its alpha, j = mu + nu / sqrt(alpha) + noise / sqrt(alpha S),
with alpha ~ Gamma(m_c, r_c), and its long tails come from alphas near zero. Its variance may be infinite, or
finite through alphas so small that hardly any of M cases would have one; the scatter of their mean is then
smaller. So an alpha below the level that is expected once in M cases, old and new together, counts as that
level:

    P(component c) P(alpha < a) = 1 / M,        alpha' = max(alpha, a)

with which the variance is finite, and grows with M to the component's own where that is finite.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nepers import atoms
from nepers.hierarchy.gamma_functions import half_step_ratio
from nepers.posterior import Branch, branch

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.gibbs.draws import Draws

Array = NDArray[np.float64]

_NEAR_ONE = 1e-3
_KNOTS = 8
_LEAST = 1e-12  # of the largest variance: what rounding leaves of a smaller one


@dataclass(frozen=True, eq=False)
class Spread:
    """Some draws: J, what the atoms add to the mean and mean square of j, the remainder's probability, and
    the remainder's components: whose they are, and their parameters.
    """

    J: Array
    atom_mean: Array
    atom_square: Array
    remainder_weight: Array
    draws: Draws | None
    rows: NDArray[np.intp]
    owner: NDArray[np.intp]

    def variance(self, cases: float) -> Array:
        """The variance of one case's j in each draw, as far as that many cases show it."""
        mean, square = self.atom_mean.copy(), self.atom_square.copy()
        if self.draws is not None:
            first, second = self._component_moments(cases)
            p = self.draws.p[self.rows]
            mean += self.remainder_weight * np.bincount(self.owner, p * first, self.J.size)
            square += self.remainder_weight * np.bincount(self.owner, p * second, self.J.size)
        found = square - mean**2
        return np.asarray(np.maximum(found, _LEAST * found.max()))

    def _component_moments(self, cases: float) -> tuple[Array, Array]:
        d, rows = self.draws, self.rows
        assert d is not None
        mu, nu, S = d.mu[rows, 0] - self.J[self.owner], d.nu[rows, 0], d.S[rows, 0, 0]
        share = np.maximum(d.p[rows] * self.remainder_weight[self.owner], np.finfo(float).tiny)
        root, inverse = held_moments(d.m[rows], d.r[rows], np.minimum(0.5, 1.0 / (cases * share)))
        return mu + nu * root, mu**2 + 2.0 * mu * nu * root + (nu**2 + 1.0 / S) * inverse


def spread(a: Assessment, most: int) -> Spread:
    """At most ``most`` of the draws, spread evenly over all."""
    used = np.unique(np.linspace(0, a.nats.size - 1, min(most, a.nats.size)).astype(np.intp))
    stream = branch(a.seed, Branch.WEIGHTS)
    J = a.nats.ravel()[used]
    nothing, one = np.zeros(a.nats.size), np.ones(a.nats.size)

    def weighted(power: int, factor: float, remainder: Array) -> Array:
        return atoms.total(_with_powers(a.kinds, power, factor), remainder, stream)[used]

    mean, square = weighted(1, 1.0, nothing), weighted(2, 1.0, nothing)
    remainder = weighted(1, 0.0, one)
    # about J, so that nothing cancels
    square = square - 2.0 * J * mean + J**2 * (1.0 - remainder)
    mean = mean - J * (1.0 - remainder)
    rows = owner = np.zeros(0, dtype=np.intp)
    if a.draws is not None:
        C, first = a.draws.C.ravel()[used], a.draws.first.ravel()[used]
        owner = np.repeat(np.arange(used.size), C)
        rows = np.arange(owner.size) - np.repeat(np.cumsum(C) - C, C) + first[owner]
    return Spread(J, mean, square, remainder, a.draws, rows, owner)


def interpolated(found: Spread, least: int, most: int) -> Callable[[int], Array]:
    """The variances for any number of cases in that range, which change slowly and smoothly with its log."""
    knots = np.log(np.geomspace(least, most + 1, _KNOTS))
    table = np.stack([found.variance(math.exp(knot)) for knot in knots])

    def at(cases: int) -> Array:
        place = float(np.interp(math.log(cases), knots, np.arange(_KNOTS)))
        low = min(int(place), _KNOTS - 2)
        return np.asarray(table[low] + (place - low) * (table[low + 1] - table[low]))

    return at


def held_moments(m: Array, r: Array, level: Array) -> tuple[Array, Array]:
    """The means of alpha'^(-1/2) and 1 / alpha' under Gamma(m, r), held at the quantile of that level."""
    from scipy import special

    least = special.gammaincinv(m, level)
    root = level / np.sqrt(least) + half_step_ratio(m) * special.gammaincc(m - 0.5, least)
    inverse = level / least + _mean_inverse_above(m, least)
    return np.asarray(np.sqrt(r) * root), np.asarray(r * inverse)


def _mean_inverse_above(m: Array, x: Array) -> Array:
    """The integral of 1 / alpha above x under Gamma(m, 1): by a step down from m where m <= 1."""
    from scipy import special

    a = m - 1.0
    positive = np.maximum(a, _NEAR_ONE)
    direct = special.gammaincc(positive, x) / positive
    # Gamma(a, x) = (Gamma(a + 1, x) - x^a exp(-x)) / a, with its limit at a = 0 taken nearby
    a = np.where(np.abs(a) < 1e-6, 1e-6, np.minimum(a, _NEAR_ONE))
    whole = special.gamma(a + 1.0)
    step = (whole * special.gammaincc(a + 1.0, x) - x**a * np.exp(-x)) / (a * whole)
    return np.asarray(np.where(m - 1.0 > _NEAR_ONE, direct, step))


def _with_powers(kinds: atoms.Kinds, power: int, factor: float) -> atoms.Kinds:
    """The same kinds, and so the same weights in each draw, at powers of their values times ``factor``."""
    unseen = None if kinds.unseen is None else factor * kinds.unseen**power
    return dataclasses.replace(kinds, atom_values=factor * kinds.atom_values**power, unseen=unseen)

"""Distributions of the log ratio j whose mean is known, for the calibration battery.

Four families: well-behaved; heavy left tails, with a finite or an infinite variance; rare catastrophes;
discrete outcomes, rare events among them. A truth's place in its family decides its half: the first, third,
... of each are there to choose hyperparameters by ("tune"), the others to report on ("report").
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, optimize, special, stats

Array = NDArray[np.float64]
Rng: TypeAlias = np.random.Generator
Draw: TypeAlias = Callable[[int, Rng], Array]

FAMILIES = (
    "well-behaved",
    "heavy tail, finite variance",
    "heavy tail, infinite variance",
    "catastrophes",
    "discrete",
)


@dataclass(frozen=True)
class Truth:
    """j of n cases by ``draw(n, rng)``; ``mean`` is what an interval should hold."""

    name: str
    family: str
    draw: Draw
    mean: float
    rare: bool = False

    @property
    def half(self) -> str:
        """Whether it is there to tune by or to report on."""
        place = [truth.name for truth in truths() if truth.family == self.family].index(self.name)
        return "tune" if place % 2 == 0 else "report"

    @property
    def infinite_variance(self) -> bool:
        """Whether the variance of j is infinite."""
        return "infinite" in self.family


def _gaussian_forecast(errors: Any, variance: float, spread: float = 1.5) -> tuple[Draw, float]:
    """x = m + e; Q is the Gaussian with mean m and the variance of e, P the one with the variance of x."""
    q, p = math.sqrt(variance), math.sqrt(variance + spread**2)

    def draw(n: int, rng: Rng) -> Array:
        m, e = rng.normal(0.0, spread, n), errors.rvs(n, random_state=rng)
        return np.asarray(stats.norm.logpdf(e, 0.0, q) - stats.norm.logpdf(m + e, 0.0, p))

    # E log Q = -log q - 1/2 and E log P = -log p - 1/2 if the variances are right, whatever the shape of e
    return draw, math.log(p / q)


def _mixture(parts: list[tuple[float, float, float]]) -> tuple[Draw, float]:
    """Gaussians of (weight, mean, sd)."""
    weight, mean, sd = map(np.array, zip(*parts, strict=True))

    def draw(n: int, rng: Rng) -> Array:
        chosen = rng.choice(weight.size, n, p=weight)
        return np.asarray(rng.normal(mean[chosen], sd[chosen]))

    return draw, float(weight @ mean)


def _left_tail(body: float, share: float, index: float) -> tuple[Draw, float]:
    """A Gaussian body, and a Pareto tail of that index to the left of it for a share of the cases."""

    def draw(n: int, rng: Rng) -> Array:
        tail = rng.random(n) < share
        return np.where(tail, -0.5 * (1.0 + rng.pareto(index, n)), rng.normal(body, 0.3, n))

    return draw, (1.0 - share) * body - share * 0.5 * index / (index - 1.0)


def _skew_t(df: float, skew: float, scale: float, place: float) -> tuple[Draw, float]:
    """Two halves of a Student, of widths skew and 1/skew (Fernandez and Steel): skew < 1 is left-heavy."""
    gammas = special.gamma((df + 1.0) / 2.0) / special.gamma(df / 2.0)
    absolute = 2.0 * math.sqrt(df / math.pi) / (df - 1.0) * gammas

    def draw(n: int, rng: Rng) -> Array:
        size = np.abs(rng.standard_t(df, n))
        right = rng.random(n) < skew**2 / (1.0 + skew**2)
        return np.asarray(place + scale * np.where(right, size * skew, -size / skew))

    return draw, float(place + scale * absolute * (skew - 1.0 / skew))


def _event(rate: float, slope: float, claimed: Callable[[Array], Array]) -> tuple[Draw, float]:
    """A binary event of logit b + slope z, z Gaussian, at that rate overall; Q's logit is claimed(true)."""
    b = _intercept(rate, slope)
    log_p = np.log([1.0 - rate, rate])

    def ratio(logit: Array, event: Any) -> Array:
        said = claimed(logit)
        return np.where(event, special.log_expit(said) - log_p[1], special.log_expit(-said) - log_p[0])

    def draw(n: int, rng: Rng) -> Array:
        logit = b + slope * rng.normal(size=n)
        return ratio(logit, rng.random(n) < special.expit(logit))

    def integrand(z: float) -> float:
        logit = np.array(b + slope * z)
        chance = special.expit(logit)
        return float(stats.norm.pdf(z) * (chance * ratio(logit, True) + (1.0 - chance) * ratio(logit, False)))

    return draw, integrate.quad(integrand, -10.0, 10.0, epsabs=1e-12, limit=200)[0]


def _intercept(rate: float, slope: float) -> float:
    def excess(b: float) -> float:
        return (
            integrate.quad(lambda z: stats.norm.pdf(z) * special.expit(b + slope * z), -10.0, 10.0)[0] - rate
        )

    return float(optimize.brentq(excess, -15.0, 15.0))


def _groups(shares: list[float], chances: list[float], said: list[float]) -> tuple[Draw, float]:
    """A tree with leaves: the share of the cases in each, the event's chance there, what the tree says."""
    share, chance, claim = map(np.array, (shares, chances, said))
    rate = float(share @ chance)
    log_q, log_p = np.log([1.0 - claim, claim]), np.log([1.0 - rate, rate])

    def draw(n: int, rng: Rng) -> Array:
        leaf = rng.choice(share.size, n, p=share)
        event = (rng.random(n) < chance[leaf]).astype(int)
        return np.asarray(log_q[event, leaf] - log_p[event])

    mean = share @ (chance * (log_q[1] - log_p[1]) + (1.0 - chance) * (log_q[0] - log_p[0]))
    return draw, float(mean)


@cache
def truths() -> tuple[Truth, ...]:
    """All of them; the order within a family decides the halves and never changes."""
    good, finite, infinite, catastrophes, discrete = FAMILIES
    return (
        Truth("Gaussian forecast, Gaussian errors", good, *_gaussian_forecast(stats.norm(), 1.0)),
        Truth("Gaussian j", good, *_mixture([(1.0, 0.1, 0.5)])),
        Truth("two kinds of case", good, *_mixture([(0.6, 0.3, 0.2), (0.4, -0.2, 0.5)])),
        Truth("Gaussian forecast, t5 errors", finite, *_gaussian_forecast(stats.t(5), 5.0 / 3.0)),
        Truth("left skew-t3", finite, *_skew_t(3.0, 0.5, 0.4, 0.4)),
        Truth("left tail of index 2.5", finite, *_left_tail(0.2, 0.05, 2.5)),
        Truth("Gaussian forecast, t3 errors", infinite, *_gaussian_forecast(stats.t(3), 3.0)),
        Truth("left tail of index 1.7", infinite, *_left_tail(0.2, 0.05, 1.7)),
        Truth("1% at -4", catastrophes, *_mixture([(0.99, 0.2, 0.3), (0.01, -4.0, 1.0)])),
        Truth("0.3% at -8", catastrophes, *_mixture([(0.997, 0.2, 0.3), (0.003, -8.0, 1.0)])),
        Truth("overconfident event", discrete, *_event(0.5, 1.5, lambda logit: logit * (4.0 / 1.5))),
        Truth(
            "tree of three leaves", discrete, *_groups([0.5, 0.3, 0.2], [0.2, 0.5, 0.8], [0.15, 0.5, 0.85])
        ),
        Truth("event of 2%, calibrated", discrete, *_event(0.02, 2.0, lambda logit: logit), rare=True),
        Truth(
            "event of 2%, overconfident",
            discrete,
            *_event(0.02, 2.0, lambda logit: 1.5 * logit + 1.0),
            rare=True,
        ),
    )

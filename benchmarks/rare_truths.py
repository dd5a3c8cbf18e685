"""Predictions of events whose J is known, rare ones among them: y, Q and P drawn with what came true.

Q says logit l of the event; it is in truth of logit shift + slope * l, with l from some law. The true J is an
integral over that law. The first, third, ... truth is there to choose priors by ("tune"), the others to
report on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

Array = NDArray[np.float64]
_GRID = (np.arange(400_000) + 0.5) / 400_000


@dataclass(frozen=True)
class Truth:
    """``draw(n, rng)`` gives what came true, Q's table and the prior's row; ``J`` is the truth."""

    name: str
    draw: Callable[[int, Any], tuple[Array, Array, Array]]
    J: float
    rare: bool = True

    @property
    def half(self) -> str:
        """Whether it is there to tune by or to report on."""
        return "report" if truths().index(self) % 2 else "tune"


def event(
    name: str, law: Any, slope_of_truth: float, shift: float, slope: float, *, rate: float = 0.02
) -> Truth:
    """The true logit is b + slope_of_truth * z, z from ``law``, and b such that the event has this rate."""
    z = law(_GRID)
    b = optimize.brentq(lambda b: special.expit(b + slope_of_truth * z).mean() - rate, -30.0, 30.0)
    prior = np.array([1.0 - rate, rate])

    def said(z: Array) -> tuple[Array, Array]:
        true = b + slope_of_truth * z
        return special.expit(true), _table((true - shift) / slope)

    def draw(n: int, rng: Any) -> tuple[Array, Array, Array]:
        chance, table = said(law(rng.random(n)))
        return (rng.random(n) < chance).astype(int), table, prior

    return Truth(name, draw, _J(*said(z), prior), rate < 0.1)


def _table(logit: Array) -> Array:
    return np.stack([special.expit(-logit), special.expit(logit)], axis=1)


def _J(chance: Array, table: Array, prior: Array) -> float:
    j = np.log(table) - np.log(prior)
    return float(((1.0 - chance) * j[:, 0] + chance * j[:, 1]).mean())


def two_kinds(u: Array) -> Array:
    """Nine cases in ten far below, one far above: what may be in danger, and what is not."""
    return np.where(u < 0.9, stats.norm.ppf(u / 0.9) * 0.5 - 0.5, stats.norm.ppf((u - 0.9) / 0.1) * 0.5 + 2.0)


def half_wrong() -> Truth:
    """No recalibration mends it: Q is calibrated in half of the cases, and in the others its logit is
    twice too far from that of the rate, and does not tell which is which."""
    rate = 0.02
    base = math.log(rate / (1.0 - rate))
    z = stats.norm.ppf(_GRID)
    b = optimize.brentq(lambda b: special.expit(b + 2.0 * z).mean() - rate, -30.0, 30.0)
    prior = np.array([1.0 - rate, rate])

    def draw(n: int, rng: Any) -> tuple[Array, Array, Array]:
        true = b + 2.0 * rng.normal(size=n)
        said = np.where(rng.random(n) < 0.5, true, base + 2.0 * (true - base))
        return (rng.random(n) < special.expit(true)).astype(int), _table(said), prior

    true = b + 2.0 * z
    J = 0.5 * sum(_J(special.expit(true), _table(l), prior) for l in (true, base + 2.0 * (true - base)))
    return Truth("right in half of the cases", draw, float(J))


def tree() -> Truth:
    """Three leaves, and a rare event in one of them."""
    share, chance, said = (
        np.array([0.7, 0.2, 0.1]),
        np.array([0.002, 0.02, 0.15]),
        np.array([0.005, 0.03, 0.1]),
    )
    rate = float(share @ chance)
    prior = np.array([1.0 - rate, rate])
    table = np.stack([1.0 - said, said], axis=1)

    def draw(n: int, rng: Any) -> tuple[Array, Array, Array]:
        leaf = rng.choice(3, n, p=share)
        return (rng.random(n) < chance[leaf]).astype(int), table[leaf], prior

    j = np.log(table) - np.log(prior)
    return Truth("tree of three leaves", draw, float(share @ ((1.0 - chance) * j[:, 0] + chance * j[:, 1])))


def three_classes() -> Truth:
    """Calibrated; one class of about 2%."""
    rng = np.random.default_rng(5)
    means = np.array([0.0, 0.5, -4.5])

    def tables(n: int, rng: Any) -> Array:
        return np.asarray(special.softmax(means + rng.normal(size=(n, 3)) * [1.0, 1.0, 1.7], axis=1))

    many = tables(2_000_000, rng)
    prior = many.mean(axis=0)

    def draw(n: int, rng: Any) -> tuple[Array, Array, Array]:
        table = tables(n, rng)
        happened = (rng.random((n, 1)) > np.cumsum(table, axis=1)[:, :2]).sum(axis=1)
        return happened, table, prior

    J = float((many * (np.log(many) - np.log(prior))).sum(axis=1).mean())
    return Truth("three classes, calibrated", draw, J)


@cache
def truths() -> tuple[Truth, ...]:
    """All of them; the order decides the halves and never changes."""
    gaussian, skewed = stats.norm.ppf, lambda u: -np.log1p(-u) - 1.0
    return (
        event("calibrated", gaussian, 2.0, 0.0, 1.0),
        event("overconfident", gaussian, 2.0, -1.0 / 1.5, 1.0 / 1.5),
        event("slope 0.6, shift -1.2", gaussian, 2.0, -1.2, 0.6),
        event("slope 1.2, shift -0.5", gaussian, 2.0, -0.5, 1.2),
        event("calibrated, skewed logits", skewed, 1.5, 0.0, 1.0),
        event("calibrated, two kinds of case", two_kinds, 2.0, 0.0, 1.0),
        event("overconfident event of 50%", gaussian, 1.5, 0.0, 1.5 / 4.0, rate=0.5),
        tree(),
        half_wrong(),
        three_classes(),
    )

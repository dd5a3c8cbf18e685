"""The log evidence and its Monte Carlo error from the gains that a run kept.

`up` holds the gain G of every step for states from the station at its beginning, `down` for states from the
station at its end, each (ladders, rounds, steps).

Every estimate is a smooth function of means over rounds, so its error is that of the mean of a single series:
what each round adds to the means, times the function's slopes, summed over steps. All stations of a ladder
are in the same round, so whatever exchange makes them have to do with one another is in that series.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_HARDEST = 0.97
_R_HAT = 1.1


@dataclass(frozen=True)
class Estimate:
    """A log evidence, its Monte Carlo standard error, how many independent rounds it is worth, and R-hat.

    R-hat compares the ladders with one another, or the halves of a single one.
    """

    value: float
    error: float
    ess: float
    r_hat: float


@dataclass(frozen=True)
class LogEvidence:
    """The log evidence of n cases, in nats, with the Monte Carlo standard error.

    ``stepping_stone`` is another estimate from the same draws; ``hardest`` the largest share of exchanges
    that a step of the way rejected; ``stations`` and ``rounds`` say how long the way and the run were.
    """

    value: float
    error: float
    stepping_stone: Estimate
    ess: float
    r_hat: float
    hardest: float
    stations: int
    rounds: int
    n: int

    @property
    def reliable(self) -> bool:
        """Whether the ladders agree and no step of the way is so hard that the error may be wrong."""
        return self.r_hat < _R_HAT and self.hardest < _HARDEST


EXACT = Estimate(0.0, 0.0, np.inf, 1.0)


def thermodynamic(up: Array, down: Array) -> Estimate:
    """Thermodynamic integration, with the mean gain all along each step found from the states at both ends.

    That integral is Bennett's c: with F the logistic function, mean F(G_up - c) = mean F(c - G_down).
    """
    c = _bennett(up, down)
    forth, back = _logistic(up - c), _logistic(c - down)
    slope = _mean(forth * (1.0 - forth)) + _mean(back * (1.0 - back))
    return _estimate(c + (forth - back) / slope)


def stepping_stone(up: Array) -> Estimate:
    """Stepping stones: the mean of e^G over the states at the beginning of each step is its ratio."""
    top = up.max(axis=(0, 1))
    weight = np.exp(up - top)
    mean = _mean(weight)
    return _estimate(top + np.log(mean) + weight / mean - 1.0)


def trapezoid(up: Array, down: Array) -> Estimate:
    """Thermodynamic integration by the mean gains at the two ends alone, with their slopes, the variances.

    It is exact where the mean gain is a cubic of the way within a step, as for many small steps it is.
    """
    bend = (down - _mean(down)) ** 2 - (up - _mean(up)) ** 2
    return _estimate(0.5 * (up + down) - bend / 12.0)


def rejected(up: Array, down: Array) -> Array:
    """The share of exchanges rejected in each step."""
    return 1.0 - _mean(np.minimum(1.0, np.exp(np.minimum(up - down, 0.0))))


def _bennett(up: Array, down: Array) -> Array:
    """c of every step: the difference of the two means falls with c, so halving finds it."""
    low = np.minimum(up.min(axis=(0, 1)), down.min(axis=(0, 1))) - 1.0
    high = np.maximum(up.max(axis=(0, 1)), down.max(axis=(0, 1))) + 1.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        above = _mean(_logistic(up - middle)) > _mean(_logistic(middle - down))
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(0.5 * (low + high))


def _estimate(series: Array) -> Estimate:
    """From what each round says of every step: the sum over steps, averaged over rounds."""
    total = series.sum(axis=2)
    value = float(total.mean())
    if np.ptp(total) <= 1e-12 * max(1.0, abs(value)):
        return Estimate(value, 0.0, float(total.size), 1.0)
    ess, r_hat = _worth(total)
    return Estimate(value, float(total.std()) / ess**0.5, ess, r_hat)


def _worth(series: Array) -> tuple[float, float]:
    """The effective sample size of a series' mean, and R-hat, by ArviZ."""
    import arviz_stats.base

    stats: Any = arviz_stats.base
    ess = float(stats.array_stats.ess(series, method="mean", chain_axis=0, draw_axis=1))
    if series.shape[0] == 1:
        half = series.shape[1] // 2
        series = np.stack([series[0, :half], series[0, series.shape[1] - half :]])
    r_hat = float(stats.array_stats.rhat(series, chain_axis=0, draw_axis=1))
    return min(ess, float(series.size)), r_hat


def _mean(values: Array) -> Array:
    return np.asarray(values.mean(axis=(0, 1)))


def _logistic(x: Array) -> Array:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * x)))

"""A penalised regression of the time, of proportional odds: covariates into one score.

    log odds of (T <= t) = g(log t) - x'b,      g(u) = c_0 + e^c_1 u + sum_k e^c_k ramp((u - q_k) / w)

with ramp(v) = 1 / (1 + exp(-v)), at places q_k, quantiles of the log times of events, w apart or so. g rises
at every u, steeply where events are many and hardly where none come any more; without ramps this would be
log-logistic regression. With z = g - x'b and F(z) = 1 / (1 + exp(-z)) a patient counts by the log of

    f(z) g'(log t)   at an event         1 - F(z)          right-censored
    F(z)             left-censored       F(z_u) - F(z_l)   in an interval

The mean of these, less (penalty / 2) |b|^2 and a trace of the squares of the c_k, is made greatest; the x are
standardised.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_QUANTILES = (0.1, 0.3, 0.5, 0.7, 0.9)
_TRACE = 1e-3
_OPEN = 700.0  # in log odds: as good as certain
_NARROWEST = 1e-12
_LARGEST = 30.0  # of a coefficient, that the search may try


@dataclass(frozen=True, eq=False)
class LogTimes:
    """The ends of log time: equal where it is known, infinite where it is open."""

    lower: Array
    upper: Array

    def part(self, rows: NDArray[np.bool_]) -> LogTimes:
        """Some of the patients."""
        return LogTimes(self.lower[rows], self.upper[rows])


@dataclass(frozen=True, eq=False)
class Baseline:
    """The places and the width of the ramps."""

    places: Array
    width: float

    @classmethod
    def of(cls, times: LogTimes) -> Baseline:
        """Between the tenth and the ninetieth percentile of what has ended."""
        ended = np.where(np.isfinite(times.lower), times.lower, times.upper)[np.isfinite(times.upper)]
        places = np.quantile(ended, _QUANTILES)
        spread = float(places[-1] - places[0])
        return cls(places, spread / len(_QUANTILES) if spread > 0.0 else 1.0)

    @property
    def size(self) -> int:
        """How many coefficients it has."""
        return self.places.size + 2

    def parts(self, u: Array) -> tuple[Array, Array]:
        """The functions of u that c_1, c_2, ... belong to, and their slopes; 0 at infinite u."""
        from scipy.special import expit

        v = np.where(np.isfinite(u), u, 0.0)[:, None]
        ramp = expit((v - self.places) / self.width)
        slopes = np.column_stack([np.ones(len(v)), ramp * (1.0 - ramp) / self.width])
        return np.column_stack([v, ramp]), slopes


@dataclass(frozen=True, eq=False)
class Problem:
    """Covariates X and times, with what does not change while coefficients do: c, then b."""

    X: Array
    times: LogTimes
    baseline: Baseline
    penalty: float

    def start(self) -> Array:
        """Without covariates: the odds of 1 at the median of all ends."""
        theta = np.zeros(self.baseline.size + self.X.shape[1])
        theta[2 : self.baseline.size] = -1.0
        ends = np.concatenate([self.times.lower, self.times.upper])
        theta[0] = -float(np.median(ends[np.isfinite(ends)]))
        return theta

    def solved(self, start: Array | None = None) -> Array:
        """The coefficients of the greatest penalised likelihood."""
        from scipy.optimize import minimize

        begin = self.start() if start is None else start
        weight = np.full(begin.size, self.penalty)
        weight[0], weight[1 : self.baseline.size] = 0.0, _TRACE
        ends = self.baseline.parts(self.times.lower), self.baseline.parts(self.times.upper)

        def objective(theta: Array) -> tuple[float, Array]:
            value, slopes = parts(theta, self.X, self.times, self.baseline, ends)
            total = 0.5 * float(weight @ np.square(theta)) - float(value.mean())
            return total, weight * theta - slopes / len(value)

        bounds = [(None, None)] + [(-_LARGEST, _LARGEST)] * (begin.size - 1)
        options = {"maxiter": 2000}
        found = minimize(objective, begin, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        return np.asarray(found.x)


def parts(
    theta: Array, X: Array, times: LogTimes, baseline: Baseline, ends: tuple[tuple[Array, Array], ...]
) -> tuple[Array, Array]:
    """The log of each patient's part (n,), events as densities of log time; and the slopes of their sum."""
    from scipy.special import expit

    c, b = theta[: baseline.size], theta[baseline.size :]
    scale = np.exp(c[1:])
    (B_l, _), (B_u, D_u) = ends
    away = c[0] - X @ b
    open_l, open_u = np.isinf(times.lower), np.isinf(times.upper)
    z_l = np.where(open_l, -_OPEN, B_l @ scale + away)
    z_u = np.where(open_u, _OPEN, B_u @ scale + away)
    exact = times.lower == times.upper
    rise = D_u @ scale
    gap = np.where(exact | open_l | open_u, _OPEN, np.maximum(z_u - z_l, _NARROWEST))
    # log (F(u) - F(l)) = log (1 - exp(l - u)) - log (1 + exp(-u)) - log (1 + exp(l))
    value = np.where(exact, np.log(rise), np.log(-np.expm1(-gap)))
    value -= np.logaddexp(0.0, -z_u) + np.logaddexp(0.0, z_l)
    more = 1.0 / np.expm1(np.minimum(gap, _OPEN))  # 0 but for intervals
    d_u = np.where(open_u, 0.0, more + 1.0 - expit(z_u))
    d_l = np.where(open_l, 0.0, -more - expit(z_l))
    d = d_u + d_l
    by_ramps = (d_u @ B_u + d_l @ B_l + (exact / rise) @ D_u) * scale
    return value, np.concatenate([[d.sum()], by_ramps, -(d @ X)])

"""A penalised log-logistic regression of the time: covariates into one score.

    log T = a + x'b + s e,      e logistic

With z = (log t - a - x'b) / s and F(z) = 1 / (1 + exp(-z)), a patient counts by the log of

    f(z) / s     at an event                    1 - F(z)       right-censored
    F(z)         left-censored                  F(z_u) - F(z_l)  in an interval

The mean of these less (penalty / 2) |b|^2, the x being standardised, is made greatest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LogTimes:
    """The ends of log time: equal where it is known, infinite where it is open."""

    lower: Array
    upper: Array

    def part(self, rows: NDArray[np.bool_]) -> LogTimes:
        """Some of the patients."""
        return LogTimes(self.lower[rows], self.upper[rows])


def fitted(X: Array, times: LogTimes, penalty: float, start: Array | None = None) -> Array:
    """The coefficients: a, log s, b."""
    from scipy.optimize import minimize

    if start is None:
        start = np.zeros(X.shape[1] + 2)
        ends = np.concatenate([times.lower, times.upper])
        start[0] = np.median(ends[np.isfinite(ends)])

    def objective(theta: Array) -> tuple[float, Array]:
        value, by_location, by_log_scale = _parts(theta, X, times)
        b = theta[2:]
        slopes = np.concatenate([[by_location.mean(), by_log_scale.mean()], X.T @ by_location / len(X)])
        penalised = np.concatenate([[0.0, 0.0], penalty * b])
        return -float(value.mean()) + 0.5 * penalty * float(b @ b), penalised - slopes

    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 1000})
    return np.asarray(found.x)


def location(theta: Array, X: Array) -> Array:
    """a + x'b."""
    return np.asarray(theta[0] + X @ theta[2:])


def log_likelihood(theta: Array, X: Array, times: LogTimes) -> Array:
    """The log of each patient's part, events as densities of log time."""
    return _parts(theta, X, times)[0]


def _parts(theta: Array, X: Array, times: LogTimes) -> tuple[Array, Array, Array]:
    """The log of each patient's part, and its slopes in the location and in log s."""
    from scipy.special import expit

    s = np.exp(theta[1])
    centre = location(theta, X)
    exact = times.lower == times.upper
    # an open end is as good as one far out
    z_l = np.where(np.isfinite(times.lower), (times.lower - centre) / s, -700.0)
    z_u = np.where(np.isfinite(times.upper), (times.upper - centre) / s, 700.0)
    F_u = expit(z_u)
    value = np.where(exact, -np.abs(z_u) - 2.0 * np.log1p(np.exp(-np.abs(z_u))) - theta[1], 0.0)
    # log (F(u) - F(l)) = log(1 - exp(-(u - l))) - log(1 + exp(-u)) - log(1 + exp(l))
    gap = np.where(exact, 1.0, np.maximum(z_u - z_l, 1e-300))
    between = np.log(-np.expm1(-gap)) - np.logaddexp(0.0, -z_u) - np.logaddexp(0.0, z_l)
    value = np.where(exact, value, between)
    rise = 1.0 / np.expm1(np.minimum(gap, 700.0))
    d_u = np.where(exact, 1.0 - 2.0 * F_u, rise + 1.0 - F_u)
    d_l = np.where(exact, 0.0, -rise - expit(z_l))
    open_u, open_l = np.isinf(times.upper), np.isinf(times.lower)
    d_u, d_l = np.where(open_u, 0.0, d_u), np.where(open_l, 0.0, d_l)
    by_location = -(d_u + d_l) / s
    by_log_scale = -(d_u * z_u + d_l * z_l) - exact
    return value, by_location, by_log_scale

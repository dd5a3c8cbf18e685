"""Densities on the unit interval of the form exp(theta . P(v) - A(theta)), and their fit.

P_1, ..., P_d are the Legendre polynomials moved to [0, 1] and scaled to have mean square one there, and
A(theta) = log integral_0^1 exp(theta . P(v)) dv, so that every such density integrates to one; theta = 0 is
the uniform one. Where v is known up to an interval, its likelihood is the mean of the density over the
interval.

The fit maximises the mean log likelihood less |theta|^2 / (2n), a draw towards the uniform density that is
worth about one case, with every theta_k between -8 and 8, so that the quadrature sees all there is to see.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_MOST = 8.0
_NODES = 256  # of Gauss and Legendre for the whole of [0, 1]
_INNER = 32  # and for an interval
_BLOCK = 1 << 14  # intervals at a time


@dataclass(frozen=True, eq=False)
class PitDensity:
    """The density with those coefficients, on [0, 1]."""

    theta: Array

    def log_mean(self, low: Array, high: Array) -> Array:
        """The log of the density's mean over each interval; of the density where the interval is a point."""
        return log_mean(self.theta, low, high) - log_total(self.theta)[0]

    def cdf(self, v: Array) -> Array:
        """The probability of [0, v]."""
        if self.theta.size == 0:
            return v
        found = np.concatenate([_mean_below(self.theta, part) for part in _parts(np.ravel(v))])
        return np.asarray(np.clip(found / np.exp(log_total(self.theta)[0]), 0.0, 1.0)).reshape(np.shape(v))


def fit(low: Array, high: Array, degree: int) -> PitDensity:
    """The density of that degree that suits the points and intervals best."""
    from scipy.optimize import minimize

    if degree == 0:
        return PitDensity(np.zeros(0))
    exact = low == high
    total = polynomials(low[exact], degree).sum(axis=0)
    found = minimize(
        loss,
        np.zeros(degree),
        (exact.size, total, low[~exact], high[~exact]),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-_MOST, _MOST)] * degree,
        options={"ftol": 1e-14, "gtol": 1e-8},
    )
    return PitDensity(found.x)


def loss(theta: Array, n: int, total: Array, low: Array, high: Array) -> tuple[float, Array]:
    """Minus the penalised mean log likelihood of n cases, and its gradient.

    ``total`` is the sum of the polynomials over the cases that are points; the others are the intervals.
    """
    A, mean = log_total(theta)
    value = n * A - theta @ total + 0.5 * theta @ theta
    slope = n * mean - total + theta
    for a, b in zip(_parts(low), _parts(high), strict=True):
        logs, means = _interval_moments(theta, a, b)
        value -= logs.sum()
        slope -= means.sum(axis=0)
    return float(value) / n, slope / n


def polynomials(v: Array, degree: int) -> Array:
    """P_1, ..., P_degree at v, along a new last axis."""
    values = np.polynomial.legendre.legvander(2.0 * np.asarray(v) - 1.0, degree)[..., 1:]
    return np.asarray(values * np.sqrt(2.0 * np.arange(1, degree + 1) + 1.0))


def log_total(theta: Array) -> tuple[float, Array]:
    """A(theta), and its gradient: the means of the polynomials."""
    P = _table(theta.size)
    exponent = P @ theta
    top = exponent.max()
    mass = _rule(_NODES)[1] * np.exp(exponent - top)
    total = mass.sum()
    return float(top + np.log(total)), np.asarray(mass @ P / total)


def log_mean(theta: Array, low: Array, high: Array) -> Array:
    """The log of the mean of exp(theta . P) over each interval."""
    found = np.empty(low.size)
    exact = low == high
    found[exact] = polynomials(low[exact], theta.size) @ theta
    wide = np.flatnonzero(~exact)
    for part in _parts(wide):
        found[part] = _interval_moments(theta, low[part], high[part])[0]
    return found


def _interval_moments(theta: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """The same for intervals that are no points, and the means of the polynomials under the density there."""
    nodes, weights = _rule(_INNER)
    P = polynomials(low[:, None] + (high - low)[:, None] * nodes, theta.size)
    exponent = P @ theta
    top = exponent.max(axis=1, keepdims=True)
    mass = weights * np.exp(exponent - top)
    total = mass.sum(axis=1)
    return top[:, 0] + np.log(total), np.einsum("ij,ijk->ik", mass, P) / total[:, None]


def _mean_below(theta: Array, v: Array) -> Array:
    nodes, weights = _rule(_NODES)
    return np.asarray(v * (np.exp(polynomials(v[:, None] * nodes, theta.size) @ theta) @ weights))


def _parts(values: NDArray[Any]) -> list[NDArray[Any]]:
    return [values[start : start + _BLOCK] for start in range(0, values.size, _BLOCK)]


@cache
def _rule(nodes: int) -> tuple[Array, Array]:
    """Gauss and Legendre's nodes and weights on [0, 1]."""
    x, w = np.polynomial.legendre.leggauss(nodes)
    return 0.5 * (x + 1.0), 0.5 * w


@cache
def _table(degree: int) -> Array:
    return polynomials(_rule(_NODES)[0], degree)

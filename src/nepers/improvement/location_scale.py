"""Where and how wide the truths lie on the normal scale: the Gaussian of z = Phi^-1(u), where u is the PIT.

For calibrated predictions z is standard normal. If z is Gaussian with mean m and standard deviation s, the
predictions are off by m of their own standard deviations, and too sure (s > 1) or not sure enough (s < 1).
The fit is by maximum likelihood with one more case, half of it at z = -1 and half at z = 1, which draws
towards m = 0, s = 1. Where z is known up to an interval its likelihood is the probability of the interval.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_NARROW = 1e-6  # the density then differs from a straight line by less than a part in 10^9
LOG_ROOT_2PI = 0.5 * math.log(2.0 * math.pi)


def fit(low: Array, high: Array) -> tuple[float, float]:
    """m and s for z known to lie between ``low`` and ``high``, which are equal where it is known exactly."""
    from scipy.optimize import minimize

    exact = low == high
    z = low[exact]
    sums = z.size + 1.0, float(z.sum()), float(z @ z) + 1.0
    m = sums[1] / sums[0]
    s = math.sqrt(sums[2] / sums[0] - m * m)
    if exact.all():
        return m, s
    found = minimize(
        loss,
        np.array([m, math.log(s)]),
        (*sums, low[~exact], high[~exact]),
        jac=True,
        method="L-BFGS-B",
        bounds=[(-40.0, 40.0), (-9.0, 9.0)],
        options={"ftol": 1e-14, "gtol": 1e-9},
    )
    return float(found.x[0]), math.exp(found.x[1])


def loss(x: Array, count: float, first: float, second: float, low: Array, high: Array) -> tuple[float, Array]:
    """Minus the mean log likelihood at x = (m, log s), and its gradient.

    The exact cases come as their number, sum and sum of squares, the others as intervals.
    """
    m, s = float(x[0]), math.exp(x[1])
    square = (second - 2.0 * m * first + count * m * m) / s**2
    value = 0.5 * square + count * x[1]
    slope = np.array([(count * m - first) / s**2, count - square])
    a, b = (low - m) / s, (high - m) / s
    mass = log_interval(a, b)
    at_a, at_b = _density(a, mass), _density(b, mass)
    slope += np.array([(at_b - at_a).sum() / s, (_product(b, at_b) - _product(a, at_a)).sum()])
    n = count + low.size
    return (value - float(mass.sum())) / n, slope / n


def log_interval(a: Array, b: Array) -> Array:
    """log(Phi(b) - Phi(a)) for a < b, without loss in the tails or for narrow intervals."""
    from scipy.special import log_ndtr

    found = np.empty(a.size)
    narrow = b - a < _NARROW
    middle = 0.5 * (a[narrow] + b[narrow])
    found[narrow] = np.log((b - a)[narrow]) - 0.5 * middle**2 - LOG_ROOT_2PI
    # in the upper tail the two logs are themselves tiny, and exact
    top = log_ndtr(b[~narrow])
    found[~narrow] = top + np.log(-np.expm1(log_ndtr(a[~narrow]) - top))
    return found


def _density(z: Array, log_mass: Array) -> Array:
    """The normal density at z over the probability of the interval."""
    return np.asarray(np.exp(-0.5 * z * z - LOG_ROOT_2PI - log_mass))


def _product(z: Array, density: Array) -> Array:
    """z times its density, which is nothing at infinity."""
    return np.where(np.isinf(z), 0.0, np.where(np.isinf(z), 0.0, z) * density)

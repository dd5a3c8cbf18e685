"""The distribution function of the skew-Student for N = 1.

With ``q = sqrt(S) (x - mu)``, ``z = nu sqrt(S)``, beta = sqrt(alpha) and a standard Gaussian ``e``,

    F(x) = P(e + z <= q beta) = E_beta[ Phi(q beta - z) ] = E_e[ P(beta >= (e + z) / q) ]      (last: q > 0)

Each expectation is a trapezoid sum at nodes that do not depend on x, so F is monotone and within [0, 1].
The first serves while Phi's step is not much sharper than the law of log(beta), that is |z| up to
about 2 sqrt(m); beyond that the second is smooth.
"""

import math

import numpy as np

from nepers.hierarchy.arrays import Array

_CHUNK = 1_000_000
# Phi(-_NEGLIGIBLE) is 1e-17
_NEGLIGIBLE = 8.5


def standard_cdf(q: Array, z: float, m: float, r: float) -> Array:
    """F at standardised points q, for skewness z and alpha ~ Gamma(m, r)."""
    q = np.asarray(q, dtype=np.float64)
    flat = np.where(np.isfinite(q), q, 0.0).ravel()
    if abs(z) <= max(_NEGLIGIBLE, 2.0 * math.sqrt(m)):
        result = _over_beta(flat, z, m, r)
    elif z > 0.0:
        result = _over_gaussian(flat, z, m, r)
    else:
        result = 1.0 - _over_gaussian(-flat, -z, m, r)
    inside = np.clip(result, 0.0, 1.0).reshape(q.shape)
    return np.where(np.isinf(q), np.where(q > 0.0, 1.0, 0.0), np.where(np.isnan(q), np.nan, inside))


def _over_beta(q: Array, z: float, m: float, r: float) -> Array:
    from scipy import special

    # v = log(beta sqrt(r/m)) has density proportional to exp(-m (e^2v - 1 - 2v)). Phi adds z^2 to the
    # curvature 4m, and 0.12 keeps within the strip |Im v| < pi/4 in which exp(-m e^2v) decays.
    step = min(0.12, 0.5 / math.sqrt(4.0 * m + z * z))
    v = np.arange(-_reach_left(m), _reach_right(m) + step, step)
    weight = np.exp(-m * (np.expm1(2.0 * v) - 2.0 * v))
    weight /= weight.sum()
    beta = math.sqrt(m / r) * np.exp(v)
    result = np.empty_like(q)
    rows = max(1, _CHUNK // v.size)
    with np.errstate(over="ignore", under="ignore"):
        for start in range(0, q.size, rows):
            result[start : start + rows] = special.ndtr(q[start : start + rows, None] * beta - z) @ weight
    return result


def _over_gaussian(q: Array, z: float, m: float, r: float) -> Array:
    from scipy import special

    e = np.arange(-_NEGLIGIBLE, _NEGLIGIBLE + 0.25, 0.5)
    weight = np.exp(-0.5 * np.square(e))
    weight /= weight.sum()
    result = np.zeros_like(q)
    above = q > 0.0
    with np.errstate(over="ignore", under="ignore"):
        least = np.square(math.sqrt(r) * (e + z) / q[above, None])
    result[above] = special.gammaincc(m, least) @ weight
    return result


def _reach_left(m: float) -> float:
    """A v with ``m (e^-2v - 1 + 2v)`` at least 38: ``u = 2v = c + sqrt(2c)`` has e^-u - 1 + u > c."""
    c = 38.0 / m
    return 0.5 * (c + math.sqrt(2.0 * c))


def _reach_right(m: float) -> float:
    """A v with ``m (e^2v - 1 - 2v)`` at least 38: either bound on u = 2v gives e^u - 1 - u >= c."""
    c = 38.0 / m
    return 0.5 * min(math.sqrt(2.0 * c), math.log(3.0 + 2.0 * c))

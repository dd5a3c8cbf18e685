"""The integral over the half line that the skew-Student density rests on.

    h(a, t) = log integral_0^inf s^a exp(-s^2/2 + t s) ds,      a > 0, any real t

In w = log s the integrand has one peak, at the s that solves ``s^2 - t s - A = 0`` with ``A = a + 1``.
Measured from that peak, ``s = peak * e^v``, it is free of t and of every large term:

    h(a, t) = A log(peak) + peak^2/2 - A + log I(A, peak^2)
    I(A, B) = integral exp(-A (e^v - 1 - v) - (B/2) (e^v - 1)^2) dv

I is close to ``sqrt(2 pi / (A + B))``. The trapezoid rule gives it to 1e-13: the integrand is analytic
and decays on both sides, so the rule converges exponentially.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from nepers.hierarchy.arrays import Array

# v = spread * _BEND * sinh(tau / _BEND): steps even in tau near the peak, longer in the slow left tail
_BEND = 8.0
_CHUNK = 4096
_INTERPOLATE_FROM = 256
_NODES = 112


def log_half_line_integral(a: float, t: ArrayLike) -> Array:
    """h(a, t) of this page, for one a and any array of t."""
    A = a + 1.0
    peak = peak_position(A, np.asarray(t, dtype=np.float64))
    return A * np.log(peak) + 0.5 * np.square(peak) - A + log_peak_integral(A, np.square(peak))


def peak_position(A: float, t: Array) -> Array:
    """The positive root s of ``s^2 - t s - A``, without cancellation for either sign of t."""
    root = np.hypot(t, 2.0 * math.sqrt(A))
    return np.where(t > 0.0, 0.5 * (root + t), 2.0 * A / (root + np.abs(t)))


def log_peak_integral(A: float, B: Array) -> Array:
    """log I(A, B) for one A > 1 and any array of B > 0; many B share one interpolant."""
    B = np.asarray(B, dtype=np.float64)
    width = 1.0 / np.sqrt(1.0 + B / A)
    correction = _correction(A, width.ravel()).reshape(B.shape)
    return correction + np.log(width) + 0.5 * math.log(2.0 * math.pi / A)


def _correction(A: float, width: Array) -> Array:
    """``log(I / sqrt(2 pi / (A + B)))``, a smooth function of ``width = sqrt(A / (A + B))`` in (0, 1)."""
    if width.size >= _INTERPOLATE_FROM:
        found = _interpolated(lambda w: correction_by_trapezoid(A, w), width)
        if found is not None:
            return found
    return correction_by_trapezoid(A, width)


def correction_by_trapezoid(A: float, width: Array) -> Array:
    """The same correction, integrated afresh for every width."""
    v, weight = _nodes(A)
    result = np.empty_like(width)
    for start in range(0, width.size, _CHUNK):
        w = width[start : start + _CHUNK, None]
        # with spread = w / sqrt(A): A spread^2 = w^2 and B spread^2 = 1 - w^2
        step = (w / math.sqrt(A)) * v
        rise = np.expm1(step)
        half_B = 0.5 * A * (1.0 / w - 1.0) * (1.0 / w + 1.0)
        terms = np.exp(-A * (rise - step) - half_B * np.square(rise))
        result[start : start + _CHUNK] = np.log(terms @ weight)
    return result


def _nodes(A: float) -> tuple[Array, Array]:
    """Nodes v in units of the spread, and their trapezoid weights over sqrt(2 pi).

    Step and reach were measured to leave 1e-13 for every B: small A has the slowest left tail, e^(A v),
    and the narrowest strip of analyticity in units of the spread.
    """
    step = 0.2 if A < 6.0 else 0.3 if A < 20.0 else 0.4 if A < 600.0 else 0.5
    left = _BEND * math.asinh((10.0 + 125.0 / A) / _BEND)
    tau = np.arange(-left, 9.0, step)
    weight = np.cosh(tau / _BEND) * (step / math.sqrt(2.0 * math.pi))
    return _BEND * np.sinh(tau / _BEND), weight


def _interpolated(function: Callable[[Array], Array], x: Array) -> Array | None:
    """The function at x by Chebyshev interpolation over x's range; None where that is not exact enough."""
    low, high = float(x.min()), float(x.max())
    half, middle = 0.5 * (high - low), 0.5 * (high + low)
    if half == 0.0:
        return np.full_like(x, function(np.array([low]))[0])
    angle = np.pi * (np.arange(_NODES) + 0.5) / _NODES
    values = function(middle + half * np.cos(angle))
    degree = np.arange(_NODES)
    coefficients = (2.0 / _NODES) * (np.cos(np.outer(degree, angle)) @ values)
    coefficients[0] *= 0.5
    if np.abs(coefficients[-8:]).max() > 1e-14:
        return None
    needed = int(np.flatnonzero(np.abs(coefficients) > 1e-16).max(initial=0)) + 1
    unit = np.clip((x - middle) / half, -1.0, 1.0)
    return np.asarray(np.polynomial.chebyshev.chebval(unit, coefficients[:needed]), dtype=np.float64)

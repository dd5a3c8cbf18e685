"""The part of the skew-Student's log density that skewness adds: a polynomial for every component.

With a = 2m + N - 1, the density of a case contains

    h(a, t) = log of the integral over s > 0 of s^a exp(-s^2/2 + t s),      |t| <= z = |U nu|,

(see `nepers.hierarchy`). For one component a is fixed, and h(a, t) - h(a, 0) is a smooth function of t.
A table made once holds its polynomials in t on [-T, T], for four T, over a grid in log(a + 1); a
component's own polynomial is interpolated between rows. Outside the table the integral is done directly.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import step, summing
from nepers.gibbs.special import log_gamma_function

RANGES = (1.0, 2.0, 3.5, 6.0)
DEGREES = (11, 15, 22, 34)
WIDEST = DEGREES[-1] + 1
_POINTS = 8  # of the Lagrange interpolation over rows
_FIRST = 0.02  # log(a + 1) of the first row
_SPACING = 0.1
_ROWS = 124
_HALF_LOG_2 = 0.34657359027997264


@step
def tilt_at_zero(a):
    """h(a, 0)."""
    return log_gamma_function(0.5 * (a + 1.0)) + (a - 1.0) * _HALF_LOG_2


@summing
def tilt_integral(a, t):
    """h(a, t) by the trapezoidal rule in log s, out to where the integrand is below e^-42 of its peak.

    The integrand is analytic and falls off at both ends, so the error falls exponentially with one over the
    spacing: a quarter of the integrand's width gives about 1e-13.
    """
    b = a + 1.0
    mode = 0.5 * (t + math.sqrt(t * t + 4.0 * b)) if t > 0.0 else 2.0 * b / (math.sqrt(t * t + 4.0 * b) - t)
    h = 0.25 / math.sqrt(mode * mode + b)
    half = 0.5 * mode * mode
    left = 38 + int(170.0 / math.sqrt(b))
    total = 0.0
    for k in range(left + 40):
        w = (k - left) * h
        e = vector_math.exp(w) - 1.0
        # b w - (s^2 - mode^2)/2 + t (s - mode) with s = mode e^w and t = mode - b/mode
        total += vector_math.exp(b * (w - e) - half * e * e)
    return b * math.log(mode) - half + t * mode + math.log(total * h)


@functools.cache
def tilt_table() -> Any:
    """The table [range, row, power] of the coefficients of (t/T)^power, made once in a process."""
    a = np.expm1(_FIRST + _SPACING * np.arange(_ROWS))[:, None]
    table = np.zeros((len(RANGES), _ROWS, WIDEST))
    for g, (widest, degree) in enumerate(zip(RANGES, DEGREES, strict=True)):
        count = degree + 1
        t = widest * np.cos(np.pi * (np.arange(count) + 0.5) / count)
        table[g, :, :count] = _powers(_log_integral(a, t) - _log_integral(a, np.zeros(1)))
    return table


def _log_integral(a: Any, t: Any) -> Any:
    """h(a, t) as in `tilt_integral`, for arrays: the integrand is below e^-42 of its peak at the ends."""
    b = a + 1.0
    mode = 0.5 * (t + np.sqrt(t * t + 4.0 * b))
    width = 1.0 / np.sqrt(mode * mode + b)
    total = np.zeros_like(mode)
    for k in range(-200, 60):
        w = 0.25 * k * width
        e = np.expm1(w)
        total += np.exp(b * (w - e) - 0.5 * (mode * e) ** 2)
    return b * np.log(mode) - 0.5 * mode * mode + t * mode + np.log(0.25 * width * total)


def _powers(values: Any) -> Any:
    """From values at Chebyshev nodes to coefficients of powers, row by row.

    Chebyshev coefficients that are only rounding noise become zero: in powers they would be amplified
    by (1 + sqrt 2)^degree.
    """
    count = values.shape[1]
    k = np.arange(count)
    to_chebyshev = 2.0 / count * np.cos(np.outer(k, np.pi * (k + 0.5) / count))
    to_chebyshev[0] *= 0.5
    chebyshev = values @ to_chebyshev.T
    noise = 4e-15 * np.abs(chebyshev).max(axis=1, keepdims=True)
    chebyshev[np.abs(chebyshev) < noise] = 0.0
    to_powers = np.zeros((count, count))
    for j in range(count):
        powers = np.polynomial.chebyshev.cheb2poly(np.eye(count)[j])
        to_powers[j, : powers.size] = powers
    return chebyshev @ to_powers


@step
def tilt_polynomial(table, a, z, out):
    """Write the coefficients, in powers of t, of h(a, t) - h(a, 0) on [-z, z]; return the index of the range.

    Returns -1 when z or a lies outside the table.
    """
    place = (math.log1p(a) - _FIRST) / _SPACING
    row = int(place) - _POINTS // 2 + 1
    if z > RANGES[3] or place < 0.0 or row + _POINTS > _ROWS:
        return -1
    row = max(row, 0)
    g = 0
    while z > RANGES[g]:
        g += 1
    for k in range(DEGREES[g] + 1):
        out[k] = 0.0
    offset = place - row
    for i in range(_POINTS):
        weight = 1.0
        for j in range(_POINTS):
            if j != i:
                weight *= (offset - j) / (i - j)
        for k in range(DEGREES[g] + 1):
            out[k] += weight * table[g, row + i, k]
    scale = 1.0 / RANGES[g]
    power = 1.0
    for k in range(1, DEGREES[g] + 1):
        power *= scale
        out[k] *= power
    return g

"""Log density and log survival of curves on a grid: between the grid's times, and beyond the last.

Pure formulas; `nepers.ratios.interpolation` says what they mean and refuses what they cannot do. ``grid``, of
m times, starts at 0, ``survival`` is (n, m), and the result is for time ``t[i]`` under the curve in row
``curve[i]``. With H = -log S:

    linear      log f = log((S_a - S_b) / width)             S straight from S_a to S_b
    log_linear  log f = log((H_b - H_a) / width) - H         H straight
    smooth      log f = log(y') + y - log t - H              y = log H as a function of log t, y' its slope
    beyond      H = H_k (t / t_k)**power                     power 1 is the exponential
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
Pair = tuple[Array, Array]


def step(grid: Array, survival: Array, curve: Rows, t: Array) -> Pair:
    """A density of zero, and NaN where the curve falls: there it has a probability, not a density."""
    place = np.searchsorted(grid, t, side="right") - 1
    now, before = survival[curve, place], survival[curve, np.maximum(place - 1, 0)]
    falls = (grid[place] == t) & (now < before)
    return np.where(falls, np.nan, -np.inf), np.log(now)


def linear(grid: Array, survival: Array, curve: Rows, t: Array) -> Pair:
    """S straight in t."""
    width, along, a, b = _segment(grid, survival, curve, t)
    return np.log((a - b) / width), np.log(a + (b - a) * along)


def log_linear(grid: Array, survival: Array, curve: Rows, t: Array) -> Pair:
    """log S straight in t."""
    width, along, a, b = _segment(grid, survival, curve, t)
    a, b = np.log(a), np.log(b)
    log_s = a + (b - a) * along
    return np.log((a - b) / width) + log_s, log_s


def smooth(grid: Array, survival: Array, curve: Rows, t: Array) -> Pair:
    """log H a monotone cubic in log t, and straight before the first time above 0."""
    from scipy.interpolate import PchipInterpolator

    used, again = np.unique(curve, return_inverse=True)
    x, y = np.log(grid[1:]), np.log(-np.log(survival[used, 1:]))
    c, v = PchipInterpolator(x, y, axis=1).c, np.log(t)
    place = np.clip(np.searchsorted(x, v) - 1, 0, x.size - 2)
    d, (c3, c2, c1, c0) = v - x[place], c[:, place, again]
    log_h, slope = ((c3 * d + c2) * d + c1) * d + c0, (3.0 * c3 * d + 2.0 * c2) * d + c1
    early, first = d < 0.0, ((y[:, 1] - y[:, 0]) / (x[1] - x[0]))[again]
    log_h = np.where(early, c0 + first * d, log_h)
    slope = np.where(early, first, np.maximum(slope, 0.0))  # rounding may put a flat one just below 0
    h = np.exp(log_h)
    return np.log(slope) + log_h - v - h, -h


def beyond(last: float, left: Array, power: Array, t: Array) -> Pair:
    """H going on as a power of t from the last time, where ``left`` is S; nothing where none is left."""
    some = left > 0.0
    h = -np.log(np.where(some, left, 0.5)) * (t / last) ** power
    return np.where(some, np.log(power * h / t) - h, -np.inf), np.where(some, -h, -np.inf)


def last_power(grid: Array, survival: Array, curve: Rows) -> Array:
    """The slope of log H in log t between the last two times: NaN, or not above 0, if there is none."""
    h = -np.log(survival[curve, -2:])
    known = (h[:, 0] > 0.0) & np.isfinite(h).all(axis=1)
    log_h = np.log(np.where(known[:, None], h, 1.0))
    slope = (log_h[:, 1] - log_h[:, 0]) / np.log(grid[-1] / grid[-2])
    return np.where(known, slope, np.nan)


def _segment(grid: Array, survival: Array, curve: Rows, t: Array) -> tuple[Array, Array, Array, Array]:
    """The width of the segment each ``t`` is in, how far along it is, and S at the ends."""
    place = np.searchsorted(grid, t) - 1
    width = grid[place + 1] - grid[place]
    return width, (t - grid[place]) / width, survival[curve, place], survival[curve, place + 1]

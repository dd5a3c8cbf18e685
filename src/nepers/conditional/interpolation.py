"""A smooth function at many places, from its values at few: Chebyshev's interpolation, or nothing.

The logs of a case's density and survival are analytic, so the coefficients of their Chebyshev series fall
geometrically. Where the last ones of 33, or else 65, are below 1e-9, the interpolant is as exact as that;
where they are not, there is no interpolant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MANY = 100  # places from which on it saves time
_DEGREES = (32, 64)
_LAST = 6
_EXACT = 1e-9


def interpolated(function: Callable[[Array], Array], x: Array) -> Array | None:
    """``function`` at x, or None where its series has not ended at the highest degree tried."""
    low, high = float(x.min()), float(x.max())
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        return None
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    values = np.empty(0)
    for degree in _DEGREES:
        angles = np.cos(np.pi * np.arange(degree + 1) / degree)
        # every other node of the next degree is one of this
        new = slice(1, None, 2) if values.size else slice(None)
        found = np.empty(degree + 1)
        found[::2] = values if values.size else 0.0
        found[new] = function(middle + half * angles[new])
        values = found
        if not np.isfinite(values).all():
            return None
        coefficients = _transform(degree) @ values
        if np.abs(coefficients[-_LAST:]).max() < _EXACT * max(1.0, float(np.abs(values).max())):
            unit = np.clip((x - middle) / half, -1.0, 1.0)
            return np.asarray(np.polynomial.chebyshev.chebval(unit, coefficients), dtype=np.float64)
    return None


@cache
def _transform(degree: int) -> Array:
    """From values at cos(pi k / degree) to the coefficients."""
    k = np.arange(degree + 1)
    weight = np.where((k == 0) | (k == degree), 0.5, 1.0)
    cosines = np.cos(np.pi * np.outer(k, k) / degree)
    return np.asarray((2.0 / degree) * weight[:, None] * cosines * weight)

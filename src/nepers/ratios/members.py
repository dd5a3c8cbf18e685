"""The densities that the members of an ensemble are taken to state, each by a formula.

With members d_1 .. d_m of one case, mean a and standard deviation s (m - 1 in the denominator):

    "kde"      Q(x) = (1/m) sum_i N(x; d_i, h^2),   h = 0.9 min(s, IQR/1.34) m^(-1/5)
    "normal"   Q(x) = N(x; a, s^2)
    "counts"   Q(x) = (number of d_i equal to x, plus c) / (m + c K)

h is Silverman's robust bandwidth; IQR is the distance from the lower quartile to the upper one, by straight
lines between the order statistics. c is the pseudo count of each of the K possible values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Method = Literal["kde", "normal", "counts"]
METHODS = ("kde", "normal", "counts")

_CELLS = 1 << 20  # members looked at together
_LOG_ROOT_2_PI = 0.5 * math.log(2.0 * math.pi)
_ROUNDING = 1e-12  # members closer than this share of their size are equal


@dataclass(frozen=True)
class Formula:
    """How members become a density; the pseudo count is for each of ``possible`` values."""

    method: str
    pseudo_count: float = 0.0
    possible: int = 0

    def score(self, x: Array, draws: Array) -> Array:
        """log Q(x) of each case, NaN where the members agree too much to have a density.

        ``draws`` are (n, m), or (1, m) where all cases share them.
        """
        shared = draws.shape[0] == 1
        step = max(1, _CELLS // draws.shape[1])
        parts = [slice(start, start + step) for start in range(0, x.size, step)]
        of_part = {"kde": _kde, "normal": _normal, "counts": self._counts}[self.method]
        pieces = [of_part(x[part, None], draws if shared else draws[part]) for part in parts]
        return np.concatenate([np.empty(0), *pieces])

    def _counts(self, x: Array, draws: Array) -> Array:
        equal = np.count_nonzero(draws == x, axis=1) + self.pseudo_count
        with np.errstate(divide="ignore"):  # of a value that no member has, the log is minus infinity
            return np.asarray(np.log(equal) - math.log(draws.shape[1] + self.pseudo_count * self.possible))


def bandwidth(draws: Array) -> Array:
    """Silverman's robust bandwidth of each row."""
    lower, upper = np.quantile(draws, [0.25, 0.75], axis=1)
    spread = np.minimum(draws.std(axis=1, ddof=1), (upper - lower) / 1.34)
    return np.asarray(0.9 * spread * draws.shape[1] ** -0.2)


def _kde(x: Array, draws: Array) -> Array:
    from scipy.special import logsumexp

    h = _positive(bandwidth(draws), draws)
    each = -0.5 * np.square((x - draws) / h[:, None])
    return np.asarray(logsumexp(each, axis=1) - np.log(draws.shape[1] * h) - _LOG_ROOT_2_PI)


def _normal(x: Array, draws: Array) -> Array:
    s = _positive(draws.std(axis=1, ddof=1), draws)
    z = (x[:, 0] - draws.mean(axis=1)) / s
    return np.asarray(-0.5 * np.square(z) - np.log(s) - _LOG_ROOT_2_PI)


def _positive(width: Array, draws: Array) -> Array:
    """NaN where the members agree as far as their rounding tells."""
    return np.where(width > _ROUNDING * np.abs(draws).max(axis=1), width, np.nan)

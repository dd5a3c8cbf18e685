"""A mixture of very many Gaussians in one dimension, as one case's predictive distribution is one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nepers.conditional.interpolation import MANY, interpolated

Array = NDArray[np.float64]

_DENSITY, _ABOVE, _BELOW = 0, 1, 2
# below this what was left out may matter, and all of it is taken
_FAR = 1e-11


@dataclass(frozen=True, eq=False)
class Gaussians:
    """Weights that sum to 1, means, and one over the standard deviations.

    ``log_weight`` is the log density of what the case was conditioned on. ``wider`` gives the same
    distribution with everything that was left out as negligible, for places far out in its tails.
    """

    weight: Array
    place: Array
    scale: Array
    log_weight: float = 0.0
    wider: Callable[[], Gaussians] | None = field(default=None, repr=False)

    def logpdf(self, u: Array) -> Array:
        """The log density at each u."""
        return self._log(_DENSITY, u)

    def logsf(self, u: Array) -> Array:
        """The log of the probability above each u."""
        return self._log(_ABOVE, u)

    def logcdf(self, u: Array) -> Array:
        """The log of the probability below each u."""
        return self._log(_BELOW, u)

    def quantile(self, p: Array) -> Array:
        """Where the probability below is p, for 0 < p < 1."""
        from nepers.conditional.sums import TAIL, quantiles

        full = self._full if min(p.min(), 1.0 - p.max()) < _FAR else self
        low, high = full._bracket(float(p.min()), float(p.max()))
        out = np.empty(p.size)
        quantiles(full.weight, full.place, full.scale, low, high, np.ascontiguousarray(p), TAIL, out)
        return out

    def mean(self) -> float:
        """The mean."""
        return float(self.weight @ self.place)

    def mean_exp_below(self, u: float) -> float:
        """E[min(e^y, e^u)], where y has this distribution: exact but for what is left out."""
        from scipy.special import log_ndtr, ndtr

        sd = 1.0 / self.scale
        early = (u - self.place) * self.scale - sd
        inside = np.exp(self.place + 0.5 * sd * sd + log_ndtr(early))
        return float(self.weight @ (inside + math.exp(u) * ndtr((self.place - u) * self.scale)))

    def draws(self, size: int, rng: np.random.Generator) -> Array:
        """Independent draws."""
        ends = np.cumsum(self.weight)
        which = np.minimum(np.searchsorted(ends, rng.random(size) * ends[-1], side="right"), ends.size - 1)
        return np.asarray(self.place[which] + rng.standard_normal(size) / self.scale[which])

    @cached_property
    def _full(self) -> Gaussians:
        return self if self.wider is None else self.wider()

    def _log(self, what: int, u: Array) -> Array:
        u = np.ascontiguousarray(u, dtype=np.float64)
        found = interpolated(lambda x: self._exact(what, x), u) if u.size >= MANY else None
        return self._exact(what, u) if found is None else found

    def _exact(self, what: int, u: Array) -> Array:
        values = self._sums(what, u)
        least = _FAR * self._typical_density if what == _DENSITY else _FAR
        far = np.flatnonzero(values < least)
        if far.size and self.wider is not None:
            values[far] = self._full._sums(what, u[far])
        with np.errstate(divide="ignore"):  # minus infinity only beyond what a double can hold
            return np.asarray(np.log(values))

    @cached_property
    def _typical_density(self) -> float:
        return float(self.weight @ self.scale)

    def _sums(self, what: int, u: Array) -> Array:
        from nepers.conditional.sums import TAIL, sums

        out = np.empty(u.size)
        sums(what, self.weight, self.place, self.scale, u, TAIL, out)
        return out

    def _bracket(self, low: float, high: float) -> tuple[float, float]:
        """Places with at most ``low`` below and at most 1 - ``high`` above."""
        centre = float(self.weight @ self.place)
        step = float(self.weight @ (1.0 / self.scale))
        left, right = centre - step, centre + step
        while self._sums(_BELOW, np.array([left]))[0] > low:
            left -= right - left
        while self._sums(_ABOVE, np.array([right]))[0] > 1.0 - high:
            right += right - left
        return left, right

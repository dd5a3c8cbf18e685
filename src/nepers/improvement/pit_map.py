"""The recalibration map for predictions of a real quantity, and its fit.

With F the distribution function that was predicted and u = F(x) the PIT of the truth, which is uniform for
calibrated predictions, the recalibrated density is q(x) c(F(x)), with c a density on [0, 1]; it integrates to
one whatever q is. Here

    c(u) = w(u) g(v(u)),     v(u) = Phi((Phi^-1(u) - m) / s),     w = dv/du

a shift and change of scale on the normal scale (see `location_scale`), and then a smooth density g of v (see
`pit_density`). For a Gaussian prediction whose mean and standard deviation are wrong by fixed amounts in its
own units, w alone is exact. The candidates have m = 0, s = 1 or not, and g of degree 0 (uniform), 2, 4 or 6.

A truth known to lie in [F^-1(u_low), F^-1(u_high)] gains log((C(u_high) - C(u_low)) / (u_high - u_low)), with
C the integral of c: censored cases and discrete outcomes are such. A PIT that is exactly 0 or 1 is taken for
the interval of width 2^-53 at that end: a float near 1 tells no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.improvement import location_scale, pit_density
from nepers.improvement.location_scale import log_interval
from nepers.improvement.pit_density import PitDensity
from nepers.improvement.pit_values import read_pit

Array = NDArray[np.float64]

CANDIDATES = tuple((moved, degree) for moved in (False, True) for degree in (0, 2, 4, 6))


@dataclass(frozen=True, eq=False)
class PitMap:
    """c(u): call it with PITs of new predictions for log c, what is to be added to their log density.

    It is fitted on the cases it came from: judge it on others.
    """

    location: float
    scale: float
    density: PitDensity

    @property
    def unchanged(self) -> bool:
        """Whether c is 1 everywhere."""
        return not self.moved and self.density.theta.size == 0

    @property
    def moved(self) -> bool:
        """Whether there is a shift or a change of scale."""
        return (self.location, self.scale) != (0.0, 1.0)

    def __call__(self, pit: Any) -> Array:
        """log c(u) for PITs u, or the log of the mean of c over intervals of them, (n, 2)."""
        given = read_pit(pit)
        return self.gain(given.low, given.high)

    def cdf(self, pit: Any) -> Array:
        """C(u), the PIT of the recalibrated prediction; for intervals the values at both ends, (n, 2)."""
        from scipy.special import ndtr, ndtri

        given = np.asarray(pit, dtype=np.float64)
        read_pit(given)
        return self.density.cdf(np.asarray(ndtr((ndtri(given) - self.location) / self.scale)))

    def gain(self, low: Array, high: Array) -> Array:
        """The same for PITs between ``low`` and ``high``."""
        a, b = normal_scale(low), normal_scale(high)
        change = self._log_width(a, b, low, high) if self.moved else np.zeros(low.size)
        if self.density.theta.size == 0:
            return change
        return np.asarray(change + self.density.log_mean(*self._moved(a, b)))

    def _moved(self, a: Array, b: Array) -> tuple[Array, Array]:
        from scipy.special import ndtr

        m, s = self.location, self.scale
        return np.asarray(ndtr((a - m) / s)), np.asarray(ndtr((b - m) / s))

    def _log_width(self, a: Array, b: Array, low: Array, high: Array) -> Array:
        """The log of the interval's length in v over that in u; of dv/du where it is a point."""
        exact = a == b
        z = np.where(exact, a, 0.0)
        moved = (z - self.location) / self.scale
        change = 0.5 * (z - moved) * (z + moved) - np.log(self.scale)
        wide = ~exact
        m, s = self.location, self.scale
        change[wide] = log_interval((a[wide] - m) / s, (b[wide] - m) / s) - log_interval(a[wide], b[wide])
        return np.asarray(change)

    def to_dict(self) -> dict[str, Any]:
        """Fit for JSON."""
        return {
            "location": self.location,
            "scale": self.scale,
            "degree": self.density.theta.size,
            "theta": self.density.theta.tolist(),
        }

    def __str__(self) -> str:
        if self.unchanged:
            return "no change"
        parts = []
        if self.moved:
            parts.append(
                f"on the normal scale the truths lie {self.location:.3g} off, {self.scale:.3g} times as wide"
            )
        if self.density.theta.size:
            parts.append(f"a smooth density of degree {self.density.theta.size}")
        return ", and ".join(parts)


def fit(candidate: tuple[bool, int], low: Array, high: Array) -> PitMap:
    """The map of that candidate of `CANDIDATES` that suits the cases best."""
    moved, degree = candidate
    location, scale = location_scale.fit(normal_scale(low), normal_scale(high)) if moved else (0.0, 1.0)
    base = PitMap(location, scale, PitDensity(np.zeros(0)))
    v_low, v_high = base._moved(normal_scale(low), normal_scale(high)) if moved else (low, high)
    return PitMap(location, scale, pit_density.fit(v_low, v_high, degree))


def normal_scale(u: Array) -> Array:
    """Phi^-1(u)."""
    from scipy.special import ndtri

    return np.asarray(ndtri(u))

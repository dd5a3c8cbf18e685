"""The map that makes the hierarchy's prior of J a standard Gaussian.

    z = T(J),      T increasing,      z ~ Gaussian(0, 1) if J ~ pi0

pi0, the prior of J, has no closed form: it is known from draws. It is symmetric about the hyperparameter
mu_mu_mu, as locations and skewnesses both are, so the quantiles of |J - mu_mu_mu| tell all. They are taken
at a few values of z, and between these asinh((J - mu_mu_mu) / median) follows a smooth monotone curve in z;
beyond z = 3.5 a straight line, which is a tail of lognormal kind. The draws have a seed of their own: the map
is a function of the hyperparameters and of nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]

_DRAWS = 16_384  # some 40 microseconds each
_SEED = 20_260_101
_KNOTS = np.array([0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5])
_STEP = 1e-3  # of the table of the curve, in z
_FAR = 1e4  # in z: beyond any J that a float holds


@dataclass(frozen=True, eq=False)
class Score:
    """T and its inverse, as a table of asinh((J - centre) / unit) against z."""

    centre: float
    unit: float
    z: Array
    curve: Array

    def of(self, J: Array) -> Array:
        """z of each J."""
        return np.asarray(np.interp(np.arcsinh((J - self.centre) / self.unit), self.curve, self.z))

    def inverse(self, z: Array) -> Array:
        """J of each z."""
        return np.asarray(self.centre + self.unit * np.sinh(np.interp(z, self.z, self.curve)))

    def scaled(self, unit: float) -> Score:
        """The same for a J in other units: ``unit`` times what it was."""
        return Score(self.centre * unit, self.unit * unit, self.z, self.curve)


@lru_cache(maxsize=8)
def score(hyperparameters: Hyperparameters) -> Score:
    """The map for these hyperparameters."""
    from scipy.interpolate import PchipInterpolator
    from scipy.special import ndtr

    from nepers.hierarchy import sample_prior

    draws = sample_prior(hyperparameters, _DRAWS, rng=np.random.default_rng(_SEED))
    centre = float(hyperparameters.mu_mu_mu[0])
    away = np.abs(np.array([draw.mixture.mean()[0] for draw in draws]) - centre)
    unit = float(np.median(away))
    sizes = np.arcsinh(np.quantile(away, 2.0 * ndtr(_KNOTS) - 1.0) / unit)
    knots, values = _both_sides(_KNOTS), _both_sides(sizes)
    inside = np.arange(knots[0], knots[-1] + _STEP / 2, _STEP)
    slope = (values[-1] - values[-2]) / (knots[-1] - knots[-2])
    end = values[-1] + slope * (_FAR - knots[-1])
    curve = PchipInterpolator(knots, values)(inside)
    z = np.concatenate([[-_FAR], inside, [_FAR]])
    return Score(centre, unit, z, np.concatenate([[-end], curve, [end]]))


def _both_sides(x: Array) -> Array:
    return np.concatenate([-x[::-1], [0.0], x])

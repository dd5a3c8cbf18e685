"""What a regression of the time is made on: the covariates' coordinates, and smooth functions of all of them.

The linear features are the coordinates x, standardised, with 0, the middle of the training patients, where a
value is missing, and an indicator of missing for each coordinate that at least 5% lack.

The smooth ones make a Gaussian process of the linear ones, all p at once, with covariance between patients

    exp(-|x - x'|^2 / (2 p))

so that an effect may bend, and may depend on other covariates. It is seen from L training patients, the
landmarks (Nystrom's approximation): with K their covariance and k(x) that of x with them, the features are
K^(-1/2) k(x), less their mean; so their sum with independent coefficients of variance 1 is the process. Its
variance, averaged over the training patients, is put to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_OFTEN = 0.05
_LANDMARKS = 80
_LEAST = 1e-4  # of an eigenvalue, as a share of the greatest


@dataclass(frozen=True, eq=False)
class Features:
    """``lacking``: coordinates with an indicator; ``mean`` and ``unit`` of the linear features.

    ``landmarks`` (L, p) are linear features, ``turn`` (L, k) makes k smooth features of covariances with
    these, whose mean is ``middle``.
    """

    lacking: NDArray[np.intp]
    mean: Array
    unit: Array
    landmarks: Array
    turn: Array
    middle: Array

    @classmethod
    def of_training(cls, coordinates: Array, rng: np.random.Generator) -> Features:
        """Fitted to training patients."""
        lacking = np.flatnonzero(np.isnan(coordinates).mean(axis=0) >= _OFTEN)
        raw = _raw(coordinates, lacking)
        spread = raw.std(axis=0)
        mean, unit = raw.mean(axis=0), np.where(spread > 0.0, spread, 1.0)
        x = (raw - mean) / unit
        landmarks = x[rng.permutation(len(x))[:_LANDMARKS]]
        values, vectors = np.linalg.eigh(_covariance(landmarks, landmarks))
        kept = values > _LEAST * values[-1]
        smooth = _covariance(x, landmarks) @ (vectors[:, kept] / np.sqrt(values[kept]))
        middle = smooth.mean(axis=0)
        size = float(np.sqrt(np.square(smooth - middle).sum(axis=1).mean()))
        size = size if size > 0.0 else 1.0
        return cls(
            lacking, mean, unit, landmarks, vectors[:, kept] / np.sqrt(values[kept]) / size, middle / size
        )

    @property
    def linear(self) -> int:
        """How many are linear: they come first."""
        return self.mean.size

    def of(self, coordinates: Array) -> Array:
        """(n, p + k) features of these patients."""
        x = (_raw(coordinates, self.lacking) - self.mean) / self.unit
        return np.column_stack([x, _covariance(x, self.landmarks) @ self.turn - self.middle])


def _raw(coordinates: Array, lacking: NDArray[np.intp]) -> Array:
    missing = np.isnan(coordinates)
    return np.column_stack([np.where(missing, 0.0, coordinates), missing[:, lacking].astype(np.float64)])


def _covariance(a: Array, b: Array) -> Array:
    from scipy.spatial.distance import cdist

    return np.asarray(np.exp(-0.5 * cdist(a, b, "sqeuclidean") / a.shape[1]))

"""The geometric prior on the number of components: ``P(C) = kappa^(C-1) (1 - kappa)`` for C = 1, 2, ..."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array, Size, as_shape, number


@dataclass(frozen=True)
class GeometricCount:
    """Each further component costs a factor ``kappa``, between 0 and 1."""

    kappa: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "kappa", number("kappa", self.kappa))
        if not 0.0 < self.kappa < 1.0:
            raise InputError(f"kappa must lie between 0 and 1; it is {self.kappa}")

    def logpmf(self, C: ArrayLike) -> Array:
        """Log probability of C; minus infinity unless C is one of 1, 2, ..."""
        C = np.asarray(C, dtype=np.float64)
        inside = (C >= 1.0) & (np.floor(C) == C)
        return np.where(inside, (C - 1.0) * math.log(self.kappa) + math.log1p(-self.kappa), -np.inf)

    def pmf(self, C: ArrayLike) -> Array:
        """Probability of C."""
        return np.exp(self.logpmf(C))

    def mean(self) -> float:
        """``1 / (1 - kappa)``."""
        return 1.0 / (1.0 - self.kappa)

    def rvs(self, size: Size = None, *, rng: np.random.Generator) -> NDArray[np.int64]:
        """Independent draws."""
        return np.asarray(rng.geometric(1.0 - self.kappa, as_shape(size)), dtype=np.int64)

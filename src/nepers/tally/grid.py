"""The bins: k(j) = floor(steps asinh(j / unit)), in nats."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

Array = NDArray[np.float64]
Keys = NDArray[np.int64]

LARGEST_KEY = 32_000  # so that a key fits into 16 bits, with room for what is no finite number


@dataclass(frozen=True)
class Grid:
    """Up to |j| = ``unit``, in nats, bins are about as wide as at 0; ``steps`` of them make a unit there."""

    unit: float = 0.25
    steps: int = 512

    def __post_init__(self) -> None:
        if not (math.isfinite(self.unit) and self.unit > 0.0):
            raise InputError(f"unit must be above 0 and finite; it is {self.unit}")
        if not (isinstance(self.steps, int) and 16 <= self.steps <= 4096):
            raise InputError(f"steps must be a whole number from 16 to 4096; it is {self.steps}")

    @property
    def reach(self) -> float:
        """The largest |j| that has a bin."""
        return self.unit * math.sinh(min(LARGEST_KEY / self.steps, 700.0))

    def keys(self, j: Array) -> Keys:
        """The bin of each finite j."""
        found = np.floor(np.arcsinh(j / self.unit) * self.steps)
        return np.asarray(found, dtype=np.int64)

    def width(self, j: Array | float) -> Array:
        """The width of the bins about j."""
        return np.asarray(np.hypot(self.unit, j) / self.steps)

    def __str__(self) -> str:
        return f"unit {self.unit:g}, steps {self.steps}"

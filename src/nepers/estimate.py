"""What posterior draws of one quantity say: its mean, its interval, the probability that it is above x.

The quantity is in nats and reported in ``unit``. It may be minus or plus infinity, in every draw or in none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers.errors import InputError

Array = NDArray[np.float64]
Unit = Literal["nats", "bits"]


class Posterior:
    """The answers. A class that has ``nats``, draws of any shape, and ``unit`` inherits them."""

    nats: Array
    unit: Unit

    @property
    def mean(self) -> float:
        """The posterior mean."""
        return float(self.nats.mean()) * self._factor

    @property
    def median(self) -> float:
        """The posterior median."""
        return self._quantile(0.5)

    @property
    def sd(self) -> float:
        """The posterior standard deviation; NaN for an infinite quantity."""
        return float(self.nats.std(ddof=1)) * self._factor if self._finite else math.nan

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The equal-tailed credible interval."""
        check_level(level)
        tail = (1.0 - level) / 2.0
        return self._quantile(tail), self._quantile(1.0 - tail)

    def quantile(self, q: ArrayLike) -> Any:
        """The posterior quantiles at probabilities q."""
        q = np.asarray(q, dtype=np.float64)
        if not ((q >= 0.0) & (q <= 1.0)).all():
            raise InputError(f"q must lie between 0 and 1; it is {q.tolist()}")
        if not self._finite:
            return np.full(q.shape, self.nats.flat[0])[()]
        return np.quantile(self._sorted, q) * self._factor

    def cdf(self, x: ArrayLike) -> Any:
        """The posterior probability of at most x."""
        x = np.asarray(x, dtype=np.float64) / self._factor
        share = np.searchsorted(self._sorted, x, side="right") / self._sorted.size
        return np.where(np.isnan(x), np.nan, share)[()]

    def probability_above(self, x: float) -> float:
        """The posterior probability of more than x."""
        return float((self.nats > float(x) / self._factor).mean())

    def row(self, level: float) -> dict[str, Any]:
        """What every table says of a quantity."""
        lower, upper = self.interval(level)
        return {
            "unit": self.unit,
            "mean": self.mean,
            "median": self.median,
            "sd": self.sd,
            "level": level,
            "lower": lower,
            "upper": upper,
            "probability_above_0": self.probability_above(0.0),
        }

    @property
    def _factor(self) -> float:
        return 1.0 if self.unit == "nats" else 1.0 / math.log(2.0)

    @property
    def _finite(self) -> bool:
        return bool(np.isfinite(self.nats.flat[0]))

    @cached_property
    def _sorted(self) -> Array:
        return np.sort(self.nats, axis=None)

    def _quantile(self, q: float) -> float:
        return float(self.quantile(q))


@dataclass(frozen=True, eq=False, repr=False)
class Estimate(Posterior):
    """One quantity by its draws, ``nats``."""

    nats: Array
    unit: Unit = "nats"

    def __repr__(self) -> str:
        lower, upper = self.interval()
        return f"<Estimate {self.mean:.4g} {self.unit} ({lower:.4g} to {upper:.4g})>"


def check_level(level: float) -> None:
    """The probability inside an interval lies between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise InputError(f"level must lie between 0 and 1; it is {level}")

"""The distribution of one column in each of many rows, in the user's units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers.conditional.cases import Conditionals
from nepers.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PredictedValues:
    """One distribution for each row, of ``centre + unit z`` where z is the coordinate asked for."""

    cases: Conditionals
    centre: float
    unit: float

    def logpdf(self, x: ArrayLike) -> Array:
        """(n,): the log density at one value, or at one for each row."""
        return np.asarray(self._own(x, "logpdf") - np.log(self.unit))

    def logsf(self, x: ArrayLike) -> Array:
        """(n,): the log of the probability above."""
        return self._own(x, "logsf")

    def logcdf(self, x: ArrayLike) -> Array:
        """(n,): the log of the probability below."""
        return self._own(x, "logcdf")

    def density(self, values: ArrayLike) -> Array:
        """(n, k): the density at each of k values."""
        z = (np.atleast_1d(np.asarray(values, dtype=np.float64)) - self.centre) / self.unit
        found = np.array(self.cases.each(lambda _i, one: one.logpdf(z)))
        return np.asarray(np.exp(found) / self.unit)

    def quantile(self, q: ArrayLike) -> Array:
        """The quantiles: (n,) for one q, (n, k) for k."""
        p = np.asarray(q, dtype=np.float64)
        if p.ndim > 1 or p.size == 0 or not ((p > 0.0) & (p < 1.0)).all():
            raise InputError(f"q must be one or several probabilities between 0 and 1; it is {q!r}")
        found = np.array(self.cases.each(lambda _i, one: one.quantile(np.atleast_1d(p))))
        return np.asarray(self.centre + self.unit * found.reshape(self.cases.n, *p.shape))

    def mean(self) -> Array:
        """(n,): the means."""
        found = np.array(self.cases.each(lambda _i, one: one.mean()))
        return np.asarray(self.centre + self.unit * found)

    def draws(self, size: int, *, seed: int) -> Array:
        """(n, size): independent draws."""
        streams = np.random.SeedSequence(seed).spawn(self.cases.n)
        found = self.cases.each(lambda i, one: one.draws(size, np.random.default_rng(streams[i])))
        return np.asarray(self.centre + self.unit * np.array(found))

    def _own(self, x: ArrayLike, what: str) -> Array:
        values = np.asarray(x, dtype=np.float64)
        if values.shape not in ((), (1,), (self.cases.n,)):
            raise ValueError(
                f"one value, or one for each of {self.cases.n} rows; the shape is {values.shape}"
            )
        z = np.broadcast_to((values - self.centre) / self.unit, (self.cases.n,))
        found = self.cases.each(lambda i, one: getattr(one, what)(z[i : i + 1]))
        return np.concatenate(found)

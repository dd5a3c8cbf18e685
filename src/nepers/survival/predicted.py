"""The distribution of each new patient's time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers.conditional.cases import Conditionals
from nepers.conditional.gaussians import Gaussians
from nepers.errors import InputError
from nepers.estimate import check_level
from nepers.ratios.curves import Curves

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class PredictedTimes:
    """One distribution for each patient, of a time above 0; log time is ``origin`` + coordinate 0.

    ``logpdf``, ``logsf`` and ``logcdf`` take one time, or one for each patient, so that this object is a
    prediction for `nepers.ratios.log_survival`. ``density``, ``survival`` and ``hazard`` take a grid of times
    and give a row for each patient. All are averages over the posterior, each draw counting by the density it
    gives to the patient's own covariates. ``labels`` are the patients' own, if they have any.
    """

    cases: Conditionals
    origin: float
    labels: NDArray[Any] | None = None

    @property
    def n(self) -> int:
        """The number of patients."""
        return self.cases.n

    def __len__(self) -> int:
        return self.n

    def logpdf(self, t: ArrayLike) -> Array:
        """The log density, per unit of time, at one time or at one for each patient."""
        at = self._one_each(t)
        return self._own(at, lambda one, u: one.logpdf(u), -np.inf) - np.log(np.where(at > 0.0, at, 1.0))

    def logsf(self, t: ArrayLike) -> Array:
        """The log of the probability of a later time."""
        return self._own(self._one_each(t), lambda one, u: one.logsf(u), 0.0)

    def logcdf(self, t: ArrayLike) -> Array:
        """The log of the probability of a time up to t."""
        return self._own(self._one_each(t), lambda one, u: one.logcdf(u), -np.inf)

    def density(self, times: ArrayLike) -> Array:
        """(n, k): the density per unit of time at each of k times above 0."""
        t = _grid(times)
        return np.exp(self._grid(t, lambda one, u: one.logpdf(u))) / t

    def survival(self, times: ArrayLike) -> Array:
        """(n, k): the probability of being free of the event at each of k times above 0."""
        return np.exp(self._grid(_grid(times), lambda one, u: one.logsf(u)))

    def hazard(self, times: ArrayLike) -> Array:
        """(n, k): the density at each time among those free of the event until then."""
        t = _grid(times)
        return np.exp(self._grid(t, lambda one, u: one.logpdf(u) - one.logsf(u))) / t

    def curves(self, times: ArrayLike) -> Curves:
        """The survival curves at these times, as `nepers.ratios` knows them."""
        t = np.unique(_grid(times))
        return Curves(t, self.survival(t), self.labels)

    def quantile(self, q: ArrayLike) -> Array:
        """The times before which the event comes with probability q: (n,) for one q, (n, k) for k."""
        p = np.asarray(q, dtype=np.float64)
        if p.ndim > 1 or p.size == 0 or not ((p > 0.0) & (p < 1.0)).all():
            raise InputError(f"q must be one or several probabilities between 0 and 1; it is {q!r}")
        found = np.array(self.cases.each(lambda _i, one: one.quantile(np.atleast_1d(p))))
        with np.errstate(over="ignore"):  # a time beyond what a double can hold is infinite
            return np.asarray(np.exp(self.origin + found.reshape(self.n, *p.shape)))

    def median(self) -> Array:
        """(n,): the time before which the event is as likely as not."""
        return self.quantile(0.5)

    def interval(self, level: float = 0.95) -> Array:
        """(n, 2): the times between which the event comes with this probability, tails alike."""
        check_level(level)
        return self.quantile([0.5 - 0.5 * level, 0.5 + 0.5 * level])

    def mean(self, until: float | None = None) -> Array:
        """(n,): the mean of the time or of ``until``, whichever is first; without a limit it is infinite."""
        if until is None:
            return np.full(self.n, np.inf)
        if not (np.isfinite(until) and until > 0.0):
            raise InputError(f"until must be a time above 0; it is {until}")
        limit = float(np.log(until) - self.origin)
        found = np.array(self.cases.each(lambda _i, one: one.mean_exp_below(limit)))
        return np.asarray(np.exp(self.origin) * found)

    def mean_log(self) -> Array:
        """(n,): the mean of the log of the time."""
        return self.origin + np.array(self.cases.each(lambda _i, one: one.mean()))

    def draws(self, size: int, *, seed: int) -> Array:
        """(n, size): independent draws of each patient's time."""
        streams = np.random.SeedSequence(seed).spawn(self.n)
        found = self.cases.each(lambda i, one: one.draws(size, np.random.default_rng(streams[i])))
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.origin + np.array(found).reshape(self.n, size)))

    def __repr__(self) -> str:
        return f"<PredictedTimes of {self.n:,} patients>"

    def _one_each(self, t: ArrayLike) -> Array:
        times = np.asarray(t, dtype=np.float64)
        if times.shape not in ((), (1,), (self.n,)):
            raise ValueError(f"one time, or one for each of {self.n} patients; the shape is {times.shape}")
        return np.broadcast_to(times, (self.n,))

    def _own(self, t: Array, ask: Callable[[Gaussians, Array], Array], at_zero: float) -> Array:
        """Each patient's value at a time of its own: ``at_zero`` at and below 0, and there is none at NaN."""
        result = np.where(np.isnan(t), np.nan, at_zero)
        inside = np.flatnonzero(t > 0.0)
        u = np.log(t[inside]) - self.origin
        chosen = self._of(inside)
        if inside.size:
            result[inside] = np.concatenate(chosen.each(lambda i, one: ask(one, u[i : i + 1])))
        return result

    def _of(self, rows: NDArray[np.intp]) -> Conditionals:
        from dataclasses import replace

        return self.cases if rows.size == self.n else replace(self.cases, known=self.cases.known[rows])

    def _grid(self, t: Array, ask: Callable[[Gaussians, Array], Array]) -> Array:
        u = np.log(t) - self.origin
        return np.array(self.cases.each(lambda _i, one: ask(one, u))).reshape(self.n, t.size)


def _grid(times: ArrayLike) -> Array:
    t = np.atleast_1d(np.asarray(times, dtype=np.float64))
    if t.ndim != 1 or t.size == 0 or not (np.isfinite(t) & (t > 0.0)).all():
        raise InputError(f"times must be one or more finite numbers above 0; they are {times!r}")
    return t

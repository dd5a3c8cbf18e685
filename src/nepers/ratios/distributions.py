"""Distributions handed in as objects: their log density, log survival, and log probability of an interval.

Anything does that has ``logpdf`` and ``logsf`` (``logccdf`` in SciPy's newer kind), and ``logcdf`` if it can:

    log P(l < T <= u) = log (S(l) - S(u)) = log (F(u) - F(l))

where F = 1 - S. The difference of the smaller numbers is taken, by their logs, so that an interval far out in
either tail keeps its digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

_NEWER_NAME = "logccdf"
_LOG_2 = float(np.log(2.0))
_ROUNDING = 1e-12


def is_distribution(prediction: Any) -> bool:
    """Whether it is a distribution, or one for each case."""
    if isinstance(prediction, list | tuple | np.ndarray):
        return len(prediction) > 0 and all(_has_density(one) for one in prediction)
    return _has_density(prediction)


def _has_density(one: Any) -> bool:
    return hasattr(one, "logpdf") and (hasattr(one, "logsf") or hasattr(one, _NEWER_NAME))


@dataclass(frozen=True, eq=False)
class Distributions:
    """The distributions of ``size`` cases: one object that takes a time for each, or an object for each."""

    prediction: Any
    size: int

    def __post_init__(self) -> None:
        if self._one_each and len(self.prediction) != self.size:
            raise InputError(
                f"prediction must have a distribution for each case; it has {len(self.prediction):,}, and "
                f"times has {self.size:,} cases"
            )

    def log_density(self, rows: Rows, t: Array) -> Array:
        """The log density of case ``rows[i]`` at time ``t[i]``."""
        return self._call("logpdf", rows, t)

    def log_survival(self, rows: Rows, t: Array) -> Array:
        """log P(T > t[i]) in case ``rows[i]``."""
        return self._call("logsf", rows, t)

    def log_between(self, rows: Rows, lower: Array, upper: Array) -> Array:
        """log P(lower[i] < T <= upper[i]); from a lower end of 0 it is all that is at or below the upper."""
        log_s = _ends(self.log_survival, rows, lower, upper, 0.0)
        result = log_difference(*log_s)
        if self._has("logcdf"):
            below = partial(self._call, "logcdf")
            log_f = _ends(below, rows, lower, upper, -np.inf)
            by_cdf = log_f[1] < log_s[0]
            result[by_cdf] = log_difference(log_f[1][by_cdf], log_f[0][by_cdf])
        return result

    @property
    def _one_each(self) -> bool:
        return isinstance(self.prediction, list | tuple | np.ndarray)

    def _has(self, name: str) -> bool:
        return (
            all(hasattr(one, name) for one in self.prediction)
            if self._one_each
            else hasattr(self.prediction, name)
        )

    def _call(self, name: str, rows: Rows, t: Array) -> Array:
        if not rows.size:
            return np.empty(0)
        with np.errstate(all="ignore"):  # minus infinity is a value, and NaN is refused by name
            if self._one_each:
                return np.array(
                    [float(_method(self.prediction[i], name)(at)) for i, at in zip(rows, t, strict=True)]
                )
            everywhere = np.full(self.size, t[0])  # the distribution wants a time for every case
            everywhere[rows] = t
            try:
                found = np.asarray(_method(self.prediction, name)(everywhere), dtype=np.float64)
            except ValueError as error:
                raise InputError(
                    f"prediction must give a number for each case; {name} at {self.size:,} times: {error}"
                ) from None
        if found.shape != (self.size,) and not found.size == self.size == 1:
            raise InputError(
                f"prediction must give a number for each case; {name} at {self.size:,} times has the shape "
                f"{found.shape}"
            )
        return found.reshape(self.size)[rows]


def between(log_survival: Callable[[Rows, Array], Array], rows: Rows, lower: Array, upper: Array) -> Array:
    """log (S(lower) - S(upper)) by row, where S(0) = 1 is not asked for."""
    return log_difference(*_ends(log_survival, rows, lower, upper, 0.0))


def _ends(
    value: Callable[[Rows, Array], Array], rows: Rows, lower: Array, upper: Array, at_zero: float
) -> tuple[Array, Array]:
    start, above = np.full(rows.size, at_zero), lower > 0.0
    start[above] = value(rows[above], lower[above])
    return start, value(rows, upper)


def log_difference(larger: Array, smaller: Array) -> Array:
    """log (exp(larger) - exp(smaller)); NaN where the smaller is the larger by more than rounding."""
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = np.where(np.isneginf(larger) & np.isneginf(smaller), 0.0, larger - smaller)
        gap = np.where((gap < 0.0) & (gap > -_ROUNDING * (1.0 + np.abs(larger))), 0.0, gap)
        narrow = np.log(-np.expm1(-np.minimum(gap, _LOG_2)))
        return np.asarray(larger + np.where(gap < _LOG_2, narrow, np.log1p(-np.exp(-gap))))


def _method(one: Any, name: str) -> Any:
    return getattr(one, _NEWER_NAME if name == "logsf" and not hasattr(one, "logsf") else name)

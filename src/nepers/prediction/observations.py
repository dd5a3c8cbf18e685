"""What is known of each case, and the noise of what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array, positive, precision_matrix, read_only


@dataclass(frozen=True, eq=False)
class Observations:
    """n cases in N dimensions.

    values : (n, N); NaN is a missing value. Column 0 is not read: ``lower`` and ``upper`` tell what is known.
    lower, upper : (n,), the ends of coordinate 0, as observed. Exact: both are the value. Right censored at
        z: (z, inf). Left censored: (-inf, z). Nothing known: (-inf, inf).
    """

    values: Array
    lower: Array
    upper: Array

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        if values.ndim != 2 or 0 in values.shape:
            raise InputError(f"values must be a table of cases and coordinates; its shape is {values.shape}")
        values[:, 0] = np.nan
        _refuse_row(
            "values", "be finite, or NaN where missing", values, np.asarray(np.isinf(values).any(axis=1))
        )
        lower, upper = _end("lower", self.lower, len(values)), _end("upper", self.upper, len(values))
        wrong = (lower > upper) | ((lower == upper) & np.isinf(lower))
        _refuse_row("lower", "be at most upper, and an exact value finite", lower, wrong)
        for name, value in (("values", values), ("lower", lower), ("upper", upper)):
            object.__setattr__(self, name, read_only(value))

    @property
    def n(self) -> int:
        """How many cases there are."""
        return int(self.values.shape[0])

    @property
    def N(self) -> int:
        """How many coordinates a case has."""
        return int(self.values.shape[1])

    @property
    def exact(self) -> NDArray[np.bool_]:
        """Whose coordinate 0 is known exactly."""
        return np.equal(self.lower, self.upper)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """(n, N): of which values nothing is known."""
        missing = np.isnan(self.values)
        missing[:, 0] = np.isinf(self.lower) & np.isinf(self.upper)
        return missing

    @property
    def complete(self) -> bool:
        """Whether every value of every case is known exactly."""
        return bool(self.exact.all() and not self.missing.any())

    @property
    def known(self) -> Array:
        """(n, N): the values known exactly, and NaN elsewhere."""
        known = self.values.copy()
        known[self.exact, 0] = self.lower[self.exact]
        return known


@dataclass(frozen=True, eq=False)
class Noise:
    """Student noise n with r = m: Gaussian of precision beta S given beta ~ Gamma(shape m, rate m)."""

    m: float
    S: Array

    def __post_init__(self) -> None:
        matrix = np.atleast_2d(np.asarray(self.S, dtype=np.float64))
        object.__setattr__(self, "m", positive("noise.m", self.m))
        object.__setattr__(self, "S", precision_matrix("noise.S", matrix, len(matrix)))


def _end(name: str, given: ArrayLike, n: int) -> Array:
    end = np.array(given, dtype=np.float64)
    if end.shape != (n,):
        raise InputError(f"{name} must have one value for each of the {n} cases; its shape is {end.shape}")
    _refuse_row(name, "be a number or an infinity", end, np.isnan(end))
    return end


def _refuse_row(name: str, rule: str, values: Any, wrong: NDArray[np.bool_]) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(f"{name} must {rule}; at row {row} it is {values[row]}")

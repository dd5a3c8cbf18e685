"""Many cases at once: the distribution of one coordinate of each, given what is known of its others."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from nepers.conditional.gaussians import Gaussians
from nepers.conditional.pattern import Pattern, pattern
from nepers.errors import InputError
from nepers.hierarchy import Mixture
from nepers.prediction.observations import Noise

Array = NDArray[np.float64]
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Conditionals:
    """The coordinate ``target`` of the rows of ``known`` (n, N), in which NaN is unknown.

    ``mixture`` may be that of many posterior draws (`nepers.draw_sets.pooled`): each draw then counts by the
    density that it gives to the case's own known values. What is asked for is the value as it would be
    measured, noise and all, or, if not ``noisy``, the true one. ``known[:, target]`` is not used.
    """

    mixture: Mixture
    noise: Noise | None
    known: Array
    target: int = 0
    noisy: bool = True
    cores: int | None = None

    def __post_init__(self) -> None:
        N = self.mixture.N
        if self.known.ndim != 2 or self.known.shape[1] != N:
            raise InputError(f"known must have {N} columns; its shape is {self.known.shape}")
        if self.noise is not None and self.noise.S.shape != (N, N):
            raise InputError(f"noise must be of {N} dimensions; it has {self.noise.S.shape[0]}")
        if np.isinf(self.known).any():
            raise InputError("known must hold finite numbers, or NaN for what is not known")

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.known.shape[0])

    def each(self, ask: Callable[[int, Gaussians], Result]) -> list[Result]:
        """``ask(i, distribution)`` of every case, on several cores."""

        def one(i: int) -> Result:
            chosen, coordinates = self._pattern_of(i)
            return ask(i, chosen.gaussians(self.known[i, coordinates]))

        with ThreadPoolExecutor(self.cores or os.cpu_count() or 1) as pool:
            return list(pool.map(one, range(self.n)))

    def log_density_of_known(self) -> Array:
        """The log density of what is known of each case; 0 where that is nothing."""
        return np.array(self.each(lambda _i, found: found.log_weight))

    def _pattern_of(self, i: int) -> tuple[Pattern, NDArray[np.intp]]:
        return self._patterns[int(self._codes[i])]

    @cached_property
    def _is_known(self) -> NDArray[np.bool_]:
        known = np.isfinite(self.known)
        known[:, self.target] = False
        return known

    @cached_property
    def _codes(self) -> NDArray[np.intp]:
        return np.asarray(np.unique(self._is_known, axis=0, return_inverse=True)[1]).reshape(-1)

    @cached_property
    def _patterns(self) -> list[tuple[Pattern, NDArray[np.intp]]]:
        covariances = np.asarray(np.linalg.inv(self.mixture.S), dtype=np.float64)
        found = []
        for which in np.unique(self._is_known, axis=0):
            coordinates = np.flatnonzero(which)
            ready = pattern(self.mixture, covariances, self.noise, self.target, coordinates, self.noisy)
            found.append((ready, coordinates))
        return found

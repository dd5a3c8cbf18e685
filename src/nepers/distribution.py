"""The distribution of the log ratio of one case: atoms and a continuous remainder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from nepers.hierarchy import Mixture

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Distribution:
    """Atoms at ``atom_values`` (ascending) with ``atom_weights``; the rest of the probability on ``mixture``.

    ``mixture`` is None where there is no continuous part.
    """

    atom_values: Array
    atom_weights: Array
    mixture: Mixture | None

    @property
    def continuous_weight(self) -> float:
        """The probability of the continuous part."""
        return 0.0 if self.mixture is None else max(0.0, 1.0 - float(self.atom_weights.sum()))

    def pdf(self, x: ArrayLike) -> Array:
        """The density of the continuous part, times its probability; the atoms have no density."""
        x = np.asarray(x, dtype=np.float64)
        if self.mixture is None:
            return np.zeros(x.shape)
        return np.asarray(self.continuous_weight * self.mixture.pdf(x))

    def cdf(self, x: ArrayLike) -> Array:
        """The probability of a value at or below x, with a step at each atom."""
        x = np.asarray(x, dtype=np.float64)
        steps = np.concatenate([[0.0], np.cumsum(self.atom_weights)])
        below = steps[np.searchsorted(self.atom_values, x, side="right")]
        if self.mixture is None:
            return np.asarray(below)
        return np.asarray(below + self.continuous_weight * self.mixture.cdf(x))

    def mean(self) -> float:
        """The mean: J of this distribution."""
        total = float(self.atom_weights @ self.atom_values)
        return (
            total if self.mixture is None else total + self.continuous_weight * float(self.mixture.mean()[0])
        )

    def rvs(self, size: int, *, rng: np.random.Generator) -> Array:
        """Independent draws."""
        p = np.append(self.atom_weights, self.continuous_weight)
        kind = rng.choice(p.size, size=size, p=p / p.sum())
        result = np.append(self.atom_values, 0.0)[kind]
        rest = np.flatnonzero(kind == self.atom_values.size)
        if self.mixture is not None and rest.size:
            result[rest] = self.mixture.rvs(rest.size, rng=rng)
        return np.asarray(result)

    def with_point(self, value: float, weight: float) -> Distribution:
        """One more atom, at whose expense all else loses in proportion."""
        place = int(np.searchsorted(self.atom_values, value))
        values = np.insert(self.atom_values, place, value)
        weights = np.insert((1.0 - weight) * self.atom_weights, place, weight)
        return Distribution(values, weights, self.mixture)

    def in_unit(self, factor: float) -> Distribution:
        """The distribution of the values multiplied by ``factor``."""
        from nepers.hierarchy import Mixture

        m = self.mixture
        scaled = m and Mixture(p=m.p, mu=m.mu * factor, nu=m.nu * factor, S=m.S / factor**2, m=m.m, r=m.r)
        return Distribution(self.atom_values * factor, self.atom_weights, scaled)

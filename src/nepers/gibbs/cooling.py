"""How chains on very many cases warm up: on few of them first, then on more and more.

From a start in the prior, a chain on a million cases is caught in the first mixture that fits them somehow,
because no jump away from it is accepted any more. So the first sweeps look at about FIRST cases, drawn at
random from those that each point stands for, and every further stage at GROWTH times as many, up to all.

When the chains have seen all cases for a while, those that are much less probable than the best go on from
its state: what is e^-30 times as probable is not part of the answer. How probable a state is, is judged by
its log likelihood, less 5/2 log n for each component and its five parameters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nepers.gibbs.chains import _Chain

FIRST = 1000.0
GROWTH = 4.0
_SWEEPS = 25
_FIRST_SWEEPS = 75
RESCUE = 420  # sweeps before this is done
_HOPELESS = 30.0


class Stages:
    """The weights that a chain looks at, by the number of sweeps it has done."""

    def __init__(self, weights: NDArray[np.float64], seed: np.random.SeedSequence) -> None:
        self.weights = np.ascontiguousarray(weights, dtype=np.float64)
        self.done = 0
        rng = np.random.default_rng(seed)
        n = self.weights.sum()
        before = max(0, math.ceil(math.log(max(n / FIRST, 1.0), GROWTH)))
        self._fewer = [
            rng.binomial(self.weights.astype(np.int64), FIRST * GROWTH**i / n).astype(np.float64)
            for i in range(before)
        ]

    def left(self) -> int:
        """How many sweeps there are left in this stage."""
        if self._stage() >= len(self._fewer):
            return 1 << 40
        return _FIRST_SWEEPS + _SWEEPS * self._stage() - self.done

    def weight(self) -> NDArray[np.float64]:
        """The weights of this stage."""
        stage = self._stage()
        return self._fewer[stage] if stage < len(self._fewer) else self.weights

    def _stage(self) -> int:
        return max(0, 1 + (self.done - _FIRST_SWEEPS) // _SWEEPS) if self._fewer else 0


def score_of(kept: NDArray[Any], n: float) -> float:
    """About the log of how probable a state is."""
    return float(kept["log_likelihood"] - 2.5 * kept["C"] * math.log(max(n, 2.0)))


def rescue(chains: list[_Chain]) -> None:
    """Let hopeless chains go on from the best one's state."""
    best = max(chains, key=lambda chain: chain.score)
    for chain in chains:
        if chain.score < best.score - _HOPELESS:
            chain.go_on_from(best)

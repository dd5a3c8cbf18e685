"""One ladder: a replica at every station of the way, with exchange between neighbours.

In a round every replica moves on at its own station, the one at the prior to an independent draw from it;
then neighbours exchange their states, the pairs that begin at an even place and those that begin at an odd
one in turn, which carries states from end to end in a number of rounds that is proportional to the number of
stations and not to its square (Syed and others 2021).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nepers.evidence.way import Way
    from nepers.gibbs.replica import Replica

Array = NDArray[np.float64]

_MANY_JUMPS, _FEW_JUMPS = 8, 3
_FEW = 100  # with fewer cases than this states come from the prior so often that fewer jumps do


class Ladder:
    """The replicas in the order of their stations, from the prior to the posterior."""

    def __init__(self, way: Way, replicas: list[Replica], rng: np.random.Generator) -> None:
        self.way = way
        self.replicas = replicas
        self.rng = rng
        self.rounds = 0

    def round(self) -> tuple[Array, Array]:
        """A round; returns the gain of every step, of the states at its beginning and of those at its end."""
        self.replicas[0].draw_from_prior()
        for station in range(1, len(self.replicas)):
            visit(self.way, station, self.replicas[station])
        gains = np.array([self.way.gains(i, replica) for i, replica in enumerate(self.replicas)])
        down, up = gains[1:, 0], gains[:-1, 1]
        self._exchange(up - down)
        self.rounds += 1
        return up, down

    def _exchange(self, log_ratio: Array) -> None:
        accepted = np.log(self.rng.random(self.way.steps)) < log_ratio
        for i in range(self.rounds % 2, self.way.steps, 2):
            if accepted[i]:
                self.replicas[i], self.replicas[i + 1] = self.replicas[i + 1], self.replicas[i]


def visit(way: Way, station: int, replica: Replica, sweeps: int = 1) -> None:
    """Let a replica move on at a station."""
    x = way.cases(station)
    replica.sweep(x, way.power(station), sweeps, _FEW_JUMPS if x.shape[1] < _FEW else _MANY_JUMPS)

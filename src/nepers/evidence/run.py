"""Ladders side by side on the way to one log evidence, each with its own streams, on the cores there are."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.evidence.estimates import EXACT, LogEvidence, rejected, stepping_stone, thermodynamic
from nepers.evidence.ladder import Ladder
from nepers.evidence.placing import placed, walk
from nepers.evidence.way import Way, in_order
from nepers.gibbs.replica import Replica

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]

CHUNK = 50  # rounds between two looks at the error
_WALKERS = 32
_PILOTS = (25, 75)  # rounds of each ladder after which stations are placed anew
_SETTLING = 50  # rounds at the last stations that are not kept
_SHARE = 0.4  # of exchanges that a step rejects


class Run:
    """The ladders for the evidence of cases x (n, N) under hyperparameters, and the gains kept so far.

    Ladder i depends on the seed and on i alone, not on the number of cores.
    """

    def __init__(self, x: Array, hyperparameters: Hyperparameters, seed: int, ladders: int) -> None:
        self.n = len(x)
        self.hyperparameters = hyperparameters
        self._seeds = np.random.SeedSequence(seed)
        self._count = ladders
        self._x, self._first = in_order(x) if self.n else (x.T, 0)
        self.ladders: list[Ladder] = []
        self.up: list[Array] = []
        self.down: list[Array] = []

    @property
    def rounds(self) -> int:
        """How many of each ladder were kept."""
        return CHUNK * len(self.up)

    def prepare(self, cores: int, report: Callable[[str], None]) -> None:
        """Find the way, and let the ladders settle on it."""
        if self.n == 0 or self.ladders:
            return
        rng = np.random.default_rng(self._seeds.spawn(1)[0])
        walkers = [Replica(self.hyperparameters, seed) for seed in self._seeds.spawn(_WALKERS)]
        report("finding the way")
        way = walk(self._x, self._first, walkers, rng)
        ladders = self._make(way, lambda i, _station: walkers[i % _WALKERS])
        for rounds in _PILOTS:
            report("placing the stations")
            way = placed(way, rejected(*_each(ladders, rounds, cores)), _SHARE)
            ladders = self._moved(ladders, way)
        report("settling")
        _each(ladders, _SETTLING, cores)
        self.ladders = ladders

    def advance(self, cores: int) -> None:
        """Keep one more chunk of every ladder."""
        if self.n == 0:
            return
        up, down = _each(self.ladders, CHUNK, cores)
        self.up.append(up)
        self.down.append(down)
        for ladder in self.ladders:
            for replica in ladder.replicas:
                replica.settle()

    def result(self) -> LogEvidence:
        """What is known so far."""
        if self.n == 0:
            return LogEvidence(0.0, 0.0, EXACT, EXACT.ess, 1.0, 0.0, 1, 0, 0)
        up, down = np.concatenate(self.up, axis=1), np.concatenate(self.down, axis=1)
        found = thermodynamic(up, down)
        return LogEvidence(
            value=found.value,
            error=found.error,
            stepping_stone=stepping_stone(up),
            ess=found.ess,
            r_hat=found.r_hat,
            hardest=float(rejected(up, down).max()),
            stations=self.ladders[0].way.steps + 1,
            rounds=self.rounds * self._count,
            n=self.n,
        )

    def state(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """All that `restore` needs to go on as if never interrupted: plain values, and arrays."""
        way = self.ladders[0].way
        replicas = [replica for ladder in self.ladders for replica in ladder.replicas]
        plain: dict[str, Any] = {
            "generators": [ladder.rng.bit_generator.state for ladder in self.ladders],
            "rounds": [ladder.rounds for ladder in self.ladders],
        }
        arrays: dict[str, NDArray[Any]] = {
            "powers": way.powers,
            "sizes": way.sizes,
            "up": np.concatenate(self.up, axis=1),
            "down": np.concatenate(self.down, axis=1),
            "streams": np.concatenate([one.stream for one in replicas]).view(np.uint8),
            "uppers": np.concatenate([one.upper for one in replicas]).view(np.uint8),
            "components": np.concatenate([one.components for one in replicas]).view(np.uint8),
        }
        return plain, arrays

    def restore(self, plain: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what `state` gave."""
        way = Way(self._x, arrays["powers"], arrays["sizes"])
        self.ladders = self._make(way, None)
        replicas = [replica for ladder in self.ladders for replica in ladder.replicas]
        one = replicas[0]
        streams = arrays["streams"].view(one.stream.dtype)
        uppers = arrays["uppers"].view(one.upper.dtype)
        components = arrays["components"].view(one.components.dtype)
        ends = np.cumsum(uppers["C"])
        for i, replica in enumerate(replicas):
            replica.stream[:] = streams[i]
            replica.take(uppers[i], components[ends[i] - uppers["C"][i] : ends[i]])
            replica.settle()
        for ladder, state, rounds in zip(self.ladders, plain["generators"], plain["rounds"], strict=True):
            ladder.rng.bit_generator.state = state
            ladder.rounds = rounds
        pieces = arrays["up"].shape[1] // CHUNK
        self.up = list(np.split(arrays["up"], pieces, axis=1))
        self.down = list(np.split(arrays["down"], pieces, axis=1))

    def _make(self, way: Way, state: Callable[[int, int], Replica] | None) -> list[Ladder]:
        """Ladders on a way, in states like those of the replicas that `state` gives."""
        ladders = []
        for i in range(self._count):
            replicas = [Replica(self.hyperparameters, seed) for seed in self._seeds.spawn(way.steps + 1)]
            for station, replica in enumerate(replicas):
                if state is not None:
                    like = state(i, station)
                    replica.take(like.upper, like.components)
            ladders.append(Ladder(way, replicas, np.random.default_rng(self._seeds.spawn(1)[0])))
        return ladders

    def _moved(self, ladders: list[Ladder], way: Way) -> list[Ladder]:
        """The same on another way: each station takes the state of the one that was as far along."""
        scale = (len(ladders[0].replicas) - 1) / way.steps
        return self._make(way, lambda i, station: ladders[i].replicas[round(station * scale)])


def _each(ladders: list[Ladder], rounds: int, cores: int) -> tuple[Array, Array]:
    """So many rounds of every ladder: the gains up and down, (ladders, rounds, steps)."""

    def go(ladder: Ladder) -> tuple[Array, Array]:
        gains = [ladder.round() for _ in range(rounds)]
        return np.array([up for up, _ in gains]), np.array([down for _, down in gains])

    with ThreadPoolExecutor(min(cores, len(ladders))) as pool:
        done = [pool.submit(go, ladder) for ladder in ladders]
        try:
            found = [one.result() for one in done]
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return np.stack([up for up, _ in found]), np.stack([down for _, down in found])

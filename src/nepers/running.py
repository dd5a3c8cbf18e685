"""Running the chains on until J is known well enough, or the time is up.

Whether to go on is decided by the draws alone, so the same seed gives the same answer on a slow machine
and on a fast one, unless the budget of time ends first; the result says which it was. Each further batch
doubles what there is. While the chains disagree on the whole, only the later half is kept: the first half
then counts as warm-up too.

The chains must go on as if never interrupted: two runs of 10 draws are one run of 20.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nepers.diagnostics import J_ESS, Diagnostics, diagnose
from nepers.draw_sets import later

if TYPE_CHECKING:
    from nepers.gibbs.chains import Points
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters
    from nepers.progress import Progress

Array = NDArray[np.float64]

WARM_UP = 500  # sweeps of each chain
FIRST = 1500  # draws of each chain in the first batch: of ordinary data they are enough, C being the slowest
FIRST_OF_FEW = 300  # where J need not be worth more than it must be: of easy data they are enough
LEAST = 20  # draws of each chain that are made even when the time is up
MOST = 40_000  # draws of each chain that are held
_PIECE_SECONDS = 0.5
_FIRST_PIECE = 1  # sweeps; nothing is known yet of their cost


class Sampler(Protocol):
    """What is asked of the chains."""

    def warm_up(self, sweeps: int) -> Any:
        """Sweeps that are not kept; what was kept before is forgotten."""

    def run(self, draws: int, thin: int) -> Draws:
        """Keeps ``draws`` more, every ``thin``-th sweep, and returns all that were kept since the warm-up."""


@dataclass(frozen=True)
class Run:
    """What came of it; ``stopped`` is "target" or "budget"."""

    draws: Draws
    stopped: str

    @cached_property
    def of_J(self) -> Diagnostics:
        """The diagnostics of J alone, which cost less, and often settle the matter."""
        return diagnose(self.draws, J_alone=True)

    @cached_property
    def diagnostics(self) -> Diagnostics:
        """The diagnostics of every quantity."""
        return diagnose(self.draws)

    @property
    def agrees(self) -> bool:
        """Whether the chains agree on every quantity."""
        return self.of_J.agree() and self.diagnostics.agree()

    def reached(self, target_ess: float) -> bool:
        """Whether J is known as well as that."""
        if not self.of_J.good() or self.of_J.ess_J < target_ess:
            return False
        return self.diagnostics.good() and self.diagnostics.worth_J >= target_ess


def make_sampler(
    values: Array,
    hyperparameters: Hyperparameters,
    *,
    seed: int,
    chains: int,
    cores: int | None,
    points: Points | None = None,
) -> Sampler:
    """The compiled chains on these values, or on these points that stand for several cases."""
    from nepers.gibbs.chains import Sampler as Chains

    found: Sampler = Chains(
        values[:, None], hyperparameters, seed=seed, chains=chains, cores=cores, points=points
    )
    return found


def run_on(sampler: Sampler, *, target_ess: float, max_seconds: float, progress: Progress) -> Run:
    """Warm up, then draw until the diagnostics are good and J has the bulk ESS wanted, or the time is up."""
    threading.Thread(target=_import_arviz, daemon=True).start()
    clock = Clock(max_seconds, progress)
    clock.spend(sampler.warm_up, WARM_UP, "warming up")
    first = FIRST if target_ess > J_ESS else FIRST_OF_FEW
    every: Draws = clock.spend(partial(_keep, sampler, 1), first, "sampling", least=LEAST)
    best, thin = _settled(every), 1
    while not best.reached(target_ess):
        if clock.over:
            return dataclasses.replace(best, stopped="budget")
        batch, words = every.draws, _words(best, target_ess)
        if 2 * batch > MOST:
            sampler.warm_up(1)
            batch, thin = batch // 4, 4 * thin
        every = clock.spend(partial(_keep, sampler, thin), batch, words, cost=thin)
        best = max(_settled(every), best, key=_worth)
    return best


class Clock:
    """Does work in pieces of about half a second, until it is done or the time is up."""

    def __init__(self, max_seconds: float, progress: Progress) -> None:
        self._end = time.perf_counter() + max_seconds
        self._progress = progress
        self._rate = 0.0  # sweeps a second

    @property
    def over(self) -> bool:
        """Whether the time is up."""
        return time.perf_counter() >= self._end

    def spend(
        self, work: Callable[[int], Any], amount: int, words: str, *, cost: int = 1, least: int = 1
    ) -> Any:
        """The last result of ``work(k)`` for pieces k that add up to ``amount``, or to ``least`` out of time.

        ``cost`` is the number of sweeps in a unit of work.
        """
        done, result = 0, None
        while done < (least if self.over else amount):
            self._progress.report(words)
            piece = min(amount - done, self._affordable(cost, least))
            began = time.perf_counter()
            result = work(piece)
            self._rate = piece * cost / max(time.perf_counter() - began, 1e-9)
            done += piece
        return result

    def _affordable(self, cost: int, least: int) -> int:
        if not self._rate:
            return _FIRST_PIECE
        seconds = min(_PIECE_SECONDS, self._end - time.perf_counter())
        return max(int(self._rate * seconds / cost), least)


def _keep(sampler: Sampler, thin: int, draws: int) -> Draws:
    return sampler.run(draws, thin)


def _settled(every: Draws) -> Run:
    """All draws, or the later half of them while the chains disagree on the whole."""
    whole = Run(every, "target")
    return whole if whole.agrees else Run(later(every, every.draws // 2), "target")


def _worth(run: Run) -> tuple[bool, float]:
    return run.agrees, run.of_J.ess_J


def _words(run: Run, target_ess: float) -> str:
    return f"sampling: J is worth {run.of_J.ess_J:.0f} of {target_ess:.0f} independent draws"


def _import_arviz() -> None:
    """Its import takes a while, and so is done beside the sampling."""
    import arviz_stats.base  # noqa: F401

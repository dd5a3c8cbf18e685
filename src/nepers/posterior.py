"""The posterior of J by the way that fits the cases: from chains, from independent draws, or for certain.

The chains take up to 10,000 values one by one. In the place of more they take the points of a tally of them
(`nepers.tally`), in units of the scale: the answer is the same, and the cost does not grow with the cases.
Values that repeat are told apart before, and are exact. Where one bin holds more than a fiftieth of the
cases, such points would hide the shape of that heap, and the cases are taken one by one, however many.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from nepers import running
from nepers.atoms import Kinds, total, with_unseen
from nepers.diagnostics import INDEPENDENT, Diagnostics
from nepers.draw_sets import from_prior
from nepers.progress import Progress

if TYPE_CHECKING:
    from nepers.gibbs.chains import Points
    from nepers.gibbs.draws import Draws
    from nepers.options import Options

Array = NDArray[np.float64]

INDEPENDENT_DRAWS = 20_000
_PRIOR_DRAWS = 10_000  # each costs some 50 microseconds
MOST_ONE_BY_ONE = 10_000  # cases; of more the posterior is made from their tally
_GAMMAS = 100_000_000  # what drawing the weights of many atoms may cost


class Branch(enum.IntEnum):
    """Branches of the seed, apart from the low numbers, which are the chains'."""

    WEIGHTS = 2**31
    PRIOR = 2**31 + 1
    PREDICTIVE = 2**31 + 2
    AXES = 2**31 + 3


@dataclass(frozen=True, eq=False)
class Posterior:
    """Draws of J in nats, (chains, draws), and what they came from; see `nepers.assessment.Assessment`.

    ``tallied``: the chains saw points of a tally in the place of the cases given.
    """

    nats: Array
    kinds: Kinds
    draws: Draws | None
    diagnostics: Diagnostics
    stopped: str
    tallied: bool = False


class Cases(Protocol):
    """What a posterior is made from: the log ratios of cases, or a tally of them."""

    @property
    def infinite(self) -> tuple[int | float | str, ...]:
        """Where j is minus infinity."""

    def kinds(self) -> Kinds:
        """The atoms and the rest of the finite values."""


def posterior_of(cases: Cases, options: Options, progress: bool | None) -> Posterior:
    """The posterior of J given the cases."""
    kinds = kinds_of(cases, options)
    if cases.infinite:
        return _certain(kinds, options)
    if not kinds.has_remainder:
        return _without_remainder(kinds, options)
    if kinds.remainder.size == 0:
        return _without_data(kinds, options)
    return _sampled(kinds, options, progress)


def kinds_of(cases: Cases, options: Options) -> Kinds:
    """The kinds of the cases, with the unseen one if the hyperparameters have it."""
    return with_unseen(cases.kinds(), options.hyperparameters.unseen)


def branch(seed: int, which: Branch) -> np.random.SeedSequence:
    """An independent branch of the seed."""
    return np.random.SeedSequence(seed, spawn_key=(int(which),))


def _certain(kinds: Kinds, options: Options) -> Posterior:
    nats = np.full((options.chains, 1), -np.inf)
    return Posterior(nats, kinds, None, INDEPENDENT, "certain")


def _without_remainder(kinds: Kinds, options: Options) -> Posterior:
    least = math.ceil(options.target_ess)
    draws = max(least, min(INDEPENDENT_DRAWS, _GAMMAS // kinds.A))
    nothing = np.zeros((options.chains, math.ceil(draws / options.chains)))
    nats = total(kinds, nothing, branch(options.seed, Branch.WEIGHTS))
    return Posterior(nats, kinds, None, INDEPENDENT, "independent")


def _without_data(kinds: Kinds, options: Options) -> Posterior:
    """Nothing is known of the continuous part: its draws are the prior's."""
    each = math.ceil(max(_PRIOR_DRAWS, options.target_ess) / options.chains)
    rng = np.random.default_rng(branch(options.seed, Branch.PRIOR))
    draws = from_prior(options.scaled, rng, options.chains, each)
    nats = total(kinds, draws.J[:, :, 0], branch(options.seed, Branch.WEIGHTS))
    return Posterior(nats, kinds, draws, INDEPENDENT, "independent")


def _sampled(kinds: Kinds, options: Options, progress: bool | None) -> Posterior:
    in_place = _points_in_place(kinds, options)
    values, points = in_place or (kinds.remainder, kinds.points)
    chains = running.make_sampler(
        values,
        options.scaled,
        seed=options.seed,
        chains=options.chains,
        cores=options.cores,
        points=points,
    )
    with Progress(progress, options.max_seconds) as shown:
        run = running.run_on(
            chains, target_ess=options.target_ess, max_seconds=options.max_seconds, progress=shown
        )
    nats = total(kinds, run.draws.J[:, :, 0], branch(options.seed, Branch.WEIGHTS))
    return Posterior(nats, kinds, run.draws, run.diagnostics, run.stopped, tallied=in_place is not None)


def _points_in_place(kinds: Kinds, options: Options) -> tuple[Array, Points] | None:
    """Points in the place of many values, where there are so many, and no heap of them is too narrow."""
    from nepers.tally.grid import Grid
    from nepers.tally.nodes import points_of

    if kinds.points is not None or kinds.remainder.size <= MOST_ONE_BY_ONE:
        return None
    usual = Grid()
    return points_of(kinds.remainder, Grid(usual.unit * options.scale, usual.steps))

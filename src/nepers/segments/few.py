"""The posterior of a group of few cases, without chains: draws from the prior, weighted by its likelihood.

Of up to eight cases the prior is not so far from the posterior that its draws would be of no use. They come
in blocks, which serve all groups: a group begins with the block that its seed says, so that what the draws do
not know differs between groups, and goes on from block to block until its draws are worth 400 independent
ones, (sum of weights)^2 / (sum of squared weights). Draws for its posterior are kept as the blocks pass, each
in proportion to its weight. What has not come so far after 24 blocks is left to the chains.

The answer for a group depends on its own cases, the seed and its label alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nepers.atoms import Kinds, total
from nepers.diagnostics import Diagnostics, Row
from nepers.options import Options
from nepers.posterior import Branch, Posterior, branch

Array = NDArray[np.float64]

MOST_CASES = 8
BLOCKS, DRAWS = 64, 16_384
MOST_BLOCKS = 24  # of a group: for more draws chains cost less
ENOUGH = 400.0
_KEPT = 1000
_SEED = 20_260_102
_ROWS = (4, _KEPT // 4)  # the draws kept stand as those of chains do


@dataclass(eq=False)
class Few:
    """A group on its way: its cases, where it began, and its draws of J of the continuous part so far."""

    kinds: Kinds
    seed: int
    top: float = -math.inf  # the largest log likelihood
    weight: float = 0.0  # relative to it
    square: float = 0.0
    kept: Array = field(default_factory=lambda: np.zeros(_KEPT))
    blocks: int = 0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(branch(self.seed, Branch.PRIOR))

    @property
    def begins(self) -> int:
        """The block that it begins with."""
        return self.seed % BLOCKS

    @property
    def worth(self) -> float:
        """The number of independent draws that the weights are worth."""
        return self.weight**2 / self.square if self.square else 0.0

    @property
    def done(self) -> bool:
        """Whether there is nothing more to do here."""
        return self.blocks >= MOST_BLOCKS or self.worth >= ENOUGH

    def take(self, log_weights: Array, J: Array) -> None:
        """Another block of draws."""
        top = max(self.top, float(log_weights.max()))
        before = math.exp(self.top - top)
        weights = np.exp(log_weights - top)
        ends = np.cumsum(weights)
        self.top, self.blocks = top, self.blocks + 1
        self.weight = self.weight * before + float(ends[-1])
        self.square = self.square * before**2 + float(weights @ weights)
        anew = np.flatnonzero(self.rng.random(_KEPT) * self.weight < ends[-1])
        self.kept[anew] = J[np.searchsorted(ends, self.rng.random(anew.size) * ends[-1])]

    def posterior(self) -> Posterior:
        """What came of it."""
        nats = total(self.kinds, self.kept.reshape(_ROWS), branch(self.seed, Branch.WEIGHTS))
        sd = float(nats.std())
        row = Row("J", float(nats.mean()), sd, sd / math.sqrt(self.worth), 1.0, self.worth, self.worth)
        return Posterior(nats, self.kinds, None, Diagnostics((row,)), "independent")


def is_few(kinds: Kinds) -> bool:
    """Whether the cases are few enough, and not repeated values alone."""
    return 0 < kinds.remainder.size <= MOST_CASES


def weighed(groups: Sequence[Few], options: Options, end: float) -> None:
    """Let the blocks pass by, until all groups are done or the time is up."""
    for turn in range(2 * BLOCKS):
        groups = [one for one in groups if not one.done]
        if not groups or time.perf_counter() > end:
            return
        if here := [one for one in groups if one.blocks or one.begins == turn % BLOCKS]:
            _pass(here, options, turn % BLOCKS)


def _pass(groups: Sequence[Few], options: Options, block: int) -> None:
    """One block of draws for these groups."""
    from nepers.gibbs.records import component_type
    from nepers.gibbs.tilt import tilt_table
    from nepers.hierarchy.gamma_functions import half_step_ratio
    from nepers.hierarchy.prior import prior_rows
    from nepers.segments.likelihood import log_likelihoods

    stream = np.random.SeedSequence(_SEED, spawn_key=(block,))
    rows = prior_rows(options.scaled, DRAWS, np.random.default_rng(stream))
    first = np.cumsum(rows.C) - rows.C
    components = np.zeros(rows.owner.size, component_type(1))
    components["log_p"] = np.log(rows.p)
    for name in ("mu", "nu", "S", "m"):
        components[name] = getattr(rows, name)
    means = rows.mu[:, 0] + rows.nu[:, 0] * np.sqrt(rows.r) * half_step_ratio(rows.m)
    J = np.add.reduceat(rows.p * means, first)
    cases = np.concatenate([one.kinds.remainder for one in groups])[None, :]
    ends = np.cumsum([one.kinds.remainder.size for one in groups])
    found = np.empty((len(groups), DRAWS), np.float32)
    log_likelihoods(
        cases, ends, components, first, rows.C, options.hyperparameters.shape_type, tilt_table(), found
    )
    for one, log_weights in zip(groups, found, strict=True):
        one.take(log_weights.astype(np.float64), J)

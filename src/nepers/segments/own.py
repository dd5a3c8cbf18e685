"""Each group's posterior on its own, and that of all groups together, within one budget of time.

A group's seed comes from its label, so that neither the order of the groups nor what other groups there are
changes its draws; all groups together have the seed of `nepers.assess` and give its answer. Groups of up to
eight cases mostly need no chains (`nepers.segments.few`). Of the others small groups come first, and the time
they leave goes to the larger ones, each of which may use what is left in proportion to its need: that of a
sweep, which grows with the cases. If some groups have run out of time while others left some, these start
again with at least twice as much.
"""

from __future__ import annotations

import dataclasses
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.options import Options
from nepers.posterior import Posterior, kinds_of, posterior_of
from nepers.progress import Progress
from nepers.segments.groups import Group, Label

Array = NDArray[np.float64]

BRANCH = 2**31 + 16  # of the seed, for the groups; a label's digest follows
_GROUP_ESS, _WHOLE_ESS = 400.0, 1000.0  # the latter is that of `nepers.assess`
_SWEEP = 30.0  # what a sweep costs beside its cases, in cases
_LEAST_SECONDS = 1e-3


@dataclass(frozen=True, eq=False)
class Own:
    """A group with its posterior by itself; the draws of J in nats, in one row."""

    group: Group
    posterior: Posterior

    @property
    def nats(self) -> Array:
        """The draws of J, chain after chain."""
        return np.asarray(self.posterior.nats.ravel())

    @property
    def independent(self) -> float:
        """How many independent draws these are worth."""
        ess = self.posterior.diagnostics.ess_J
        return float(self.nats.size) if np.isinf(ess) else max(ess, 4.0)

    @property
    def problems(self) -> list[str]:
        """What keeps the posterior from being reliable, in sentences."""
        name = self.group.name[0].upper() + self.group.name[1:]
        return [f"{name}: {sentence}" for sentence in self.posterior.diagnostics.problems()]

    @property
    def short(self) -> bool:
        """Whether more time would help."""
        return self.posterior.stopped == "budget" and not self.posterior.diagnostics.good()


def own_posteriors(groups: Sequence[Group], options: Options, progress: bool | None) -> tuple[Own, ...]:
    """The posterior of every group by itself, in the order given."""
    end = time.perf_counter() + options.max_seconds
    need = np.array([_SWEEP + group.cases.n for group in groups])
    order = [int(i) for i in np.argsort(need, kind="stable")]
    given, found = np.zeros(len(groups)), _weighed(groups, options, end)
    pending = [i for i in order if i not in found]
    with Progress(progress, options.max_seconds) as shown:
        while pending:
            for k, i in enumerate(pending):
                share = float(need[i] / need[pending[k:]].sum())
                seconds = max((end - time.perf_counter()) * share, _LEAST_SECONDS)
                if seconds >= 2.0 * given[i]:
                    shown.report(f"{groups[i].name}, {len(found) + 1} of {len(groups)}")
                    given[i], found[i] = seconds, _own(groups[i], options, seconds)
            left = end - time.perf_counter()
            pending = [i for i in order if found[i].short and left > 2.0 * given[i]]
    return tuple(found[i] for i in range(len(groups)))


def seed_of(seed: int, label: Label | None) -> int:
    """The seed of the group that is called so, and the seed itself for all groups together."""
    if label is None:
        return seed
    digest = hashlib.sha256(f"{type(label).__name__} {label!r}".encode()).digest()
    branch = np.random.SeedSequence(seed, spawn_key=(BRANCH, int.from_bytes(digest[:8], "big")))
    return int(branch.generate_state(1, np.uint64)[0])


def _weighed(groups: Sequence[Group], options: Options, end: float) -> dict[int, Own]:
    """The posteriors of groups of few cases that need no chains."""
    from nepers.segments.few import ENOUGH, Few, is_few, weighed

    few = dict[int, Few]()
    for i, group in enumerate(groups):
        if group.label is not None and not group.cases.infinite:
            kinds = kinds_of(group.cases, options)
            if is_few(kinds):
                few[i] = Few(kinds, seed_of(options.seed, group.label))
    weighed(list(few.values()), options, end)
    return {i: Own(groups[i], one.posterior()) for i, one in few.items() if one.worth >= ENOUGH}


def _own(group: Group, options: Options, seconds: float) -> Own:
    mine = dataclasses.replace(
        options,
        seed=seed_of(options.seed, group.label),
        target_ess=_WHOLE_ESS if group.label is None else _GROUP_ESS,
        max_seconds=seconds,
    )
    try:
        return Own(group, posterior_of(group.cases, mine, False))
    except InputError as error:
        raise InputError(f"{group.name}: {error}") from error

"""From the cases and their groups to the joint posterior: every step in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.cases import log_ratios
from nepers.diagnostics import ConvergenceWarning, in_short
from nepers.errors import warn
from nepers.options import Options, read_options
from nepers.segments.anchor import anchored
from nepers.segments.groups import Group, known_shares, read_groups, together
from nepers.segments.own import BRANCH, Own, own_posteriors
from nepers.segments.result import Segments

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]

DRAWS = 4000
_CHAINS, _ESS = 4, 400.0


def segment(
    j: Any = None,
    by: Any = None,
    *,
    log_q: Any = None,
    log_p: Any = None,
    weights: Any = None,
    hyperparameters: str | Hyperparameters = "calibrated",
    scale: float = 1.0,
    seed: int | None = None,
    max_seconds: float = 300.0,
    cores: int | None = None,
    progress: bool | None = None,
) -> Segments:
    """The posterior of J by group, so that J = sum_g w_g J_g; small groups are drawn towards the others.

    j, log_q, log_p: the log ratios of unseen cases, or both logarithms, as in `nepers.assess`.
    by: a column with the label of each case's group: texts, numbers, dates.
    weights: a mapping from each label to the group's share of new cases, adding up to 1, if it is known;
        left out, the shares are inferred from the numbers of cases.
    hyperparameters, scale: as in `nepers.assess`.
    seed: the same seed gives the same draws, in whatever order the groups come.
    max_seconds: the budget of time for everything; a group for which it was too short is named in
        ``problems``, and a warning says so.
    cores: how many to use; all by default. Groups run one after another, their four chains side by side.
    progress: whether to show progress; by default only on a terminal and if it takes longer than 2 s.

    What is assumed of the groups, and what the numbers mean: `nepers.segments`.
    """
    cases = log_ratios(j, log_q=log_q, log_p=log_p)
    options = read_options(hyperparameters, scale, seed, _CHAINS, _ESS, max_seconds, cores)
    groups = read_groups(cases, by, (j, log_q, log_p))
    labels = tuple(group.label for group in groups if group.label is not None)
    known = None if weights is None else known_shares(weights, labels)
    finite = [group for group in groups if not group.cases.infinite]
    whole = [together(finite, cases)] if len(finite) > 1 else []
    found = own_posteriors([*groups, *whole], options, progress)
    problems = tuple(sentence for own in found for sentence in own.problems)
    if problems:
        warn(in_short(problems), ConvergenceWarning)
    nats, apart, shares = joint(found[: len(groups)], found[len(groups) :], options)
    return Segments(
        groups=labels,
        n=np.array([group.cases.n for group in groups]),
        nats=nats,
        weights=shares if known is None else np.tile(known, (DRAWS, 1)),
        alone=tuple(own.nats for own in found[: len(groups)]),
        apart=apart,
        infinite_cases=tuple(group.cases.infinite for group in groups),
        problems=problems,
        hyperparameters=options.hyperparameters,
        scale=options.scale,
        seed=options.seed,
        version=_version(),
    )


def joint(groups: Sequence[Own], whole: Sequence[Own], options: Options) -> tuple[Array, Array, Array]:
    """Draws of the J_g in nats, the probabilities that they stand apart, and draws of the shares.

    ``whole`` holds all groups with a finite J together, if there are two or more of them.
    """
    streams = np.random.SeedSequence(options.seed, spawn_key=(BRANCH,)).spawn(2)
    for_J, for_shares = (np.random.default_rng(stream) for stream in streams)
    shares = _shares([own.group for own in groups], for_shares)
    nats, apart = np.full((DRAWS, len(groups)), -np.inf), np.full(len(groups), np.nan)
    finite = [g for g, own in enumerate(groups) if not own.group.cases.infinite]
    if whole:
        family, apart[finite] = _family([groups[g] for g in finite], options, for_J)
        of_all = shares[:, finite].sum(axis=1, keepdims=True)
        nats[:, finite], inside = anchored(family, shares[:, finite] / of_all, whole[0].nats)
        shares[:, finite] = of_all * inside
    elif finite:  # one group is no family
        own = groups[finite[0]].nats
        nats[:, finite[0]] = for_J.choice(own, DRAWS, replace=own.size < DRAWS)
    return nats, apart, shares


def _family(groups: Sequence[Own], options: Options, rng: np.random.Generator) -> tuple[Array, Array]:
    """The J_g of groups that inform one another, and the probability that each stands apart."""
    from nepers.segments.family import pool
    from nepers.segments.kernels import fit
    from nepers.segments.score import score

    T = score(options.hyperparameters).scaled(options.scale)
    z = [T.of(own.nats) for own in groups]
    kernels = [fit(one, own.independent) for own, one in zip(groups, z, strict=True)]
    family = pool(kernels, z, DRAWS, rng)
    return T.inverse(family.z), np.asarray(family.apart.mean(axis=0))


def _shares(groups: Sequence[Group], rng: np.random.Generator) -> Array:
    """Draws of the groups' shares: a Dirichlet prior worth two cases, as for the kinds in `nepers.atoms`."""
    counts = np.array([group.cases.n for group in groups], dtype=np.float64)
    return rng.dirichlet(counts + 2.0 / counts.size, DRAWS)


def _version() -> str:
    from nepers import __version__

    return str(__version__)

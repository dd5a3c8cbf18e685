"""`compare`: from the log ratios of several algorithms to one joint posterior of their J."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.comparison.axes import fit_axes, with_unseen
from nepers.comparison.given import Given, read_given
from nepers.comparison.result import Comparison
from nepers.diagnostics import ConvergenceWarning, in_short
from nepers.errors import InputError, warn
from nepers.options import Options, read_options
from nepers.posterior import Branch, branch

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters


def compare(
    j: Any = None,
    *,
    log_q: Any = None,
    log_p: Any = None,
    reference: str | None = None,
    equivalence: float = 0.01,
    hyperparameters: str | Hyperparameters = "calibrated",
    scale: float = 1.0,
    seed: int | None = None,
    chains: int = 4,
    target_ess: float = 1000.0,
    max_seconds: float = 120.0,
    cores: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """The joint posterior of J of several algorithms on the same unseen cases, in nats; positive is better.

    j: the log ratios to the prior, a column for each algorithm: a mapping ``{"a": j_a, "b": j_b}``, a
    dataframe or a table (n, k). Or log_q: the logs of what each algorithm gave to what came true, with log_p,
    the prior's; without log_p the algorithm named by ``reference`` stands in the prior's place. At most 20.

    reference: what the others are judged against: "prior" (the default) or the name of an algorithm.
    equivalence: gains in J between -equivalence and +equivalence nats are as good as none to the user; 0.01
    nats is 1% more probability for the truth, on geometric average.

    hyperparameters, scale, seed, chains, target_ess, cores, progress: as for `nepers.assess`.
    max_seconds: the budget of time for all algorithms together.

    An algorithm with a j of -inf has J = -inf, for certain; the others are compared without regard to it.
    """
    given = read_given(j, log_q, log_p, reference)
    options = read_options(hyperparameters, scale, seed, chains, target_ess, max_seconds, cores)
    if not equivalence >= 0.0:
        raise InputError(f"equivalence must be 0 or above, in nats; it is {equivalence}")
    result = _compared(given, options, float(equivalence), progress)
    if result.problems:
        warn(in_short(result.problems), ConvergenceWarning)
    return result


def _compared(given: Given, options: Options, equivalence: float, progress: bool | None) -> Comparison:
    from nepers.assessment import installed_version

    unknown = np.logical_not(np.isneginf(given.x).any(axis=0))
    if given.stand_in is not None:
        unknown[given.stand_in] = False
    axes = fit_axes(given.x[:, unknown], options, progress)
    drawn = with_unseen(
        axes.joint_draws(branch(options.seed, Branch.AXES)),
        given.x[:, unknown],
        options.hyperparameters.unseen,
        branch(options.seed, Branch.WEIGHTS),
    )
    nats = np.full((len(drawn), len(given.names)), -np.inf)
    nats[:, unknown] = drawn
    if given.stand_in is not None:
        nats[:, given.stand_in] = 0.0
    return Comparison(
        names=given.names,
        reference=given.reference,
        n=len(given.x),
        nats=nats,
        diagnostics=tuple(posterior.diagnostics for posterior in axes.posteriors),
        axes=axes.V,
        infinite_cases=tuple(given.infinite_cases(i) for i in range(len(given.names))),
        worst_cases=given.worst_cases,
        equivalence=equivalence,
        hyperparameters=options.hyperparameters,
        scale=options.scale,
        seed=options.seed,
        stopped=axes.stopped,
        version=installed_version(),
    )

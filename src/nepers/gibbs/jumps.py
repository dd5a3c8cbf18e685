"""Jumps: one attempt to change the mixture, of a kind chosen at random."""

from __future__ import annotations

import math

from nepers.gibbs.births import propose_birth, propose_death
from nepers.gibbs.change import log_likelihood_ratio, make_change
from nepers.gibbs.compiled import step
from nepers.gibbs.splits import propose_merge, propose_split
from nepers.gibbs.stream import uniform

BIRTH, DEATH, SPLIT, MERGE = range(4)


@step
def propose(kind, stream, n, constants, upper, components, C, fresh, nothing, table, desk):
    """Returns the log ratio but for the likelihood, how many new components, and the factor of the rest."""
    if kind == BIRTH:
        return propose_birth(stream, n, constants, upper, components, C, fresh, nothing, table, desk)
    if kind == DEATH:
        return propose_death(stream, n, constants, components, C)
    if kind == SPLIT:
        return propose_split(stream, constants, upper, components, C, fresh, table, desk)
    return propose_merge(stream, constants, upper, components, C, fresh, table, desk)


@step
def jump(
    stream,
    x,
    constants,
    upper,
    components,
    C,
    fresh,
    nothing,
    table,
    desk,
    bench,
    log_density,
    new_log_density,
    gaps=None,
):
    """Returns C after the attempt; where it changed, `new_log_density` holds the cases' densities."""
    kind = int(4.0 * uniform(stream))
    log_ratio, new, factor = propose(
        kind, stream, x.shape[1], constants, upper, components, C, fresh, nothing, table, desk
    )
    if log_ratio == -math.inf:
        return C
    log_ratio += log_likelihood_ratio(
        x, components, C, fresh, new, factor, bench, log_density, new_log_density, gaps
    )
    if math.log(uniform(stream)) < log_ratio:
        return make_change(components, C, fresh, new)
    return C

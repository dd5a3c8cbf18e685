"""Jumps: one attempt to change the mixture, of a kind chosen at random."""

from __future__ import annotations

import math

from nepers.gibbs.births import draw_from_prior, propose_birth, propose_death
from nepers.gibbs.change import keep_all, log_likelihood_ratio, make_change
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
    weight=None,
    gaps=None,
):
    """Returns C after the attempt; where it changed, `new_log_density` holds the cases' densities."""
    kind = int(4.0 * uniform(stream))
    n = float(x.shape[1]) if weight is None else weight.sum()
    log_ratio, new, factor = propose(
        kind, stream, n, constants, upper, components, C, fresh, nothing, table, desk
    )
    if log_ratio == -math.inf:
        return C
    log_ratio += log_likelihood_ratio(
        x, components, C, fresh, new, factor, bench, log_density, new_log_density, weight, gaps
    )
    if math.log(uniform(stream)) < log_ratio:
        return make_change(components, C, fresh, new)
    return C


@step
def renew(
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
):
    """One attempt to draw a component anew from its prior, in the place and with the weight of an old one.

    It is of use where the data count for little. Returns whether it was taken; as `jump` otherwise.
    """
    keep_all(components, C)
    old = components[int(uniform(stream) * C)]
    fresh[0].log_p = old.log_p
    draw_from_prior(stream, constants, upper, fresh[0], nothing, table, desk)
    old.touched = 1
    old.next_log_p = -math.inf
    log_ratio = log_likelihood_ratio(x, components, C, fresh, 1, 1.0, bench, log_density, new_log_density)
    if math.log(uniform(stream)) < log_ratio:
        make_change(components, C, fresh, 1)
        return True
    return False

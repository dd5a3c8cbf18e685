"""A run of sweeps.

A sweep is a pass over the cases, jumps of the mixture with the allocations integrated out, and Gibbs steps
for everything else given the sums of the pass. Allocations and alpha drawn before a jump that is refused are
as good after it; after one that is accepted they are drawn anew. Over points that stand for many cases each,
the jumps come before the only pass, and with them nudges of the components. Where there are gaps, groups of
cases are split and merged given their alphas, and components come and go by degrees.
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs.annealed import ATTEMPTS, LEAST_N, STEPS, anneal
from nepers.gibbs.births import most_births
from nepers.gibbs.cases import make_bench, mixture_density, pass_over_cases
from nepers.gibbs.compiled import kernel, maker, step
from nepers.gibbs.completion import complete_cases
from nepers.gibbs.count import draw_count, gather_filled
from nepers.gibbs.gaps import BLOCK
from nepers.gibbs.jumps import jump, renew
from nepers.gibbs.keep import keep, keep_components
from nepers.gibbs.location import draw_location
from nepers.gibbs.narrow import derive_within, too_narrow
from nepers.gibbs.nudges import nudge
from nepers.gibbs.points import make_extra, pass_over_points
from nepers.gibbs.precision import draw_precision
from nepers.gibbs.records import clear_sums, temper_sums, with_room
from nepers.gibbs.regrouping import regroup
from nepers.gibbs.scale import draw_scale, move_along_orbit
from nepers.gibbs.shape import draw_shape
from nepers.gibbs.skewness import draw_skewness
from nepers.gibbs.stream import uniform
from nepers.gibbs.upper import draw_upper
from nepers.gibbs.weights import draw_weights

# Steps for mu, S and the levels above cost nothing per case, so they are done several times a sweep.
_INNER = 3
_NUDGES = 8  # of points, a sweep


@step
def draw_parameters(stream, constants, upper, components, C, filled, sums, tempered, table, desk):
    """Everything but C, given the sums: the filled components with the levels above, then the empty ones.

    Where the Gaussian factor has a power, it counts in `tempered`, the sums times that power.
    """
    for c in range(filled):
        S = components[c].S[0, 0]
        draw_scale(stream, upper, components[c], sums[c])
        if too_narrow(constants, components[c]):
            move_along_orbit(components[c], sums[c], math.log(components[c].S[0, 0] / S))
        temper_sums(sums[c], constants.power, tempered[c])
    for _ in range(_INNER):
        for c in range(filled):
            mu = components[c].mu[0]
            draw_location(stream, constants, upper, components[c], tempered[c], desk)
            if too_narrow(constants, components[c]):
                components[c].mu[0] = mu
            S = components[c].S[0, 0]
            draw_precision(stream, constants, upper, components[c], tempered[c], desk)
            if too_narrow(constants, components[c]):
                components[c].S[0, 0] = S
        draw_upper(stream, constants, upper, components, filled, desk)
    for c in range(filled, C):
        clear_sums(sums[c])
        clear_sums(tempered[c])
        draw_location(stream, constants, upper, components[c], tempered[c], desk)
        draw_precision(stream, constants, upper, components[c], tempered[c], desk)
    for c in range(C):
        draw_skewness(stream, constants, components[c], tempered[c], desk)
        m = components[c].m
        draw_shape(stream, constants, components[c], sums[c], desk)
        if c < filled and too_narrow(constants, components[c]):
            components[c].m = m
        derive_within(constants, components[c], table)
    draw_weights(stream, constants, components, C, sums)


@maker
def with_more_room(room, components, sums, fresh, block, weight):
    """The records of components, and the benches that have a line for each, with space for more."""
    return (
        with_room(components, room),
        with_room(sums, room),
        with_room(fresh, room),
        make_bench(room, block),
        make_extra(room, weight),
    )


@kernel
def run(
    stream,
    x,
    constants,
    table,
    upper,
    components,
    sums,
    nothing,
    fresh,
    desk,
    kept,
    rows,
    thin,
    jumps,
    weight=None,
    gaps=None,
):
    """Sweep `thin` times for every row of `kept`, and keep the last.

    Every argument but x, table, thin, jumps, weight and gaps is an array of records; constants, stream,
    upper, nothing and desk hold one. With `weight`, each x is a point that stands for so many cases; with
    `gaps`, not all of x is known. Returns the components, which may have been moved to a larger array, the
    rows of kept components, and how many of them there are.
    """
    uppers = upper
    stream, constants, upper, nothing, desk = stream[0], constants[0], upper[0], nothing[0], desk[0]
    block = BLOCK if weight is None else max(BLOCK, x.shape[1])
    bench = make_bench(components.size, block)
    extra = make_extra(components.size, weight)
    tempered = with_room(sums, sums.size)
    log_density = np.zeros((2, x.shape[1]))
    clear_sums(nothing)
    C = upper.C
    for c in range(C):
        derive_within(constants, components[c], table)
    used = 0
    for sweep in range(kept.size * thin):
        log_likelihood = 0.0
        if weight is None:
            log_likelihood = pass_over_cases(stream, x, components, C, bench, sums, log_density[0], gaps)
        else:
            mixture_density(x, None, 0, x.shape[1], components, C, bench, log_density[0])
        now = 0
        changes = 0
        for _ in range(jumps if constants.fixed_C == 0 else 0):
            if components.size < C + most_births(C):
                components, sums, fresh, bench, extra = with_more_room(
                    2 * (C + most_births(C)), components, sums, fresh, block, weight
                )
            before = C
            C = jump(
                stream, x, constants, upper, components, C, fresh, nothing, table, desk, bench,
                log_density[now], log_density[1 - now], weight, gaps,
            )  # fmt: skip
            if before != C:
                now = 1 - now
                changes += 1
        for _ in range(constants.renewals):
            if renew(
                stream, x, constants, upper, components, C, fresh, nothing, table, desk, bench,
                log_density[now], log_density[1 - now],
            ):  # fmt: skip
                now = 1 - now
                changes += 1
        if weight is not None:
            for _ in range(_NUDGES):
                if nudge(
                    stream, x, weight, constants, upper, components, C, fresh, table, desk, bench,
                    log_density[now], log_density[1 - now],
                ):  # fmt: skip
                    now = 1 - now
            log_likelihood = pass_over_points(
                stream, x, weight, components, C, bench, extra, sums, log_density[0]
            )
        elif changes > 0:
            log_likelihood = pass_over_cases(stream, x, components, C, bench, sums, log_density[0], gaps)
        if (sweep + 1) % thin == 0:
            keep(kept[sweep // thin], upper, components, C, log_likelihood)
            if used + C > rows.size:
                rows = with_room(rows, 2 * (used + C))
            keep_components(rows, used, components, C)
            used += C
        if gaps is not None:
            complete_cases(stream, x, components, C, sums, gaps)
            if constants.fixed_C == 0:
                if components.size < C + 1:
                    components, sums, fresh, bench, extra = with_more_room(
                        2 * (C + 1), components, sums, fresh, block, weight
                    )
                C = regroup(stream, x, constants, upper, components, C, sums, gaps, desk)
                if x.shape[0] >= LEAST_N and uniform(stream) < ATTEMPTS:
                    if components.size < C + 1:
                        components, sums, fresh, bench, extra = with_more_room(
                            2 * (C + 1), components, sums, fresh, block, weight
                        )
                    C = anneal(
                        stream, x, constants, uppers, components, C, sums, fresh, nothing, log_density[0],
                        bench, gaps, desk, STEPS,
                    )  # fmt: skip
        filled = gather_filled(components, C, sums)
        if constants.fixed_C == 0:
            C = draw_count(stream, constants, sums, filled)
            if components.size < C:
                components, sums, fresh, bench, extra = with_more_room(
                    C, components, sums, fresh, block, weight
                )
        if tempered.size < sums.size:
            tempered = with_room(tempered, sums.size)
        draw_parameters(stream, constants, upper, components, C, filled, sums, tempered, table, desk)
        upper.C = C
    return components, rows, used

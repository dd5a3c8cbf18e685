"""A run of sweeps.

A sweep is a pass over the cases, jumps of the mixture with the allocations integrated out, and Gibbs steps
for everything else given the sums of the pass. Allocations and alpha drawn before a jump that is refused are
as good after it; after one that is accepted they are drawn anew.
"""

from __future__ import annotations

import numpy as np

from nepers.gibbs.births import most_births
from nepers.gibbs.cases import make_bench, pass_over_cases
from nepers.gibbs.compiled import kernel, step
from nepers.gibbs.completion import complete_cases
from nepers.gibbs.count import draw_count, gather_filled
from nepers.gibbs.density import derive
from nepers.gibbs.jumps import jump
from nepers.gibbs.keep import keep, keep_components
from nepers.gibbs.location import draw_location
from nepers.gibbs.precision import draw_precision
from nepers.gibbs.records import clear_sums, with_room
from nepers.gibbs.regrouping import regroup
from nepers.gibbs.scale import draw_scale
from nepers.gibbs.shape import draw_shape
from nepers.gibbs.skewness import draw_skewness
from nepers.gibbs.upper import draw_upper
from nepers.gibbs.weights import draw_weights

# Steps for mu, S and the levels above cost nothing per case, so they are done several times a sweep.
_INNER = 3


@step
def draw_parameters(stream, constants, upper, components, C, filled, sums, table, desk):
    """Everything but C, given the sums: the filled components with the levels above, then the empty ones."""
    for c in range(filled):
        draw_scale(stream, upper, components[c], sums[c])
    for _ in range(_INNER):
        for c in range(filled):
            draw_location(stream, constants, upper, components[c], sums[c], desk)
            draw_precision(stream, constants, upper, components[c], sums[c], desk)
        draw_upper(stream, constants, upper, components, filled, desk)
    for c in range(filled, C):
        clear_sums(sums[c])
        draw_location(stream, constants, upper, components[c], sums[c], desk)
        draw_precision(stream, constants, upper, components[c], sums[c], desk)
    for c in range(C):
        draw_skewness(stream, constants, components[c], sums[c], desk)
        draw_shape(stream, constants, components[c], sums[c], desk)
        derive(components[c], constants.shape_type, table)
    draw_weights(stream, constants, components, C, sums)


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
    gaps=None,
):
    """Sweep `thin` times for every row of `kept`, and keep the last.

    Every argument but x, table, thin, jumps and gaps is an array of records; constants, stream, upper,
    nothing and desk hold one. Returns the components, which may have been moved to a larger array, the rows
    of kept components, and how many of them there are.
    """
    stream, constants, upper, nothing, desk = stream[0], constants[0], upper[0], nothing[0], desk[0]
    bench = make_bench(components.size)
    log_density = np.zeros((2, x.shape[1]))
    clear_sums(nothing)
    C = upper.C
    for c in range(C):
        derive(components[c], constants.shape_type, table)
    used = 0
    for sweep in range(kept.size * thin):
        log_likelihood = pass_over_cases(stream, x, components, C, bench, sums, log_density[0], gaps)
        now = 0
        changes = 0
        for _ in range(jumps if constants.fixed_C == 0 else 0):
            if components.size < C + most_births(C):
                room = 2 * (C + most_births(C))
                components, sums, fresh = (
                    with_room(components, room),
                    with_room(sums, room),
                    with_room(fresh, room),
                )
                bench = make_bench(room)
            before = C
            C = jump(
                stream, x, constants, upper, components, C, fresh, nothing, table, desk, bench,
                log_density[now], log_density[1 - now], gaps,
            )  # fmt: skip
            if before != C:
                now = 1 - now
                changes += 1
        if changes > 0:
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
                    room = 2 * (C + 1)
                    components, sums, fresh = (
                        with_room(components, room),
                        with_room(sums, room),
                        with_room(fresh, room),
                    )
                    bench = make_bench(room)
                C = regroup(stream, x, constants, upper, components, C, sums, gaps, desk)
        filled = gather_filled(components, C, sums)
        if constants.fixed_C == 0:
            C = draw_count(stream, constants, sums, filled)
            if components.size < C:
                components, sums, fresh = with_room(components, C), with_room(sums, C), with_room(fresh, C)
                bench = make_bench(C)
        draw_parameters(stream, constants, upper, components, C, filled, sums, table, desk)
        upper.C = C
    return components, rows, used

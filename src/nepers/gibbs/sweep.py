"""A run of sweeps.

A sweep is a pass over the cases, jumps of the mixture with the allocations integrated out, and Gibbs steps for
everything else given the sums of the pass. Allocations and alpha drawn before a jump that is refused are as good
after it; after one that is accepted they are drawn anew.
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs.births import most_births, propose_birth, propose_death
from nepers.gibbs.cases import make_bench, pass_over_cases
from nepers.gibbs.change import log_likelihood_ratio, make_change
from nepers.gibbs.compiled import kernel, step
from nepers.gibbs.count import draw_count, gather_filled
from nepers.gibbs.density import derive
from nepers.gibbs.location import draw_location
from nepers.gibbs.precision import draw_precision
from nepers.gibbs.records import clear_sums, with_room
from nepers.gibbs.scale import draw_scale
from nepers.gibbs.shape import draw_shape
from nepers.gibbs.skewness import draw_skewness
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.splits import propose_merge, propose_split
from nepers.gibbs.stream import uniform
from nepers.gibbs.upper import draw_centre, draw_centre_precision, draw_centre_rate, draw_precision_shape, draw_rate
from nepers.gibbs.weights import draw_weights

# Steps for mu, S and the levels above cost nothing per case, so they are done several times a sweep.
_INNER = 3


@step
def _keep(kept, upper, components, C, log_likelihood):
    N = upper.mu_mu.size
    for j in range(N):
        kept.J[j] = 0.0
        kept.mu_mu[j] = upper.mu_mu[j]
        for k in range(N):
            kept.S_mu[j, k] = upper.S_mu[j, k]
            kept.R_S_mu[j, k] = upper.R_S_mu[j, k]
            kept.R_S[j, k] = upper.R_S[j, k]
    for c in range(C):
        component = components[c]
        m = component.m
        # the mean of 1/sqrt(alpha)
        spread = math.sqrt(component.r) * math.exp(log_gamma_function(m - 0.5) - log_gamma_function(m))
        p = math.exp(component.log_p)
        for j in range(N):
            kept.J[j] += p * (component.mu[j] + component.nu[j] * spread)
    kept.log_likelihood = log_likelihood
    kept.C = C
    kept.m_S = upper.m_S


@step
def _keep_components(rows, used, components, C):
    for c in range(C):
        row = rows[used + c]
        component = components[c]
        row.p = math.exp(component.log_p)
        row.m = component.m
        for j in range(component.mu.size):
            row.mu[j] = component.mu[j]
            row.nu[j] = component.nu[j]
            for k in range(component.mu.size):
                row.S[j, k] = component.S[j, k]


@kernel
def run(stream, x, constants, table, upper, components, sums, nothing, fresh, desk, kept, rows, thin, jumps):
    """Sweep `thin` times for every row of `kept`, and keep the last.

    Every argument but x, table, thin and jumps is an array of records; constants, stream, upper and desk hold one.
    Returns the components, which may have been moved to a larger array, the rows, and how many of them are filled.
    """
    stream, constants, upper, desk = stream[0], constants[0], upper[0], desk[0]
    n = x.shape[1]
    bench = make_bench(components.size)
    log_density = np.zeros((2, n))
    used = 0
    clear_sums(nothing[0])
    for c in range(upper.C):
        derive(components[c], constants.shape_type, table)
    for i in range(kept.size):
        for again in range(thin):
            C = upper.C
            at = 0
            log_likelihood = pass_over_cases(stream, x, components, C, bench, sums, log_density[0])
            changed = False
            for _ in range(jumps if constants.fixed_C == 0 else 0):
                if components.size < C + most_births(C):
                    room = 2 * (C + most_births(C))
                    components, sums, fresh = (
                        with_room(components, room), with_room(sums, room), with_room(fresh, room)
                    )  # fmt: skip
                    bench = make_bench(room)
                kind = int(4.0 * uniform(stream))
                if kind == 0:
                    log_ratio, new, factor = propose_birth(
                        stream, n, constants, upper, components, C, fresh, nothing[0], table, desk
                    )
                elif kind == 1:
                    log_ratio, new, factor = propose_death(stream, n, constants, components, C)
                elif kind == 2:
                    log_ratio, new, factor = propose_split(
                        stream, constants, upper, components, C, fresh, table, desk
                    )
                else:
                    log_ratio, new, factor = propose_merge(
                        stream, constants, upper, components, C, fresh, table, desk
                    )
                if log_ratio > -math.inf:
                    log_ratio += log_likelihood_ratio(
                        x, components, C, fresh, new, factor, bench, log_density[at], log_density[1 - at]
                    )
                    if math.log(uniform(stream)) < log_ratio:
                        C = make_change(components, C, fresh, new)
                        at = 1 - at
                        changed = True
            if changed:
                log_likelihood = pass_over_cases(stream, x, components, C, bench, sums, log_density[0])
            if again == thin - 1:
                _keep(kept[i], upper, components, C, log_likelihood)
                if used + C > rows.size:
                    rows = with_room(rows, 2 * (used + C))
                _keep_components(rows, used, components, C)
                used += C
            filled = gather_filled(components, C, sums)
            if constants.fixed_C == 0:
                C = draw_count(stream, constants, sums, filled)
                if C > components.size:
                    components, sums, fresh = with_room(components, C), with_room(sums, C), with_room(fresh, C)
                    bench = make_bench(C)
                for c in range(filled, C):
                    clear_sums(sums[c])
            for c in range(filled):
                draw_scale(stream, upper, components[c], sums[c])
            for _ in range(_INNER):
                for c in range(filled):
                    draw_location(stream, constants, upper, components[c], sums[c], desk)
                    draw_precision(stream, constants, upper, components[c], sums[c], desk)
                draw_centre(stream, constants, upper, components, filled, desk)
                draw_centre_precision(stream, constants, upper, components, filled, desk)
                draw_centre_rate(stream, constants, upper, desk)
                draw_precision_shape(stream, constants, upper, components, filled, desk)
                draw_rate(stream, constants, upper, components, filled, desk)
            for c in range(C):
                if c >= filled:
                    draw_location(stream, constants, upper, components[c], sums[c], desk)
                    draw_precision(stream, constants, upper, components[c], sums[c], desk)
                draw_skewness(stream, constants, components[c], sums[c], desk)
                draw_shape(stream, constants, components[c], sums[c], desk)
                derive(components[c], constants.shape_type, table)
            draw_weights(stream, constants, components, C, sums)
            upper.C = C
    return components, rows, used

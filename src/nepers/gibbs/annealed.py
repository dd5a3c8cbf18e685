"""Births and deaths of components by degrees, while the cases change hands.

Where components lie over one another in many dimensions, one that is proposed at once never fits, and one of
few cases is improbable, so that the number of components hardly changes. Here a component comes from the
prior without a case, and with a penalty on every case it might take; the penalty falls in T steps, with a
sweep K_t after each step but the last. A death is the same backwards. (Annealed importance sampling between
the models of C and of C + 1 components.) With p integrated out and n_c cases in component c, the state has
beside what does not change with t the weight

    g_t = exp(-f_t n_new) prod_c Gamma(e_c + n_c)/Gamma(e_c),    f_t = F (1 - t/T)^(3/2),

where all e are kappa_eta/(C + 1); but for t = 0 e_new is zero and the others kappa_eta/C, so that there is no
case of the new one. A component dies with probability h, in proportion to 1/(1 + n_c). A birth is accepted
with probability

    kappa_C (C + 1) h_new prod_t g_t/g_(t-1),    t = 1 .. T,

each factor at the counts of its moment and h at the last; a death with the inverse. C + 1 counts the places
among the others where the new component may stand.

K_t draws allocations, alphas and missing values by way of p; then mu, S and the levels above, there and back
again, with nu integrated out, and nu and m. Either half is reversible; so a death, which needs K_t reversed,
does the second half first. What is censored or noisy stays.
"""

from __future__ import annotations

import math

from nepers.gibbs.births import draw_from_prior
from nepers.gibbs.cases import pass_over_cases
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.completion import fill_and_sum, sum_cases
from nepers.gibbs.density import derive
from nepers.gibbs.location import draw_location
from nepers.gibbs.precision import draw_precision
from nepers.gibbs.shape import draw_shape
from nepers.gibbs.skewness import draw_skewness
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.stream import uniform
from nepers.gibbs.upper import (
    draw_centre,
    draw_centre_precision,
    draw_centre_rate,
    draw_precision_shape,
    draw_rate,
)
from nepers.gibbs.weights import draw_weights

STEPS = 200
ATTEMPTS = 2.5 / STEPS  # a sweep: they then take about as long as all else
# from so many dimensions on it is used: in none, since with it Geweke's test at N = 4 finds log R_S_mu off
LEAST_N = 1_000_000
_PENALTY = 5.0  # F


@inner
def _penalty(t, steps):
    return _PENALTY * (1.0 - t / steps) ** 1.5


@step
def log_g(kappa_eta, C, t, steps, sums):
    """log g_t; the new component is the last of C + 1."""
    new = sums[C].count
    if t == 0 and new > 0.0:
        return -math.inf
    e = kappa_eta / (C if t == 0 else C + 1)
    total = 0.0 if t == 0 else -_penalty(t, steps) * new
    for c in range(C if t == 0 else C + 1):
        total += log_gamma_function(e + sums[c].count) - log_gamma_function(e)
    return total


@step
def _log_chance_to_die(sums, C, which):
    """log h of one of C components."""
    total = 0.0
    for c in range(C):
        total += 1.0 / (1.0 + sums[c].count)
    return -math.log((1.0 + sums[which].count) * total)


@step
def _choose_to_die(stream, sums, C):
    total = 0.0
    for c in range(C):
        total += 1.0 / (1.0 + sums[c].count)
    left = uniform(stream) * total
    for c in range(C - 1):
        left -= 1.0 / (1.0 + sums[c].count)
        if left < 0.0:
            return c
    return C - 1


@step
def _draw_allocations(stream, x, constants, components, C, penalty, sums, log_density, bench, gaps):
    """The first half of K_t; the weights need not add up to one."""
    draw_weights(stream, constants, components, C + 1, sums)
    components[C].log_p -= penalty
    pass_over_cases(stream, x, components, C + 1, bench, sums, log_density, gaps)
    fill_and_sum(stream, x, components, C + 1, sums, gaps)


@step
def _draw_parameters(stream, constants, upper, components, count, sums, gaps, desk):
    """The second half."""
    for c in range(count):
        draw_location(stream, constants, upper, components[c], sums[c], desk)
        draw_precision(stream, constants, upper, components[c], sums[c], desk)
    draw_centre(stream, constants, upper, components, count, desk)
    draw_centre_precision(stream, constants, upper, components, count, desk)
    draw_centre_rate(stream, constants, upper, desk)
    draw_precision_shape(stream, constants, upper, components, count, desk)
    draw_rate(stream, constants, upper, components, count, desk)
    draw_precision_shape(stream, constants, upper, components, count, desk)
    draw_centre_precision(stream, constants, upper, components, count, desk)
    draw_centre(stream, constants, upper, components, count, desk)
    for i in range(count):
        c = count - 1 - i
        draw_precision(stream, constants, upper, components[c], sums[c], desk)
        draw_location(stream, constants, upper, components[c], sums[c], desk)
        draw_skewness(stream, constants, components[c], sums[c], desk)
        draw_shape(stream, constants, components[c], sums[c], desk)
        derive(components[c], constants.shape_type, gaps.table)


@step
def _grow(stream, x, constants, upper, components, C, sums, log_density, bench, gaps, desk, steps):
    """From t = 0 to T; returns the log of the product."""
    kappa = constants.kappa_eta
    total = 0.0
    for t in range(1, steps + 1):
        total += log_g(kappa, C, t, steps, sums) - log_g(kappa, C, t - 1, steps, sums)
        if t < steps:
            penalty = _penalty(t, steps)
            _draw_allocations(stream, x, constants, components, C, penalty, sums, log_density, bench, gaps)
            _draw_parameters(stream, constants, upper, components, C + 1, sums, gaps, desk)
    return total


@step
def _shrink(stream, x, constants, upper, components, C, sums, log_density, bench, gaps, desk, steps):
    """From t = T to 0; returns the log of the inverse of the product."""
    kappa = constants.kappa_eta
    total = 0.0
    for t in range(steps, 0, -1):
        total += log_g(kappa, C, t - 1, steps, sums) - log_g(kappa, C, t, steps, sums)
        if t > 1:
            penalty = _penalty(t - 1, steps)
            _draw_parameters(stream, constants, upper, components, C + 1, sums, gaps, desk)
            _draw_allocations(stream, x, constants, components, C, penalty, sums, log_density, bench, gaps)
    return total


@step
def _save(x, upper, components, C, fresh, gaps):
    gaps.upper_before[0] = upper
    for c in range(C):
        fresh[c] = components[c]
    for k in range(x.shape[1]):
        gaps.side[k] = gaps.place[k]
        gaps.odds[k] = gaps.root[k]
        for i in range(x.shape[0]):
            gaps.x_before[i, k] = x[i, k]


@step
def _restore(x, uppers, components, C, fresh, sums, gaps):
    uppers[0] = gaps.upper_before[0]
    for c in range(C):
        components[c] = fresh[c]
    for k in range(x.shape[1]):
        gaps.place[k] = gaps.side[k]
        gaps.root[k] = gaps.odds[k]
        for i in range(x.shape[0]):
            x[i, k] = gaps.x_before[i, k]
    sum_cases(x, components, C, sums, gaps)


@step
def _put_last(components, sums, C, which, gaps):
    """Exchange component `which` and the last of C."""
    last = C - 1
    if which == last:
        return
    gaps.narrow[0] = components[last]
    gaps.trial[0] = sums[last]
    components[last] = components[which]
    sums[last] = sums[which]
    components[which] = gaps.narrow[0]
    sums[which] = gaps.trial[0]
    for k in range(gaps.place.size):
        if gaps.place[k] == last:
            gaps.place[k] = which
        elif gaps.place[k] == which:
            gaps.place[k] = last


@step
def anneal(
    stream, x, constants, uppers, components, C, sums, fresh, nothing, log_density, bench, gaps, desk, steps
):
    """One attempt; there is room for one component more. Returns the new C.

    `uppers` is an array of one record.
    """
    upper = uppers[0]
    birth = uniform(stream) < 0.5
    if not birth and C == 1:
        return C
    _save(x, upper, components, C, fresh, gaps)
    if birth:
        sums[C] = nothing
        draw_from_prior(stream, constants, upper, components[C], nothing, gaps.table, desk)
        log_ratio = math.log(constants.kappa_C * (C + 1)) + _grow(
            stream, x, constants, upper, components, C, sums, log_density, bench, gaps, desk, steps
        )
        log_ratio += _log_chance_to_die(sums, C + 1, C)
    else:
        which = _choose_to_die(stream, sums, C)
        log_ratio = -math.log(constants.kappa_C * C) - _log_chance_to_die(sums, C, which)
        _put_last(components, sums, C, which, gaps)
        log_ratio += _shrink(
            stream, x, constants, upper, components, C - 1, sums, log_density, bench, gaps, desk, steps
        )
    if math.log(uniform(stream)) < log_ratio:
        gaps.accepted[2 if birth else 3] += 1
        return C + 1 if birth else C - 1
    _restore(x, uppers, components, C, fresh, sums, gaps)
    return C

"""Compiled loops around the sampler's own steps, and the records they work on.

Each driver draws one block again and again with everything else fixed, or one transition from each of many
states. They contain no mathematics of the hierarchy but `draw_cases`, which draws data given the mixture.
"""

import math

import numpy as np
from numba import njit

from nepers.gibbs import vector_math
from nepers.gibbs.alpha import LANES, draw_roots
from nepers.gibbs.cases import make_bench, pass_over_cases
from nepers.gibbs.change import log_likelihood_ratio, make_change
from nepers.gibbs.compiled import kernel
from nepers.gibbs.count import draw_count, gather_filled
from nepers.gibbs.density import block_density, derive
from nepers.gibbs.gaussians import draw_wishart
from nepers.gibbs.jumps import propose
from nepers.gibbs.location import draw_location
from nepers.gibbs.precision import draw_precision
from nepers.gibbs.progamma import draw_progamma
from nepers.gibbs.records import (
    clear_sums,
    component_type,
    desk_type,
    kept_type,
    make_components,
    make_constants,
    make_upper,
    row_type,
    sums_type,
    upper_type,
    with_room,
)
from nepers.gibbs.scale import draw_scale
from nepers.gibbs.shape import draw_shape
from nepers.gibbs.skewness import draw_skewness
from nepers.gibbs.special import digamma_trigamma, log_gamma_function
from nepers.gibbs.stream import log_gamma, make_stream, normal, uniform, uniforms
from nepers.gibbs.sweep import run
from nepers.gibbs.tilt import tilt_table
from nepers.gibbs.upper import (
    draw_centre,
    draw_centre_precision,
    draw_centre_rate,
    draw_precision_shape,
    draw_rate,
)
from nepers.gibbs.weights import draw_weights

ROOM = 1024  # for components where nothing makes more
SWEEP_ROOM = 256  # what is handed to `run`, which makes more, but clears all of it every time


def stream(seed):
    return make_stream(np.random.SeedSequence(seed))


# --------------------------------------------------------------------------- numbers


@kernel
def exp_and_log(x, out):
    for i in range(x.size):
        out[0, i] = vector_math.exp(x[i])
        out[1, i] = vector_math.log(abs(x[i]))


@kernel
def gamma_functions(x, out):
    for i in range(x.size):
        out[0, i] = log_gamma_function(x[i])
        out[1, i], out[2, i] = digamma_trigamma(x[i])


@kernel
def many_uniforms(stream, out, at_once):
    """By `uniforms` in pieces of `at_once`, with one from `uniform` between them."""
    done = 0
    while done < out.size:
        take = min(at_once, out.size - done)
        uniforms(stream[0], out[done:], take)
        done += take
        if done < out.size:
            out[done] = uniform(stream[0])
            done += 1


@kernel
def normals_and_log_gammas(stream, shape, normals, logs):
    for i in range(normals.size):
        normals[i] = normal(stream[0])
        logs[i] = log_gamma(stream[0], shape)


@kernel
def progammas(stream, a, b, N, kind, lower, guess, desk, out):
    """m - lower, as drawn."""
    for i in range(out.size):
        out[i] = draw_progamma(stream[0], a, b, N, kind, lower, guess, desk[0])


@kernel
def wisharts(stream, m, R, out, desk):
    for i in range(out.shape[0]):
        draw_wishart(stream[0], m, R, out[i], desk[0])


@kernel
def densities(x, components, shape_type, table, out):
    bench = make_bench(1)
    line = bench.line
    for c in range(components.size):
        derive(components[c], shape_type, table)
        block_density(
            x, 0, x.shape[1], components[c], line[0], line[1], line[2], bench.b[0], bench.t[0], out[c]
        )


@kernel
def roots(stream, a, t, out):
    """s of every case, once for each row of out."""
    full = (a.size + LANES - 1) // LANES * LANES
    u = np.zeros(3 * full)
    waiting = np.zeros(full, np.int64)
    proposal = np.zeros(full)
    for i in range(out.shape[0]):
        a_lost, t_lost, s = np.zeros(full), np.zeros(full), np.zeros(full)
        a_lost[: a.size] = a
        t_lost[: a.size] = t
        draw_roots(stream[0], a.size, a_lost, t_lost, u, waiting, proposal, s)
        out[i] = s[: a.size]


# --------------------------------------------------------------------------- blocks


@kernel
def component_blocks(stream, constants, upper, component, sums, out, desk):
    """For every row of out: mu and then nu; S; m; each from its conditional with the rest as given."""
    for i in range(out.size):
        one = out[i]
        one.S[:] = component[0].S
        one.mu[:] = component[0].mu
        one.m = component[0].m
        draw_precision(stream[0], constants[0], upper[0], one, sums[0], desk[0])
        one.U[:] = one.S  # the draw of S, kept aside
        one.S[:] = component[0].S
        draw_location(stream[0], constants[0], upper[0], one, sums[0], desk[0])
        draw_skewness(stream[0], constants[0], one, sums[0], desk[0])
        draw_shape(stream[0], constants[0], one, sums[0], desk[0])


@kernel
def scale_block(stream, upper, component, sums, out_component, out_sums):
    for i in range(out_component.size):
        out_component[i] = component[0]
        out_sums[i] = sums[0]
        draw_scale(stream[0], upper[0], out_component[i], out_sums[i])


@kernel
def upper_blocks(stream, constants, upper, components, filled, out, desk):
    """For every row of out: each of the five blocks from its conditional with the rest as given."""
    for i in range(out.size):
        work = upper.copy()[0]
        draw_centre(stream[0], constants[0], work, components, filled, desk[0])
        out[i].mu_mu[:] = work.mu_mu
        work = upper.copy()[0]
        draw_centre_precision(stream[0], constants[0], work, components, filled, desk[0])
        out[i].S_mu[:] = work.S_mu
        work = upper.copy()[0]
        draw_centre_rate(stream[0], constants[0], work, desk[0])
        out[i].R_S_mu[:] = work.R_S_mu
        work = upper.copy()[0]
        draw_precision_shape(stream[0], constants[0], work, components, filled, desk[0])
        out[i].m_S = work.m_S
        work = upper.copy()[0]
        draw_rate(stream[0], constants[0], work, components, filled, desk[0])
        out[i].R_S[:] = work.R_S


@kernel
def weights_block(stream, constants, components, sums, out):
    C = out.shape[1]
    for i in range(out.shape[0]):
        draw_weights(stream[0], constants[0], components, C, sums)
        for c in range(C):
            out[i, c] = components[c].log_p


@kernel
def count_block(stream, constants, sums, filled, out):
    for i in range(out.size):
        out[i] = draw_count(stream[0], constants[0], sums, filled)


@kernel
def gathered(components, C, sums):
    return gather_filled(components, C, sums)


@kernel
def passes(stream, x, components, C, shape_type, table, out):
    """One pass over the cases for every row of out, which holds the sums of each component."""
    bench = make_bench(C)
    log_density = np.zeros(x.shape[1])
    for c in range(C):
        derive(components[c], shape_type, table)
    log_likelihood = 0.0
    for i in range(out.shape[0]):
        log_likelihood = pass_over_cases(stream[0], x, components, C, bench, out[i], log_density)
    return log_likelihood, log_density


# --------------------------------------------------------------------------- transitions


@njit(error_model="numpy")
def draw_cases(stream, components, C, x, skew):
    """Draw every case from the mixture of derived components; skew = -1 draws from its mirror image."""
    N = x.shape[0]
    for k in range(x.shape[1]):
        left = uniform(stream)
        c = 0
        while c < C - 1 and left > math.exp(components[c].log_p):
            left -= math.exp(components[c].log_p)
            c += 1
        one = components[c]
        beta = math.exp(0.5 * log_gamma(stream, one.m)) / math.sqrt(one.r)
        for i in range(N - 1, -1, -1):
            total = normal(stream) + skew * one.w[i]
            for j in range(i + 1, N):
                total -= one.U[i, j] * x[j, k]
            x[i, k] = total / one.U[i, i]
        for i in range(N):
            x[i, k] = one.mu[i] + x[i, k] / beta


@njit(error_model="numpy")
def one_jump(
    stream,
    kind,
    x,
    constants,
    upper,
    components,
    C,
    fresh,
    nothing,
    desk,
    table,
    bench,
    before,
    after,
    wrong,
    by,
):
    """One attempt; returns C, and the wrong term that a mutant adds to the log ratio."""
    n = x.shape[1]
    old = C
    log_ratio, new, factor = propose(
        kind, stream, n, constants, upper, components, C, fresh, nothing, table, desk
    )
    if not log_ratio > -math.inf:
        return C
    removed = 0
    heaviest = -math.inf
    for c in range(C):
        if components[c].next_log_p == -math.inf:
            removed += 1
            heaviest = max(heaviest, components[c].log_p)
    k = new - removed
    if wrong == 1:  # a factor for each component that comes
        log_ratio += by * k
    elif wrong == 2:  # no binomial
        small, large = min(old, old + k), max(old, old + k)
        choose = math.lgamma(large + 1.0) - math.lgamma(small + 1.0) - math.lgamma(large - small + 1.0)
        log_ratio += by * math.copysign(1.0, k) * choose
    elif wrong == 3:  # no Jacobian: the weight of the whole component, of a split or a merge
        log_ratio += by * (heaviest if kind == 2 else -fresh[0].log_p)
    elif wrong == 4:  # the likelihood counted with a wrong power
        log_ratio += by * log_likelihood_ratio(x, components, C, fresh, new, factor, bench, before, after)
    log_ratio += log_likelihood_ratio(x, components, C, fresh, new, factor, bench, before, after)
    if math.log(uniform(stream)) < log_ratio:
        C = make_change(components, C, fresh, new)
        for k in range(n):
            before[k] = after[k]
    return C


FUNCTIONALS = ("C", "log likelihood", "mu", "m", "log S", "log p", "w^2", "largest p", "log m", "mu^2")


@njit(error_model="numpy")
def _functionals(components, C, log_density, out):
    """What is compared before and after: C, log likelihood, and sums and extremes over the components."""
    out[:] = 0.0
    out[0] = C
    out[7] = -math.inf
    for k in range(log_density.size):
        out[1] += log_density[k]
    for c in range(C):
        one = components[c]
        p = math.exp(one.log_p)
        out[2] += p * one.mu[0]
        out[3] += p * one.m
        out[4] += math.log(one.S[0, 0]) / C
        out[5] += one.log_p / C
        out[6] += one.w[0] * one.w[0] / C
        out[7] = max(out[7], one.log_p)
        out[8] += math.log(one.m) / C
        out[9] += one.mu[0] * one.mu[0] / C


@kernel
def jumps(
    stream,
    kind,
    x,
    constants,
    uppers,
    states,
    first,
    table,
    wrong,
    by,
    work,
    fresh,
    sums,
    desk,
    before,
    after,
):
    """From every state of the prior: data given it, then one jump, of `kind` or of kind + 1 with equal
    chance.

    State i is `states[first[i] : first[i + 1]]`; the functionals go into the rows of `before` and `after`.
    """
    n = x.shape[1]
    bench = make_bench(work.size)
    log_density = np.zeros((2, n))
    clear_sums(sums[0])
    for i in range(uppers.size):
        C = first[i + 1] - first[i]
        for c in range(C):
            work[c] = states[first[i] + c]
            derive(work[c], constants[0].shape_type, table)
        draw_cases(stream[0], work, C, x, 1.0)
        pass_over_cases(stream[0], x, work, C, bench, sums[1:], log_density[0])
        _functionals(work, C, log_density[0], before[i])
        which = kind + int(2.0 * uniform(stream[0]))
        C = one_jump(
            stream[0], which, x, constants[0], uppers[i], work, C, fresh, sums[0], desk[0], table,
            bench, log_density[0], log_density[1], wrong, by,
        )  # fmt: skip
        _functionals(work, C, log_density[0], after[i])


@kernel
def sweeps(
    stream,
    x,
    skew,
    constants,
    uppers,
    states,
    first,
    table,
    jump_count,
    work,
    sums,
    fresh,
    desk,
    rows,
    thin,
    kept,
):
    """From every state of the prior: data given it, then `thin` sweeps, of the last of which a row is
    kept."""
    nothing = sums[:1].copy()
    for i in range(uppers.size):
        C = first[i + 1] - first[i]
        for c in range(C):
            work[c] = states[first[i] + c]
            derive(work[c], constants[0].shape_type, table)
        draw_cases(stream[0], work, C, x, skew)
        run(
            stream, x, constants, table, uppers[i : i + 1], work, sums, nothing, fresh, desk,
            kept[i : i + 1], rows, thin, jump_count,
        )  # fmt: skip


@kernel
def chain_with_new_data(
    stream, x, skew, constants, upper, components, sums, fresh, desk, rows, table, jump_count, kept
):
    """One sweep given the data, data given the parameters, and so on; one row of kept for each."""
    nothing = sums[:1].copy()
    for i in range(kept.size):
        for c in range(upper[0].C):
            derive(components[c], constants[0].shape_type, table)
        draw_cases(stream[0], components, upper[0].C, x, skew)
        components, rows, _ = run(
            stream, x, constants, table, upper, components, sums, nothing, fresh, desk, kept[i : i + 1],
            rows, 1, jump_count
        )  # fmt: skip
        if sums.size < components.size:
            sums = with_room(sums, components.size)
            fresh = with_room(fresh, components.size)
    return components


def prior_states(draws):
    """Draws from the prior, as records: their levels above, their components end to end, where each
    begins."""
    N = draws[0].mu_mu.size
    uppers = np.zeros(len(draws), upper_type(N))
    counts = np.array([one.mixture.C for one in draws])
    first = np.append(0, np.cumsum(counts))
    uppers["r_S"] = [one.m_S - 1.0 for one in draws]
    states = np.zeros(first[-1], component_type(N))
    uppers["C"] = counts
    for name in ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S"):
        uppers[name] = np.array([getattr(one, name) for one in draws]).reshape(uppers[name].shape)
    uppers["r_S"] = uppers["m_S"] - 1.0
    for name in ("mu", "nu", "S", "m"):
        states[name] = np.concatenate([getattr(one.mixture, name) for one in draws])
    with np.errstate(divide="ignore"):
        states["log_p"] = np.log(np.concatenate([one.mixture.p for one in draws]))
    states["log_p"] = np.maximum(states["log_p"], -745.0)
    return uppers, states, first


def try_jumps(seed, kind, n, draws, h, mistake=None, wrong=0, by=0.0):
    """`jumps` from prior draws of h; returns the functionals before and after."""
    uppers, states, first = prior_states(draws)
    constants = make_constants(h)
    if mistake is not None:
        mistake(constants)
    N = h.N
    before, after = (np.zeros((len(draws), len(FUNCTIONALS))) for _ in range(2))
    jumps(
        stream(seed), kind, np.zeros((N, n)), constants, uppers, states, first, tilt_table(), wrong, by,
        np.zeros(ROOM, component_type(N)), np.zeros(ROOM, component_type(N)), np.zeros(ROOM + 1,
        sums_type(N)),
        np.zeros(1, desk_type(N)), before, after,
    )  # fmt: skip
    return before, after


def try_sweeps(seed, n, draws, h, thin, jump_count=8, mistake=None, skew=1.0):
    """`sweeps` from prior draws of h; returns what was kept of the last of each."""
    uppers, states, first = prior_states(draws)
    constants = make_constants(h)
    if mistake is not None:
        mistake(constants)
    N = h.N
    kept = np.zeros(len(draws), kept_type(N))
    sweeps(
        stream(seed), np.zeros((N, n)), skew, constants, uppers, states, first, tilt_table(), jump_count,
        np.zeros(SWEEP_ROOM, component_type(N)), np.zeros(SWEEP_ROOM, sums_type(N)), np.zeros(SWEEP_ROOM,
        component_type(N)),
        np.zeros(1, desk_type(N)), np.zeros(SWEEP_ROOM, row_type(N)), thin, kept,
    )  # fmt: skip
    return kept


def try_chain(seed, n, start, h, count, jump_count=8, mistake=None, skew=1.0):
    """`chain_with_new_data` from one prior draw of h."""
    constants = make_constants(h)
    if mistake is not None:
        mistake(constants)
    N = h.N
    kept = np.zeros(count, kept_type(N))
    chain_with_new_data(
        stream(seed), np.zeros((N, n)), skew, constants, make_upper(start), make_components(start,
        SWEEP_ROOM),
        np.zeros(SWEEP_ROOM, sums_type(N)), np.zeros(SWEEP_ROOM, component_type(N)), np.zeros(1,
        desk_type(N)),
        np.zeros(SWEEP_ROOM, row_type(N)), tilt_table(), jump_count, kept,
    )  # fmt: skip
    return kept

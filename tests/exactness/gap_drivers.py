"""Compiled loops around the sampler's steps for cases that are not wholly known.

They contain no mathematics of the hierarchy but `observe`, which makes observations out of true values.
"""

import numpy as np
from exactness.drivers import ROOM, SWEEP_ROOM, draw_cases, prior_states, stream
from numba import njit

from nepers.gibbs.annealed import anneal
from nepers.gibbs.cases import make_bench, pass_over_cases
from nepers.gibbs.change import log_likelihood_ratio
from nepers.gibbs.compiled import kernel
from nepers.gibbs.completion import complete_cases
from nepers.gibbs.density import derive
from nepers.gibbs.gaps import Unknown, make_gaps
from nepers.gibbs.progamma import log_progamma_integral
from nepers.gibbs.records import (
    component_type,
    desk_type,
    kept_type,
    make_constants,
    row_type,
    sums_type,
    with_room,
)
from nepers.gibbs.regrouping import log_group, log_grouping, regroup
from nepers.gibbs.stream import log_gamma, normal
from nepers.gibbs.sweep import run
from nepers.gibbs.truncated import draw_truncated

EXACT, RIGHT, LEFT, CELLS = range(4)  # what of y_0 is told: all; a cut; a cut; in which of three cells it is


@kernel
def truncated(stream, a, b, out):
    for i in range(out.size):
        out[i] = draw_truncated(stream[0], a, b)


@kernel
def grouping(constants, sums, C):
    return log_grouping(constants[0], sums, C)


@kernel
def group(constants, upper, mu, sums, guess, desk):
    return log_group(constants[0], upper[0], mu, sums[0], guess, desk[0])


@kernel
def progamma_integral(a, b, N, kind, lower, guess):
    return log_progamma_integral(a, b, N, kind, lower, guess)


@kernel
def completions(stream, x, components, sums, gaps, beta, out_x, out_n, out_beta):
    """x, n and beta of the only case, for every row of out."""
    start = x.copy()
    for i in range(out_x.shape[0]):
        gaps.beta[0] = beta
        x[:] = start
        complete_cases(stream[0], x, components, components.size, sums, gaps)
        out_x[i] = x[:, 0]
        out_n[i] = gaps.desk[0].d[: x.shape[0]]
        out_beta[i] = gaps.beta[0]


@kernel
def gap_passes(stream, x, components, shape_type, sums, gaps, place, root):
    """Component and sqrt(alpha) of every case, for every row of out; returns the log densities."""
    bench = make_bench(components.size)
    log_density = np.zeros(x.shape[1])
    for c in range(components.size):
        derive(components[c], shape_type, gaps.table)
    for i in range(place.shape[0]):
        pass_over_cases(stream[0], x, components, components.size, bench, sums, log_density, gaps)
        place[i] = gaps.place
        root[i] = gaps.root
    return log_density


@kernel
def ratio_of_a_change(x, components, C, new, shape_type, gaps, before, after):
    """The log likelihood ratio of the change that stands in the records, the new ones last."""
    for c in range(components.size):
        derive(components[c], shape_type, gaps.table)
    bench = make_bench(components.size)
    return log_likelihood_ratio(
        x, components[:C], C, components[C:], new, 1.0, bench, before, after, None, gaps
    )


@njit(error_model="numpy")
def observe(stream, x, kind, cut, noise_m, noise_root, gaps):
    """y = x + n and what of it is told. noise_root is upper triangular with S_n = root' root."""
    N = x.shape[0]
    n = np.zeros(N)
    for k in range(x.shape[1]):
        if noise_m > 0.0:
            gaps.beta[k] = np.exp(log_gamma(stream, noise_m)) / noise_m
            for i in range(N - 1, -1, -1):
                n[i] = normal(stream) / np.sqrt(gaps.beta[k])
                for j in range(i + 1, N):
                    n[i] -= noise_root[i, j] * n[j]
                n[i] /= noise_root[i, i]
        for i in range(N):
            gaps.y[i, k] = x[i, k] + n[i]
        for p in range(gaps.absent[k]):
            gaps.y[gaps.missing[p, k], k] = 0.0
        gaps.bounded[k] = 0
        gaps.lower[k], gaps.upper[k] = -np.inf, np.inf
        if gaps.absent[k] > 0 and gaps.missing[gaps.absent[k] - 1, k] == 0:
            continue
        y, low, high = gaps.y[0, k], cut[0, k], cut[1, k]
        if kind[k] == RIGHT and y > low:
            gaps.lower[k] = low
        elif kind[k] == LEFT and y < low:
            gaps.upper[k] = low
        elif kind[k] == CELLS:
            if y > high:
                gaps.lower[k] = high
            elif y > low:
                gaps.lower[k], gaps.upper[k] = low, high
            else:
                gaps.upper[k] = low
        else:
            continue
        gaps.bounded[k] = 1
        gaps.y[0, k] = 0.0


NOTHING, AT_THE_CUT, OTHER_SIDE, NO_MISSING = range(4)  # mistakes


@njit(error_model="numpy")
def _spoil(wrong, x, gaps):
    """A mistake in what the sampler is told."""
    for k in range(x.shape[1]):
        low, high = gaps.lower[k], gaps.upper[k]
        if wrong == AT_THE_CUT and gaps.bounded[k]:
            gaps.bounded[k] = 0
            gaps.y[0, k] = low if low > -np.inf else high
            x[0, k] = gaps.y[0, k]
        elif wrong == OTHER_SIDE and gaps.bounded[k] and (low == -np.inf or high == np.inf):
            gaps.lower[k] = high if low == -np.inf else -np.inf
            gaps.upper[k] = low if high == np.inf else np.inf
        elif wrong == NO_MISSING:
            for p in range(gaps.absent[k]):
                x[gaps.missing[p, k], k] = 0.0
            gaps.absent[k] = 0


@kernel
def gap_sweeps(
    stream, x, kind, cut, true_m, noise_root, wrong, gaps, constants, uppers, states, first, going_on,
    jump_count, components, sums, fresh, desk, rows, thin, kept,
):  # fmt: skip
    """Observations given the parameters, then `thin` sweeps given them, for every row of kept.

    The parameters are each time another draw of the prior, or where `going_on` those that the sweeps left.
    """
    nothing = sums[:1].copy()
    count = gaps.absent.copy()
    upper = uppers[:1].copy()
    for i in range(kept.size):
        if i == 0 or not going_on:
            upper[0] = uppers[i]
            for c in range(upper[0].C):
                components[c] = states[first[i] + c]
        for c in range(upper[0].C):
            derive(components[c], constants[0].shape_type, gaps.table)
        draw_cases(stream[0], components, upper[0].C, x, 1.0)
        gaps.absent[:] = count
        observe(stream[0], x, kind, cut, true_m, noise_root, gaps)
        _spoil(wrong, x, gaps)
        components, rows, _ = run(
            stream, x, constants, gaps.table, upper, components, sums, nothing, fresh, desk,
            kept[i : i + 1], rows, thin, jump_count, None, gaps,
        )  # fmt: skip
        if sums.size < components.size:
            sums = with_room(sums, components.size)
            fresh = with_room(fresh, components.size)


GROUPINGS = (
    "groups", "sum of squared sizes", "mu", "mu^2", "alpha", "spread", "mu of case 0", "largest",
    "C", "R_S", "m", "missing",
)  # fmt: skip


@njit(error_model="numpy")
def _grouping(components, C, sums, place, out):
    """What is compared before and after: functions of the groups and of their mu, not of what is redrawn."""
    out[:] = 0.0
    for c in range(C):
        n = sums[c].count
        if n > 0.0:
            out[0] += 1.0
            out[1] += n * n
            out[2] += n * np.arctan(components[c].mu[0])
            out[3] += np.arctan(components[c].mu[0]) ** 2
            out[4] += sums[c].alpha ** 2 / (1.0 + n)
            centre = sums[c].alpha_x[0] / sums[c].alpha
            if n > 1.0:  # that of one case is rounding error
                out[5] += np.log1p(abs(sums[c].alpha_xx[0, 0] - centre * sums[c].alpha_x[0]))
            out[7] = max(out[7], n)
    out[6] = np.arctan(components[place[0]].mu[0])


@njit(error_model="numpy")
def _all(x, upper, components, C, sums, out):
    """What is compared of births and deaths by degrees beside the groups, which all redraw."""
    out[8] = C
    out[9] = upper.R_S[0, 0]
    for c in range(C):
        out[10] += np.log(components[c].m) * (1.0 + sums[c].count)
    out[11] = np.arctan(x[0, x.shape[1] - 1])


@kernel
def regroupings(
    stream, x, constants, told, uppers, states, first, gaps, components, sums, desk, by, steps, before, after
):
    """From every state of the prior, with data and groups given it: one attempt to regroup, or by so many
    steps to change C, by a sampler that is `told` constants that may be wrong, and R_S and S_mu `by` which
    factors wrong."""
    nothing = sums[:1].copy()
    fresh = components.copy()
    bench = make_bench(components.size)
    log_density = np.zeros(x.shape[1])
    for i in range(uppers.size):
        C = first[i + 1] - first[i]
        for c in range(C):
            components[c] = states[first[i] + c]
            derive(components[c], constants[0].shape_type, gaps.table)
        draw_cases(stream[0], components, C, x, 1.0)
        pass_over_cases(stream[0], x, components, C, bench, sums, log_density, gaps)
        complete_cases(stream[0], x, components, C, sums, gaps)
        _grouping(components, C, sums, gaps.place, before[i])
        if steps > 0:
            _all(x, uppers[i], components, C, sums, before[i])
        upper = uppers[i : i + 1].copy()
        upper[0].R_S[:] *= by[0]
        upper[0].S_mu[:] *= by[1]
        if steps > 0:
            C = anneal(
                stream[0], x, told[0], upper, components, C, sums, fresh, nothing[0], log_density, bench,
                gaps, desk[0], steps,
            )  # fmt: skip
            _grouping(components, C, sums, gaps.place, after[i])
            _all(x, upper[0], components, C, sums, after[i])
        else:
            C = regroup(stream[0], x, told[0], upper[0], components, C, sums, gaps, desk[0])
            _grouping(components, C, sums, gaps.place, after[i])


def try_regrouping(seed, n, draws, h, mistake=None, by=(1.0, 1.0), steps=0, missing=0):
    """`regroupings` from prior draws of h; returns the functionals before and after. The last cases miss
    their coordinate 0."""
    uppers, states, first = prior_states(draws)
    N = h.N
    gone = np.zeros((n, N), bool)
    gone[n - missing :, 0] = True
    design = Design(N, n, gone, np.full(n, EXACT), None)
    told = make_constants(h)
    if mistake is not None:
        mistake(told)
    before, after = (np.zeros((len(draws), len(GROUPINGS))) for _ in range(2))
    regroupings(
        stream(seed), design.x, make_constants(h), told, uppers, states, first, design.gaps,
        np.zeros(ROOM, component_type(N)), np.zeros(ROOM, sums_type(N)), np.zeros(1, desk_type(N)),
        np.array(by), steps, before, after,
    )  # fmt: skip
    return before, after, design.gaps.accepted


class Design:
    """Which entries of n cases are told, how, and with which noise."""

    def __init__(self, N, n, missing, kind, noise, seed=5):
        """`missing` is (n, N) of bools, in the order of how many there are."""
        self.N, self.n = N, n
        self.kind = np.asarray(kind, dtype=np.int64)
        self.cut = np.sort(np.random.default_rng(seed).standard_normal((2, n)), axis=0)
        self.noise = noise
        known = np.where(missing, np.nan, 0.0)
        ends = np.where(missing[:, 0], np.inf, 0.0)
        self.x, self.gaps = make_gaps(known.T, Unknown(-ends, ends, noise))
        m, S = noise if noise is not None else (0.0, np.eye(N))
        self.true_m, self.root = m, np.ascontiguousarray(np.linalg.cholesky(S).T)

    def at(self):
        return self.x, self.kind, self.cut, self.true_m, self.root


def try_gap_sweeps(seed, design, draws, h, thin, wrong=NOTHING, mistake=None, count=None):
    """What `gap_sweeps` keep, from prior draws of h, or where `count` is given going on from the first."""
    uppers, states, first = prior_states(draws)
    N = h.N
    kept = np.zeros(count or len(draws), kept_type(N))
    gaps = design.gaps if mistake is None else mistake(design.gaps)
    gap_sweeps(
        stream(seed), *design.at(), wrong, gaps, make_constants(h), uppers, states, first, count is not None,
        8, np.zeros(SWEEP_ROOM, component_type(N)), np.zeros(SWEEP_ROOM, sums_type(N)),
        np.zeros(SWEEP_ROOM, component_type(N)), np.zeros(1, desk_type(N)),
        np.zeros(SWEEP_ROOM, row_type(N)), thin, kept,
    )  # fmt: skip
    return kept

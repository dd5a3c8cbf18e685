"""One pass over the cases: densities, allocations, alpha, and the sums the components need.

Nothing of a case is kept but the log of its density under the whole mixture; where there are gaps, also its
component and its alpha.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.alpha import LANES, draw_root_with_pole, draw_roots
from nepers.gibbs.compiled import inner, maker, step
from nepers.gibbs.gaps import BLOCK, block_size
from nepers.gibbs.marginal import case_density
from nepers.gibbs.records import clear_sums
from nepers.gibbs.stream import uniforms

# the lines of a bench
Q, L, Y, TOP, TOTAL, A, T, S, PROPOSAL, RATIO = range(10)
_LINES = 10


class Bench(NamedTuple):
    """Room to work on one block of cases. WIDE is BLOCK and LANES more, to fill up vector instructions."""

    line: np.ndarray  # (_LINES, WIDE)
    u: np.ndarray  # (3 WIDE,): uniforms
    choice: np.ndarray  # (2, WIDE) int64: the component of each case; cases waiting for their alpha
    weight: np.ndarray  # (room, BLOCK): component densities
    b: np.ndarray  # (room, BLOCK): 2r + q
    t: np.ndarray  # (room, BLOCK)


@maker
def make_bench(room, block=BLOCK):
    wide = block + LANES
    return Bench(
        np.zeros((_LINES, wide)),
        np.zeros(3 * wide),
        np.zeros((2, wide), np.int64),
        np.empty((room, block)),
        np.empty((room, block)),
        np.empty((room, block)),
    )


@inner
def mixture_density(x, gaps, start, size, components, C, bench, log_density):
    """Weighted component densities, relative to the greatest of each case; and the case's own density."""
    line = bench.line
    top = line[TOP]
    total = line[TOTAL]
    for c in range(C):
        out = bench.weight[c]
        case_density(
            x, gaps, start, size, components[c], line[Q], line[L], line[Y], bench.b[c], bench.t[c], out
        )
        log_p = components[c].log_p
        for k in range(size):
            out[k] += log_p
    for k in range(size):
        top[k] = bench.weight[0, k]
        total[k] = 0.0
    for c in range(1, C):
        out = bench.weight[c]
        for k in range(size):
            top[k] = out[k] if out[k] > top[k] else top[k]
    for c in range(C):
        out = bench.weight[c]
        for k in range(size):
            e = vector_math.exp(out[k] - top[k])
            out[k] = e
            total[k] += e
    for k in range(size):
        log_density[start + k] = top[k] + vector_math.log(total[k])


@inner
def _allocate(stream, size, C, bench):
    """Draw each case's component in proportion to its weighted density.

    With the weights subtracted in order, `left` is above zero before the component drawn and below it after.
    """
    uniforms(stream, bench.u, size)
    choice = bench.choice[0]
    left = bench.u
    total = bench.line[TOTAL]
    for k in range(size):
        left[k] = left[k] * total[k]
        choice[k] = 0
    for c in range(C - 1):
        weight = bench.weight[c]
        for k in range(size):
            left[k] -= weight[k]
            choice[k] += 1 if left[k] > 0.0 else 0


@inner
def _draw_alphas(stream, gaps, start, size, components, C, bench):
    choice = bench.choice[0]
    line = bench.line
    for k in range(size):
        c = choice[k]
        line[A, k] = components[c].a
        line[T, k] = bench.t[c, k]
    least = components[0].a
    for c in range(1, C):
        least = min(least, components[c].a)
    if gaps is not None:
        least -= gaps.absent[start]
        for k in range(size):
            line[A, k] -= gaps.absent[start]
    if least <= 0.0:
        for k in range(size):
            line[A, k] = line[A, k] if line[A, k] > 0.0 else 1.0
    draw_roots(stream, size, line[A], line[T], bench.u, bench.choice[1], line[PROPOSAL], line[S])
    if least <= 0.0:
        for k in range(size):
            c = choice[k]
            a = components[c].a
            if gaps is not None:
                a -= gaps.absent[start]
            if a <= 0.0:
                line[S, k] = draw_root_with_pole(stream, a, bench.t[c, k])


@inner
def add_case(x, k, root, alpha, of):
    """Add case k to the sums of its component, all but the logs."""
    N = x.shape[0]
    of.count += 1.0
    of.alpha += alpha
    of.root += root
    for i in range(N):
        xi = x[i, k] - of.origin[i]
        of.root_x[i] += root * xi
        weighted = alpha * xi
        of.alpha_x[i] += weighted
        for j in range(i, N):
            of.alpha_xx[i, j] += weighted * (x[j, k] - of.origin[j])


@inner
def _add_sums(x, start, size, bench, sums):
    choice = bench.choice[0]
    alphas = bench.line[Y]
    logs = bench.line[Q]
    for k in range(size):
        c = choice[k]
        root = bench.line[S, k] / math.sqrt(bench.b[c, k])
        alpha = root * root
        alphas[k] = alpha
        add_case(x, start + k, root, alpha, sums[c])
    for k in range(size):
        logs[k] = vector_math.log(alphas[k])
    for k in range(size):
        sums[choice[k]].log += logs[k]


@inner
def _remember(start, size, bench, gaps):
    """Keep each case's component and sqrt(alpha), by which its x is redrawn."""
    choice = bench.choice[0]
    for k in range(size):
        c = choice[k]
        gaps.place[start + k] = c
        gaps.root[start + k] = bench.line[S, k] / math.sqrt(bench.b[c, k])


@inner
def begin_sums(x, components, C, sums):
    """Empty sums, from the components' locations."""
    for c in range(C):
        clear_sums(sums[c])
        for i in range(x.shape[0]):
            sums[c].origin[i] = components[c].mu[i]


@step
def pass_over_cases(stream, x, components, C, bench, sums, log_density, gaps=None):
    """Draw every case's component and alpha, sum what the components need; return the log likelihood.

    Where there are gaps nothing is summed yet: that is for `nepers.gibbs.completion`.
    """
    n = x.shape[1]
    begin_sums(x, components, C, sums)
    log_likelihood = 0.0
    start = 0
    while start < n:
        size = block_size(gaps, start, n)
        mixture_density(x, gaps, start, size, components, C, bench, log_density)
        _allocate(stream, size, C, bench)
        _draw_alphas(stream, gaps, start, size, components, C, bench)
        if gaps is None:
            _add_sums(x, start, size, bench, sums)
        else:
            _remember(start, size, bench, gaps)
        for k in range(size):
            log_likelihood += log_density[start + k]
        start += size
    return log_likelihood

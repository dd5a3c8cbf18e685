"""One pass over the cases: densities, allocations, alpha, and the sums the components need.

Nothing of a case is kept but the log of its density under the whole mixture.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.alpha import LANES, draw_roots
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.density import block_density
from nepers.gibbs.state import BLOCK
from nepers.gibbs.stream import uniforms


class Bench(NamedTuple):
    """Room to work on one block of cases."""

    q: np.ndarray
    l: np.ndarray
    y: np.ndarray
    u: np.ndarray  # (3 (BLOCK + LANES),)
    top: np.ndarray
    total: np.ndarray
    a: np.ndarray  # (BLOCK + LANES,)
    t: np.ndarray  # (BLOCK + LANES,)
    s: np.ndarray
    choice: np.ndarray  # int64
    waiting: np.ndarray  # int64, (BLOCK + LANES,)
    proposal: np.ndarray  # (BLOCK + LANES,)
    log_f: np.ndarray  # (room, BLOCK)
    bs: np.ndarray  # (room, BLOCK)
    ts: np.ndarray  # (room, BLOCK)


@step
def make_bench(room):
    wide = BLOCK + LANES
    return Bench(
        np.zeros(BLOCK),
        np.zeros(BLOCK),
        np.zeros(BLOCK),
        np.zeros(3 * wide),
        np.zeros(BLOCK),
        np.zeros(BLOCK),
        np.zeros(wide),
        np.zeros(wide),
        np.zeros(BLOCK),
        np.zeros(BLOCK, np.int64),
        np.zeros(wide, np.int64),
        np.zeros(wide),
        np.zeros((room, BLOCK)),
        np.zeros((room, BLOCK)),
        np.zeros((room, BLOCK)),
    )


@inner
def _mixture_density(x, start, size, components, bench, log_density):
    """Weighted component densities, relative to the greatest of each case; and the case's own density."""
    C = components.C[0]
    top = bench.top
    total = bench.total
    for c in range(C):
        out = bench.log_f[c]
        block_density(x, start, size, components, c, bench.q, bench.l, bench.y, bench.bs[c], bench.ts[c], out)
        weight = components.log_p[c]
        if c == 0:
            for k in range(size):
                out[k] += weight
                top[k] = out[k]
        else:
            for k in range(size):
                out[k] += weight
                top[k] = out[k] if out[k] > top[k] else top[k]
    for k in range(size):
        total[k] = 0.0
    for c in range(C):
        out = bench.log_f[c]
        for k in range(size):
            e = vector_math.exp(out[k] - top[k])
            out[k] = e
            total[k] += e
    for k in range(size):
        log_density[start + k] = top[k] + vector_math.log(total[k])


@inner
def _allocate(stream, size, C, bench):
    """Draw each case's component in proportion to its weighted density."""
    uniforms(stream, bench.u, size)
    choice = bench.choice
    left = bench.u
    total = bench.total
    for k in range(size):
        left[k] = left[k] * total[k]
        choice[k] = 0
    for c in range(C - 1):
        weight = bench.log_f[c]
        for k in range(size):
            left[k] -= weight[k]
            choice[k] += 1 if left[k] > 0.0 else 0
    # subtracting in order, `left` stays above zero up to the component drawn and below it ever after


@inner
def _add_sums(x, start, size, bench, sums):
    N = x.shape[0]
    s = bench.s
    for k in range(size):
        c = bench.choice[k]
        root = s[k] / math.sqrt(bench.bs[c, k])
        alpha = root * root
        sums.count[c] += 1.0
        sums.alpha[c] += alpha
        sums.root[c] += root
        bench.y[k] = alpha
        for i in range(N):
            xi = x[i, start + k]
            sums.root_x[c, i] += root * xi
            weighted = alpha * xi
            sums.alpha_x[c, i] += weighted
            for j in range(i, N):
                sums.alpha_xx[c, i, j] += weighted * x[j, start + k]
    for k in range(size):
        bench.q[k] = vector_math.log(bench.y[k])
    for k in range(size):
        sums.log[bench.choice[k]] += bench.q[k]


@step
def clear_sums(sums, C):
    for c in range(C):
        sums.count[c] = 0.0
        sums.alpha[c] = 0.0
        sums.root[c] = 0.0
        sums.log[c] = 0.0
        sums.alpha_x[c] = 0.0
        sums.root_x[c] = 0.0
        sums.alpha_xx[c] = 0.0


@step
def pass_over_cases(stream, x, components, bench, sums, log_density):
    """Draw every case's component and alpha, sum what the components need; return the log likelihood."""
    n = x.shape[1]
    C = components.C[0]
    clear_sums(sums, C)
    log_likelihood = 0.0
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        _mixture_density(x, start, size, components, bench, log_density)
        _allocate(stream, size, C, bench)
        for k in range(size):
            c = bench.choice[k]
            bench.a[k] = components.a[c]
            bench.t[k] = bench.ts[c, k]
        draw_roots(stream, size, bench.a, bench.t, bench.u, bench.waiting, bench.proposal, bench.s)
        _add_sums(x, start, size, bench, sums)
        for k in range(size):
            log_likelihood += log_density[start + k]
    return log_likelihood

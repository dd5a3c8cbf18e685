"""A pass over points that stand for many cases each; for one dimension.

The components of a point's w cases are multinomial. Given them, each case has an alpha of its own, and what
the components need are sums of

    alpha, sqrt(alpha), log alpha, sqrt(alpha) d, alpha d, alpha d^2,        d = x - origin,

over their cases. A component of at most ONE_BY_ONE cases has their alphas drawn one by one. Of a larger one
the six sums are drawn together from the Gaussian with their exact mean and covariance given the allocations:
the summands are independent, so the central limit theorem holds, and what it neglects is the sums' skewness,
that of one summand over the root of their number.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.alpha import draw_roots
from nepers.gibbs.binomial import binomial
from nepers.gibbs.cases import PROPOSAL, TOTAL, A, S, T, mixture_density
from nepers.gibbs.compiled import inner, maker, step
from nepers.gibbs.gaps import BLOCK
from nepers.gibbs.moments import (
    COVARIANCE_LOG,
    MEAN,
    MEAN_LOG,
    NODES,
    VARIANCE,
    VARIANCE_LOG,
    chebyshev_cosines,
    moments_at,
)
from nepers.gibbs.records import clear_sums
from nepers.gibbs.stream import normal

ONE_BY_ONE = 4096
_SUMS = 6


class Extra(NamedTuple):
    """Room to work on points, besides that of `cases.Bench`."""

    counts: np.ndarray  # (room, points): the cases of each point in each component
    moments: np.ndarray  # (5, points)
    cosines: np.ndarray  # (NODES, NODES)
    values: np.ndarray  # (5, NODES)
    series: np.ndarray  # (5, NODES)
    mean: np.ndarray  # (6,)
    covariance: np.ndarray  # (6, 6)
    factor: np.ndarray  # (6, 6)


@maker
def make_extra(room, weight):
    if weight is None:
        return None
    size = weight.size
    return Extra(
        np.zeros((room, size)),
        np.zeros((5, size)),
        chebyshev_cosines(),
        np.zeros((5, NODES)),
        np.zeros((5, NODES)),
        np.zeros(_SUMS),
        np.zeros((_SUMS, _SUMS)),
        np.zeros((_SUMS, _SUMS)),
    )


@step
def _allocate(stream, weight, C, bench, counts):
    """Draw how many cases of each point belong to each component: one binomial after another."""
    for k in range(weight.size):
        cases = weight[k]
        left = bench.line[TOTAL, k]
        for c in range(C - 1):
            chance = bench.weight[c, k]
            taken = binomial(stream, cases, chance / left if chance < left else 1.0)
            counts[c, k] = taken
            cases -= taken
            left -= chance
        counts[C - 1, k] = cases


@inner
def _add_block(stream, x, a, c, size, bench, sums):
    """Draw the alphas of `size` cases, whose points are in `choice`, and add them to the sums."""
    choice = bench.choice[0]
    line = bench.line
    for i in range(size):
        line[A, i] = a
        line[T, i] = bench.t[c, choice[i]]
    draw_roots(stream, size, line[A], line[T], bench.u, bench.choice[1], line[PROPOSAL], line[S])
    for i in range(size):
        k = choice[i]
        root = line[S, i] / math.sqrt(bench.b[c, k])
        alpha = root * root
        d = x[0, k] - sums.origin[0]
        sums.alpha += alpha
        sums.root += root
        sums.log += vector_math.log(alpha)
        sums.root_x[0] += root * d
        sums.alpha_x[0] += alpha * d
        sums.alpha_xx[0, 0] += alpha * d * d


@step
def _sum_one_by_one(stream, x, component, c, bench, counts, sums):
    size = 0
    for k in range(x.shape[1]):
        for _ in range(int(counts[c, k])):
            bench.choice[0, size] = k
            size += 1
            if size == BLOCK:
                _add_block(stream, x, component.a, c, size, bench, sums)
                size = 0
    if size > 0:
        _add_block(stream, x, component.a, c, size, bench, sums)


@step
def _where(counts):
    """The points from the first that has cases to the last."""
    first = 0
    last = counts.size
    while counts[first] == 0.0:
        first += 1
    while counts[last - 1] == 0.0:
        last -= 1
    return first, last


@step
def _mean_and_covariance(x, component, c, bench, extra, origin):
    """Of the six sums: alpha = s^2/b, so each is a sum of s^2, s or log s times what the point gives."""
    a = component.a
    mean = extra.mean
    covariance = extra.covariance
    for i in range(_SUMS):
        mean[i] = 0.0
        for j in range(_SUMS):
            covariance[i, j] = 0.0
    for k in range(x.shape[1]):
        n = extra.counts[c, k]
        if n == 0.0:
            continue
        t = bench.t[c, k]
        b = bench.b[c, k]
        s1 = extra.moments[MEAN, k]
        v11 = extra.moments[VARIANCE, k]
        v1l = extra.moments[COVARIANCE_LOG, k]
        vll = extra.moments[VARIANCE_LOG, k]
        s2 = a + 1.0 + t * s1
        v12 = t * v11 + s1
        v22 = t * v12 + 2.0 * s2
        v2l = t * v1l + 1.0
        d = x[0, k] - origin
        e1 = 1.0 / math.sqrt(b)
        e2 = e1 * e1
        mean[0] += n * e2 * s2
        mean[1] += n * e1 * s1
        mean[2] += n * (2.0 * extra.moments[MEAN_LOG, k] - vector_math.log(b))
        mean[3] += n * e1 * d * s1
        mean[4] += n * e2 * d * s2
        mean[5] += n * e2 * d * d * s2
        # of alpha with alpha, and so on, each times the powers of d that belong to it
        aa = n * e2 * e2 * v22
        ar = n * e2 * e1 * v12
        al = n * e2 * 2.0 * v2l
        rr = n * e2 * v11
        rl = n * e1 * 2.0 * v1l
        covariance[0, 0] += aa
        covariance[0, 1] += ar
        covariance[0, 2] += al
        covariance[0, 3] += ar * d
        covariance[0, 4] += aa * d
        covariance[0, 5] += aa * d * d
        covariance[1, 1] += rr
        covariance[1, 2] += rl
        covariance[1, 3] += rr * d
        covariance[1, 5] += ar * d * d
        covariance[2, 2] += n * 4.0 * vll
        covariance[2, 3] += rl * d
        covariance[2, 4] += al * d
        covariance[2, 5] += al * d * d
        covariance[3, 3] += rr * d * d
        covariance[3, 5] += ar * d * d * d
        covariance[4, 5] += aa * d * d * d
        covariance[5, 5] += aa * d * d * d * d
    covariance[1, 4] = covariance[0, 3]
    covariance[3, 4] = covariance[1, 5]
    covariance[4, 4] = covariance[0, 5]


@step
def _add_gaussian(stream, extra, sums):
    """Draw the six sums. Where some are as good as functions of others, so they are drawn."""
    mean = extra.mean
    L = extra.factor
    for i in range(_SUMS):
        for j in range(i + 1):
            total = extra.covariance[j, i]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            if i == j:
                known = total <= 1e-12 * extra.covariance[i, i]
                L[i, i] = 0.0 if known else math.sqrt(total)
            else:
                L[i, j] = total / L[j, j] if L[j, j] > 0.0 else 0.0
    for j in range(_SUMS):
        z = normal(stream)
        for i in range(j, _SUMS):
            mean[i] += L[i, j] * z
    sums.alpha = mean[0]
    sums.root = mean[1]
    sums.log = mean[2]
    sums.root_x[0] = mean[3]
    sums.alpha_x[0] = mean[4]
    sums.alpha_xx[0, 0] = mean[5]


@step
def pass_over_points(stream, x, weight, components, C, bench, extra, sums, log_density):
    """As `cases.pass_over_cases`, of points that stand for `weight` cases each."""
    size = x.shape[1]
    mixture_density(x, None, 0, size, components, C, bench, log_density)
    _allocate(stream, weight, C, bench, extra.counts)
    for c in range(C):
        clear_sums(sums[c])
        origin = components[c].mu[0]
        sums[c].origin[0] = origin
        for k in range(size):
            sums[c].count += extra.counts[c, k]
        if sums[c].count <= ONE_BY_ONE:
            _sum_one_by_one(stream, x, components[c], c, bench, extra.counts, sums[c])
        else:
            first, last = _where(extra.counts[c])
            z = abs(components[c].w[0]) * (1.0 + 1e-12)
            moments_at(
                components[c].a, z, bench.t[c, first:last], last - first, extra.cosines, extra.values,
                extra.series, extra.moments[:, first:last],
            )  # fmt: skip
            _mean_and_covariance(x, components[c], c, bench, extra, origin)
            _add_gaussian(stream, extra, sums[c])
    log_likelihood = 0.0
    for k in range(size):
        log_likelihood += weight[k] * log_density[k]
    return log_likelihood

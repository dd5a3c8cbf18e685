"""The compiled loops: likelihoods of many groups under many mixtures, and sums over kernels."""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.cases import make_bench, mixture_density
from nepers.gibbs.compiled import kernel, step, summing
from nepers.gibbs.density import derive
from nepers.gibbs.gaps import BLOCK

_ROOT_2PI = math.sqrt(2.0 * math.pi)


@kernel
def log_likelihoods(x, ends, components, first, count, shape_type, table, out):
    """out[g, k]: the log likelihood under mixture k of the cases of group g, which end before ends[g]."""
    bench = make_bench(count.max())
    density = np.empty(x.shape[1])
    for k in range(count.size):
        mine = components[first[k] : first[k] + count[k]]
        for c in range(count[k]):
            derive(mine[c], shape_type, table, 1.0)
        for start in range(0, x.shape[1], BLOCK):
            mixture_density(x, None, start, min(BLOCK, x.shape[1] - start), mine, count[k], bench, density)
        at = 0
        for g in range(ends.size):
            total = 0.0
            while at < ends[g]:
                total += density[at]
                at += 1
            out[g, k] = total


@step
def _products(weights, centres, variances, centre, variance, parts):
    """parts[i]: weight i times the density at `centre` of the Gaussian about centre i, of both variances."""
    for i in range(weights.size):
        wide = variances[i] + variance
        d = centres[i] - centre
        parts[i] = weights[i] * vector_math.exp(-0.5 * d * d / wide) / (_ROOT_2PI * math.sqrt(wide))


@summing
def _sum(parts):
    total = 0.0
    for i in range(parts.size):
        total += parts[i]
    return total


@kernel
def sums_over_kernels(weights, centres, variances, centre, variance, out):
    """Write the sum of all parts for each centre and variance."""
    parts = np.empty(weights.size)
    for k in range(centre.size):
        _products(weights, centres, variances, centre[k], variance[k], parts)
        out[k] = _sum(parts)


@kernel
def choose_kernels(weights, centres, variances, centre, variance, uniform, out):
    """Write a kernel for each centre and variance, drawn in proportion to its part."""
    parts = np.empty(weights.size)
    for k in range(centre.size):
        _products(weights, centres, variances, centre[k], variance[k], parts)
        left = uniform[k] * _sum(parts)
        i = 0
        while i < parts.size - 1 and left > parts[i]:
            left -= parts[i]
            i += 1
        out[k] = i

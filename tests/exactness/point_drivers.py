"""Kernels that run the steps of a pass over weighted points by themselves."""

import numpy as np

from nepers.gibbs.binomial import binomial
from nepers.gibbs.cases import make_bench
from nepers.gibbs.compiled import kernel
from nepers.gibbs.density import derive
from nepers.gibbs.gaps import BLOCK
from nepers.gibbs.moments import NODES, chebyshev_cosines, moments_at, root_moments
from nepers.gibbs.points import make_extra, pass_over_points


@kernel
def binomials(stream, n, p, out):
    for i in range(out.size):
        out[i] = binomial(stream[0], n, p)


@kernel
def moments(a, z, t, out):
    """Row 0 of out by series, row 1 directly."""
    space = np.zeros((5, NODES))
    moments_at(a, z, t, t.size, chebyshev_cosines(), space, np.zeros((5, NODES)), out[0])
    for k in range(t.size):
        found = root_moments(a, t[k])
        for i in range(5):
            out[1, i, k] = found[i]


@kernel
def point_passes(stream, x, weight, components, C, shape_type, table, out):
    """One pass for every row of out, which holds the sums of each component."""
    bench = make_bench(C, max(BLOCK, x.shape[1]))
    extra = make_extra(C, weight)
    log_density = np.zeros(x.shape[1])
    for c in range(C):
        derive(components[c], shape_type, table)
    log_likelihood = 0.0
    for i in range(out.shape[0]):
        log_likelihood = pass_over_points(
            stream[0], x, weight, components, C, bench, extra, out[i], log_density
        )
    return log_likelihood

"""What the way to the evidence asks of a state besides sweeps: the likelihood of cases at several powers, and
a new state from the prior.
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs.births import draw_from_prior
from nepers.gibbs.cases import make_bench, mixture_density
from nepers.gibbs.compiled import kernel
from nepers.gibbs.density import derive
from nepers.gibbs.gaps import BLOCK
from nepers.gibbs.gaussians import draw_wishart
from nepers.gibbs.records import clear_sums, with_room
from nepers.gibbs.stream import uniform
from nepers.gibbs.upper import draw_centre, draw_centre_precision, draw_precision_shape, draw_rate
from nepers.gibbs.weights import draw_weights


@kernel
def log_likelihoods(x, ends, constants, table, components, C, powers, out):
    """The log of the likelihood of the cases of each block of x, which begins where the one before ends.

    Each at its own power, with allocations and alpha integrated out; a block that ends where it begins has
    the cases of the one before.
    """
    bench = make_bench(C)
    work = with_room(components[:C], C)
    log_density = np.zeros(x.shape[1])
    first, last = 0, 0
    for i in range(powers.size):
        if ends[i] > last:
            first, last = last, ends[i]
        if i == 0 or powers[i] != powers[i - 1]:
            for c in range(C):
                derive(work[c], constants[0].shape_type, table, powers[i])
        out[i] = 0.0
        for start in range(first, last, BLOCK):
            size = min(BLOCK, last - start)
            mixture_density(x, None, start, size, work, C, bench, log_density)
            for k in range(size):
                out[i] += log_density[start + k]


@kernel
def draw_state(stream, constants, table, upper, components, nothing, desk):
    """A state from the prior. Returns the components, which may have been moved to a larger array."""
    stream, constants, upper, desk = stream[0], constants[0], upper[0], desk[0]
    C = constants.fixed_C
    if C == 0:
        C = 1 + int(math.log(uniform(stream)) / math.log(constants.kappa_C))
    if components.size < C:
        components = with_room(components, C)
    sums = with_room(nothing, C)
    for c in range(C):
        clear_sums(sums[c])
    draw_wishart(stream, constants.m_R_S_mu, constants.R_R_S_mu, upper.R_S_mu, desk)
    draw_centre_precision(stream, constants, upper, components, 0, desk)
    draw_centre(stream, constants, upper, components, 0, desk)
    draw_precision_shape(stream, constants, upper, components, 0, desk)
    draw_rate(stream, constants, upper, components, 0, desk)
    for c in range(C):
        draw_from_prior(stream, constants, upper, components[c], sums[c], table, desk)
    draw_weights(stream, constants, components, C, sums)
    upper.C = C
    return components

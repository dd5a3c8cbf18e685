"""p given the allocations: Dirichlet(count_c + kappa_eta / C), in logs because small weights underflow."""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.stream import log_gamma


@step
def draw_weights(stream, constants, components, C, sums):
    eta = constants.kappa_eta / C
    top = -math.inf
    for c in range(C):
        components[c].log_p = log_gamma(stream, sums[c].count + eta)
        top = max(top, components[c].log_p)
    total = 0.0
    for c in range(C):
        total += math.exp(components[c].log_p - top)
    norm = top + math.log(total)
    for c in range(C):
        components[c].log_p -= norm

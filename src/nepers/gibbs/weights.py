"""p given the allocations: Dirichlet(count_c + kappa_eta / C), in logs because small weights underflow."""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.stream import log_gamma


@step
def draw_weights(stream, constants, components, sums):
    C = components.C[0]
    eta = constants.kappa_eta / C
    top = -math.inf
    for c in range(C):
        components.log_p[c] = log_gamma(stream, sums.count[c] + eta)
        top = max(top, components.log_p[c])
    total = 0.0
    for c in range(C):
        total += math.exp(components.log_p[c] - top)
    norm = top + math.log(total)
    for c in range(C):
        components.log_p[c] -= norm

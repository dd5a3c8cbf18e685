"""nu of a component given its mu and S: Gaussian about s sum d with precision S/s, as in `precision`."""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.linear import solve_upper, upper_factor
from nepers.gibbs.stream import normal


@step
def draw_skewness(stream, constants, component, sums, desk):
    N = component.mu.size
    shrink = 1.0 / (sums.count + 1.0 / constants.kappa_nu)
    upper_factor(component.S, desk.U)
    for i in range(N):
        desk.b[i] = normal(stream) * math.sqrt(shrink)
    solve_upper(desk.U, desk.b, desk.b)
    for i in range(N):
        mu = component.mu[i] - sums.origin[i]
        component.nu[i] = shrink * (sums.root_x[i] - sums.root * mu) + desk.b[i]

"""m of a component given its alphas: the proGamma prior is conjugate,

a = a_m + sum(alpha - log alpha - 1),    b = b_m + count.
"""

from __future__ import annotations

from nepers.gibbs.compiled import step
from nepers.gibbs.progamma import draw_progamma


@step
def draw_shape(stream, constants, component, sums, desk):
    a = constants.a_m + sums.alpha - sums.log - sums.count
    b = constants.b_m + sums.count
    lower = constants.m_lower
    guess = component.m - lower if component.m > lower else 1.0
    component.m = lower + draw_progamma(stream, a, b, constants.N_m, constants.shape_type, lower, guess, desk)

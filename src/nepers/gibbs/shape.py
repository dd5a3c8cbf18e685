"""m of a component given its alphas: the proGamma prior is conjugate,

    a = a_m + sum(alpha - log alpha - 1),    b = b_m + count.
"""

from __future__ import annotations

from nepers.gibbs.compiled import step
from nepers.gibbs.progamma import draw_progamma


@step
def draw_shape(stream, constants, components, sums, c, tangents):
    a = constants.a_m + sums.alpha[c] - sums.log[c] - sums.count[c]
    b = constants.b_m + sums.count[c]
    lower = constants.m_lower
    guess = components.m[c] if components.m[c] > lower else lower + 1.0
    components.m[c] = draw_progamma(stream, a, b, 1, constants.shape_type, lower, guess, tangents)

"""mu of a component given its S, with nu integrated out.

Multiplied by sqrt(alpha), a case is a regression: sqrt(alpha) x = sqrt(alpha) mu + nu + noise of precision S,
and nu has precision S / kappa_nu. With s = 1/(count + 1/kappa_nu), integrating nu out leaves

    mu | S ~ Gaussian with precision (sum alpha - s (sum sqrt alpha)^2) S + S_mu.
"""

from __future__ import annotations

from nepers.gibbs.compiled import step
from nepers.gibbs.gaussians import draw_gaussian


@step
def draw_location(stream, constants, upper, component, sums, desk):
    N = component.mu.size
    shrink = 1.0 / (sums.count + 1.0 / constants.kappa_nu)
    weight = sums.alpha - shrink * sums.root * sums.root
    for i in range(N):
        desk.d[i] = sums.alpha_x[i] - shrink * sums.root * sums.root_x[i]
    for i in range(N):
        total = 0.0
        for j in range(N):
            total += component.S[i, j] * desk.d[j] + upper.S_mu[i, j] * (upper.mu_mu[j] - sums.origin[j])
            desk.A[i, j] = weight * component.S[i, j] + upper.S_mu[i, j]
        desk.b[i] = total
    draw_gaussian(stream, desk.A, desk.b, component.mu, desk)
    for i in range(N):
        component.mu[i] += sums.origin[i]

"""S of a component given its mu, with nu integrated out.

With d_k = sqrt(alpha_k) (x_k - mu) and s = 1/(count + 1/kappa_nu),

    S | mu ~ Wishart(m_S + count/2, (m_S - 1) R_S + (sum d d' - s (sum d)(sum d)')/2).
"""

from __future__ import annotations

from nepers.gibbs.compiled import step
from nepers.gibbs.gaussians import draw_wishart


@step
def precision_rate(constants, upper, mu, sums, desk):
    """Write the rate of the Wishart above into desk.A."""
    N = mu.size
    shrink = 1.0 / (sums.count + 1.0 / constants.kappa_nu)
    for i in range(N):
        desk.b[i] = mu[i] - sums.origin[i]
        desk.d[i] = sums.root_x[i] - sums.root * desk.b[i]
    for i in range(N):
        for j in range(i, N):
            scatter = (
                sums.alpha_xx[i, j]
                - desk.b[i] * sums.alpha_x[j]
                - desk.b[j] * sums.alpha_x[i]
                + sums.alpha * desk.b[i] * desk.b[j]
                - shrink * desk.d[i] * desk.d[j]
            )
            desk.A[i, j] = upper.r_S * upper.R_S[i, j] + 0.5 * scatter
            desk.A[j, i] = desk.A[i, j]


@step
def draw_precision(stream, constants, upper, component, sums, desk):
    precision_rate(constants, upper, component.mu, sums, desk)
    draw_wishart(stream, upper.m_S + 0.5 * sums.count, desk.A, component.S, desk)

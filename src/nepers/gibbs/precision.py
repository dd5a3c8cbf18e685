"""S of a component given its mu, with nu integrated out.

With d_k = sqrt(alpha_k) (x_k - mu) and s = 1/(count + 1/kappa_nu),

    S | mu ~ Wishart(m_S + count/2, (m_S - 1) R_S + (sum d d' - s (sum d)(sum d)')/2).
"""

from __future__ import annotations

from nepers.gibbs.compiled import step
from nepers.gibbs.gaussians import draw_wishart


@step
def draw_precision(stream, constants, upper, components, sums, c, desk):
    N = constants.N
    mu = components.mu[c]
    shrink = 1.0 / (sums.count[c] + 1.0 / constants.kappa_nu)
    alpha = sums.alpha[c]
    for i in range(N):
        desk.d[i] = sums.root_x[c, i] - sums.root[c] * mu[i]
    for i in range(N):
        for j in range(i, N):
            scatter = (
                sums.alpha_xx[c, i, j]
                - mu[i] * sums.alpha_x[c, j]
                - mu[j] * sums.alpha_x[c, i]
                + alpha * mu[i] * mu[j]
                - shrink * desk.d[i] * desk.d[j]
            )
            desk.A[i, j] = (upper.m_S[0] - 1.0) * upper.R_S[i, j] + 0.5 * scatter
            desk.A[j, i] = desk.A[i, j]
    draw_wishart(stream, upper.m_S[0] + 0.5 * sums.count[c], desk.A, components.S[c], desk)

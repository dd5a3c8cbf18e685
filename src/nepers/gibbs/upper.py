"""The levels above the components, given the first `filled` of them.

    mu_mu | mu, S_mu ~ Gaussian with precision S_mumu + filled S_mu
    S_mu  | mu, mu_mu, R_Smu ~ Wishart(m_Smu + filled/2, R_Smu + sum (mu_c - mu_mu)(mu_c - mu_mu)'/2)
    R_Smu | S_mu ~ Wishart(m_RSmu + m_Smu + (N-1)/2, R_RSmu + S_mu)
    m_S   | S, R_S ~ proGamma, b = b_mS + filled, a = a_mS + sum (tr(R_S S_c) - log det(R_S S_c) - N)
    R_S   | S, m_S ~ Wishart(m_RS + filled (m_S + (N-1)/2), R_RS + (m_S - 1) sum S_c)

The conditionals are exact for every number of filled components, none included.
"""

from __future__ import annotations

from nepers.gibbs.compiled import step
from nepers.gibbs.gaussians import draw_gaussian, draw_wishart
from nepers.gibbs.linear import log_determinant, trace_of_product, upper_factor
from nepers.gibbs.progamma import draw_progamma


@step
def draw_centre(stream, constants, upper, components, filled, desk):
    N = upper.mu_mu.size
    for i in range(N):
        total = 0.0
        for c in range(filled):
            total += components[c].mu[i]
        desk.d[i] = total
    for i in range(N):
        total = 0.0
        for j in range(N):
            total += constants.S_mu_mu[i, j] * constants.mu_mu_mu[j] + upper.S_mu[i, j] * desk.d[j]
            desk.A[i, j] = constants.S_mu_mu[i, j] + filled * upper.S_mu[i, j]
        desk.b[i] = total
    draw_gaussian(stream, desk.A, desk.b, upper.mu_mu, desk)


@step
def draw_centre_precision(stream, constants, upper, components, filled, desk):
    N = upper.mu_mu.size
    for i in range(N):
        for j in range(N):
            total = upper.R_S_mu[i, j]
            for c in range(filled):
                mu = components[c].mu
                total += 0.5 * (mu[i] - upper.mu_mu[i]) * (mu[j] - upper.mu_mu[j])
            desk.A[i, j] = total
    draw_wishart(stream, constants.m_S_mu + 0.5 * filled, desk.A, upper.S_mu, desk)


@step
def draw_centre_rate(stream, constants, upper, desk):
    N = upper.mu_mu.size
    for i in range(N):
        for j in range(N):
            desk.A[i, j] = constants.R_R_S_mu[i, j] + upper.S_mu[i, j]
    m = constants.m_R_S_mu + constants.m_S_mu + 0.5 * (N - 1)
    draw_wishart(stream, m, desk.A, upper.R_S_mu, desk)


@step
def draw_precision_shape(stream, constants, upper, components, filled, desk):
    N = upper.mu_mu.size
    upper_factor(upper.R_S, desk.U)
    a = constants.a_m_S - filled * (log_determinant(desk.U) + N)
    for c in range(filled):
        S = components[c].S
        upper_factor(S, desk.U)
        a += trace_of_product(upper.R_S, S) - log_determinant(desk.U)
    b = constants.b_m_S + filled
    # the kind is a field, not a literal, for which a second copy would be compiled
    upper.r_S = draw_progamma(stream, a, b, N, constants.m_S_type, 1.0, upper.r_S, desk)
    upper.m_S = 1.0 + upper.r_S


@step
def draw_rate(stream, constants, upper, components, filled, desk):
    N = upper.mu_mu.size
    for i in range(N):
        for j in range(N):
            total = 0.0
            for c in range(filled):
                total += components[c].S[i, j]
            desk.A[i, j] = constants.R_R_S[i, j] + upper.r_S * total
    m = constants.m_R_S + filled * (upper.m_S + 0.5 * (N - 1))
    draw_wishart(stream, m, desk.A, upper.R_S, desk)


@step
def draw_upper(stream, constants, upper, components, filled, desk):
    """All of them in turn."""
    draw_centre(stream, constants, upper, components, filled, desk)
    draw_centre_precision(stream, constants, upper, components, filled, desk)
    draw_centre_rate(stream, constants, upper, desk)
    draw_precision_shape(stream, constants, upper, components, filled, desk)
    draw_rate(stream, constants, upper, components, filled, desk)

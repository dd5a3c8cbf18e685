"""Writing a draw into the records that are returned."""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.special import log_gamma_function


@step
def keep(kept, upper, components, C, log_likelihood):
    """All of a draw but its components; J is the mean of the mixture."""
    N = upper.mu_mu.size
    for j in range(N):
        kept.J[j] = 0.0
        kept.mu_mu[j] = upper.mu_mu[j]
        for k in range(N):
            kept.S_mu[j, k] = upper.S_mu[j, k]
            kept.R_S_mu[j, k] = upper.R_S_mu[j, k]
            kept.R_S[j, k] = upper.R_S[j, k]
    for c in range(C):
        component = components[c]
        m = component.m
        # the mean of 1/sqrt(alpha), which m <= 1/2 does not have
        spread = math.nan
        if m > 0.5:
            spread = math.sqrt(component.r) * math.exp(log_gamma_function(m - 0.5) - log_gamma_function(m))
        p = math.exp(component.log_p)
        for j in range(N):
            kept.J[j] += p * (component.mu[j] + component.nu[j] * spread)
    kept.log_likelihood = log_likelihood
    kept.C = C
    kept.m_S = upper.m_S


@step
def keep_components(rows, used, components, C):
    for c in range(C):
        row = rows[used + c]
        component = components[c]
        row.p = math.exp(component.log_p)
        row.m = component.m
        for j in range(component.mu.size):
            row.mu[j] = component.mu[j]
            row.nu[j] = component.nu[j]
            for k in range(component.mu.size):
                row.S[j, k] = component.S[j, k]

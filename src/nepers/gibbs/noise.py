"""The noise n = y - x of one case, given beta: Gaussian of precision beta S_n.

Without the missing entries its precision is beta P, P the Schur complement of S_n, and

    beta | n ~ Gamma(m_n + (N - g)/2, rate m_n + n'P n/2).
"""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.stream import log_gamma


@step
def set_noise_precision(gaps, k, P):
    """Write P of case k, with zeros where it has nothing."""
    N = P.shape[0]
    for i in range(N):
        for j in range(N):
            P[i, j] = gaps.noise_S[i, j]
    for p in range(gaps.absent[k]):
        m = gaps.missing[p, k]
        for i in range(N):
            share = P[i, m] / P[m, m]
            if i != m and share != 0.0:
                for j in range(N):
                    P[i, j] -= share * P[m, j]
        for i in range(N):
            P[i, m] = 0.0
            P[m, i] = 0.0


@step
def draw_noise_scale(stream, gaps, k, n, P):
    """beta of case k."""
    N = P.shape[0]
    rate = gaps.noise_m
    for i in range(N):
        for j in range(N):
            rate += 0.5 * P[i, j] * n[i] * n[j]
    gaps.beta[k] = math.exp(log_gamma(stream, gaps.noise_m + 0.5 * (N - gaps.absent[k]))) / rate

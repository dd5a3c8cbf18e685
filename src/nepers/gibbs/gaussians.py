"""Gaussian and Wishart draws, in the paper's parameters: precisions, and Wishart(m, R)."""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.linear import solve_upper, solve_upper_transposed, upper_factor
from nepers.gibbs.stream import log_gamma, normal


@step
def draw_gaussian(stream, P, b, out, desk):
    """Write a draw from the Gaussian with precision P and mean P^-1 b; P may be desk.A, b desk.b."""
    upper_factor(P, desk.U)
    solve_upper_transposed(desk.U, b, out)
    for i in range(b.size):
        out[i] += normal(stream)
    solve_upper(desk.U, out, out)


@step
def draw_wishart(stream, m, R, out, desk):
    """Write a draw from the paper's Wishart(m, R), by Bartlett's decomposition; R may be desk.A.

    With R = U'U and T lower triangular, T_ii^2 ~ Gamma(m + (N-1-i)/2), T_ij ~ N(0, 1/2) below the
    diagonal, the draw is (U^-1 T)(U^-1 T)'.
    """
    N = R.shape[0]
    upper_factor(R, desk.U)
    T = desk.T
    for j in range(N):
        for i in range(j):
            T[i, j] = 0.0
        T[j, j] = math.exp(0.5 * log_gamma(stream, m + 0.5 * (N - 1 - j)))
        for i in range(j + 1, N):
            T[i, j] = normal(stream) * math.sqrt(0.5)
        for i in range(N - 1, -1, -1):
            total = T[i, j]
            for k in range(i + 1, N):
                total -= desk.U[i, k] * T[k, j]
            T[i, j] = total / desk.U[i, i]
    for i in range(N):
        for k in range(i, N):
            total = 0.0
            for j in range(N):
                total += T[i, j] * T[k, j]
            out[i, k] = total
            out[k, i] = total

"""Gaussian and Wishart draws, in the paper's parameters: precisions, and Wishart(m, R)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nepers.gibbs.compiled import step
from nepers.gibbs.linear import solve_upper, solve_upper_transposed, upper_factor
from nepers.gibbs.stream import log_gamma, normal


class Desk(NamedTuple):
    """Room to work on matrices and vectors of dimension N."""

    A: np.ndarray
    B: np.ndarray
    U: np.ndarray
    T: np.ndarray
    b: np.ndarray
    d: np.ndarray


@step
def make_desk(N):
    return Desk(
        np.zeros((N, N)), np.zeros((N, N)), np.zeros((N, N)), np.zeros((N, N)), np.zeros(N), np.zeros(N)
    )


@step
def draw_gaussian(stream, P, b, out, desk):
    """Write a draw from the Gaussian with precision P and mean P^-1 b; b may be desk.b, P may be desk.A."""
    N = b.size
    upper_factor(P, desk.U)
    solve_upper_transposed(desk.U, b, out)
    for i in range(N):
        out[i] += normal(stream)
    solve_upper(desk.U, out, out)


@step
def draw_wishart(stream, m, R, out, desk):
    """Write a draw from the paper's Wishart(m, R), by Bartlett's decomposition; R may be desk.A.

    With R = U'U and T lower triangular, T_ii^2 ~ 2 Gamma(m + (N-1-i)/2), T_ij ~ N(0, 1) below the
    diagonal, the draw is (U^-1 T)(U^-1 T)'/2.
    """
    N = R.shape[0]
    upper_factor(R, desk.U)
    T = desk.T
    for j in range(N):
        for i in range(j):
            T[j, i] = 0.0  # T is kept transposed: row j is column j
        T[j, j] = math.exp(0.5 * log_gamma(stream, m + 0.5 * (N - 1 - j)))
        for i in range(j + 1, N):
            T[j, i] = normal(stream) * math.sqrt(0.5)
        solve_upper(desk.U, T[j], T[j])
    for i in range(N):
        for k in range(i, N):
            total = 0.0
            for j in range(N):
                total += T[j, i] * T[j, k]
            out[i, k] = total
            out[k, i] = total

"""Linear algebra of small matrices, written as loops so that one dimension costs next to nothing."""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step


@step
def upper_factor(A, U):
    """Write the upper triangular U with U'U = A; A symmetric positive definite."""
    N = A.shape[0]
    for j in range(N):
        for i in range(j):
            total = A[i, j]
            for k in range(i):
                total -= U[k, i] * U[k, j]
            U[i, j] = total / U[i, i]
            U[j, i] = 0.0
        total = A[j, j]
        for k in range(j):
            total -= U[k, j] * U[k, j]
        U[j, j] = math.sqrt(total)


@step
def solve_upper(U, b, x):
    """Write x with U x = b; x may be b."""
    N = U.shape[0]
    for i in range(N - 1, -1, -1):
        total = b[i]
        for k in range(i + 1, N):
            total -= U[i, k] * x[k]
        x[i] = total / U[i, i]


@step
def solve_upper_transposed(U, b, x):
    """Write x with U' x = b; x may be b."""
    N = U.shape[0]
    for i in range(N):
        total = b[i]
        for k in range(i):
            total -= U[k, i] * x[k]
        x[i] = total / U[i, i]


@step
def log_determinant(U):
    """log det(U'U)."""
    total = 0.0
    for i in range(U.shape[0]):
        total += math.log(U[i, i])
    return 2.0 * total


@step
def trace_of_product(A, B):
    """tr(A B) of symmetric A and B."""
    total = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[0]):
            total += A[i, j] * B[i, j]
    return total

"""The log density of what is there of a block of cases, under one component.

With the missing entries m integrated out, the others are skew-Student with the same m and r, dimension N - g,
and what is left of mu and nu; S loses m by Schur's complement. Its |y|^2 and y'S nu are those of the whole
case with the missing entries at their place of least |y|^2,

    x_m - mu_m = -S_mm^-1 S_mo (x_o - mu_o),

so the density of `nepers.gibbs.density` serves, with a = 2m + N - g - 1 and

    log det S - log det S_mm,     nu'S nu - (S nu)_m' S_mm^-1 (S nu)_m.
"""

from __future__ import annotations

import math

from nepers.gibbs.compiled import inner, step
from nepers.gibbs.density import block_density
from nepers.gibbs.linear import log_determinant, solve_upper, solve_upper_transposed, upper_factor
from nepers.gibbs.tilt import tilt_at_zero, tilt_polynomial

_LOG_2PI = 1.8378770664093453


@step
def _narrow(component, g, gaps):
    """The component with g entries fewer, but for what depends on which; its nu holds S nu."""
    gaps.narrow[0] = component
    out = gaps.narrow[0]
    N = component.mu.size
    z2 = 0.0
    for i in range(N):
        z2 += component.w[i] * component.w[i]
        total = 0.0
        for j in range(N):
            total += component.S[i, j] * component.nu[j]
        out.nu[i] = total
    out.a = component.a - g
    out.level = component.level + tilt_at_zero(out.a) - tilt_at_zero(component.a) + 0.5 * g * _LOG_2PI
    out.span = tilt_polynomial(gaps.table, out.a, math.sqrt(z2) * (1.0 + 1e-12), out.tilt)


@step
def _centre(x, k, at, component, g, gaps):
    """Write case k with its missing entries at their centre, and what they take from its log density."""
    desk = gaps.desk[0]
    A, U, s, e = desk.A[:g, :g], desk.U[:g, :g], desk.b[:g], desk.e[:g]
    N = component.mu.size
    for i in range(N):
        desk.d[i] = x[i, k] - component.mu[i]
    for p in range(g):
        desk.d[gaps.missing[p, k]] = 0.0
    for p in range(g):
        i = gaps.missing[p, k]
        total = 0.0
        for j in range(N):
            total += component.S[i, j] * desk.d[j]
        s[p] = total
        e[p] = gaps.narrow[0].nu[i]
        for q in range(g):
            A[p, q] = component.S[i, gaps.missing[q, k]]
    upper_factor(A, U)
    solve_upper_transposed(U, s, s)
    solve_upper(U, s, s)
    solve_upper_transposed(U, e, e)
    lost = log_determinant(U)
    for p in range(g):
        lost -= e[p] * e[p]
        i = gaps.missing[p, k]
        gaps.centred[i, at] = component.mu[i] - s[p]
    gaps.correction[at] = -0.5 * lost


@step
def _marginal_density(x, gaps, start, size, component, q, l, y, b, t, out):
    g = gaps.absent[start]
    _narrow(component, g, gaps)
    for i in range(x.shape[0]):
        for k in range(size):
            gaps.centred[i, k] = x[i, start + k]
    for k in range(size):
        _centre(x, start + k, k, component, g, gaps)
    block_density(gaps.centred, 0, size, gaps.narrow[0], q, l, y, b, t, out)
    for k in range(size):
        out[k] += gaps.correction[k]


@inner
def case_density(x, gaps, start, size, component, q, l, y, b, t, out):
    """As `nepers.gibbs.density.block_density`, whatever is missing."""
    if gaps is None or gaps.absent[start] == 0:  # by itself, so that the rest is not compiled
        block_density(x, start, size, component, q, l, y, b, t, out)
    else:
        _marginal_density(x, gaps, start, size, component, q, l, y, b, t, out)

"""The skew-Student log density of a block of cases under one component.

With y = U (x - mu), q = |y|^2, l = y'w, w = U nu and t = l / sqrt(2r + q),

    log f = level - (a + 1)/2 log(2r + q) + h(a, t) - h(a, 0),    a = 2m + N - 1.

On the way to the evidence the Gaussian of x given alpha is raised to a power below one (`nepers.evidence`).
Its integral over alpha has the same form, with sqrt(power) U in the place of U and power N in that of N.

Cases run along the fast axis of x, so every loop below is over cases and becomes vector instructions.
"""

from __future__ import annotations

import math

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.linear import log_determinant, upper_factor
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.tilt import DEGREES, tilt_at_zero, tilt_integral, tilt_polynomial

_LOG_2 = 0.6931471805599453
_LOG_2PI = 1.8378770664093453


@step
def derive(component, shape_type, table, power=1.0):
    """Set everything of a component that follows from its mu, nu, S and m, and from the power."""
    N = component.mu.size
    U = component.U
    upper_factor(component.S, U)
    z2 = 0.0
    for i in range(N):
        total = 0.0
        for j in range(i, N):
            total += U[i, j] * component.nu[j]
        component.w[i] = total
        z2 += total * total
    root = math.sqrt(power)
    for i in range(N):
        component.v[i] = root * component.w[i]
        for j in range(N):
            component.V[i, j] = root * U[i, j]
    z2 *= power
    m = component.m
    r = m - 1.0 if shape_type == 1 else m
    a = 2.0 * m + power * N - 1.0
    component.r = r
    component.a = a
    component.level = (
        _LOG_2
        + m * math.log(r)
        - log_gamma_function(m)
        + 0.5 * (power * (log_determinant(U) - N * _LOG_2PI) - z2)
        + tilt_at_zero(a)
    )
    component.span = tilt_polynomial(table, a, math.sqrt(z2) * (1.0 + 1e-12), component.tilt)


@inner
def whiten(x, start, size, mu, U, w, q, l, y):
    """For the cases start to start + size: q = |U(x - mu)|^2 and l = (U(x - mu))'w."""
    N = mu.size
    if N == 1:
        scale = U[0, 0]
        centre = mu[0]
        tilt = w[0]
        for k in range(size):
            d = scale * (x[0, start + k] - centre)
            q[k] = d * d
            l[k] = d * tilt
        return
    for k in range(size):
        q[k] = 0.0
        l[k] = 0.0
    for i in range(N):
        for k in range(size):
            y[k] = 0.0
        for j in range(i, N):
            scale = U[i, j]
            centre = mu[j]
            for k in range(size):
                y[k] += scale * (x[j, start + k] - centre)
        tilt = w[i]
        for k in range(size):
            q[k] += y[k] * y[k]
            l[k] += y[k] * tilt


def _polynomial_density(degree):
    @inner
    def log_density(size, level, power, r2, tilt, q, l, b, t, out):
        for k in range(size):
            b2 = r2 + q[k]
            tk = l[k] / math.sqrt(b2)
            p = tilt[degree]
            for i in range(degree - 1, 0, -1):
                p = p * tk + tilt[i]
            out[k] = level + p * tk - power * vector_math.log(b2)
            b[k] = b2
            t[k] = tk

    return log_density


_density_0 = _polynomial_density(DEGREES[0])
_density_1 = _polynomial_density(DEGREES[1])
_density_2 = _polynomial_density(DEGREES[2])
_density_3 = _polynomial_density(DEGREES[3])


@step
def _density_by_integral(size, level, power, r2, a, q, l, b, t, out):
    """For skewness or shape outside the table."""
    zero = tilt_at_zero(a)
    for k in range(size):
        b[k] = r2 + q[k]
        t[k] = l[k] / math.sqrt(b[k])
        out[k] = level - power * math.log(b[k]) + tilt_integral(a, t[k]) - zero


@step
def block_density(x, start, size, component, q, l, y, b, t, out):
    """The log densities of a block of cases under a component, with b = 2r + q and t."""
    whiten(x, start, size, component.mu, component.V, component.v, q, l, y)
    power = 0.5 * (component.a + 1.0)
    level = component.level
    r2 = 2.0 * component.r
    tilt = component.tilt
    span = component.span
    if span == 0:
        _density_0(size, level, power, r2, tilt, q, l, b, t, out)
    elif span == 1:
        _density_1(size, level, power, r2, tilt, q, l, b, t, out)
    elif span == 2:
        _density_2(size, level, power, r2, tilt, q, l, b, t, out)
    elif span == 3:
        _density_3(size, level, power, r2, tilt, q, l, b, t, out)
    else:
        _density_by_integral(size, level, power, r2, component.a, q, l, b, t, out)

"""Moments of alpha of a case given its component, as functions of where the case lies.

s = sqrt(alpha (2r + q)) has the density s^a exp(-s^2/2 + t s), as in `alpha`: a belongs to the component, t
to the case. Of s and log s, the means, variances and covariance are smooth functions of t on [-z, z]. They
are found by the trapezoidal rule, as in `tilt`, at Chebyshev nodes, and by Chebyshev series between; where z
is above WIDE, at every point.

With s^2 they follow without further integrals, from E[s^2 g] = (a + 1) E[g] + t E[s g] + E[s g'(s)].
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import maker, step, summing

MEAN, VARIANCE, MEAN_LOG, COVARIANCE_LOG, VARIANCE_LOG = range(5)
NODES = 40
WIDE = 8.0
_NEGLIGIBLE = 1e-11  # of the largest coefficient


@maker
def chebyshev_cosines():
    """cos(k pi (j + 1/2) / NODES)."""
    found = np.zeros((NODES, NODES))
    for k in range(NODES):
        for j in range(NODES):
            found[k, j] = math.cos(math.pi * k * (j + 0.5) / NODES)
    return found


@summing
def root_moments(a, t):
    """Mean and variance of s, mean of log s, covariance of s and log s, variance of log s.

    The sums are over w = log(s / mode), from which everything is measured.
    """
    b = a + 1.0
    mode = 0.5 * (t + math.sqrt(t * t + 4.0 * b)) if t > 0.0 else 2.0 * b / (math.sqrt(t * t + 4.0 * b) - t)
    h = 0.25 / math.sqrt(mode * mode + b)
    half = 0.5 * mode * mode
    left = 38 + int(170.0 / math.sqrt(b))
    total = 0.0
    e1 = 0.0
    e2 = 0.0
    w1 = 0.0
    w2 = 0.0
    ew = 0.0
    for k in range(left + 40):
        w = (k - left) * h
        e = vector_math.exp(w) - 1.0
        q = vector_math.exp(b * (w - e) - half * e * e)
        total += q
        e1 += q * e
        e2 += q * e * e
        w1 += q * w
        w2 += q * w * w
        ew += q * e * w
    e1 /= total
    w1 /= total
    return (
        mode * (1.0 + e1),
        mode * mode * (e2 / total - e1 * e1),
        math.log(mode) + w1,
        mode * (ew / total - e1 * w1),
        w2 / total - w1 * w1,
    )


@step
def _fit(a, z, cosines, values, series):
    """Write the Chebyshev coefficients of the five on [-z, z]; return how many are needed."""
    for j in range(NODES):
        found = root_moments(a, z * cosines[1, j])
        for i in range(5):
            values[i, j] = found[i]
    needed = 1
    for i in range(5):
        most = 0.0
        for k in range(NODES):
            total = 0.0
            for j in range(NODES):
                total += values[i, j] * cosines[k, j]
            series[i, k] = total * (1.0 if k == 0 else 2.0) / NODES
            most = max(most, abs(series[i, k]))
            if abs(series[i, k]) > _NEGLIGIBLE * most:
                needed = max(needed, k + 1)
    return needed


@step
def moments_at(a, z, t, size, cosines, values, series, out):
    """Write the five moments at the first `size` t, of which none is beyond z, into the rows of `out`."""
    if z > WIDE:
        for k in range(size):
            found = root_moments(a, t[k])
            for i in range(5):
                out[i, k] = found[i]
        return
    z = max(z, 1e-6)
    needed = _fit(a, z, cosines, values, series)
    for i in range(5):
        _series_at(series[i], needed, z, t, size, out[i])


@step
def _series_at(series, needed, z, t, size, out):
    """Clenshaw's recurrence at every point."""
    for k in range(size):
        u = t[k] / z
        later = 0.0
        last = 0.0
        for i in range(needed - 1, 0, -1):
            now = series[i] + 2.0 * u * last - later
            later = last
            last = now
        out[k] = series[0] + u * last - later

"""Sums over the Gaussians of one case, compiled: density, probability above and below, quantiles.

Each compiled file of this room is complete in itself but for `nepers.gibbs`: so its machine code, which is
kept on disk, is made anew when it changes.
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import inner, kernel, summing


def _gaussian_tail():
    """Powers of (z - 4)/(z + 4) in exp(z^2/2) P(Z > z), z >= 0: to 2e-10 of it up to z = 40."""
    from scipy.special import erfcx

    count = 16
    angle = np.pi * (np.arange(count) + 0.5) / count
    t = np.cos(angle)
    z = 4.0 * (1.0 + t) / (1.0 - t)
    series = np.polynomial.chebyshev.Chebyshev.fit(t, 0.5 * erfcx(z / math.sqrt(2.0)), count - 1, [-1.0, 1.0])
    return np.ascontiguousarray(np.polynomial.chebyshev.cheb2poly(series.coef))


TAIL = _gaussian_tail()


@inner
def _upper(z, tail):
    """P(Z > z), by relative error."""
    size = abs(z)
    t = (size - 4.0) / (size + 4.0)
    p = tail[15]
    for i in range(14, -1, -1):
        p = p * t + tail[i]
    p *= vector_math.exp(-0.5 * size * size)
    return p if z >= 0.0 else 1.0 - p


@summing
def _upper_sum(weight, place, scale, u, tail):
    total = 0.0
    for i in range(weight.size):
        total += weight[i] * _upper((u - place[i]) * scale[i], tail)
    return total


@summing
def _lower_sum(weight, place, scale, u, tail):
    total = 0.0
    for i in range(weight.size):
        total += weight[i] * _upper((place[i] - u) * scale[i], tail)
    return total


@summing
def _density_sum(weight, place, scale, u):
    total = 0.0
    for i in range(weight.size):
        z = (u - place[i]) * scale[i]
        total += weight[i] * scale[i] * vector_math.exp(-0.5 * z * z)
    return total


@kernel
def sums(what, weight, place, scale, u, tail, out):
    """For each u the mixture's density (0), probability above (1) or below (2)."""
    for k in range(u.size):
        if what == 0:
            out[k] = _density_sum(weight, place, scale, u[k]) * 0.3989422804014327
        elif what == 1:
            out[k] = _upper_sum(weight, place, scale, u[k], tail)
        else:
            out[k] = _lower_sum(weight, place, scale, u[k], tail)


@kernel
def quantiles(weight, place, scale, low, high, p, tail, out):
    """Where the probability below is p, within [low, high], by Newton's steps kept inside the bracket."""
    for k in range(p.size):
        a = low
        b = high
        u = 0.5 * (a + b)
        for _turn in range(200):
            # from the smaller side, so that far quantiles keep their digits
            if p[k] <= 0.5:
                miss = _lower_sum(weight, place, scale, u, tail) - p[k]
            else:
                miss = (1.0 - p[k]) - _upper_sum(weight, place, scale, u, tail)
            if miss > 0.0:
                b = u
            else:
                a = u
            slope = _density_sum(weight, place, scale, u) * 0.3989422804014327
            new = u - miss / slope if slope > 0.0 else a
            if not (a < new < b):
                new = 0.5 * (a + b)
            if abs(new - u) <= 1e-11 * (1.0 + abs(u)):
                u = new
                break
            u = new
        out[k] = u

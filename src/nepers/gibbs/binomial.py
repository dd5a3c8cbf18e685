"""Binomial draws, exact whatever the number.

Where few are expected, by inversion; elsewhere by Hormann's transformed rejection (1993, BTRS): a proposal
k = floor((2a/(1/2 - |u|) + b) u + n p + 1/2) with uniform u, b and a fitted to the spread, accepted at once
in the middle of its range and else by comparing with the probability itself.
"""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.stream import uniform

_FEW = 10.0  # expected
_NEVER = 1e-15  # expected: no run will see it happen


@step
def _by_inversion(stream, n, p):
    odds = p / (1.0 - p)
    none = math.exp(n * math.log1p(-p))
    u = uniform(stream)
    k = 0.0
    chance = none
    while u > chance and k < n:
        u -= chance
        k += 1.0
        chance *= odds * (n + 1.0 - k) / k
        if chance == 0.0:  # what is left of u is its rounding
            return k
    return k


@step
def _log_chance(n, k, log_odds):
    """log of the probability of k, up to a constant."""
    return k * log_odds - log_gamma_function(k + 1.0) - log_gamma_function(n - k + 1.0)


@step
def _by_rejection(stream, n, p):
    spread = math.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    inside = 0.92 - 4.2 / b
    factor = (2.83 + 5.1 / b) * spread
    log_odds = math.log(p / (1.0 - p))
    top = _log_chance(n, math.floor((n + 1.0) * p), log_odds)
    while True:
        v = uniform(stream)
        u = uniform(stream) - 0.5
        side = 0.5 - abs(u)
        k = math.floor((2.0 * a / side + b) * u + n * p + 0.5)
        if k < 0.0 or k > n:
            continue
        if side >= 0.07 and v <= inside:
            return k
        if math.log(v * factor / (a / (side * side) + b)) <= _log_chance(n, k, log_odds) - top:
            return k


@step
def binomial(stream, n, p):
    """How many of n happen, each with probability p; n is a whole number, as a float."""
    if n * p < _NEVER:
        return 0.0
    if p >= 1.0:
        return n
    rare = p if p <= 0.5 else 1.0 - p
    k = _by_inversion(stream, n, rare) if n * rare < _FEW else _by_rejection(stream, n, rare)
    return k if p <= 0.5 else n - k

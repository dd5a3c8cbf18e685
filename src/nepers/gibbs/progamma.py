"""Exact draws from the proGamma distributions of types 1 and 2.

Their log density g is concave, so the least of three of its tangents lies above it everywhere: a proposal
from that envelope is accepted with probability exp(g - envelope). The tangents touch at the mode and on
either side of it; any other place would be as exact and only slower.
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs.compiled import step
from nepers.gibbs.special import digamma_trigamma, log_gamma_function
from nepers.gibbs.stream import uniform

_REACH = 1.4  # distance of the outer tangents, in standard deviations at the mode


@step
def log_progamma(m, a, b, N, kind):
    """g(m), up to a constant."""
    half = 0.5 * (N - 1)
    base = m - 1.0 if kind == 1 else m + half
    total = -(a + N * b) * m + N * b * (m + half) * math.log(base)
    for j in range(N):
        total -= b * log_gamma_function(m + 0.5 * j)
    return total


@step
def _slopes(m, a, b, N, kind):
    """g'(m) and g''(m)."""
    half = 0.5 * (N - 1)
    if kind == 1:
        base = m - 1.0
        ratio = (m + half) / base
        first = N * b * (math.log(base) + ratio)
        second = N * b * (2.0 - ratio) / base
    else:
        base = m + half
        first = N * b * (math.log(base) + 1.0)
        second = N * b / base
    for j in range(N):
        one, two = digamma_trigamma(m + 0.5 * j)
        first -= b * one
        second -= b * two
    return first - (a + N * b), second


@step
def _near_mode(a, b, N, kind, lower, guess):
    """A point near the mode and a width; at the lower end when g falls from there on.

    Newton's method on the logarithm of the distance from the lower end, with its step held within a
    factor of ten.
    """
    d = guess - lower
    width = d
    for _ in range(60):
        first, second = _slopes(lower + d, a, b, N, kind)
        change = first * d
        curvature = -(second * d * d + change)
        move = change / curvature if curvature > 0.0 else (1.0 if change > 0.0 else -1.0)
        move = min(max(move, -2.3), 2.3)
        d *= math.exp(move)
        width = 1.0 / math.sqrt(-second) if second < 0.0 else d
        if abs(move) * d < 0.1 * width or d < 1e-12:
            break
    return d, width


@step
def _piece_area(height, slope, start, end):
    """The integral of exp(height + slope (x - start)) from start to end, which may be infinite."""
    if math.isinf(end):
        return -math.exp(height) / slope
    e = slope * (end - start)
    if abs(e) < 1e-8:
        return math.exp(height) * (end - start)
    return math.exp(height) * math.expm1(e) / slope


@step
def _place_in_piece(u, slope, start, end):
    """Where the fraction u of such a piece's area has been passed."""
    if math.isinf(end):
        return start + math.log1p(-u) / slope
    e = slope * (end - start)
    if abs(e) < 1e-8:
        return start + u * (end - start)
    if e > 0.0:
        return end + math.log(u + (1.0 - u) * math.exp(-e)) / slope
    return start + math.log1p(u * math.expm1(e)) / slope


@step
def draw_progamma(stream, a, b, N, kind, lower, guess, desk):
    """One draw, m > lower. `guess` is any value above lower."""
    d, width = _near_mode(a, b, N, kind, lower, guess)
    reach = 1.0 + _REACH * width / d
    touch = desk.touch
    height = desk.height
    slope = desk.slope
    start = desk.start
    area = desk.area
    touch[0] = lower + d / reach
    touch[1] = lower + d
    touch[2] = lower + d * reach
    while True:
        for i in range(3):
            slope[i], _ = _slopes(touch[i], a, b, N, kind)
        if slope[2] < 0.0:
            break
        touch[2] = lower + 3.0 * (touch[2] - lower)
    for i in range(3):
        height[i] = log_progamma(touch[i], a, b, N, kind)
    top = height[1]
    # where neighbouring tangents meet
    start[0] = lower
    for i in range(1, 3):
        gap = slope[i - 1] - slope[i]
        meet = touch[i]
        if gap > 1e-14 * (abs(slope[i - 1]) + abs(slope[i])):
            meet = (height[i] - height[i - 1] + slope[i - 1] * touch[i - 1] - slope[i] * touch[i]) / gap
        start[i] = min(max(meet, touch[i - 1]), touch[i])
    for i in range(3):
        height[i] += slope[i] * (start[i] - touch[i]) - top
        area[i] = _piece_area(height[i], slope[i], start[i], start[i + 1] if i < 2 else np.inf)
    total = area[0] + area[1] + area[2]
    while True:
        place = uniform(stream) * total
        i = 0
        while i < 2 and place > area[i]:
            place -= area[i]
            i += 1
        u = min(place / area[i], 1.0)
        m = _place_in_piece(u, slope[i], start[i], start[i + 1] if i < 2 else np.inf)
        envelope = height[i] + slope[i] * (m - start[i])
        if m > lower and math.log(uniform(stream)) < log_progamma(m, a, b, N, kind) - top - envelope:
            return m

"""Exact draws from the proGamma distributions of types 1 and 2.

Their log density g is concave, so the least of three of its tangents lies above it everywhere: a proposal
from that envelope is accepted with probability exp(g - envelope). The tangents touch at the mode and on
either side of it; any other place would be as exact and only slower.

Everything is in terms of d = m - lower, which may be far smaller than the rounding error of m.
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs.compiled import step
from nepers.gibbs.special import digamma_trigamma, log_gamma_function
from nepers.gibbs.stream import uniform

_CLIMB = 0.5  # g rises by about this over its width where the mode is half a width away
_REACH = 1.4  # distance of the outer tangents, in standard deviations at the mode


@step
def log_progamma(d, lower, a, b, N, kind):
    """g at m = lower + d, up to a constant."""
    half = 0.5 * (N - 1)
    m = lower + d
    base = (lower - 1.0) + d if kind == 1 else m + half
    total = -(a + N * b) * m + N * b * (m + half) * math.log(base)
    for j in range(N):
        total -= b * log_gamma_function(m + 0.5 * j)
    return total


@step
def _slopes(d, lower, a, b, N, kind):
    """g' and g''."""
    half = 0.5 * (N - 1)
    m = lower + d
    if kind == 1:
        base = (lower - 1.0) + d
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
    """A point near the mode and a width, both as d; near 0 when g falls from the lower end on.

    Newton's method on log d, with its step held within a factor of ten.
    """
    d = guess
    width = d
    for _ in range(200):
        first, second = _slopes(d, lower, a, b, N, kind)
        change = first * d
        curvature = -(second * d * d + change)
        move = change / curvature if curvature > 0.0 else (1.0 if change > 0.0 else -1.0)
        move = min(max(move, -2.3), 2.3)
        d *= math.exp(move)
        width = 1.0 / math.sqrt(-second) if second < 0.0 else d
        if first * width > _CLIMB:
            continue
        # so near the lower end nothing of g can be seen, unless it is steep there
        if abs(move) * d < 0.1 * width or (d < 1e-12 and abs(first) * d < 0.1) or d < 1e-250:
            break
    return d, width


@step
def log_progamma_integral(a, b, N, kind, lower, guess):
    """log of the integral of exp(g), by the trapezoidal rule in log d, out to e^-40 of the greatest term."""
    d, _ = _near_mode(a, b, N, kind, lower, guess)
    first, second = _slopes(d, lower, a, b, N, kind)
    h = 0.25 / math.sqrt(max(1.0, -(second * d * d + first * d)))
    top = log_progamma(d, lower, a, b, N, kind) + math.log(d)
    total = 1.0
    for side in range(2):
        sign = 1.0 if side == 0 else -1.0
        k = 1
        while True:
            place = d * math.exp(sign * k * h)
            e = log_progamma(place, lower, a, b, N, kind) + math.log(place) - top
            # so written, what is not a number ends it
            if not e > -40.0:
                break
            total += math.exp(e)
            k += 1
    return top + math.log(total * h)


@step
def _piece_area(height, slope, start, end):
    """The integral of exp(height + slope (x - start)) from start to end, which may be infinite."""
    if math.isinf(end):
        return -math.exp(height) / slope
    e = slope * (end - start)
    if abs(e) < 1e-8:
        return math.exp(height) * (end - start)
    if e > 0.0:
        # from the higher end, since expm1(e) may overflow where exp(height) underflows
        return -math.exp(height + e) * math.expm1(-e) / slope
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
    """One draw of d = m - lower. `guess` is any positive value."""
    d, width = _near_mode(a, b, N, kind, lower, guess)
    reach = 1.0 + _REACH * width / d
    touch = desk.touch
    height = desk.height
    slope = desk.slope
    start = desk.start
    area = desk.area
    touch[0] = d / reach
    touch[1] = d
    touch[2] = d * reach
    for i in range(3):
        slope[i], _ = _slopes(touch[i], lower, a, b, N, kind)
    while slope[2] >= 0.0:
        touch[2] *= 3.0
        slope[2], _ = _slopes(touch[2], lower, a, b, N, kind)
    for i in range(3):
        height[i] = log_progamma(touch[i], lower, a, b, N, kind)
    top = height[1]
    # where neighbouring tangents meet
    start[0] = 0.0
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
        d = _place_in_piece(u, slope[i], start[i], start[i + 1] if i < 2 else np.inf)
        envelope = height[i] + slope[i] * (d - start[i])
        # so written, what is not a number is returned, and found by who runs the chains
        if d <= 0.0 or math.log(uniform(stream)) >= log_progamma(d, lower, a, b, N, kind) - top - envelope:
            continue
        return d

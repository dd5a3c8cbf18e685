"""The common scale of a component's alphas, moved together with its S and nu.

Multiplying every alpha of a component by g, S by 1/g and nu by sqrt(g) leaves the density of its cases as it
is, so the scale mixes slowly when they are drawn one after another. Along this orbit y = log g has the log
density

    p y - a e^y - b e^-y,  p = m count - N (m_S - 1) - N (N+1)/2,  a = r sum(alpha),  b = (m_S - 1) tr(R_S S),

which is concave. It is drawn exactly, under an envelope that is flat over the mode with a tangent on either
side.
"""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.linear import trace_of_product
from nepers.gibbs.stream import uniform


@step
def draw_log_scale(stream, p, a, b):
    """A draw of y."""
    root = math.sqrt(p * p + 4.0 * a * b)
    # e^mode, without cancellation
    top = (p + root) / (2.0 * a) if p > 0.0 else 2.0 * b / (root - p)
    mode = math.log(top)
    up = a * top
    down = b / top
    reach = 1.4 / math.sqrt(root)
    # f - f(mode) and its slope at mode + reach and mode - reach
    e = math.expm1(reach)
    d = math.expm1(-reach)
    right_slope = p - up * (1.0 + e) + down * (1.0 + d)
    left_slope = p - up * (1.0 + d) + down * (1.0 + e)
    right_end = reach - (p * reach - up * e - down * d) / right_slope
    left_end = -reach - (-p * reach - up * d - down * e) / left_slope
    left_area = 1.0 / left_slope
    flat_area = right_end - left_end
    total = left_area + flat_area - 1.0 / right_slope
    while True:
        place = uniform(stream) * total - left_area
        envelope = 0.0
        y = left_end + place
        if place < 0.0:
            envelope = math.log(uniform(stream))
            y = left_end + envelope / left_slope
        elif place > flat_area:
            envelope = math.log(uniform(stream))
            y = right_end + envelope / right_slope
        f = p * y - up * math.expm1(y) - down * math.expm1(-y)
        # so written, what is not a number is returned, and found by who runs the chains
        if math.log(uniform(stream)) >= f - envelope:
            continue
        return mode + y


@step
def draw_scale(stream, upper, component, sums):
    """Move along the orbit: changes S, nu and the sums of a component that has cases."""
    N = component.mu.size
    p = component.m * sums.count - N * upper.r_S - 0.5 * N * (N + 1)
    a = component.r * sums.alpha
    b = upper.r_S * trace_of_product(upper.R_S, component.S)
    move_along_orbit(component, sums, draw_log_scale(stream, p, a, b))


@step
def move_along_orbit(component, sums, y):
    """Multiply the alphas by e^y, with what belongs to it."""
    N = component.mu.size
    g = math.exp(y)
    root = math.sqrt(g)
    sums.alpha *= g
    sums.root *= root
    sums.log += sums.count * y
    for i in range(N):
        component.nu[i] *= root
        sums.alpha_x[i] *= g
        sums.root_x[i] *= root
        for j in range(N):
            component.S[i, j] /= g
            sums.alpha_xx[i, j] *= g

"""alpha of each case given its component, drawn exactly.

Given the component, s = sqrt(alpha (2r + q)) has the log-concave density s^a exp(-s^2/2 + t s), whose
mode is s0 = (t + sqrt(t^2 + 4a))/2 and whose logarithm, from the mode, is

    f(s) = a (log(s/s0) - (s - s0)/s0) - (s - s0)^2 / 2.

The envelope is flat over the mode with the tangents at s0 e and s0 / e on either side,
e = 1 + sqrt(2)/sqrt(s0^2 + a); about seven proposals in eight are accepted.

Under a power of the Gaussian factor (`nepers.evidence`) a may lie between -1 and 0, where the density has a
pole at zero: `draw_root_with_pole`.
"""

from __future__ import annotations

import math

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.stream import log_gamma, uniform, uniforms

LANES = 32
_SQRT_2 = 1.4142135623730951


@inner
def propose_root(a, t, u, v, w):
    """A proposal for s from three uniforms; negative when it is not accepted."""
    s0 = 0.5 * (t + math.sqrt(t * t + 4.0 * a)) if t > 0.0 else 2.0 * a / (math.sqrt(t * t + 4.0 * a) - t)
    e = 1.0 + _SQRT_2 / math.sqrt(s0 * s0 + a)
    log_e = vector_math.log(e)
    right = s0 * e
    left = s0 / e
    # the slopes of f at the two points, and where the tangents reach the height of the mode
    right_step = right - s0
    left_step = left - s0
    right_slope = -right_step * (a / (right * s0) + 1.0)
    left_slope = -left_step * (a / (left * s0) + 1.0)
    right_end = right - (a * (log_e - right_step / s0) - 0.5 * right_step * right_step) / right_slope
    left_end = left - (a * (-log_e - left_step / s0) - 0.5 * left_step * left_step) / left_slope
    right_area = -1.0 / right_slope
    left_area = 1.0 / left_slope
    flat_area = right_end - left_end
    place = u * (left_area + flat_area + right_area) - left_area
    log_v = vector_math.log(v)
    beyond = place > flat_area
    before = place < 0.0
    slope = right_slope if beyond else left_slope
    end = right_end if beyond else left_end
    in_tail = beyond or before
    s = end + log_v / slope if in_tail else left_end + place
    envelope = log_v if in_tail else 0.0
    positive = s if s > 1e-300 else 1e-300
    f = a * (vector_math.log(positive / s0) - (s - s0) / s0) - 0.5 * (s - s0) * (s - s0)
    # so written, what is not a number is accepted, and found by who runs the chains
    refused = vector_math.log(w) >= f - envelope or s <= 0.0
    return -1.0 if refused else s


@step
def draw_roots(stream, size, a, t, u, waiting, proposal, s):
    """s for each of a block of cases: all proposed at once, then the refused ones again until none is left.

    The a and t of the cases that wait are moved to the front of a and t, which are lost. Lists are filled up
    to a whole number of LANES, since the odd ones at the end of a vector loop are slow; u, waiting, proposal
    are space to work in.
    """
    for k in range(size):
        waiting[k] = k
    left = size
    while left > 0:
        full = (left + LANES - 1) // LANES * LANES
        for i in range(left, full):
            a[i] = a[0]
            t[i] = t[0]
        uniforms(stream, u, 3 * full)
        _propose_roots(full, a, t, u[:full], u[full : 2 * full], u[2 * full : 3 * full], proposal)
        refused = 0
        for i in range(left):
            k = waiting[i]
            s[k] = proposal[i]
            waiting[refused] = k
            a[refused] = a[i]
            t[refused] = t[i]
            refused += 1 if proposal[i] < 0.0 else 0
        left = refused


@step
def _propose_roots(size, a, t, u, v, w, out):
    for i in range(size):
        out[i] = propose_root(a[i], t[i], u[i], v[i], w[i])


@step
def draw_root_with_pole(stream, a, t):
    """s for -1 < a <= 0: proposed from s^a exp(-(1 - c) s^2/2), or for t far below zero from s^a exp(t s).

    For t > 0, exp(t s - c s^2/2) is at most exp(t^2/2c), and c is where most proposals are accepted.
    """
    power = a + 1.0
    if t < -1.0:
        while True:
            s = math.exp(log_gamma(stream, power)) / -t
            if math.log(uniform(stream)) < -0.5 * s * s:
                return s
    c = 0.0
    if t > 0.0:
        c = 2.0 * t / (t + math.sqrt(t * t + 4.0 * power))
    while True:
        s = math.sqrt(2.0 / (1.0 - c)) * math.exp(0.5 * log_gamma(stream, 0.5 * power))
        most = 0.5 * t * t / c if c > 0.0 else 0.0
        if math.log(uniform(stream)) < t * s - 0.5 * c * s * s - most:
            return s

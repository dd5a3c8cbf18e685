"""A standard normal between two ends, either of which may be infinite."""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.stream import normal, uniform

_WIDE = 2.5066282746310002  # sqrt(2 pi)


@step
def _beyond(stream, a, b):
    """Between 0 <= a < b: under an exponential (Robert 1995), or a constant where that hardly falls."""
    slope = 0.5 * (a + math.sqrt(a * a + 4.0))
    span = slope * (b - a)
    while True:
        if span > 1.0:
            x = a - math.log1p(-uniform(stream) * -math.expm1(-span)) / slope
            log_accepted = -0.5 * (x - slope) * (x - slope)
        else:
            x = a + (b - a) * uniform(stream)
            log_accepted = -0.5 * (x - a) * (x + a)
        # so written, what is not a number is returned, and found by who runs the chains
        if math.log(uniform(stream)) >= log_accepted:
            continue
        return x


@step
def draw_truncated(stream, a, b):
    """A draw between a < b."""
    if b <= 0.0:
        return -_beyond(stream, -b, -a)
    if not a < 0.0:
        return _beyond(stream, a, b)
    if b - a > _WIDE:
        while True:
            x = normal(stream)
            if a <= x <= b:
                return x
    while True:
        x = a + (b - a) * uniform(stream)
        if math.log(uniform(stream)) >= -0.5 * x * x:
            continue
        return x

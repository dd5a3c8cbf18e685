"""One sweep of the sampler, and a run of sweeps."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nepers.gibbs.cases import make_bench, pass_over_cases
from nepers.gibbs.compiled import kernel, step
from nepers.gibbs.count import draw_count, gather_filled
from nepers.gibbs.density import derive
from nepers.gibbs.gaussians import make_desk
from nepers.gibbs.location import draw_location
from nepers.gibbs.precision import draw_precision
from nepers.gibbs.shape import draw_shape
from nepers.gibbs.skewness import draw_skewness
from nepers.gibbs.state import with_room
from nepers.gibbs.upper import draw_upper
from nepers.gibbs.weights import draw_weights

_INNER = 3


@step
def draw_components(stream, constants, upper, components, sums, filled, desk, tangents):
    """Filled components and the levels above them, given the sums; then empty ones from their prior."""
    for _ in range(_INNER):
        for c in range(filled):
            draw_location(stream, constants, upper, components, sums, c, desk)
            draw_precision(stream, constants, upper, components, sums, c, desk)
        draw_upper(stream, constants, upper, components, filled, desk, tangents)
    for c in range(filled, components.C[0]):
        draw_location(stream, constants, upper, components, sums, c, desk)
        draw_precision(stream, constants, upper, components, sums, c, desk)
    for c in range(components.C[0]):
        draw_skewness(stream, constants, components, sums, c, desk)
        draw_shape(stream, constants, components, sums, c, tangents)

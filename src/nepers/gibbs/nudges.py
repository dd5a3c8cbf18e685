"""Nudges: a component is moved a little, with the allocations and alphas of all cases integrated out.

Given the alphas of very many cases a component's m and S are all but fixed, so the Gibbs steps walk slowly
among values that the cases allow. Where the cases are points with weights, the likelihood itself is cheap,
and a Metropolis-Hastings step does not know how many cases there are. In the coordinates y of `splits`, y
moves by s d, with d from the logistic densities there, and s between 10^-4 and 1, evenly in its logarithm, as
the posterior's width is not known; in one coordinate, or in all at once. All but the step of mu, whose unit
is the component's own width, are symmetric.
"""

from __future__ import annotations

import math

from nepers.gibbs.change import keep_all, log_likelihood_ratio, make_change
from nepers.gibbs.compiled import step
from nepers.gibbs.splits import (
    _LOCATION,
    _draw_difference,
    _log_logistic,
    _place,
    log_component_prior,
)
from nepers.gibbs.stream import uniform

_LOG_LEAST = -9.210340371976182  # log 10^-4


@step
def _one_coordinate(which, difference):
    """Leave only one coordinate of the difference, of four in one dimension; or all, from 4 on."""
    if which < 4:
        difference.mu[0] *= 1.0 if which == 0 else 0.0
        difference.U[0, 0] *= 1.0 if which == 1 else 0.0
        difference.w[0] *= 1.0 if which == 2 else 0.0
        difference.m *= 1.0 if which == 3 else 0.0


@step
def nudge(
    stream,
    x,
    weight,
    constants,
    upper,
    components,
    C,
    fresh,
    table,
    desk,
    bench,
    log_density,
    new_log_density,
):
    """Whether a component was moved; then `new_log_density` holds the points'. For one dimension."""
    keep_all(components, C)
    old = components[int(uniform(stream) * C)]
    difference = fresh[2]
    _draw_difference(stream, old, difference)
    _one_coordinate(int(8.0 * uniform(stream)), difference)
    scale = math.exp(_LOG_LEAST * uniform(stream))
    new = fresh[0]
    _place(constants, old, difference, scale, new, table)
    new.log_p = old.log_p
    old.touched = 1
    old.next_log_p = -math.inf
    log_ratio = log_component_prior(constants, upper, new, desk)
    log_ratio -= log_component_prior(constants, upper, old, desk)
    distance = difference.mu[0]  # of mu, in units of the scale
    if distance != 0.0:
        log_ratio += _log_logistic(new.U[0, 0] * distance, _LOCATION) + math.log(new.U[0, 0])
        log_ratio -= _log_logistic(old.U[0, 0] * distance, _LOCATION) + math.log(old.U[0, 0])
    log_ratio += log_likelihood_ratio(
        x, components, C, fresh, 1, 1.0, bench, log_density, new_log_density, weight
    )
    if math.log(uniform(stream)) < log_ratio:
        make_change(components, C, fresh, 1)
        return True
    return False

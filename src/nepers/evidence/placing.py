"""Where the stations of the way are, by the work between them, and the states that a ladder begins with.

Walkers begin as draws from the prior and go the way together. Each next station is the farthest at which
their weights, the likelihood's gain, are worth a stated share of their number: where the gain is Gaussian of
variance v that share is e^-v.

From the exchanges that a run rejected the stations are placed anew. The share rejected in a step is about its
length (Syed and others 2021), so stations that divide the sum of those shares evenly make all steps as hard.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from nepers.evidence.ladder import visit
from nepers.evidence.way import Way
from nepers.gibbs.replica import Replica

Array = NDArray[np.float64]

_SHARE = 0.4
_SWEEPS = 3
_LEAST = 1e-9  # the first power, where not even this is low enough
_FLOOR = 1e-3  # the length of a step that was never rejected


def walk(x: Array, first_cases: int, walkers: list[Replica], rng: np.random.Generator) -> Way:
    """Take the walkers from the prior to the posterior given x (N, n); returns the way they took."""
    for walker in walkers:
        walker.draw_from_prior()
    powers, sizes = [0.0], [first_cases]
    first = np.ascontiguousarray(x[:, : sizes[0]])
    while powers[-1] < 1.0:
        before = np.array([w.log_likelihood(first, powers[-1]) for w in walkers])
        power, gain = _next_power(first, walkers, before, powers[-1])
        powers.append(power)
        _go_on(Way(x, np.array(powers), np.array(sizes)), walkers, gain, rng)
    while sizes[-1] < x.shape[1]:
        size, gain = _next_size(x, walkers, sizes[-1])
        sizes.append(size)
        _go_on(Way(x, np.array(powers), np.array(sizes)), walkers, gain, rng)
    return Way(x, np.array(powers), np.array(sizes))


def placed(way: Way, rejected: Array, share: float) -> Way:
    """The way with stations anew, so that each step has about this share of exchanges rejected."""
    length = np.maximum(rejected, _FLOOR)
    turn = way.powers.size - 1
    # the lowest power but 0 may be tiny, and between it and 0 there is no scale: the logs are interpolated
    logs = np.log(np.maximum(way.powers, 0.1 * way.powers[1]))
    powers = np.exp(_divided(logs, length[:turn], share))
    powers[0], powers[-1] = 0.0, 1.0
    sizes = way.sizes
    if sizes.size > 1:
        sizes = np.unique(np.rint(np.exp(_divided(np.log(sizes), length[turn:], share))).astype(np.int64))
    return Way(way.x, powers, sizes)


def _divided(coordinate: Array, length: Array, share: float) -> Array:
    done = np.concatenate([[0.0], np.cumsum(length)])
    steps = max(1, math.ceil(done[-1] / share))
    return np.asarray(np.interp(np.linspace(0.0, done[-1], steps + 1), done, coordinate))


def _next_power(first: Array, walkers: list[Replica], before: Array, power: float) -> tuple[float, Array]:
    def gain(log_power: float) -> Array:
        return np.array([w.log_likelihood(first, math.exp(log_power)) for w in walkers]) - before

    log_power = _farthest(gain, math.log(max(power, _LEAST)), 0.0, 1e-3)
    return math.exp(log_power), gain(log_power)


def _next_size(x: Array, walkers: list[Replica], size: int) -> tuple[int, Array]:
    def gain(other: float) -> Array:
        block = np.ascontiguousarray(x[:, size : round(other)])
        return np.array([w.log_likelihood(block, 1.0) for w in walkers])

    found = max(size + 1, math.floor(_farthest(gain, size + 1, x.shape[1], 0.5)))
    return found, gain(found)


def _farthest(gain: Callable[[float], Array], low: float, high: float, tolerance: float) -> float:
    """The greatest value at which the weights are worth enough; `low` where nowhere beyond it they are."""
    if _worth(gain(high)) > _SHARE:
        return high
    while high - low > tolerance:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _worth(gain(middle)) > _SHARE else (low, middle)
    return low


def _worth(gain: Array) -> float:
    weight = np.exp(gain - gain.max())
    return float(weight.mean() ** 2 / (weight**2).mean())


def _go_on(way: Way, walkers: list[Replica], gain: Array, rng: np.random.Generator) -> None:
    """Choose walkers by the weights of the last step, and let them move on at its end."""
    weight = np.exp(gain - gain.max())
    chosen = rng.choice(len(walkers), len(walkers), p=weight / weight.sum())
    states = [(walkers[i].upper.copy(), walkers[i].components.copy()) for i in chosen]
    for walker, state in zip(walkers, states, strict=True):
        walker.take(*state)
        visit(way, way.steps, walker, _SWEEPS)

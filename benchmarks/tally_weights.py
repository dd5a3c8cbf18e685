"""The posterior from every case, by reweighting draws of the posterior from their tally.

A draw theta of the latter counts in the former with the weight

    L_cases(theta) / L_tally(theta),

as the prior is the same. So the two posteriors are compared draw by draw: what the chains do not know of J
is common to both, and small differences are seen. No chain on the cases has to converge. What the weights
cannot show is mass where the tally has none: components narrower than its bins tell (`nepers.gibbs.narrow`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.gibbs.cases import make_bench, mixture_density
from nepers.gibbs.compiled import kernel
from nepers.gibbs.density import derive
from nepers.gibbs.gaps import BLOCK

Array = NDArray[np.float64]


@kernel
def _densities(x, components, C, shape_type, table, out):
    bench = make_bench(components.size)
    for c in range(C):
        derive(components[c], shape_type, table, 1.0)
    for start in range(0, x.shape[1], BLOCK):
        mixture_density(x, None, start, min(BLOCK, x.shape[1] - start), components, C, bench, out)


def log_weights(draws: Any, chosen: Array, cases: Array, points: Array, count: Array) -> Array:
    """The logs of the weights of the chosen draws, counted chain by chain."""
    from nepers.gibbs.records import component_type
    from nepers.gibbs.tilt import tilt_table

    x = np.concatenate([cases, points])[None, :]
    density, table = np.empty(x.size), tilt_table()
    found = np.empty(chosen.size)
    for i, draw in enumerate(chosen):
        chain, k = divmod(int(draw), draws.draws)
        C, first = int(draws.C[chain, k]), int(draws.first[chain, k])
        components = np.zeros(C, component_type(1))
        rows = slice(first, first + C)
        components["log_p"] = np.log(draws.p[rows])
        for name in ("mu", "nu", "S", "m"):
            components[name] = getattr(draws, name)[rows]
        _densities(x, components, C, draws.shape_type, table, density)
        found[i] = density[: cases.size].sum() - count @ density[cases.size :]
    return found


@dataclass(frozen=True)
class Compared:
    """The tally's answer less that of the cases, in sd of J: mean and both ends, each with its error."""

    off: Array
    error: Array
    worth: float  # the share of the draws that they are worth after reweighting
    mean: float
    sd: float


def compared(J: Array, J_cases: Array, log_weight: Array, independent: float) -> Compared:
    """``J`` and ``J_cases`` are those of the same draws; ``independent`` is how many these are worth."""
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.mean()
    sd = J.std()

    def three(chosen: Array) -> Array:
        mine, theirs, w = J[chosen], J_cases[chosen], weight[chosen]
        here = np.array([mine.mean(), *np.quantile(mine, (0.025, 0.975))])
        there = np.array([np.average(theirs, weights=w), *_quantiles(theirs, w, (0.025, 0.975))])
        return (here - there) / sd

    rng = np.random.default_rng(7)
    size = int(min(independent, J.size))
    again = np.array([three(rng.integers(0, J.size, size)) for _ in range(200)])
    return Compared(
        off=three(np.arange(J.size)),
        error=again.std(axis=0),
        worth=float(1.0 / np.square(weight).mean()),
        mean=float(J.mean()),
        sd=float(sd),
    )


def near_limit(draws: Any, chosen: Array, points: Any, n: float) -> float:
    """The share of draws where a component of at least one case is less than twice as wide as the limit."""
    limit = points.finest**2 * (points.unit**2 + draws.mu[:, 0] ** 2)
    width = draws.r / (draws.m * draws.S[:, 0, 0])
    close = (width < 4.0 * limit) & (draws.p * n > 1.0)
    first, C = draws.first.ravel()[chosen], draws.C.ravel()[chosen]
    return float(np.mean([close[f : f + c].any() for f, c in zip(first, C, strict=True)]))


def _quantiles(values: Array, weight: Array, q: tuple[float, float]) -> Array:
    order = np.argsort(values)
    ends = np.cumsum(weight[order])
    middle = (ends - 0.5 * weight[order]) / ends[-1]
    return np.interp(q, middle, values[order])

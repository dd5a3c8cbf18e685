"""A tally of any number of cases of a known density, made without making the cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.tally import Grid, Tally
from nepers.tally.bins import Bins

Array = NDArray[np.float64]
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(7)
_FEW = 4


def simulated(pdf: Callable[[Array], Any], n: float, rng: np.random.Generator, reach: float = 1e6) -> Tally:
    """The number in each bin is Poisson; up to four lie anywhere in it; more have the bin's own moments."""
    grid = Grid()
    keys = np.arange(-grid.keys(np.array(reach)), grid.keys(np.array(reach)))
    low, high = (grid.unit * np.sinh((keys + e) / grid.steps) for e in (0, 1))
    half = 0.5 * (high - low)[:, None]
    x = 0.5 * (low + high)[:, None] + half * _NODES
    density = pdf(x) * half * _WEIGHTS
    chance = density.sum(axis=1)
    count = rng.poisson(n * chance)
    kept = np.flatnonzero(count)
    rows = []
    for k in kept:
        number = count[k]
        if number <= _FEW:
            j = rng.uniform(low[k], high[k], number)
            rows.append((keys[k], number, j.sum(), (j * j).sum(), j.min(), j.max()))
        else:
            mean = density[k] @ x[k] / chance[k]
            variance = density[k] @ (x[k] - mean) ** 2 / chance[k]
            mean += np.sqrt(variance / number) * rng.normal()
            square = number * (variance + mean**2)
            edge = 1.0 / (number + 1.0) * (high[k] - low[k])
            rows.append((keys[k], number, number * mean, square, low[k] + edge, high[k] - edge))
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    bins = Bins(columns[0].astype(np.int64), columns[1].astype(np.int64), *columns[2:])
    return Tally(grid, bins, largest=float(np.abs(columns[4:]).max()))

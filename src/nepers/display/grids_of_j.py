"""Where curves of j are computed: evenly over the picture, and where the cases are dense."""

from __future__ import annotations

import numpy as np

from nepers.display.sample import Array, Sample

_EVEN, _DENSE = 200, 120


def density_grid(sample: Sample, edges: Array) -> Array:
    """Points over the bins, with quantiles of the unrepeated values, so that no narrow peak is missed."""
    low, high = edges[0], edges[-1]
    points = [np.linspace(low, high, _EVEN)]
    if sample.remainder.size:
        points.append(np.quantile(sample.remainder, np.linspace(0.0, 1.0, _DENSE)))
    every = np.unique(np.concatenate(points))
    return np.asarray(every[(every >= low) & (every <= high)])

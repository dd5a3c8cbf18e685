"""The cases as a histogram of density, behind a curve of density."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nepers.display import canvas
from nepers.display.sample import Array, Sample, bin_edges, window

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class DensityBars(NamedTuple):
    """Bins and the share of all cases in each over its width; atoms are counted as cases but not in bins."""

    edges: Array
    heights: Array


def density_bars(sample: Sample, J_interval: tuple[float, float]) -> DensityBars:
    """The unrepeated values in bins, comparable with a density times the continuous part's probability."""
    edges = bin_edges(sample, *window(sample, J_interval))
    counts = np.histogram(sample.remainder, edges)[0]
    return DensityBars(edges, counts / (max(sample.n, 1) * np.diff(edges)))


def draw_density_bars(ax: Axes, bars: DensityBars, label: str = "the cases") -> None:
    """Grey bars behind everything else."""
    if bars.heights.any():
        ax.stairs(
            bars.heights,
            bars.edges,
            fill=True,
            facecolor=canvas.DATA_FILL,
            edgecolor=canvas.DATA_EDGE,
            linewidth=0.5,
            label=label,
            zorder=0.6,
        )

"""Atoms in a picture: stems as high as the counts or the probabilities of single values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nepers.display import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.display.sample import Array

MOST_HEADS = 40
_MOST_LINES = 200


def draw_stems(
    ax: Axes, values: Array, heights: Array, edges: Array, label: str, colour: str = "black", head: str = "o"
) -> float:
    """A line up from the axis at each value, with a head where there is room; the height of the highest.

    More than 200 would be a black wall: they are summed in bins instead.
    """
    if not values.size:
        return 0.0
    if values.size > _MOST_LINES:
        sums = np.histogram(values, edges, weights=heights)[0]
        ax.stairs(sums, edges, color=colour, linewidth=0.9, label=f"{label}, summed in bins")
        return float(sums.max())
    few = values.size <= MOST_HEADS
    thin = 1.0 if few else 0.4
    ax.vlines(values, 0.0, heights, color=colour, linewidth=thin, label="" if few else label)
    if few:
        ax.plot(values, heights, head, color=colour, markersize=3.5, label=label)
    return float(heights.max())


def probability_axes(ax: Axes, has_density: bool) -> Axes:
    """Where probabilities of single values are drawn: an axis of their own beside one of densities."""
    if not has_density:
        ax.set_ylabel("Probability of a single value")
        return ax
    beside = ax.twinx()
    beside.spines["right"].set_visible(True)
    beside.spines["left"].set_visible(False)
    canvas.plain_numbers(beside)
    size = ax.yaxis.get_tick_params().get("labelsize", None)
    beside.tick_params(axis="y", labelsize=7.0 if size is None else size)
    beside.set_ylabel("Probability of a single value")
    return beside


def headroom(ax: Axes, highest: float) -> None:
    """A vertical axis from 0 to a little more than the highest."""
    ax.set_ylim(0.0, 1.08 * highest if np.isfinite(highest) and highest > 0.0 else 1.0)

"""The distributions of j that some posterior draws stand for (the paper's second figure).

Each draw is a whole distribution, with a mean: that mean is the draw's J. The draws shown are those at the
evenly spread quantiles of J, (i - 1/2)/k for i = 1 ... k: with three, the sixth, the half and five sixths.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nepers.display import canvas, labels
from nepers.display.bars import DensityBars, density_bars, draw_density_bars
from nepers.display.grids_of_j import density_grid
from nepers.display.sample import J_OF_CASE, UNIT, Array, beyond, refusal, sample_of
from nepers.display.stems import MOST_HEADS, draw_stems, headroom, probability_axes
from nepers.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.assessment import Assessment

_MOST = len(canvas.INKS)


class Curve(NamedTuple):
    """One draw: its J, the density on the grid, and the probabilities of the atoms."""

    J: float
    density: Array
    weights: Array


@dataclass(frozen=True, eq=False)
class DensitiesData:
    """The cases as a histogram of density, and the draws' distributions on one grid."""

    bars: DensityBars
    grid: Array
    curves: tuple[Curve, ...]
    atom_values: Array
    atom_shares: Array
    beyond: str | None


def densities_data(assessment: Assessment, draws: int = 3) -> DensitiesData:
    """What `plot_densities` shows."""
    if not 1 <= draws <= min(_MOST, assessment.nats.size):
        raise InputError(f"draws must be from 1 to {min(_MOST, assessment.nats.size)}; it is {draws}")
    sample = sample_of(assessment)
    bars = density_bars(sample, assessment.interval())
    grid = density_grid(sample, bars.edges)
    curves = []
    for draw in spread_draws(assessment, draws):
        one = assessment.density(draw)
        curves.append(Curve(float(assessment.J.flat[draw]), one.pdf(grid), one.atom_weights))
    return DensitiesData(
        bars=bars,
        grid=grid,
        curves=tuple(curves),
        atom_values=sample.atom_values,
        atom_shares=sample.atom_counts / max(sample.n, 1),
        beyond=beyond(sample, grid[0], grid[-1]),
    )


def spread_draws(assessment: Assessment, number: int) -> list[int]:
    """The numbers of the draws at evenly spread quantiles of J."""
    order = np.argsort(assessment.nats, axis=None, kind="stable")
    places = (np.arange(number) + 0.5) / number * order.size
    return [int(order[int(place)]) for place in places]


def plot_densities(assessment: Assessment, draws: int = 3, ax: Axes | None = None) -> Axes:
    """The distribution of j in some posterior draws, evenly spread by their J, over the histogram.

    Values that repeat are stems on an axis of their own, for their share of the cases, with an open mark
    in each draw's ink for the probability that it gives them.
    """
    with canvas.on(ax, height=3.0) as ax:
        nothing = refusal(assessment, needs_cases=False)
        if nothing is not None:
            return labels.message(ax, nothing)
        data = densities_data(assessment, draws)
        continuous = assessment.kinds.has_remainder
        marked = 0 < data.atom_values.size <= MOST_HEADS
        draw_density_bars(ax, data.bars)
        for number, curve in enumerate(data.curves):
            said = _in_words(number, len(data.curves), labels.rounded(curve.J, assessment.sd))
            # where there is no density to draw, an empty line still names the marks of the atoms
            shown = slice(None) if continuous else slice(0)
            own = canvas.line(number) | ({"markevery": [], **_open_mark(number)} if marked else {})
            ax.plot(data.grid[shown], curve.density[shown], label=said, zorder=3.0, **own)
        ax.set_xlim(data.grid[0], data.grid[-1])
        ax.set_xlabel(labels.with_unit(J_OF_CASE, assessment.unit))
        ax.set_ylabel(f"Density (per {UNIT[assessment.unit]})")
        headroom(ax, max([*data.bars.heights, *(c.density.max() for c in data.curves)]))
        beside = probability_axes(ax, continuous) if data.atom_values.size else None
        if beside is not None:
            _draw_atoms(beside, data)
        labels.key(ax, assessment.name, beside=None if beside is ax else beside)
        if data.beyond is not None:
            labels.note(ax, data.beyond)
        return ax


def _in_words(number: int, draws: int, J: str) -> str:
    return f"the draw at quantile {labels.number((number + 0.5) / draws, 2)} of J: J = {J}"


def _open_mark(number: int) -> dict[str, Any]:
    return {"marker": canvas.ink(number).marker, "markersize": 4.5, "fillstyle": "none"}


def _draw_atoms(ax: Axes, data: DensitiesData) -> None:
    said = "the share of a value that repeats"
    highest = draw_stems(ax, data.atom_values, data.atom_shares, data.bars.edges, said)
    if data.atom_values.size <= MOST_HEADS:
        for number, curve in enumerate(data.curves):
            own = {"color": canvas.ink(number).colour, "linestyle": "none", **_open_mark(number)}
            ax.plot(data.atom_values, curve.weights, zorder=3.0, **own)
        highest = max(highest, *(curve.weights.max() for curve in data.curves))
    headroom(ax, highest)

"""What a new case may say by the model against what the cases said. They differ where the model is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nepers.display import canvas, labels
from nepers.display.bars import DensityBars, density_bars, draw_density_bars
from nepers.display.curves import curves_of
from nepers.display.grids_of_j import density_grid
from nepers.display.sample import J_OF_CASE, UNIT, Array, beyond, refusal, sample_of
from nepers.display.stems import MOST_HEADS, draw_stems, headroom, probability_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.assessment import Assessment

_DRAWS = 250


@dataclass(frozen=True, eq=False)
class PredictiveData:
    """The cases as a histogram of density, the predictive density, and the atoms: observed and predictive."""

    bars: DensityBars
    grid: Array
    density: Array
    atom_values: Array
    atom_shares: Array
    atom_weights: Array
    beyond: str | None


def predictive_data(assessment: Assessment) -> PredictiveData:
    """What `plot_predictive` shows."""
    sample = sample_of(assessment)
    bars = density_bars(sample, assessment.interval())
    grid = density_grid(sample, bars.edges)
    return PredictiveData(
        bars=bars,
        grid=grid,
        density=curves_of(assessment, _DRAWS).mean_pdf(grid),
        atom_values=sample.atom_values,
        atom_shares=sample.atom_counts / sample.n,
        atom_weights=assessment.kinds.mean_weights[: sample.atom_values.size],
        beyond=beyond(sample, grid[0], grid[-1]),
    )


def plot_predictive(assessment: Assessment, ax: Axes | None = None) -> Axes:
    """The posterior predictive density of the j of a new case over the histogram of the cases.

    Values that repeat are stems on an axis of their own: a line for their share of the cases, and a cross for
    their predictive probability.
    """
    with canvas.on(ax, height=2.8) as ax:
        nothing = refusal(assessment)
        if nothing is not None:
            return labels.message(ax, nothing)
        data = predictive_data(assessment)
        continuous = assessment.kinds.has_remainder
        draw_density_bars(ax, data.bars)
        if continuous:
            ax.plot(data.grid, data.density, color=canvas.MODEL, label="a new case, by the model", zorder=3.0)
        ax.set_xlim(data.grid[0], data.grid[-1])
        ax.set_xlabel(labels.with_unit(J_OF_CASE, assessment.unit))
        ax.set_ylabel(f"Density (per {UNIT[assessment.unit]})")
        headroom(ax, max(data.bars.heights.max(), data.density.max()))
        beside = probability_axes(ax, continuous) if data.atom_values.size else None
        if beside is not None:
            _draw_atoms(beside, data)
        labels.key(ax, assessment.name, beside=None if beside is ax else beside)
        if data.beyond is not None:
            labels.note(ax, data.beyond)
        return ax


def _draw_atoms(ax: Axes, data: PredictiveData) -> None:
    said = "the share of a value that repeats"
    highest = draw_stems(ax, data.atom_values, data.atom_shares, data.bars.edges, said)
    if data.atom_values.size <= MOST_HEADS:
        own: dict[str, Any] = {"color": canvas.MODEL, "markersize": 5.0, "zorder": 3.0, "linestyle": "none"}
        ax.plot(data.atom_values, data.atom_weights, marker="x", label="its probability, by the model", **own)
        highest = max(highest, data.atom_weights.max())
    headroom(ax, highest)

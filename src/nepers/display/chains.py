"""Are the chains to be believed? Their traces, and how their ranks are spread.

The rank of a draw is its place among the draws of all chains together, as in ArviZ; equal values, which only
the whole number C has, take their places at random. If the chains mix, each chain's ranks are spread evenly:
in every bin a chain has about draws/bins of them. A chain that sits too low piles up on the left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nepers.display import canvas, labels
from nepers.display.sample import Array, refusal

if TYPE_CHECKING:
    from nepers.assessment import Assessment

_MOST_POINTS = 1000  # of a trace
_MOST_BINS, _LEAST_IN_BIN = 20, 10


class Chains(NamedTuple):
    """One quantity: what it is called, its draws (chains, draws), and how well it is known, in words."""

    title: str
    values: Array
    known: str


@dataclass(frozen=True, eq=False)
class Ranks:
    """One quantity: the counts of each chain's ranks in equal bins of all ranks, (chains, bins)."""

    title: str
    counts: NDArray[np.int64]
    even: float  # the count that even ranks have


def chains_data(assessment: Assessment) -> tuple[Chains, ...]:
    """J of the continuous part in the unit of the report, C, and the log likelihood."""
    draws = assessment.draws_in_unit()
    if draws is None:
        return ()
    whole = assessment.kinds.atom_values.size == 0
    J = f"{'J' if whole else 'J of the continuous part'} ({assessment.unit})"
    shown = (
        ("J", J, draws.J[:, :, 0]),
        ("C", "Number of components C", draws.C.astype(np.float64)),
        ("log_likelihood", "Log likelihood", draws.log_likelihood),
    )
    return tuple(Chains(title, x, _known(assessment, name)) for name, title, x in shown)


def _known(assessment: Assessment, name: str) -> str:
    row = assessment.diagnostics[name]
    if row.constant:
        return "the same in every draw"
    return f"R-hat {row.r_hat:.3f}, worth {row.ess_bulk:,.0f} independent draws"


def ranks_data(assessment: Assessment) -> tuple[Ranks, ...]:
    """The spread of the ranks of `chains_data`."""
    return tuple(_ranks(one) for one in chains_data(assessment))


def _ranks(one: Chains) -> Ranks:
    chains, draws = one.values.shape
    bins = int(np.clip(draws // _LEAST_IN_BIN, 1, _MOST_BINS))
    flat = one.values.ravel()
    order = np.lexsort((np.random.default_rng(0).random(flat.size), flat))
    place = np.empty(flat.size, dtype=np.int64)
    place[order] = np.arange(flat.size)
    binned = (place * bins // flat.size).reshape(chains, draws)
    counts = np.stack([np.bincount(row, minlength=bins) for row in binned])
    return Ranks(one.title, counts, draws / bins)


def plot_traces(assessment: Assessment, axes: Any = None) -> Any:
    """The draws of J, C and the log likelihood in the order of drawing, a line for each chain.

    Chains that have settled overlap and have no trend. Three axes, one below the other.
    """
    with canvas.panels(axes, 3, 1, width=canvas.WIDE, height=4.4) as grid:
        nothing = _nothing(assessment)
        if nothing is not None:
            return _refuse(grid[:, 0], nothing)
        for ax, one in zip(grid[:, 0], chains_data(assessment), strict=True):
            every = max(1, -(-one.values.shape[1] // _MOST_POINTS))
            x = np.arange(0, one.values.shape[1], every)
            for number, chain in enumerate(one.values):
                own = {"color": canvas.ink(number).colour, "linewidth": 0.4, "alpha": 0.8}
                ax.plot(x, chain[::every], label=f"chain {number + 1}", **own)
            ax.set_title(f"{one.title}: {one.known}", loc="left")
            ax.set_xlim(0, one.values.shape[1] - 1 or 1)
        _name_chains(grid[0, 0])
        _trace_words(assessment, grid[-1, 0], every)
        return grid[:, 0]


def _name_chains(ax: Any) -> None:
    """Above the title of the first axes."""
    from matplotlib.transforms import ScaledTranslation

    above = ax.transAxes + ScaledTranslation(0.0, 14.0 / 72.0, ax.get_figure(root=True).dpi_scale_trans)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), bbox_transform=above, borderaxespad=0.0, ncols=8)


def _trace_words(assessment: Assessment, last: Any, every: int) -> None:
    last.set_xlabel("Draw" if every == 1 else f"Draw (one in {every} shown)")
    if not assessment.diagnostics.good():
        labels.note(last, " ".join(assessment.diagnostics.problems()[:2]))


def plot_ranks(assessment: Assessment, axes: Any = None) -> Any:
    """How the ranks of each chain's draws are spread among all: at the dotted lines if the chains mix.

    Three axes side by side, for J, C and the log likelihood; in each a row of bars for each chain.
    """
    with canvas.panels(axes, 1, 3, width=canvas.WIDE, height=2.6) as grid:
        nothing = _nothing(assessment)
        if nothing is not None:
            return _refuse(grid[0], nothing)
        for ax, one in zip(grid[0], ranks_data(assessment), strict=True):
            _draw_ranks(ax, one)
        grid[0, 0].set_ylabel("Draws, by chain")
        return grid[0]


def _draw_ranks(ax: Any, one: Ranks) -> None:
    chains, bins = one.counts.shape
    row = 1.15 * max(float(one.counts.max()), 1.0)
    edges = np.linspace(0.0, 1.0, bins + 1)
    for number, counts in enumerate(one.counts):
        foot = row * (chains - 1 - number)
        fill = {"facecolor": canvas.ink(number).colour, "alpha": 0.45, "linewidth": 0.0, "fill": True}
        ax.stairs(foot + counts, edges, baseline=foot, **fill)
        ax.plot([0.0, 1.0], [foot + one.even] * 2, color="black", linewidth=0.7, linestyle=(0, (1, 1.5)))
    middles = [row * (chains - 0.6 - k) for k in range(chains)]
    ax.set_yticks(middles, [f"chain {k + 1}" for k in range(chains)], size=7.0)
    ax.tick_params(axis="y", length=0.0)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, row * chains)
    ax.set_xlabel("Rank among all draws (share)")
    ax.set_title(one.title, loc="left")


def _nothing(assessment: Assessment) -> str | None:
    said = refusal(assessment, needs_cases=False)
    if said is None and assessment.stopped == "independent":
        return "The draws are independent of one another, not from chains: there is nothing to check."
    return said


def _refuse(axes: Any, words: str) -> Any:
    """The words in the middle of the axes, and the others empty."""
    for ax in axes:
        ax.set_axis_off()
    labels.message(axes[axes.size // 2], words)
    return axes

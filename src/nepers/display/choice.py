"""The cases beside sets drawn from the priors between which the evidence is to choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nepers.display import canvas, labels
from nepers.display.sample import J_OF_CASE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.evidence.choice import Choice

Array = NDArray[np.float64]

_REACH = 2.0  # how far beyond the cases the picture goes, in units of their range
_MOST_MARKS = 500
_ROW = 0.22  # inches


@dataclass(frozen=True, eq=False)
class PriorDrawsData:
    """A row of values for the cases and for each set, with its name and its candidate's number.

    The cases' number is -1. ``outside`` counts the values of a row that lie beyond the picture.
    """

    rows: tuple[Array, ...]
    names: tuple[str, ...]
    numbers: tuple[int, ...]
    outside: tuple[int, ...]
    low: float
    high: float


def prior_draws_data(choice: Choice, size: int) -> PriorDrawsData:
    """What `plot_prior_draws` shows."""
    rows, names, numbers = [np.sort(choice.values)], ["the cases"], [-1]
    for number, name in enumerate(choice.names):
        for one in choice.prior_draws(name, size):
            rows.append(np.sort(one))
            names.append(name)
            numbers.append(number)
    low, high = float(choice.values.min(initial=0.0)), float(choice.values.max(initial=0.0))
    pad = _REACH * (high - low) or 1.0
    outside = tuple(int(((row < low - pad) | (row > high + pad)).sum()) for row in rows)
    return PriorDrawsData(tuple(rows), tuple(names), tuple(numbers), outside, low - pad, high + pad)


def plot_prior_draws(choice: Choice, size: int = 4, ax: Axes | None = None) -> Axes:
    """A row of marks for the cases, and below it ``size`` rows for each candidate, sets of as many values.

    Every set is drawn from one draw of the candidate's prior. A candidate whose sets look like the cases in
    spread, lopsidedness, clusters and tails is a fair description of them. How many values lie beyond the
    picture stands at the end of the row.
    """
    data = prior_draws_data(choice, size)
    with canvas.on(ax, width=canvas.WIDE, height=1.0 + _ROW * len(data.rows)) as ax:
        if choice.values.size == 0:
            return labels.message(ax, "There are no cases to compare with.")
        for place, (row, number, beyond) in enumerate(
            zip(data.rows, data.numbers, data.outside, strict=True)
        ):
            colour = canvas.INKS[0].colour if number < 0 else canvas.ink(number + 1).colour
            shown = row[np.unique(np.linspace(0, row.size - 1, min(row.size, _MOST_MARKS)).astype(np.intp))]
            ax.plot(shown, np.full(shown.size, -place), "|", color=colour, markersize=7.0, alpha=0.5)
            if beyond:
                ax.text(1.01, -place, f"{beyond} beyond", transform=ax.get_yaxis_transform(), fontsize=6.5,
                        va="center")  # fmt: skip
        ax.set_xlim(data.low, data.high)
        ax.set_yticks(-np.arange(len(data.rows)), [labels.name(name, 24) for name in data.names])
        ax.set_xlabel(labels.with_unit(J_OF_CASE, "nats"))
        return ax

"""Tables of probabilities as grids of cells, darker for more, with figures where there is room for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nepers.display import canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

WITH_FIGURES = 10  # the most rows that leave room for a number in each cell
_NARROW = 5


def width(rows: int) -> float:
    """Of a new figure, in inches."""
    return canvas.NARROW if rows <= _NARROW else canvas.WIDE


def height(rows: int) -> float:
    """Of a new figure, in inches."""
    return 0.8 + 0.25 * max(rows, 2)


def draw(ax: Axes, values: Array, top: float) -> None:
    """The table from the top down, its columns numbered from 1, with ``top`` the darkest; NaN is a dash."""
    rows, columns = values.shape
    mesh = ax.pcolormesh(
        np.arange(columns + 1) - 0.5,
        np.arange(rows + 1) - 0.5,
        np.ma.masked_invalid(values),
        cmap="Greys",
        vmin=0.0,
        vmax=top,
        edgecolors=canvas.DATA_EDGE,
        linewidth=0.4,
        clip_on=False,
    )
    ax.set_ylim(rows - 0.5, -0.5)
    ax.set_xticks(np.arange(columns), [str(number + 1) for number in range(columns)])
    ax.set_yticks(np.arange(rows))
    ax.tick_params(length=0.0)
    for side in ax.spines.values():
        side.set_visible(False)
    few = rows <= WITH_FIGURES
    for (row, column), p in np.ndenumerate(values):
        if few or np.isnan(p):
            colour = "white" if p > 0.5 * top else "black"
            ax.text(column, row, cell(float(p)), ha="center", va="center", color=colour, fontsize=6.5)
    if not few and (figure := ax.get_figure()) is not None:
        figure.colorbar(mesh, ax=ax, label="Probability", pad=0.12)


def cell(p: float) -> str:
    """A probability in a cell: two decimals, and never 0 or 1, which draws cannot tell."""
    if np.isnan(p):
        return "–"
    return "< .01" if p < 0.005 else "> .99" if p > 0.995 else f"{p:.2f}"

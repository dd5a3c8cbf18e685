"""What every picture is drawn on: axes of a journal's size, one style, inks that survive a grey printer.

    with canvas.on(ax) as ax:       # the axes given, in their owner's style; or new ones, in ours
        ax.plot(x, y, **canvas.line(0))

A new figure belongs to nobody but its axes: pyplot does not know it, so nothing is left open. In a notebook
the axes show themselves; elsewhere ``ax.figure.savefig("name.pdf")``. Texts are in `nepers.display.labels`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NARROW, WIDE = 3.5, 7.2  # inches: one column and two
HEIGHT = 2.5


class Ink(NamedTuple):
    """A colour with the line style and the marker that tell it apart where there is no colour."""

    colour: str
    dashes: Any
    marker: str


# Okabe and Ito's colours but yellow, which white paper swallows, in an order that keeps neighbours apart in
# lightness: 0, 71, 46, 70, 53, 62, 58 of 100
INKS = (
    Ink("#000000", "-", "o"),
    Ink("#E69F00", (0, (5, 1.5)), "s"),
    Ink("#0072B2", (0, (3, 1, 1, 1)), "^"),
    Ink("#56B4E9", (0, (1, 1)), "D"),
    Ink("#D55E00", (0, (7, 2, 2, 2)), "v"),
    Ink("#CC79A7", (0, (2, 2)), "P"),
    Ink("#009E73", (0, (5, 1, 1, 1, 1, 1)), "X"),
)

# what a thing is drawn in wherever it appears
DATA_FILL, DATA_EDGE = "#D9D9D9", "#7F7F7F"
MODEL = "#0072B2"  # what is inferred: posterior, predictive
PRIOR = "#E69F00"
BAD = "#D55E00"  # what misleads, costs, or is not to be relied on
GUIDE = "#4D4D4D"  # zero lines, references and small print


def ink(number: int) -> Ink:
    """The ink of the curve with this number; after seven the colours return with other dashes and markers."""
    turns, place = divmod(number, len(INKS))
    other = INKS[(place + turns) % len(INKS)]
    return Ink(INKS[place].colour, other.dashes, other.marker)


def line(number: int) -> dict[str, Any]:
    """Keywords of ``plot`` for the curve with this number."""
    own = ink(number)
    return {"color": own.colour, "linestyle": own.dashes}


def points(number: int) -> dict[str, Any]:
    """Keywords of ``plot`` for the points with this number, without a line."""
    own = ink(number)
    return {"color": own.colour, "marker": own.marker, "linestyle": "none"}


def band(colour: str = MODEL) -> dict[str, Any]:
    """Keywords of ``fill_between`` for a band of uncertainty."""
    return {"color": colour, "alpha": 0.25, "linewidth": 0.0}


def bars(edge: str = DATA_EDGE) -> dict[str, Any]:
    """Keywords of ``bar`` for a histogram of the cases."""
    return {"align": "edge", "facecolor": DATA_FILL, "edgecolor": edge, "linewidth": 0.5}


@contextmanager
def on(ax: Axes | None, width: float = NARROW, height: float = HEIGHT) -> Iterator[Axes]:
    """The axes to draw on: those given, or else new ones, in our style while the block lasts."""
    if ax is not None:
        yield ax
        return
    from matplotlib import rc_context

    with rc_context(_style()):
        yield _new(1, 1, width, height)[0, 0]


@contextmanager
def panels(
    axes: Any, rows: int, columns: int, width: float = WIDE, height: float = HEIGHT
) -> Iterator[np.ndarray[Any, Any]]:
    """As `on`, for several axes: an array (rows, columns), given or new."""
    if axes is not None:
        yield np.asarray(axes, dtype=object).reshape(rows, columns)
        return
    from matplotlib import rc_context

    with rc_context(_style()):
        yield _new(rows, columns, width, height)


def _new(rows: int, columns: int, width: float, height: float) -> np.ndarray[Any, Any]:
    from matplotlib.figure import Figure

    from nepers.display.shown import ShownAxes

    figure = Figure(figsize=(width, height), layout="constrained")
    grid = figure.add_gridspec(rows, columns)
    axes = np.empty((rows, columns), dtype=object)
    for row, column in np.ndindex(rows, columns):
        ax = figure.add_subplot(grid[row, column], axes_class=ShownAxes)
        # ticks are made when they are first needed, which is after the style has been put back
        ax.tick_params(labelsize=_SMALL, width=_THIN, length=2.5, direction="out")
        plain_numbers(ax)
        axes[row, column] = ax
    return axes


def plain_numbers(ax: Axes) -> None:
    """Every tick with its whole number, and no common factor in a corner, where it meets other texts."""
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, _: tick(value))


def tick(value: float) -> str:
    """A number on an axis: exact to eight figures, 2e−7 for small ones."""
    text = f"{value:.8g}" if abs(value) < 1e4 else f"{value:,.8g}" if abs(value) < 1e6 else f"{value:.5e}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        text = f"{float(mantissa):g}e{int(exponent)}"
    return text.replace("-", "−")


_THIN, _SMALL, _PLAIN = 0.6, 7.0, 8.0

_RC: dict[str, Any] = {
    "font.size": _PLAIN,
    "axes.titlesize": _PLAIN,
    "axes.titlelocation": "left",
    "axes.labelsize": _PLAIN,
    "axes.linewidth": _THIN,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "figure.dpi": 200,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "hatch.linewidth": 0.5,
    "legend.fontsize": _SMALL,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "patch.linewidth": _THIN,
}

# DejaVu Sans comes with matplotlib and has no Chinese, Japanese or Korean, and little of India
_OTHER_FONTS = (
    "Noto Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans CJK KR",
    "Noto Sans Devanagari",
    "Noto Sans Bengali",
    "Noto Sans Tamil",
    "Noto Sans Thai",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Hiragino Sans",
    "Apple SD Gothic Neo",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Nirmala UI",
    "Leelawadee UI",
    "Arial Unicode MS",
    "Unifont",
)


def _style() -> Any:
    """Our style, with the fonts for other scripts that this machine has."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return {**_RC, "font.family": ["DejaVu Sans", *(name for name in _OTHER_FONTS if name in installed)]}

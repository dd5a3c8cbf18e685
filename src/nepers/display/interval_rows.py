"""Rows of intervals: many quantities of one kind, one below the other, as a forest plot has them.

A row shows a posterior: a thick bar over its 50% interval, a thin one over its 95% interval, a dot at the
median. A quantity that is minus infinity for certain has an arrow at the left edge instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.display import canvas, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.estimate import Posterior

Ends = tuple[float, float]

INNER, OUTER = 0.5, 0.95
_REACH = 2.0  # how far the view may go beyond what it must show on each side, in widths of that
_PITCH, _AROUND, _TALLEST = 0.19, 1.1, 100.0  # inches
_NOTES = 1.04  # where the notes begin, in widths of the axes


@dataclass(frozen=True)
class Row:
    """A posterior by its quantiles, what stands to the right of it, and a mean of another kind, or NaN."""

    name: str
    median: float
    inner: Ends
    outer: Ends
    note: str = ""
    mark: float = math.nan

    @property
    def certain(self) -> bool:
        """Whether it is minus infinity in every draw."""
        return self.median == -math.inf


def row(label: object, posterior: Posterior, note: str = "", mark: float = math.nan) -> Row:
    """The row of a posterior, in its own unit."""
    median, inner, outer = posterior.median, posterior.interval(INNER), posterior.interval(OUTER)
    return Row(str(label), median, inner, outer, note, mark)


def height(rows: int) -> float:
    """Of a new figure, in inches."""
    return min(_AROUND + _PITCH * rows, _TALLEST)


def view(rows: Sequence[Row], also: Sequence[float] = ()) -> Ends:
    """The range to show: all 50% intervals and ``also``, and of the rest what is not far beyond.

    One interval that is very much wider than the others would leave these without room.
    """
    core = [x for one in rows for x in one.inner if math.isfinite(x)]
    core += [x for x in also if math.isfinite(x)]
    low, high = min(core, default=0.0), max(core, default=0.0)
    reach = _REACH * (high - low)
    outer = _within(low - reach, high + reach, [x for one in rows for x in one.outer])
    marks = _within(low - 0.5 * reach, high + 0.5 * reach, [one.mark for one in rows])
    low, high = min([low, *outer, *marks]), max([high, *outer, *marks])
    margin = 0.04 * (high - low) or max(0.1 * abs(high), 0.1)
    return low - margin, high + margin


def _within(low: float, high: float, values: Sequence[float]) -> list[float]:
    return [min(max(x, low), high) for x in values if math.isfinite(x)]


def draw(ax: Axes, rows: Sequence[Row], also: Sequence[float] = ()) -> None:
    """The rows from the top down, with their names to the left and their notes to the right."""
    ax.set_xlim(*view(rows, also))
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_yticks(np.arange(len(rows)), labels.names([one.name for one in rows]))
    ax.tick_params(axis="y", length=0.0, pad=6.0)
    ax.locator_params(axis="x", nbins=5)
    ax.spines["left"].set_visible(False)
    _bars(ax, rows)
    beside = ax.get_yaxis_transform()
    for place, one in enumerate(rows):
        ax.text(_NOTES, place, one.note, transform=beside, va="center", fontsize=7.0)
        if one.certain:
            ax.plot([0.0], [place], "<", color=canvas.BAD, transform=beside, markersize=5.0, clip_on=False)
            words: dict[str, Any] = {"fontsize": 7.0, "bbox": {"color": "white", "pad": 0.5}}
            offset: dict[str, Any] = {"xytext": (5.0, 0.0), "textcoords": "offset points"}
            ax.annotate("J = −inf", (0.0, place), xycoords=beside, va="center", **offset, **words)


def heading(ax: Axes, text: str) -> None:
    """What the notes are, above them."""
    beside = ax.get_yaxis_transform()
    ax.text(_NOTES, -0.65, text, transform=beside, va="bottom", fontsize=7.0, color=canvas.GUIDE)


def small_print(ax: Axes, text: str) -> None:
    """As `labels.note`; axes alone in their figure may be narrow, so there it begins where the names do."""
    figure = ax.get_figure(root=True)
    if figure is None or len(figure.axes) > 1:
        labels.note(ax, text)
        return

    def names(renderer: Any) -> Any:
        return ax.yaxis.get_tightbbox(renderer)

    ax.annotate(
        labels.wrapped(ax, text, 0.88 * 6.5),
        xy=(0.0, 0.0),
        xycoords=(names, ax.xaxis.label),
        xytext=(0.0, -3.0),
        textcoords="offset points",
        va="top",
        fontsize=6.5,
        color=canvas.GUIDE,
    )


def _bars(ax: Axes, rows: Sequence[Row]) -> None:
    shown = [(place, one) for place, one in enumerate(rows) if not one.certain]
    if not shown:
        return
    places = np.array([place for place, _ in shown])
    outer, inner = (np.array([getattr(one, part) for _, one in shown]) for part in ("outer", "inner"))
    ax.hlines(places, *outer.T, color=canvas.MODEL, linewidth=0.9)
    ax.hlines(places, *inner.T, color=canvas.MODEL, linewidth=3.0)
    ax.plot([one.median for _, one in shown], places, "o", color="black", markersize=3.2, zorder=4)
    low, high = ax.get_xlim()
    _edges(ax, places[outer[:, 0] < low], places[outer[:, 1] > high], color=canvas.MODEL, marker=("<", ">"))
    marks = np.array([one.mark for _, one in shown])
    inside = (marks >= low) & (marks <= high)
    ax.plot(marks[inside], places[inside], "x", color=canvas.BAD, markersize=3.5, zorder=5)
    _edges(ax, places[marks < low], places[marks > high], color=canvas.BAD, marker=("<", ">"))


def _edges(ax: Axes, left: Any, right: Any, color: str, marker: tuple[str, str]) -> None:
    """Marks on the edges for what lies beyond them."""
    beside = ax.get_yaxis_transform()
    for where, places, sign in zip((0.0, 1.0), (left, right), marker, strict=True):
        if len(places):
            at = np.full(len(places), where)
            ax.plot(at, places, sign, color=color, transform=beside, clip_on=False, markersize=3.5)

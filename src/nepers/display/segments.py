"""A picture of J by group: each group drawn towards the others, and what its own cases say by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nepers.display import canvas, interval_rows, labels
from nepers.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.display.interval_rows import Row
    from nepers.segments import Segments

_MOST = 30


@dataclass(frozen=True)
class SegmentRows:
    """The groups that cost the whole most, first the one that costs it most, and the whole.

    Notes are numbers of cases, marks the means of J from a group's own cases alone; ``more`` is how many
    groups are left out.
    """

    rows: tuple[Row, ...]
    whole: Row
    more: int
    unit: str


def segments_data(segments: Segments, most: int = _MOST) -> SegmentRows:
    """What `plot_segments` shows: the order is that of ``segments.rows()``."""
    if most < 1:
        raise InputError(f"most must be 1 or above; it is {most}")
    s = segments
    lost = s.lost.mean(axis=0)
    # a group that has no rest to be compared with comes last
    order = np.argsort(-np.where(np.isnan(lost), -np.inf, lost), kind="stable")[:most]
    rows = tuple(
        interval_rows.row(s.groups[g], s[s.groups[g]], f"{s.n[g]:,}", float(s.alone[g].mean()) * s.factor)
        for g in map(int, order)
    )
    return SegmentRows(rows, interval_rows.row("whole", s.whole), len(s.groups) - len(rows), s.unit)


def plot_segments(segments: Segments, ax: Axes | None = None, most: int = _MOST) -> Axes:
    """J of the ``most`` groups that cost the whole most, the costliest first, and of the whole as a line.

    Thick and thin bars are 50% and 95% credible intervals, dots medians, crosses the means from a group's
    own cases alone, without the other groups. A group with J = -inf has an arrow at the left edge.
    """
    shown = segments_data(segments, most)
    whole = shown.whole
    with canvas.on(ax, height=interval_rows.height(len(shown.rows)) + 0.2) as ax:
        if not whole.certain:
            ax.axvspan(*whole.outer, color=canvas.DATA_FILL, linewidth=0.0, zorder=0)
            ax.axvline(whole.median, color="black", linewidth=0.9, zorder=1)
        ax.axvline(0.0, color=canvas.GUIDE, linewidth=0.8, linestyle="--", zorder=1)
        interval_rows.draw(ax, shown.rows, (0.0, *whole.outer))
        interval_rows.heading(ax, "Cases")
        ax.set_xlabel(labels.with_unit("J", shown.unit))
        interval_rows.small_print(ax, _small_print(shown))
    return ax


def _small_print(shown: SegmentRows) -> str:
    said = [f"and {shown.more:,} more groups, which cost less."] if shown.more else []
    said.append("Dot: median; bars: 50% and 95% intervals; cross: mean from the group's own cases alone.")
    whole = shown.whole
    if whole.certain:
        said.append("The whole has J = −inf.")
    else:
        said.append(
            f"Line and grey: the whole, {labels.number(whole.median)} {shown.unit}, and its 95% interval."
        )
    return "\n".join(said)

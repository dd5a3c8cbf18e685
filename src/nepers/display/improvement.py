"""Pictures of what would help: what recalibration changes, the costliest cases, and what more decide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.display import canvas, interval_rows, labels
from nepers.display.recalibration_curves import ClassCurves, PitCurves, class_curves, pit_curves
from nepers.improvement.class_map import ClassMap
from nepers.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.display.interval_rows import Row
    from nepers.improvement import CasesNeeded, CostlyCase, CostlyCases, Recalibration

Array = NDArray[np.float64]


def recalibration_data(recalibration: Recalibration[Any]) -> ClassCurves | PitCurves:
    """What `plot_recalibration` shows."""
    classes = isinstance(recalibration.map, ClassMap)
    return class_curves(recalibration) if classes else pit_curves(recalibration)


def plot_recalibration(recalibration: Recalibration[Any], ax: Axes | None = None) -> Axes:
    """What the map fitted on all cases changes, and above it the gain, which is judged on other cases.

    For class probabilities: what each class was claimed to have, and what it should have had; a calibrated
    prediction is on the diagonal. Dots are the truths of single cases. For PITs: their density; a calibrated
    prediction has 1 everywhere. Thin lines are the maps of the folds.
    """
    shown = recalibration_data(recalibration)
    with canvas.on(ax, height=canvas.NARROW if isinstance(shown, ClassCurves) else canvas.HEIGHT) as ax:
        if isinstance(shown, PitCurves):
            _draw_density(ax, shown)
        elif shown.labels:
            _draw_classes(ax, shown)
        else:
            return labels.message(ax, "There is one class only: nothing to recalibrate.")
        ax.set_title(shown.gain, fontsize=7.0, loc="left")
    return ax


def _draw_classes(ax: Axes, shown: ClassCurves) -> None:
    ax.plot([0.0, 1.0], [0.0, 1.0], "--", color=canvas.GUIDE, linewidth=0.8)
    ax.plot(*shown.points.T, ".", color=canvas.DATA_EDGE, markersize=1.5, alpha=0.5, rasterized=True)
    for number, (name, curve) in enumerate(zip(labels.names(shown.labels), shown.recalibrated, strict=True)):
        ax.plot(shown.claimed, curve, label=name, **canvas.line(number))
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.0)
    ax.set_xlabel("Probability claimed")
    ax.set_ylabel("Probability recalibrated")
    if shown.more:
        ax.plot([], [], " ", label=f"and {shown.more:,} more")
    ax.legend()
    labels.note(
        ax, "Lines: each class, the others sharing the rest evenly. Dots: the truths of single cases."
    )


def _draw_density(ax: Axes, shown: PitCurves) -> None:
    ax.axhline(1.0, color=canvas.GUIDE, linewidth=0.8, linestyle="--")
    ax.plot(shown.u, np.minimum(shown.folds, 10.0 * shown.top).T, color=canvas.DATA_EDGE, linewidth=0.4)
    ax.plot(shown.u, np.minimum(shown.density, 10.0 * shown.top), color=canvas.MODEL, linewidth=1.4)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, shown.top)
    ax.set_xlabel("u (predicted probability up to the truth)")
    ax.set_ylabel("Density of u")
    said = "1 where calibrated; thin lines: the maps of the folds."
    if shown.beyond:
        said += " It rises above the picture at the ends."
    labels.note(ax, said)


@dataclass(frozen=True)
class Costly:
    """J from all cases, and without each of the costliest; notes are the j of these. In ``unit``."""

    rows: tuple[Row, ...]
    unit: str


def costly_data(costly: CostlyCases) -> Costly:
    """What `plot_costly` shows."""
    whole = costly.everything
    first = interval_rows.row(f"all {count(whole.n, 'case')}", whole, "")
    rest = [interval_rows.row(_without(one), one.without, _value(one)) for one in costly.rows]
    return Costly((first, *rest), whole.unit)


def plot_costly(costly: CostlyCases, ax: Axes | None = None) -> Axes:
    """J from all cases, and J without each of the cases that cost most.

    Thick and thin bars are 50% and 95% credible intervals, dots medians; the line is the median from all.
    Where cases are at -inf, J from all has an arrow at the left edge, and the other rows leave them out.
    """
    shown = costly_data(costly)
    everything = shown.rows[0]
    with canvas.on(ax, height=interval_rows.height(len(shown.rows)) + 0.15) as ax:
        ax.axvline(0.0, color=canvas.GUIDE, linewidth=0.8, linestyle="--", zorder=1)
        if not everything.certain:
            ax.axvline(everything.median, color="black", linewidth=0.6, zorder=1)
        interval_rows.draw(ax, shown.rows, (0.0,))
        interval_rows.heading(ax, "Its j")
        ax.set_xlabel(labels.with_unit("J", shown.unit))
        said = (
            "Dot: median; bars: 50% and 95% intervals. No reason to leave a case out: the answer is from all."
        )
        if everything.certain:
            said += " Every row but the first is without the cases at −inf."
        interval_rows.small_print(ax, said)
    return ax


def _without(one: CostlyCase) -> str:
    alike = len(one.labels)
    if one.j == -math.inf and alike > 1:
        return f"without all {alike:,} at −inf"
    return f"without row {one.labels[0]}" if alike == 1 else f"without one of {alike:,} alike"


def _value(one: CostlyCase) -> str:
    return labels.number(one.j)


@dataclass(frozen=True, eq=False)
class Needed:
    """The chance that so many further cases decide, and that they decide rightly; ``error`` of the first.

    ``cases`` is the answer, None if there is none within the numbers looked at. ``said`` is it in words.
    """

    further: Array
    decided: Array
    right: Array
    error: Array
    assurance: float
    cases: int | None
    said: str


def needed_data(cases_needed: CasesNeeded) -> Needed:
    """What `plot_needed` shows."""
    c = cases_needed
    table = {name: np.asarray(values, dtype=np.float64) for name, values in c.table().items()}
    if c.cases == 0:
        above, p = ("above", c.now) if c.now > 0.5 else ("not above", 1.0 - c.now)
        sure = "more than 0.999" if p > 0.999 else f"{p:.3f}"
        edge = f"{labels.number(c.margin)} {c.unit}"
        said = f"no further cases are needed: J is {above} {edge} with probability {sure}"
    elif c.cases is None:
        said = f"more than {count(c.curve[-1].cases, 'further case')} for a chance of {c.assurance:g}"
    else:
        said = f"{count(c.cases, 'further case')} for a chance of {c.assurance:g}"
    columns = (table["cases"], table["decided"], table["right"], table["error"])
    return Needed(*columns, c.assurance, c.cases, said)


def plot_needed(cases_needed: CasesNeeded, ax: Axes | None = None) -> Axes:
    """The chance that further cases decide whether J is above the margin, by how many they are.

    The band is twice the Monte Carlo error either way, the broken curve the chance to decide rightly; the
    lines are the assurance wanted and the number of cases that reaches it.
    """
    shown = needed_data(cases_needed)
    with canvas.on(ax) as ax:
        if not shown.further.size:
            return labels.message(ax, f"{shown.said[0].upper()}{shown.said[1:]}.")
        ax.set_xscale("log")
        _draw_chances(ax, shown)
        ax.set_xlim(0.8, 1.25 * max(float(shown.further[-1]), 8.0))
        ax.set_ylim(-0.02, 1.02)
        ax.set_xlabel("Further cases")
        ax.set_ylabel("Chance")
        ax.set_title(shown.said, fontsize=7.0, loc="left")
        ax.legend()
        c = cases_needed
        labels.note(
            ax,
            f"Decided: J is above {labels.number(c.margin)} {c.unit}, or is not, with probability "
            f"{c.probability:g}. Now it is above with probability {labels.number(c.now)}.",
        )
    return ax


def _draw_chances(ax: Axes, shown: Needed) -> None:
    low, high = shown.decided - 2.0 * shown.error, shown.decided + 2.0 * shown.error
    ax.fill_between(shown.further, low, high, color=canvas.MODEL, alpha=0.25, linewidth=0.0)
    ax.plot(shown.further, shown.decided, ".-", color=canvas.MODEL, label="decided")
    ax.plot(shown.further, shown.right, ".:", color="black", label="decided rightly")
    ax.axhline(shown.assurance, color=canvas.GUIDE, linewidth=0.8, linestyle="--")
    if shown.cases is not None:
        ax.axvline(shown.cases, color=canvas.GUIDE, linewidth=0.8, linestyle="--")

"""The histogram of j (the paper's first figure): what each case said, and where the misleading ones lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nepers.display import canvas, labels
from nepers.display.sample import J_OF_CASE, Array, beyond, bin_edges, in_report, refusal, sample_of, window
from nepers.display.stems import draw_stems, headroom
from nepers.words import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.assessment import Assessment

_MOST_NAMED = 3
_APART = 0.06  # of the picture's width: closer names would overlap


class Named(NamedTuple):
    """A costly case: its j, how high the picture is there, and what the user calls it."""

    j: float
    height: float
    label: str


@dataclass(frozen=True, eq=False)
class HistogramData:
    """Counts of unrepeated values in bins, atoms with their counts, and what is marked."""

    edges: Array
    counts: Array
    atom_values: Array
    atom_counts: Array
    named: tuple[Named, ...]
    negative: float  # the share of the cases with j < 0
    mean: float  # of the cases
    beyond: str | None


def histogram_data(assessment: Assessment) -> HistogramData:
    """What `plot_histogram` shows."""
    sample = sample_of(assessment)
    edges = bin_edges(sample, *window(sample, assessment.interval()))
    counts = np.histogram(sample.remainder, edges)[0].astype(np.float64)
    shown = (sample.atom_values >= edges[0]) & (sample.atom_values <= edges[-1])
    return HistogramData(
        edges=edges,
        counts=counts,
        atom_values=sample.atom_values[shown],
        atom_counts=sample.atom_counts[shown].astype(np.float64),
        named=_named(assessment, edges, counts),
        negative=float((sample.every < 0.0).mean()),
        mean=float(sample.every.mean()),
        beyond=beyond(sample, edges[0], edges[-1]),
    )


def _named(assessment: Assessment, edges: Array, counts: Array) -> tuple[Named, ...]:
    """The costliest misleading cases, where they are few and stand apart."""
    found: list[Named] = []
    unit, space = in_report(assessment), _APART * (edges[-1] - edges[0])
    few = max(1, min(_MOST_NAMED, assessment.n // 20))
    repeated = assessment.kinds.atom_values
    for case in assessment.worst_cases[:few]:
        j = case.nats * unit
        alone = not np.isclose(repeated, case.nats, rtol=1e-9, atol=0.0).any()
        if j < 0.0 and alone and edges[0] <= j and all(abs(j - other.j) > space for other in found):
            place = np.clip(np.searchsorted(edges, j, side="right") - 1, 0, counts.size - 1)
            label = f"row {case.label}" if isinstance(case.label, int) else labels.name(case.label, 16)
            found.append(Named(j, float(counts[place]), label))
    return tuple(found)


def plot_histogram(assessment: Assessment, ax: Axes | None = None) -> Axes:
    """The log ratios of the cases, the misleading ones marked, with J and its 95% interval.

    Unrepeated values are counted in bins, values that repeat are stems of their own. The costliest cases are
    named where they are few and stand apart.
    """
    with canvas.on(ax, height=2.8) as ax:
        nothing = refusal(assessment)
        if nothing is not None:
            return labels.message(ax, nothing)
        data = histogram_data(assessment)
        _draw_bars(ax, data)
        highest = max(data.counts.max(initial=1.0), _draw_atoms(ax, data))
        _draw_names(ax, data)
        J = f"J = {labels.estimated(assessment)}"
        ax.axvspan(*assessment.interval(), zorder=0.5, **canvas.band())
        ax.axvline(assessment.mean, color=canvas.MODEL, label=J)
        ax.axvline(data.mean, color="black", linestyle=(0, (2, 1.5)), label=_mean_in_words(assessment, data))
        ax.set_xlim(data.edges[0], data.edges[-1])
        headroom(ax, highest)
        ax.set_xlabel(labels.with_unit(J_OF_CASE, assessment.unit))
        ax.set_ylabel("Cases")
        labels.key(ax, assessment.name)
        if data.beyond is not None:
            labels.note(ax, data.beyond)
        return ax


def _draw_bars(ax: Axes, data: HistogramData) -> None:
    """The misleading bars hatched, so that they show without colour."""
    left, width = data.edges[:-1], np.diff(data.edges)
    bad = left < 0.0
    ax.bar(left[~bad], data.counts[~bad], width[~bad], **canvas.bars())
    said = f"misleading: j < 0 in {labels.number(100.0 * data.negative)}% of the cases"
    if data.counts[bad].any():
        ax.bar(left[bad], data.counts[bad], width[bad], hatch="//////", label=said, **canvas.bars(canvas.BAD))


def _draw_atoms(ax: Axes, data: HistogramData) -> float:
    """Those of misleading cases in the colour of the bars, with heads that point down."""
    bad = data.atom_values < 0.0
    good = draw_stems(ax, data.atom_values[~bad], data.atom_counts[~bad], data.edges, "values that repeat")
    said = "misleading values that repeat"
    ill = draw_stems(ax, data.atom_values[bad], data.atom_counts[bad], data.edges, said, canvas.BAD, "v")
    return max(good, ill)


def _draw_names(ax: Axes, data: HistogramData) -> None:
    upright: dict[str, Any] = {"rotation": 90.0, "ha": "center", "va": "bottom", "fontsize": 6.5}
    for case in data.named:
        above = (0.0, 4.0)
        ax.annotate(case.label, (case.j, case.height), xytext=above, textcoords="offset points", **upright)


def _mean_in_words(assessment: Assessment, data: HistogramData) -> str:
    return f"mean of {count(assessment.n, 'case')}: {labels.rounded(data.mean, assessment.sd)}"

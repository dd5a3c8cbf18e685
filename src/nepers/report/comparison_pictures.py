"""The figures of a comparison, with what they show and how to read them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nepers import display
from nepers.report import comparison_findings as findings
from nepers.report.figures import Picture

if TYPE_CHECKING:
    from nepers.comparison import Comparison


def of_each(c: Comparison) -> Picture:
    """J of each algorithm."""
    return Picture(
        partial(display.plot_intervals, c),
        "Each algorithm",
        findings.intervals(c),
        "Dots are medians, thick and thin bars the intervals that hold J with probability 0.5 and 0.95. "
        "Intervals that overlap do not show that two algorithms are alike: the differences have intervals of "
        "their own, in the table.",
    )


def of_ranks(c: Comparison) -> Picture:
    """Who comes first, second, and so on."""
    return Picture(
        partial(display.plot_best, c),
        "The probability of each rank",
        findings.best(c),
        "Darker is more probable; rank 1 is the best.",
    )


def of_pairs(c: Comparison) -> Picture:
    """Each against each."""
    return Picture(
        partial(display.plot_pairwise, c),
        "Each against each",
        findings.pairwise(c),
        "Read along a row: the algorithm of the row against each of the others. Ties count half.",
    )

"""The report on a comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from nepers.assessment import installed_version
from nepers.comparison.given import PRIOR
from nepers.report import meaning, reliability, settings
from nepers.report.cases import EXPLAINED, costliest, how_many
from nepers.report.figures import Picture, figures
from nepers.report.markup import Markup, element
from nepers.report.numbers import fixed, probability, span
from nepers.report.page import page, paragraphs
from nepers.report.printable import of_comparison
from nepers.report.tables import label, table
from nepers.words import decimals

if TYPE_CHECKING:
    from nepers.comparison import Algorithm, Comparison

_HEADINGS = (
    "Algorithm",
    "J",
    "95% interval",
    "Gain",
    "95% interval of the gain",
    "P(better)",
    "P(best)",
    "Verdict",
)
_VERDICTS = {
    "better": "better than the prior",
    "worse": "worse than the prior",
    "equivalent": "as good as the prior",
    "not yet known": "whether it is better than the prior is not yet known",
    "reference": "it stands in the prior's place",
}
_NAMED = 6  # the most algorithms whose names head the columns of a matrix; more have numbers


def comparison_page(comparison: Comparison, title: str | None) -> str:
    """The report as one HTML document."""
    c = of_comparison(comparison)
    numbers = count(1)
    sections = [
        _algorithms(c, numbers),
        _best(c, numbers),
        _pairs(c, numbers),
        _cases(c),
        _reliable(c),
        meaning.section(settings.standard(c.hyperparameters, c.scale)),
        settings.of_comparison(c),
    ]
    return page(title or _title(c), paragraphs(_verdict(c), c.problems), sections, installed_version())


def _title(c: Comparison) -> str:
    if len(c.names) == 1:
        return "How much the prediction is worth"
    return f"Which of {len(c.names)} predictions is worth most"


def _verdict(c: Comparison) -> list[str]:
    """The sentences, the answer first; the words of a comparison begin with its table, which comes later."""
    _table, _empty, said = str(c).partition("\n\n")
    setting, *others = said.split("\n")
    row = c.rows()[0]
    if len(c.names) == 1 and math.isfinite(row.mean):
        digits = decimals(row.sd)
        others.insert(
            0,
            f"{row.name!r} has J = {fixed(row.mean, digits)} {c.unit}, 95% credible interval "
            f"{span(row.lower, row.upper, digits)}: {_VERDICTS[row.verdict]}.",
        )
    return [others[0], setting, *others[1:]]


def _algorithms(c: Comparison, numbers: Iterator[int]) -> list[Markup]:
    from nepers.report import comparison_findings as findings

    picture = _picture(
        c,
        "plot_intervals",
        "Each algorithm",
        findings.intervals(c),
        "Dots are medians, thick and thin bars the intervals that hold J with probability 0.5 and 0.95. "
        "Intervals that overlap do not show that two algorithms are alike: the differences have intervals of "
        "their own, in the table.",
    )
    return [
        element("h2", "How much each algorithm is worth"),
        _table(c),
        element(
            "p",
            f"J is in {c.unit}. {_better(c)} P(best) is the probability of having the largest J of all. A "
            "verdict is given if it has probability 0.95 or more.",
        ),
        figures([picture], numbers),
    ]


def _table(c: Comparison) -> Markup:
    rows = c.rows()
    digits = max((decimals(row.sd) for row in rows if math.isfinite(row.sd)), default=3)
    cells = [
        _HEADINGS,
        *((label(row.name, place), *_cells(c, row, digits)) for place, row in enumerate(rows, 1)),
    ]
    if c.reference == PRIOR:
        cells = [(*row[:3], *row[5:]) for row in cells]
    caption = "The algorithms, the one with the greatest mean of J first"
    return table(caption, cells[0], cells[1:], words=(len(cells[0]) - 1,))


def _cells(c: Comparison, row: Algorithm, digits: int) -> tuple[str, ...]:
    draws = len(c.nats)
    best = probability(row.probability_best, draws)
    own = (fixed(row.mean, digits), span(row.lower, row.upper, digits))
    if row.name == c.reference:
        return (*own, "–", "–", "–", best, "the reference")
    gain = (fixed(row.gain_mean, digits), span(row.gain_lower, row.gain_upper, digits))
    return (*own, *gain, probability(row.probability_better, draws), best, row.verdict)


def _best(c: Comparison, numbers: Iterator[int]) -> list[Markup]:
    from nepers.display.comparison import best_data
    from nepers.report import comparison_findings as findings

    if len(c.names) == 1:
        return []
    shown = best_data(c)
    picture = _picture(
        c,
        "plot_best",
        "The probability of each rank",
        findings.best(c),
        "Darker is more probable; rank 1 is the best.",
    )
    return [
        element("h2", "Which is the best"),
        element("p", meaning.BEST),
        element("p", meaning.PICKED),
        figures([picture], numbers),
        _folded("The probabilities of the ranks as a table", "Probability of each rank", shown, "rank "),
    ]


def _pairs(c: Comparison, numbers: Iterator[int]) -> list[Markup]:
    from nepers.display.comparison import pairwise_data
    from nepers.report import comparison_findings as findings

    if len(c.names) == 1:
        return []
    shown = pairwise_data(c)
    caption = "Read along a row: the algorithm of the row against each of the others. Ties count half."
    picture = _picture(c, "plot_pairwise", "Each against each", findings.pairwise(c), caption)
    return [
        element("h2", "Each against each"),
        figures([picture], numbers),
        _folded(
            "The probabilities of the pairs as a table",
            "Probability that the row is better than the column",
            shown,
        ),
    ]


def _folded(summary: str, caption: str, shown: Any, rank: str = "") -> Markup:
    """The matrix behind a picture."""
    few = len(shown.names) <= _NAMED and not rank
    columns = [name if few else f"{rank}{i}" for i, name in enumerate(shown.names, 1)]
    rows = [
        (label(name, i), *("–" if math.isnan(p) else probability(p, shown.draws) for p in values.tolist()))
        for i, (name, values) in enumerate(zip(shown.names, shown.values, strict=True), 1)
    ]
    inside = table(caption, ("Algorithm", *columns), rows, class_="matrix")
    return element("details", element("summary", summary), inside)


def _cases(c: Comparison) -> list[Markup]:
    if not c.n:
        return []
    found = [element("h2", "The costliest cases of each algorithm"), element("p", EXPLAINED)]
    for row in c.rows():
        cases = c.worst_cases[c.names.index(row.name)]
        inside = costliest(how_many(cases, c.n), cases, c.n, c.unit)
        found.append(element("details", element("summary", label(row.name)), inside))
    return found


def _reliable(c: Comparison) -> list[Markup]:
    return [
        element("h2", "Whether the draws can be relied on"),
        *reliability.sentences(c.stopped, c.diagnostics, c.problems),
        *reliability.folded(c.diagnostics, "axis"),
    ]


def _better(c: Comparison) -> str:
    if c.reference == PRIOR:
        return "P(better) is the probability that J is above 0, that is, better than the prior."
    return f"Gain is J less that of {c.reference!r}, P(better) the probability that it is above 0."


def _picture(c: Comparison, name: str, title: str, finding: str, caption: str) -> Picture:
    def draw() -> Any:
        from nepers import display

        plot: Callable[[Comparison], Any] = getattr(display, name)
        return plot(c)

    return Picture(draw, title, finding, caption)

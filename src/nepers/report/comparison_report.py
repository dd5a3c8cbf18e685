"""The report on a comparison."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from nepers.assessment import installed_version
from nepers.comparison.given import PRIOR
from nepers.display.comparison import best_data, pairwise_data
from nepers.report import comparison_tables, meaning, reliability, settings
from nepers.report.cases import EXPLAINED, costliest, how_many
from nepers.report.comparison_pictures import of_each, of_pairs, of_ranks
from nepers.report.figures import figures
from nepers.report.markup import Markup, element
from nepers.report.numbers import fixed, span
from nepers.report.page import page, paragraphs
from nepers.report.printable import of_comparison
from nepers.report.tables import label
from nepers.words import decimals

if TYPE_CHECKING:
    from nepers.comparison import Comparison

_VERDICTS = {
    "better": "better than the prior",
    "worse": "worse than the prior",
    "equivalent": "as good as the prior",
    "not yet known": "whether it is better than the prior is not yet known",
    "reference": "it stands in the prior's place",
}


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
    return [
        element("h2", "How much each algorithm is worth"),
        comparison_tables.algorithms(c),
        element(
            "p",
            f"J is in {c.unit}. {_better(c)} P(best) is the probability of having the largest J of all. A "
            "verdict is given if it has probability 0.95 or more.",
        ),
        figures([of_each(c)], numbers),
    ]


def _best(c: Comparison, numbers: Iterator[int]) -> list[Markup]:
    if len(c.names) == 1:
        return []
    summary = "The probabilities of the ranks as a table"
    return [
        element("h2", "Which is the best"),
        element("p", meaning.BEST),
        element("p", meaning.PICKED),
        figures([of_ranks(c)], numbers),
        comparison_tables.folded(summary, "Probability of each rank", best_data(c), "rank "),
    ]


def _pairs(c: Comparison, numbers: Iterator[int]) -> list[Markup]:
    if len(c.names) == 1:
        return []
    summary = "The probabilities of the pairs as a table"
    caption = "Probability that the row is better than the column"
    return [
        element("h2", "Each against each"),
        figures([of_pairs(c)], numbers),
        comparison_tables.folded(summary, caption, pairwise_data(c)),
    ]


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

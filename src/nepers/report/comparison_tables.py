"""The tables of a comparison: a row for each algorithm, and the probabilities behind the pictures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nepers.comparison.given import PRIOR
from nepers.report.markup import Markup, element
from nepers.report.numbers import fixed, probability, span
from nepers.report.tables import label, table
from nepers.words import decimals

if TYPE_CHECKING:
    from nepers.comparison import Algorithm, Comparison
    from nepers.display.comparison import Probabilities

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
_NAMED = 6  # the most algorithms whose names head the columns of a matrix; more have numbers


def algorithms(c: Comparison) -> Markup:
    """A row for each, the best first; without the gains where they are J itself."""
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


def folded(summary: str, caption: str, shown: Probabilities, rank: str = "") -> Markup:
    """The matrix behind a picture."""
    few = len(shown.names) <= _NAMED and not rank
    columns = [name if few else f"{rank}{i}" for i, name in enumerate(shown.names, 1)]
    rows = [
        (label(name, i), *("–" if math.isnan(p) else probability(p, shown.draws) for p in values.tolist()))
        for i, (name, values) in enumerate(zip(shown.names, shown.values, strict=True), 1)
    ]
    inside = table(caption, ("Algorithm", *columns), rows, class_="matrix")
    return element("details", element("summary", summary), inside)

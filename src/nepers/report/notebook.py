"""What results show of themselves in a notebook: a small table in the notebook's own colours and fonts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nepers.report.markup import Markup, element, joined
from nepers.report.numbers import fixed, independent, probability, significant, span, times
from nepers.report.printable import of_assessment, of_comparison, one_line
from nepers.words import decimals, describe

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.comparison import Comparison

_MOST = 30  # rows shown of a long table
_LEFT = "text-align: left; vertical-align: top; max-width: 30em; overflow-wrap: anywhere"
_RIGHT = "text-align: right; vertical-align: top; white-space: nowrap"


def assessment_html(assessment: Assessment) -> str:
    """The answer as a table of names and values."""
    a = of_assessment(assessment)
    if a.infinite_cases:
        return words_html(describe(a))
    digits = decimals(a.sd)
    nats = a.in_nats()
    lower, upper = nats.interval()
    rows = [
        ("J, posterior mean", f"{fixed(a.mean, digits)} {a.unit}"),
        ("95% credible interval", span(*a.interval(), digits)),
        ("Probability that J is above 0", probability(a.probability_above(0.0), independent(a))),
        ("exp(J): times the prior's probability", f"{times(nats.mean)} ({times(lower)} to {times(upper)})"),
        ("Unseen cases", f"{a.n:,}"),
    ]
    title = element("caption", a.name or "Assessment", style=_LEFT)
    body = [element("tr", _heading(name, "row"), element("td", value, style=_LEFT)) for name, value in rows]
    return joined(_warning(a.diagnostics.problems()), element("table", title, element("tbody", body)))


def comparison_html(comparison: Comparison) -> str:
    """A row for each algorithm, the one with the greatest mean of J first."""
    c = of_comparison(comparison)
    rows = c.rows()
    digits = max((decimals(row.sd) for row in rows if math.isfinite(row.sd)), default=3)
    headings = ("Algorithm", f"J ({c.unit})", "95% interval", "P(best)", f"Against {c.reference}")
    cells = [
        (
            row.name,
            fixed(row.mean, digits),
            span(row.lower, row.upper, digits),
            probability(row.probability_best, len(c.nats)),
            row.verdict,
        )
        for row in rows
    ]
    return joined(_warning(c.problems), _table(headings, cells))


def words_html(words: str) -> str:
    """Sentences, a paragraph for each line."""
    return element("div", [element("p", one_line(line)) for line in words.splitlines() if line.strip()])


def rows_html(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as results with a table give them, such as `Game.summary` and `Segments.rows`."""
    shown = rows[:_MOST]
    if not shown:
        return element("p", "Nothing to show.")
    headings = [str(key).replace("_", " ") for key in shown[0]]
    cells = [[_said(value) for value in row.values()] for row in shown]
    more = element("p", f"and {len(rows) - _MOST:,} more") if len(rows) > _MOST else ""
    return joined(_table(headings, cells), more)


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return significant(value, 4)
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else one_line(value)


def _warning(problems: Sequence[str]) -> Markup:
    if not problems:
        return Markup()
    return element("p", element("strong", "NOT YET RELIABLE. "), " ".join(problems))


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    head = element("tr", [_heading(text, "col") for text in headings])
    body = [
        element("tr", _heading(row[0], "row"), [element("td", text, style=_RIGHT) for text in row[1:]])
        for row in rows
    ]
    return element("table", element("thead", head), element("tbody", body))


def _heading(text: str, scope: str) -> Markup:
    return element("th", text, scope=scope, style=_LEFT)

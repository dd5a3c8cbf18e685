"""What results show of themselves in a notebook: a small table in the notebook's own colours and fonts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nepers.report.markup import Markup, element, joined
from nepers.report.numbers import fixed, independent, probability, span, times
from nepers.report.printable import of_assessment, of_comparison, one_line, sentence
from nepers.report.reliability import in_short
from nepers.words import count, decimals, describe

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.betting import Game
    from nepers.comparison import Comparison
    from nepers.segments import Segments

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
    return element("div", [element("p", sentence(line)) for line in words.splitlines() if line.strip()])


def segments_html(s: Segments) -> str:
    """The whole in a sentence, and a row for each of the groups that cost most."""
    from nepers.segments.words import HEAD, cells, digits_lost, whole

    rows = s.rows()
    digits = digits_lost(rows)
    shown = [(one_line(row["group"]), *cells(row, digits)[1:]) for row in rows[:_MOST]]
    headings = [f"J ({s.unit})" if text == "J" else text for text in HEAD]
    return joined(_warning(s.problems), element("p", whole(s)), _table(headings, shown), _more(len(rows)))


def game_html(game: Game) -> str:
    """A row for each player, the one with the largest pile first."""
    from nepers.betting.words import figure

    rows = sorted(game.summary(), key=lambda row: -row["log_pile"])
    enough = f"{1.0 / game.alpha:g}"
    headings = [f"Pile after {count(game.n, 'bet')}", "Growth a bet", "p, prior", f"First at {enough}"]
    cells = [
        [
            one_line(row["name"]),
            figure(row["log_pile"]),
            figure(row["log_pile"] / game.n),
            figure(-row["log_largest_pile"]),
            "not yet" if row["reached_after"] is None else f"bet {row['reached_after']:,}",
        ]
        for row in rows[:_MOST]
    ]
    if rows[0]["quantity"] is not None:
        headings.append(f"{rows[0]['quantity']} (nats), {100.0 * (1.0 - game.alpha):g}% at all times")
        for cell, row in zip(cells, rows, strict=False):
            cell.append(span(row["lower"], row["upper"], decimals((row["upper"] - row["lower"]) / 4.0)))
    return joined(_table(["Player", *headings], cells), _more(len(rows)))


def _more(rows: int) -> Markup:
    return element("p", f"and {rows - _MOST:,} more") if rows > _MOST else Markup()


def _warning(problems: Sequence[str]) -> Markup:
    if not problems:
        return Markup()
    return element("p", element("strong", "NOT YET RELIABLE. "), " ".join(in_short(problems)))


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Markup:
    head = element("tr", [_heading(text, "col") for text in headings])
    body = [
        element("tr", _heading(row[0], "row"), [element("td", text, style=_RIGHT) for text in row[1:]])
        for row in rows
    ]
    return element("table", element("thead", head), element("tbody", body))


def _heading(text: str, scope: str) -> Markup:
    return element("th", text, scope=scope, style=_LEFT)

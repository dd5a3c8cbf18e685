"""Whether the chains can be relied on, in plain words, and the table behind the words, folded."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nepers.diagnostics import J_ESS, J_R_HAT, OTHER_ESS, OTHER_R_HAT, Diagnostics, Row
from nepers.report.markup import Markup, element
from nepers.report.numbers import significant
from nepers.report.tables import table

_HEADINGS = ("Quantity", "Mean", "SD", "Error of the mean", "R-hat", "Bulk ESS", "Tail ESS")
_EXPLAINED = (
    "R-hat compares the chains with one another: at 1 they agree. The effective sample size (ESS) is the "
    "number of independent draws that would know as much, in the middle (bulk) and at the 5% and 95% "
    f"quantiles (tail). J must have an R-hat below {J_R_HAT} and {J_ESS:.0f} effective draws of either "
    f"kind; what J may depend on, an R-hat below {OTHER_R_HAT} and {OTHER_ESS:.0f}, unless it bears so "
    "little on J that the error of J keeps its limit. Numbers are in nats, and those called J are of the "
    "continuous part."
)


_MOST = 4  # sentences that say what is wrong, where a table has the rest


def in_short(problems: Sequence[str], most: int = 2) -> list[str]:
    """The first problems, those of J, and how many more there are."""
    more = len(problems) - most
    return [*problems[:most], f"And {more} more of these."] if more > 1 else list(problems)


def sentences(stopped: str, parts: Sequence[Diagnostics], problems: Sequence[str]) -> list[Markup]:
    """The judgement on the chains of every part."""
    if problems:
        warning = "The chains have not run long enough: the numbers of this report may change if they go on."
        return [
            element("p", element("strong", warning)),
            element("ul", [element("li", problem) for problem in in_short(problems, _MOST)]),
        ]
    if stopped == "certain":
        return [element("p", "J is -inf for certain. Nothing was drawn, so there is nothing to converge.")]
    rows = [row for part in parts for row in part.rows if row.is_J and not row.constant]
    if not rows:
        return [element("p", "The draws of J are independent: there are no chains that could fail to agree.")]
    return [element("p", _good(rows))]


def folded(parts: Sequence[Diagnostics], part: str = "") -> list[Markup]:
    """The numbers of every quantity; ``part`` is what the parts are called where there are several."""
    if not any(one.rows for one in parts):
        return []
    inside = [
        table(
            f"The chains: {part} {i}" if part else "The chains, quantity by quantity",
            _HEADINGS,
            [_cells(row) for row in one.rows],
        )
        for i, one in enumerate(parts)
        if one.rows
    ]
    return [
        element(
            "details",
            element("summary", "Every quantity, with its R-hat and ESS"),
            element("p", _EXPLAINED),
            inside,
        )
    ]


def _good(rows: Sequence[Row]) -> str:
    worst = max(row.r_hat for row in rows)
    least = min(row.ess_bulk for row in rows)
    tail = min(row.ess_tail for row in rows)
    several = "J" if len(rows) == 1 else "J on every axis"
    return (
        f"The chains agree (R-hat of {several} is at most {worst:.3f}, where 1 is perfect), and the draws "
        f"of {several} are worth at least {_draws(least)} independent ones in the middle of the "
        f"distribution and {_draws(tail)} in its tails. The numbers can be relied on as far as the chains "
        "are concerned."
    )


def _draws(ess: float) -> str:
    return f"{ess:,.0f}" if math.isfinite(ess) else "any number of"


def _cells(row: Row) -> tuple[str, ...]:
    if row.constant:
        return (row.name, significant(row.mean), "0", "0", *("always the same",) * 3)
    return (
        row.name,
        significant(row.mean),
        significant(row.sd),
        significant(row.mcse, 2),
        f"{row.r_hat:.3f}",
        f"{row.ess_bulk:.0f}",
        f"{row.ess_tail:.0f}",
    )

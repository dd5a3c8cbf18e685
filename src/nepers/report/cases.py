"""The cases that cost most, as a table: what each takes off the mean, and what the truth got there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nepers.report.markup import Markup
from nepers.report.numbers import fixed, times
from nepers.report.tables import table
from nepers.words import count, decimals

if TYPE_CHECKING:
    from nepers.cases import Case

EXPLAINED = (
    "A case costs where j = log Q(x) - log P(x) is below 0: the prediction gave the truth less than the "
    "prior did. exp(j), with j in nats, says how many times the prior's probability the truth got."
)


def costliest(caption: str, cases: Sequence[Case], n: int, unit: str) -> Markup:
    """The cases with the lowest j, the lowest first."""
    factor = 1.0 if unit == "nats" else 1.0 / math.log(2.0)
    widest = max((abs(case.nats) for case in cases if math.isfinite(case.nats)), default=1.0) * factor
    digits, of_part = decimals(widest / 100.0), decimals(widest / (100.0 * n))
    headings = ("Case", f"j ({unit})", "Its part of the mean, j / n", "Times the prior's probability, exp(j)")
    rows = [
        (
            str(case.label),
            fixed(case.nats * factor, digits),
            fixed(case.nats * factor / n, of_part),
            times(case.nats),
        )
        for case in cases
    ]
    return table(caption, headings, rows)


def how_many(cases: Sequence[Case], n: int) -> str:
    """What the table shows."""
    if len(cases) == n:
        return "All cases, the one with the lowest j first"
    return f"The {count(len(cases), 'case')} of {n:,} with the lowest j, the lowest first"

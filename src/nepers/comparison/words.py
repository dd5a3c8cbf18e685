"""A comparison in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nepers.comparison.given import PRIOR
from nepers.diagnostics import in_short
from nepers.words import count, decimals, name_cases

if TYPE_CHECKING:
    from nepers.comparison.result import Algorithm, Comparison


def describe(c: Comparison, level: float = 0.95) -> str:
    """The table, then the verdict and what it holds for, a line for each."""
    return "\n".join([*_table(c, level), "", *_leader(c), *_infinite(c), *_caveats(c)])


def _table(c: Comparison, level: float) -> list[str]:
    rows = c.rows(level)
    interval = f"{100 * level:g}% interval"
    headings = ("", "J", interval, "gain", interval, "P(better)", "P(best)", "verdict")
    against_prior = c.reference == PRIOR
    digits = max((decimals(row.sd) for row in rows if math.isfinite(row.sd)), default=3)
    cells = [headings, *(_cells(row, digits) for row in rows)]
    if against_prior or c.names == (c.reference,):
        cells = [row[:3] + row[5:] for row in cells]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]


def _cells(row: Algorithm, digits: int) -> tuple[str, ...]:
    def number(value: float) -> str:
        return (
            f"{value:z.{digits}f}"
            if math.isfinite(value)
            else "undefined"
            if math.isnan(value)
            else f"{value}"
        )

    gain = (number(row.gain_mean), f"{number(row.gain_lower)} to {number(row.gain_upper)}")
    better = f"{row.probability_better:.3f}"
    if row.verdict == "reference":  # not better than itself, which is no news
        gain, better = ("", ""), ""
    return (
        row.name,
        number(row.mean),
        f"{number(row.lower)} to {number(row.upper)}",
        *gain,
        better,
        f"{row.probability_best:.3f}",
        row.verdict,
    )


def _leader(c: Comparison) -> list[str]:
    against = "the prior" if c.reference == PRIOR else repr(c.reference)
    lines = [
        f"J in {c.unit}, relative to {_zero(c)}, from {count(c.n, 'unseen case')}. "
        f"The verdict is against {against}; gains within {c.equivalence:g} nats of 0 count as equivalent."
    ]
    best = c.rows()[0]
    if len(c.names) > 1 and math.isfinite(best.mean):
        leader, p = max(c.probability_best.items(), key=lambda item: item[1])
        sure = "is the best of these" if p >= 0.95 else "may be the best of these, which is not yet known"
        lines.append(f"{leader!r} {sure} (probability {p:.3f}).")
    return lines


def _zero(c: Comparison) -> str:
    stands_in = c.reference != PRIOR and not c[c.reference].nats.any()
    return repr(c.reference) if stands_in else "the prior"


def _infinite(c: Comparison) -> list[str]:
    return [
        f"{name!r} has J = -inf: it gave the truth probability zero in {count(len(cases), 'case')} "
        f"({name_cases(cases)})."
        for name, cases in zip(c.names, c.infinite_cases, strict=True)
        if cases
    ]


def _caveats(c: Comparison) -> list[str]:
    lines = ["NOT YET RELIABLE. " + in_short(c.problems)] if c.problems else []
    if len(c.names) > 2:
        lines.append(
            f"The one that comes out first of {len(c.names)} looks better than it is: "
            "assess it again on cases that had no part in the choice."
        )
    lines.append(
        "It holds for these algorithms as they stand, on new cases like these, if made without these."
    )
    return lines

"""What the figures of a comparison show, in words: read out where the figure cannot be seen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nepers.comparison.given import PRIOR
from nepers.display.comparison import best_data, intervals_data, pairwise_data
from nepers.report.numbers import fixed, probability, span
from nepers.words import decimals

if TYPE_CHECKING:
    from nepers.comparison import Comparison


def intervals(c: Comparison) -> str:
    """The median and the interval of each, the best first."""
    shown = intervals_data(c)
    zero = "the prior" if shown.zero == PRIOR else shown.zero
    said = []
    for row in shown.rows:
        if math.isfinite(row.median):
            lower, upper = row.outer
            digits = decimals((upper - lower) / 4.0)
            said.append(f"{row.name}: {fixed(row.median, digits)} ({span(lower, upper, digits)})")
        else:
            said.append(f"{row.name}: {row.median}")
    return f"J relative to {zero} in {shown.unit}, with 95% intervals, the greatest first. {'; '.join(said)}."


def best(c: Comparison) -> str:
    """Who is the best, how probably, and who comes next."""
    shown = best_data(c)
    pairs = sorted(zip(shown.best.tolist(), shown.names, strict=True), reverse=True)[:3]
    said = "; ".join(f"{name}: {probability(p, shown.draws)}" for p, name in pairs)
    among = "of all" if len(shown.names) <= 3 else "of the three most probable"
    return f"The probability {among} of having the largest J. {said}."


def pairwise(c: Comparison) -> str:
    """How many pairs are settled, and each neighbour in order of J against the next."""
    shown = pairwise_data(c)
    k = len(shown.names)
    pairs = k * (k - 1) // 2
    settled = sum(not 0.05 < shown.values[i, j] < 0.95 for i in range(k) for j in range(i))
    steps = "; ".join(
        f"{shown.names[i]} above {shown.names[i + 1]}: "
        f"{probability(float(shown.values[i, i + 1]), shown.draws)}"
        for i in range(k - 1)
    )
    return f"The order is settled with probability 0.95 or more for {settled} of {pairs} pairs. {steps}."

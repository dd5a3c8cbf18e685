"""How many more cases it takes to decide whether J exceeds a margin.

Decided means that the posterior probability of J being above the margin is at least P ("probability"), or at
most 1 - P. Whether m further cases will decide it is itself uncertain: the chance of it, over what J may be
and over which cases may come, is the assurance. See `preposterior` for how the chance is found and what it
leaves out, and `spread` for the variance of one case. The further cases must be like those assessed, and the
prediction the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nepers.assessment import Assessment
from nepers.errors import InputError
from nepers.hierarchy.arrays import number, whole_number
from nepers.improvement.needed import CasesNeeded, Planned
from nepers.improvement.preposterior import chance_to_decide
from nepers.improvement.spread import interpolated, spread

_DRAWS = 2000
_STEP = math.sqrt(2.0)
_CERTAIN = 0.999  # where the curve ends


def cases_needed(
    assessment: Assessment,
    *,
    margin: float = 0.0,
    probability: float = 0.975,
    assurance: float = 0.8,
    most: int = 1_000_000,
) -> CasesNeeded:
    """How many further cases will decide whether J is above the margin, with the chance wanted.

    margin: in the unit of the assessment.
    probability: what counts as decided: that much posterior probability on one side; above 1/2.
    assurance: the chance wanted that it will be decided.
    most: the largest number of further cases to look at.
    """
    edge = number("margin", margin)
    _between("probability", probability, 0.5)
    _between("assurance", assurance, 0.0)
    largest = whole_number("most", most, 1)
    now = assessment.probability_above(edge)
    asked: dict[str, Any] = {
        "margin": edge,
        "unit": assessment.unit,
        "probability": float(probability),
        "assurance": float(assurance),
        "most": largest,
        "now": now,
        "n": assessment.n,
    }
    if now >= probability or now <= 1.0 - probability:
        return CasesNeeded(cases=0, curve=(), **asked)
    nats = edge if assessment.unit == "nats" else edge * math.log(2.0)
    found = spread(assessment, _DRAWS)
    variance = interpolated(found, assessment.n + 1, assessment.n + largest)

    def plan(m: int) -> Planned:
        chance = chance_to_decide(found.J, variance(assessment.n + m), m, nats, probability)
        return Planned(m, chance.decided, chance.right, chance.error)

    curve: list[Planned] = []
    for m in _grid(largest):
        curve.append(plan(m))
        if curve[-1].decided > _CERTAIN:
            break
    cases = _least(curve, assurance, plan)
    return CasesNeeded(cases=cases, curve=tuple(sorted(curve, key=lambda one: one.cases)), **asked)


def _grid(most: int) -> list[int]:
    """1, 2, 3, 4, 6, 8, 12, ..., most: each the square root of 2 times the one before, rounded up."""
    powers = np.ceil(_STEP ** np.arange(math.ceil(math.log(most, _STEP)) + 1) - 1e-9).astype(int)
    return [int(m) for m in np.unique(np.append(powers[powers < most], most))]


def _least(curve: list[Planned], assurance: float, plan: Callable[[int], Planned]) -> int | None:
    """The smallest number from which on the assurance is reached; what is looked at joins the curve."""
    short = [i for i, one in enumerate(curve) if one.decided < assurance]
    if not short:
        return curve[0].cases
    if short[-1] == len(curve) - 1:
        return None
    low, high = curve[short[-1]].cases, curve[short[-1] + 1].cases
    while high - low > max(1, high // 100):
        middle = (low + high) // 2
        curve.append(plan(middle))
        low, high = (middle, high) if curve[-1].decided < assurance else (low, middle)
    return high


def _between(name: str, value: float, least: float) -> None:
    if not least < number(name, value) < 1.0:
        raise InputError(f"{name} must lie between {least:g} and 1; it is {value}")

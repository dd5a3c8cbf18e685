"""An assessment in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nepers.assessment import geometric_factor

if TYPE_CHECKING:
    from nepers.assessment import Assessment, Label
    from nepers.rare.result import ClassAssessment

_SHOWN = 5


def describe(a: Assessment) -> str:
    """The answer and what it means, a line for each."""
    lines = (
        infinite(a, a.kinds.points is not None)
        if a.infinite_cases
        else [*answer(a), *_atoms(a), *_tail(a), *a.notes, *_caveats(a)]
    )
    return "\n".join(lines)


def answer(a: Assessment | ClassAssessment) -> list[str]:
    """J, its interval, its sign, and what it means as a factor."""
    lower, upper = a.interval()
    digits = decimals(a.sd)
    mean, median, low, high = (f"{value:z.{digits}f}" for value in (a.mean, a.median, lower, upper))
    source = f"from {count(a.n, 'unseen case')}" if a.n else "from no cases: this is the prior"
    title = f"{a.name}: " if a.name else ""
    said = (
        f"{title}J = {mean} {a.unit}, 95% credible interval {low} to {high}, {source} "
        f"(posterior mean; median {median})."
    )
    if a.n == 0:
        return [said]
    return [
        said,
        _sign(a.probability_above(0.0), min(a.diagnostics.ess_J, float(a.nats.size))),
        _factor(a, lower, upper),
    ]


def _sign(above: float, draws: float) -> str:
    better = above >= 0.5
    sign, p = as_known(max(above, 1.0 - above), draws)
    said = f"more than {p:g}" if sign else f"{p:.3f}"
    return f"The prediction is {'better' if better else 'worse'} than the prior with probability {said}."


def _factor(a: Assessment | ClassAssessment, lower: float, upper: float) -> str:
    nats_per_unit = 1.0 if a.unit == "nats" else math.log(2.0)
    middle, low, high = (geometric_factor(v * nats_per_unit) for v in (a.mean, lower, upper))
    figures = max(3, decimals(a.sd * nats_per_unit))
    return (
        f"On geometric average it gives what comes true {middle:.{figures}g} times the probability that the "
        f"prior gives it ({low:.{figures}g} to {high:.{figures}g})."
    )


def _atoms(a: Assessment) -> list[str]:
    k = a.kinds
    if not k.atom_values.size:
        return []
    most = sorted(a.atoms, key=lambda atom: -atom.cases)
    shown = ", ".join(f"{atom.value:.4g} ({atom.cases})" for atom in most[:_SHOWN])
    rest = f" and {len(most) - _SHOWN:,} more" if len(most) > _SHOWN else ""
    lines = [f"Taken as single values with probabilities of their own (and their cases): {shown}{rest}."]
    if k.has_remainder and k.remainder.size:
        lines.append(f"The other {count(k.remainder_cases, 'case')} have a continuous distribution.")
    elif k.has_remainder:
        lines.append("All cases agree; that a new one may differ is allowed for by the prior.")
    return lines


def _tail(a: Assessment) -> list[str]:
    found = a.tail_sensitivity()
    if found is None:
        return []
    digits = decimals(a.sd)
    said = [
        "not known from these draws" if ends is None else f"{ends[0]:z.{digits}f} to {ends[1]:z.{digits}f}"
        for ends in found
    ]
    return [
        f"The left tail is heavy (estimated index {a.tail.index:.2g}; from 2 down the variance is infinite), "
        f"and the interval leans on the prior of tails: {said[0]} under a lighter one, {said[1]} under a "
        "heavier one."
    ]


def _caveats(a: Assessment) -> list[str]:
    from nepers.tails import good_cases_are_far

    lines = []
    if a.kinds.unseen is not None and good_cases_are_far(*a.kinds.values_and_cases):
        lines.append(
            "The far cases are the good ones, as with rare events predicted well: J may well be above "
            'this interval, which allows for unseen bad cases; hyperparameters="paper" does not.'
        )
    if not a.diagnostics.good():
        lines.append("NOT YET RELIABLE. " + " ".join(a.diagnostics.problems()))
    if a.stopped == "budget":
        lines.append("The time ended before J had the effective sample size that was wanted.")
    if a.n:
        lines.append(
            "It holds for this prediction as it stands, on new cases like these, if made without these."
        )
    return lines


def infinite(a: Assessment | ClassAssessment, tallied: bool = False) -> list[str]:
    """That J is minus infinity, and why; a tally knows only the parts that the cases came in."""
    cases = a.infinite_cases
    title = f"{a.name}: " if a.name else ""
    where = f"{len(cases):,} of {count(a.n, 'case')} ({name_cases(cases)})"
    if tallied:
        where = f"some of {count(a.n, 'case')}: those of {', '.join(map(str, cases[:_SHOWN]))}"
    return [
        f"{title}J = -inf: the prediction gave the truth probability zero in {where}.",
        "One such case settles it: whatever the others say, the expected log ratio is minus infinity. "
        "The finite cases alone are not an answer: they would assess a prediction that was not made.",
    ]


def as_known(p: float, draws: float) -> tuple[str, float]:
    """A probability as so many independent draws know it: itself with no sign, or ">" or "<" and an edge.

    The rule of three: k draws that all agree leave 3/k to the other side.
    """
    edge = min(math.floor(1000.0 - 3000.0 / draws) / 1000.0, 0.999) if draws > 6.0 else 0.5
    if max(p, 1.0 - p) <= edge:
        return "", p
    return (">", edge) if p >= 0.5 else ("<", round(1.0 - edge, 3))


def name_cases(labels: Sequence[Label]) -> str:
    """The first few cases by their labels."""
    shown = ", ".join(str(label) for label in labels[:_SHOWN])
    more = f" and {len(labels) - _SHOWN:,} more" if len(labels) > _SHOWN else ""
    return f"{'row' if len(labels) == 1 else 'rows'} {shown}{more}"


def count(number: int, noun: str) -> str:
    """A number of things, with the noun in its number."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def decimals(sd: float) -> int:
    """How many decimals show two figures of the uncertainty."""
    if not (math.isfinite(sd) and sd > 0.0):
        return 3
    return min(max(1 - math.floor(math.log10(sd)), 0), 12)

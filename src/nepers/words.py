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
    lines = infinite(a) if a.infinite_cases else [*answer(a), *_atoms(a), *a.notes, *_caveats(a)]
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
    p = max(above, 1.0 - above)
    # the rule of three: k independent draws that all agree leave 3/k to the other side
    edge = min(math.floor(1000.0 - 3000.0 / draws) / 1000.0, 0.999) if draws > 6.0 else 0.5
    said = f"more than {edge:g}" if p > edge else f"{p:.3f}"
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
        lines.append(f"The other {count(k.remainder.size, 'case')} have a continuous distribution.")
    elif k.has_remainder:
        lines.append("All cases agree; that a new one may differ is allowed for by the prior.")
    return lines


def _caveats(a: Assessment) -> list[str]:
    lines = []
    if not a.diagnostics.good():
        lines.append("NOT YET RELIABLE. " + " ".join(a.diagnostics.problems()))
    if a.stopped == "budget":
        lines.append("The time ended before J had the effective sample size that was wanted.")
    if a.n:
        lines.append(
            "It holds for this prediction as it stands, on new cases like these, if made without these."
        )
    return lines


def infinite(a: Assessment | ClassAssessment) -> list[str]:
    """That J is minus infinity, and why."""
    cases = a.infinite_cases
    title = f"{a.name}: " if a.name else ""
    return [
        f"{title}J = -inf: the prediction gave the truth probability zero in {len(cases):,} of "
        f"{count(a.n, 'case')} ({name_cases(cases)}).",
        "One such case settles it: whatever the others say, the expected log ratio is minus infinity. "
        "The finite cases alone are not an answer: they would assess a prediction that was not made.",
    ]


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

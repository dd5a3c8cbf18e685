"""A class assessment in words, and the sentence that points from an ordinary one to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.words import answer, count, infinite

if TYPE_CHECKING:
    from nepers.rare.result import ClassAssessment

_SHOWN = 6
FEW = 10  # cases of a class: with fewer the mean of j hardly knows of it
_MOST = 50  # distinct values of log P that may be classes


def describe(a: ClassAssessment) -> str:
    """The answer, what it rests on, and what it takes for granted: a line for each."""
    if a.infinite_cases:
        return "\n".join(infinite(a))
    return "\n".join([*answer(a), _classes(a), _recalibration(a), *_certain(a), _holds(a)])


def _classes(a: ClassAssessment) -> str:
    rarest = sorted(zip(a.counts, map(str, a.labels), strict=True))
    shown = ", ".join(f"{label} in {cases:,}" for cases, label in rarest[:_SHOWN])
    more = f", and {len(rarest) - _SHOWN:,} more often" if len(rarest) > _SHOWN else ""
    return f"What the prediction gave to every class is used; what came true: {shown}{more}."


def _recalibration(a: ClassAssessment) -> str:
    low, high = np.quantile(a.slopes, (0.025, 0.975))
    return (
        "The true probabilities are taken to be the prediction's, recalibrated: its logits times a slope of "
        f"{low:.2f} to {high:.2f} (1 if calibrated), and shifted."
    )


def _certain(a: ClassAssessment) -> list[str]:
    if not a.certain:
        return []
    return [
        f"In {count(a.certain, 'case')} the prediction called a class impossible. It was never wrong there, "
        f"and is "
        "taken at its word; if it can be, J is -inf."
    ]


def _holds(a: ClassAssessment) -> str:
    return "It holds for this prediction as it stands, on new cases like these, if made without these."


def hint(log_p: NDArray[Any]) -> str | None:
    """A sentence if these logs of P are those of classes, the same in every case, and a class is rare.

    So they look if they take few values, and the values are probabilities that add up to at most one.
    """
    values, cases = np.unique(log_p[:1000], return_counts=True)
    if not 0 < values.size <= _MOST or log_p.size < 2 * values.size:
        return None
    values, cases = np.unique(log_p, return_counts=True)
    total = float(np.exp(values).sum()) if values.max(initial=0.0) <= 0.0 else np.inf
    if values.size > _MOST or total > 1.0 + 1e-6:
        return None
    # one value is a class too where there is little room for another: the other was not seen
    unseen = total < 1.0 - 1e-6
    if cases.min() >= FEW and not (unseen and total > 0.8):
        return None
    if values.size == 1 and not 0.8 < total < 1.0 - 1e-6:
        return None
    least = "none" if unseen else count(int(cases.min()), "case")
    return (
        f"If these are classes with the same prior in every case, one of them came true in {least}: the "
        "interval may be too narrow. nepers.assess_classes uses what the prediction gave to every class "
        "(nepers assess --every-class)."
    )

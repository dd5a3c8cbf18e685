"""What would help: how J would rise, what it hangs on, and how many more cases would settle it.

The paper orders three numbers,

    J <= I(x; Q) <= I(x; y)

the apparent information J of a prediction, the information I(x; Q) that it carries about the truth, and that
of the data it was made from. What can be done about each step, and about not knowing J:

| the question | use |
|---|---|
| what is lost to miscalibration, I(x; Q) - J | `recalibrate_classes`, `recalibrate_pit` |
| would a mixture of several algorithms know more than the best of them | `stack` |
| which cases cost most, and what J would be without each | `costliest` |
| how many more cases decide whether J is above a margin | `cases_needed` |

What is fitted to cases is judged on others of them, by cross-fitting: each case is served by a fit to the
other folds. Averages over such cases are about several fits, one for each fold, that differ a little; the fit
to all cases is the one to use on new predictions, and is judged on new cases only.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nepers.improvement.class_map import ClassMap
    from nepers.improvement.cost import CostlyCase, CostlyCases
    from nepers.improvement.costly import costliest
    from nepers.improvement.mixture_of_algorithms import Stack
    from nepers.improvement.needed import CasesNeeded
    from nepers.improvement.pit_map import PitMap
    from nepers.improvement.recalibrated import Recalibration
    from nepers.improvement.recalibration import recalibrate_classes, recalibrate_pit
    from nepers.improvement.sample_size import cases_needed
    from nepers.improvement.stacking import stack

# imported when first used; no module of the room is called by a public name, which it would hide
_HOMES = {
    "CasesNeeded": "needed",
    "ClassMap": "class_map",
    "CostlyCase": "cost",
    "CostlyCases": "cost",
    "PitMap": "pit_map",
    "Recalibration": "recalibrated",
    "Stack": "mixture_of_algorithms",
    "cases_needed": "sample_size",
    "costliest": "costly",
    "recalibrate_classes": "recalibration",
    "recalibrate_pit": "recalibration",
    "stack": "stacking",
}

__all__ = [
    "CasesNeeded",
    "ClassMap",
    "CostlyCase",
    "CostlyCases",
    "PitMap",
    "Recalibration",
    "Stack",
    "cases_needed",
    "costliest",
    "recalibrate_classes",
    "recalibrate_pit",
    "stack",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nepers.improvement' has no attribute {name!r}")
    found = getattr(import_module(f"nepers.improvement.{_HOMES[name]}"), name)
    globals()[name] = found
    return found

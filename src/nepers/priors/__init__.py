"""Priors P, fitted on the outcomes of the training data: what one would say without the prediction.

A log ratio is as good as its prior: against a weak one every prediction shines. So the prior is always named,
and never fitted on the outcomes it is judged on: each one remembers its training outcomes and refuses them
(`nepers.priors.leak`). ``log_p`` of any of them gives the log of what it gives to what came true.

| outcomes | prior |
|---|---|
| classes | `class_frequencies`, `known_classes`, and for cross-validation `class_frequencies_of_rest` |
| real numbers | `fitted_marginal` |
| times, which may be censored | `survival_marginal` |

An older algorithm is a prior too: what it gave to the truth comes from `nepers.ratios`, as ever.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nepers.priors.classes import ClassFrequencies, class_frequencies, known_classes
    from nepers.priors.marginal import FittedMarginal, fitted_marginal
    from nepers.priors.rest import FrequenciesOfRest, class_frequencies_of_rest
    from nepers.priors.survival import SurvivalMarginal, survival_marginal

# imported when first used: some need scipy
_HOMES = {
    "ClassFrequencies": "classes",
    "FittedMarginal": "marginal",
    "FrequenciesOfRest": "rest",
    "SurvivalMarginal": "survival",
    "class_frequencies": "classes",
    "class_frequencies_of_rest": "rest",
    "fitted_marginal": "marginal",
    "known_classes": "classes",
    "survival_marginal": "survival",
}

__all__ = [
    "ClassFrequencies",
    "FittedMarginal",
    "FrequenciesOfRest",
    "SurvivalMarginal",
    "class_frequencies",
    "class_frequencies_of_rest",
    "fitted_marginal",
    "known_classes",
    "survival_marginal",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nepers.priors' has no attribute {name!r}")
    found = getattr(import_module(f"nepers.priors.{_HOMES[name]}"), name)
    globals()[name] = found
    return found

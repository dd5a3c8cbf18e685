"""Stage 1: from any prediction to the log of what it gave to the truth.

For each case the prediction is a distribution Q and the truth x came to be known. Every function here returns

    log Q(x)        one float64 for each case; natural logarithms

the log of a probability where x is discrete, of a density where x is real, and of the probability of the set
that x is known to lie in where it is censored. Minus infinity is a value like any other: the prediction gave
the truth probability zero. Nothing is clipped, renormalised or left out.

The log ratio of a case is ``log Q(x) - log P(x)``, with the prior P of the same case: an older algorithm, by
the same functions, or one of `nepers.priors`. `nepers.assess` takes both as ``log_q`` and ``log_p`` and
subtracts. Q and P must speak of the same x in the same units: a density per day and a density per year differ
by log 365 in every case. Where both are transformed together the ratio stays.

| the prediction is | use |
|---|---|
| a table of class probabilities | `log_class` |
| the probability or density it gave to the truth | `log_probability`, `log_density` |
| a distribution object, or a function | `log_parametric` |
| draws, or an ensemble of forecasts | `log_ensemble` |
| posterior draws of the density itself | `log_average` |
| quantiles | `log_quantiles` |
| survival distributions or curves, with `Times` that may be censored | `log_survival` |
| a probability of single values beside a density of the others | `log_mixed` |
| one value and no probability | `log_point` |
| log probabilities of the tokens of documents | `log_document` |
| log scores of another library, where less is better | `from_log_score` |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nepers.ratios.censoring import Times
    from nepers.ratios.classes import log_class
    from nepers.ratios.curves import Curves
    from nepers.ratios.documents import Documents, log_document
    from nepers.ratios.ensembles import EnsembleBias, ensemble_bias, log_average, log_ensemble
    from nepers.ratios.given import log_density, log_probability
    from nepers.ratios.mixed import log_mixed
    from nepers.ratios.parametric import log_parametric
    from nepers.ratios.points import log_point
    from nepers.ratios.quantiles import log_quantiles
    from nepers.ratios.scores import from_log_score
    from nepers.ratios.survival import log_survival

# imported when first used: some need scipy
_HOMES = {
    "Curves": "curves",
    "Documents": "documents",
    "EnsembleBias": "ensembles",
    "Times": "censoring",
    "ensemble_bias": "ensembles",
    "from_log_score": "scores",
    "log_average": "ensembles",
    "log_class": "classes",
    "log_density": "given",
    "log_document": "documents",
    "log_ensemble": "ensembles",
    "log_mixed": "mixed",
    "log_parametric": "parametric",
    "log_point": "points",
    "log_probability": "given",
    "log_quantiles": "quantiles",
    "log_survival": "survival",
}

__all__ = [
    "Curves",
    "Documents",
    "EnsembleBias",
    "Times",
    "ensemble_bias",
    "from_log_score",
    "log_average",
    "log_class",
    "log_density",
    "log_document",
    "log_ensemble",
    "log_mixed",
    "log_parametric",
    "log_point",
    "log_probability",
    "log_quantiles",
    "log_survival",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nepers.ratios' has no attribute {name!r}")
    found = getattr(import_module(f"nepers.ratios.{_HOMES[name]}"), name)
    globals()[name] = found
    return found

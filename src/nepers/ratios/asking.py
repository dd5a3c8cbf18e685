"""How an object that is a distribution is asked for the log of its probability or density.

Each kind has its own way. In this order:

    skpro's distributions                   log_pdf, log_pmf, or both, as the tag "distr:measuretype" says
    logpdf and logpmf                       scipy's random variables have both; see `_probability_or_density`
    logpdf or logpmf                        scipy's frozen distributions, gaussian_kde
    log_prob                                torch, tensorflow, numpyro
    pdf or pmf                              and the logarithm of it: minus infinity below 1e-308
    anything that can be called             is the log density itself
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

Array = NDArray[np.float64]
Ask = Callable[[Array], Any]

# scipy's, which take one point in each column and not in each row
_POINTS_IN_COLUMNS = ("gaussian_kde", "dirichlet_frozen")


@dataclass(frozen=True)
class Question:
    """``ask(y)`` is what the object answers for the truth y; ``name`` is what was asked, for messages."""

    name: str
    ask: Ask


def question(prediction: Any) -> Question:
    """How to ask ``prediction``, which is one object and not a list of them."""
    name = type(prediction).__name__
    if isinstance(prediction, type):
        raise InputError(
            f"prediction must be distributions with their parameters; it is the class {prediction.__name__}"
        )
    if is_skpro(prediction):
        return Question(name, _skpro(prediction))
    if hasattr(prediction, "logpdf") and hasattr(prediction, "logpmf"):
        return Question(f"{name}.logpdf", _probability_or_density(prediction.logpmf, prediction.logpdf))
    for method in ("logpdf", "logpmf"):
        if hasattr(prediction, method):
            return Question(f"{name}.{method}", _by_rows(prediction, getattr(prediction, method)))
    if hasattr(prediction, "log_prob"):
        return Question(f"{name}.log_prob", _log_prob(prediction))
    for method in ("pdf", "pmf"):
        if hasattr(prediction, method):
            return Question(f"{name}.{method}", _logarithm(getattr(prediction, method)))
    if callable(prediction):
        return Question(getattr(prediction, "__name__", name), prediction)
    raise InputError(
        "prediction must be a distribution (with logpdf, logpmf, log_prob, pdf or pmf), a function that "
        f"gives the log density, or a list with one of these for each case; it is {name}"
    )


def is_skpro(prediction: Any) -> bool:
    """Whether this is a distribution of skpro, for which rows are cases."""
    return hasattr(prediction, "log_pdf") and hasattr(prediction, "get_tag")


def _skpro(prediction: Any) -> Ask:
    measure = prediction.get_tag("distr:measuretype", "mixed")
    ask = {"continuous": prediction.log_pdf, "discrete": prediction.log_pmf}.get(
        measure, _probability_or_density(prediction.log_pmf, prediction.log_pdf)
    )

    def of_one_column(y: Array) -> Array:
        answer = np.asarray(ask(y.reshape(-1, 1) if prediction.ndim else y.item()))
        return answer[:, 0] if answer.ndim == 2 and answer.shape[1] == 1 else answer

    return of_one_column


def _probability_or_density(log_pmf: Ask, log_pdf: Ask) -> Ask:
    """For what answers to both: a probability where y has one, and the density elsewhere.

    What is continuous has no probability anywhere; what is discrete has none between its values, and no
    density there either (scipy calls the density at its values plus infinity).
    """

    def either(y: Array) -> Array:
        probability = np.asarray(log_pmf(y), dtype=np.float64)
        return np.where(np.isneginf(probability), np.asarray(log_pdf(y), dtype=np.float64), probability)

    return either


def _by_rows(prediction: Any, ask: Ask) -> Ask:
    names = {kind.__name__ for kind in type(prediction).__mro__}
    if names.isdisjoint(_POINTS_IN_COLUMNS):
        return ask
    return lambda y: ask(y.T)


def _log_prob(prediction: Any) -> Ask:
    torch = sys.modules.get("torch")  # loaded if this is one of its distributions
    if torch is None or not isinstance(prediction, torch.distributions.Distribution):
        return lambda y: prediction.log_prob(y)
    return lambda y: prediction.log_prob(torch.as_tensor(y)).detach().cpu()


def _logarithm(density: Ask) -> Ask:
    return lambda y: np.log(np.asarray(density(y), dtype=np.float64))

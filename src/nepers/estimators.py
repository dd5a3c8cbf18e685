"""What an estimator of scikit-learn's kind gave to the truth: log Q(x) for each row of X.

A classifier's ``predict_proba(X)`` is a table with a column for each of its ``classes_``. What predicts
distributions gives an object or a list of them instead, from ``predict_proba`` (so skpro) or ``predict``;
`nepers.SkewStudentSurvival`, of times that may be censored, from ``predict_distribution``.
The estimator is asked and nothing of it is imported, so any library that follows the convention will do.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.matrices import matrix
from nepers.outcomes import outcomes
from nepers.priors.class_codes import all_labels, label_codes
from nepers.ratios.class_probabilities import blocks
from nepers.ratios.classes import log_class

Array = NDArray[np.float64]

RESPONSES = ("predict_proba", "predict_log_proba")
_DISTRIBUTION = ("log_pdf", "logpdf", "logpmf", "log_prob")
_SUM = float(np.sqrt(np.finfo(np.float32).eps))  # as for tables of probabilities


def log_of_classes(estimator: Any, X: Any, y_true: Any, response: str = "predict_proba") -> Array:
    """The log probability that a fitted classifier gave to each outcome."""
    return _of_table(estimator, response, _ask(estimator, response, X), y_true)


def log_of_any(estimator: Any, X: Any, y_true: Any) -> Array:
    """The log probability or density that a fitted classifier, or predictor of distributions, gave."""
    from nepers.ratios.parametric import log_parametric

    if hasattr(estimator, "predict_distribution"):
        return _of_times(estimator, X, y_true)
    response = "predict_proba" if hasattr(estimator, "predict_proba") else "predict"
    found = _ask(estimator, response, X)
    if _is_distribution(found):
        return log_parametric(y_true, found)
    if response == "predict" and hasattr(estimator, "predict_survival_function"):
        raise InputError(
            f"estimator must predict probabilities or distributions; {name_of(estimator)} gives survival "
            "curves, which have no density until one is chosen: give nepers.ratios.log_survival(times, "
            "estimator.predict_survival_function(X), density=...) to nepers.assess as log_q"
        )
    if response == "predict":
        raise InputError(
            f"estimator must predict probabilities or distributions; {name_of(estimator)} has no "
            "predict_proba, and its predict gives single values (nepers.ratios.log_point is for those)"
        )
    return _of_table(estimator, response, found, y_true)


def _of_times(estimator: Any, X: Any, y_true: Any) -> Array:
    """Of a predictor of survival times, whose outcomes say what is censored: `nepers.ratios.Times`."""
    from nepers.ratios.survival import log_survival
    from nepers.survival.outcome import times_of

    names = (getattr(estimator, name, None) for name in ("time", "event"))
    return log_survival(times_of(y_true, *names), estimator.predict_distribution(X))


def name_of(estimator: Any) -> str:
    """What to call an estimator in a message."""
    return type(estimator).__name__


def _ask(estimator: Any, response: str, X: Any) -> Any:
    ask = getattr(estimator, response, None)
    if isinstance(estimator, type) or not callable(ask):
        what = "is a class, not a fitted estimator" if isinstance(estimator, type) else f"has no {response}"
        raise InputError(
            f"estimator must be fitted and have {response}; "
            f"{estimator.__name__ if isinstance(estimator, type) else name_of(estimator)} {what}"
        )
    return ask(X)


def _of_table(estimator: Any, response: str, found: Any, y_true: Any) -> Array:
    asked = f"{name_of(estimator)}.{response}"
    if isinstance(found, list):
        raise InputError(
            f"estimator must predict one outcome for each case; {asked} gives {len(found)} tables"
        )
    labels = getattr(estimator, "classes_", None)
    if response == "predict_proba":
        return log_class(y_true, found, labels=labels)
    return _picked(y_true, found, labels, asked)


def _is_distribution(found: Any) -> bool:
    several = isinstance(found, list | tuple) or getattr(found, "dtype", None) == np.dtype(object)
    one = found[0] if several and len(found) else found
    return any(hasattr(one, method) for method in _DISTRIBUTION)


def _picked(y_true: Any, logs: Any, labels: Any, argument: str) -> Array:
    """From a table of the logs of probabilities, which must sum to one, that of each outcome."""
    truth, table = outcomes("y_true", y_true), matrix(argument, logs)
    names = all_labels(truth, labels)
    if table.values.shape != (truth.values.size, len(names)):
        raise InputError(
            f"{argument} must give a row for each case and a column for each class; its shape is "
            f"{table.values.shape}, there are {truth.values.size} cases and {len(names)} classes"
        )
    sums = np.concatenate([np.exp(table.values[rows]).sum(axis=1) for rows in blocks(truth.values.size)])
    wrong = ~(np.abs(sums - 1.0) <= _SUM)
    table.refuse(np.broadcast_to(wrong[:, None], table.values.shape), "must be logs of what sums to one")
    codes = label_codes(truth, names, "of the estimator", "it was fitted without that class")
    return np.asarray(table.values[np.arange(codes.size), codes])

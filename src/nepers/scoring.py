"""Apparent Shannon information for scikit-learn: a score, a scorer, and the assessment of an estimator.

    score = mean over the cases of log Q(x) - log P(x)          natural logarithms; more is better

with Q from the estimator and P the prior. Against a fixed prior it differs from minus the log loss by the
same amount for every estimator, so both choose the same one; but its zero is the prior, and it is not
clipped: where the estimator gave the truth probability zero it is minus infinity.

The prior is always given, in one of these forms:

    one of nepers.priors            with ``log_p``; `class_frequencies_of_rest` is made for cross-validation
    probabilities of the classes    (K,) in the order of the labels, or label: probability, as a mapping or
                                    a pandas series
    a table                         (n, K): what an older algorithm gave; for `asi_score`
    an older estimator, fitted      what it gives for the same X; for `asi_scorer` and `assess_estimator`
    "fitted_on_test_outcomes"       the frequencies of the classes in ``y_true`` itself: a prior that has seen
                                    the answers, so that the score is too low, by some (K - 1) / 2n

A score is one number, to choose by. How sure one can be of it is what `assess_estimator` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.cases import log_ratios
from nepers.columns import index_labels
from nepers.errors import InputError
from nepers.estimators import RESPONSES, log_of_any, log_of_classes, name_of
from nepers.outcomes import outcomes
from nepers.priors.class_codes import case_weights
from nepers.priors.classes import class_frequencies, known_classes
from nepers.ratios.classes import log_class
from nepers.rows import refuse_other_labels

if TYPE_CHECKING:
    from nepers.assessment import Assessment

Array = NDArray[np.float64]

FITTED_ON_TEST = "fitted_on_test_outcomes"


def asi_score(
    y_true: Any, y_proba: Any, *, prior: Any, labels: Any = None, sample_weight: Any = None
) -> float:
    """The mean of log Q - log P, in nats: a metric as ``sklearn.metrics.log_loss``, but more is better.

    y_true, y_proba, labels: as for `nepers.ratios.log_class`.
    prior: see `nepers.scoring`.
    sample_weight: what each case counts for; at least 0.

    >>> from nepers.scoring import asi_score
    >>> round(asi_score(["a", "b"], [[0.8, 0.2], [0.4, 0.6]], prior={"a": 0.5, "b": 0.5}), 4)
    0.3262
    """
    _check(prior)
    log_q = log_class(y_true, y_proba, labels=labels)
    return _mean(log_q, _log_prior(prior, y_true, labels, sample_weight), y_true, sample_weight)


@dataclass(frozen=True, eq=False)
class AsiScorer:
    """What `asi_scorer` makes: can be called as scikit-learn calls its scorers, pickled and cloned."""

    prior: Any
    response_method: str = "predict_proba"

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:
        """The score of a fitted estimator on X and what came true there."""
        log_q = log_of_classes(estimator, X, y_true, self.response_method)
        if _is_estimator(self.prior):
            log_p = log_of_classes(self.prior, X, y_true, self.response_method)
        else:
            log_p = _log_prior(self.prior, y_true, getattr(estimator, "classes_", None), sample_weight)
        return _mean(log_q, log_p, y_true, sample_weight)


def asi_scorer(prior: Any, *, response_method: str = "predict_proba") -> AsiScorer:
    """A scorer for ``scoring=`` of cross_validate, GridSearchCV and their like.

    prior: see `nepers.scoring`. With `nepers.priors.class_frequencies_of_rest` the prior of each fold is made
        from its training outcomes. A prior fitted on all outcomes at once has seen those of every fold.
    response_method: "predict_proba", or "predict_log_proba" for estimators whose probabilities underflow to
        zero where their logarithms are still finite.

    A fold in which the truth had probability zero scores minus infinity. scikit-learn warns that scores are
    not finite, ranks such an estimator last, and chooses among the others.
    """
    _check(prior)
    if response_method not in RESPONSES:
        raise InputError(f"response_method must be {' or '.join(RESPONSES)}; it is {response_method!r}")
    return AsiScorer(prior, response_method)


def assess_estimator(
    estimator: Any, X: Any, y: Any, *, prior: Any, trained_on: Any = None, **options: Any
) -> Assessment:
    """`nepers.assess` for a fitted estimator on cases it has not seen: the posterior of J.

    estimator: a classifier, or a regressor that predicts distributions.
    X, y: the cases and what came true. The index of ``y``, or else of ``X``, names the cases.
    prior: see `nepers.scoring`; for a regressor one of `nepers.priors`, or an older estimator.
    trained_on: what it was fitted on, in the form of ``X``: an error if any case is in it (`nepers.unseen`).
    options: those of `nepers.assess`, as ``seed``.

    Of a classifier only the probability of what came true is used. Where a class came true in few cases,
    ``nepers.assess_classes(y, estimator.predict_proba(X), prior=prior, labels=estimator.classes_)`` uses all.
    """
    from nepers.assessment import assess
    from nepers.unseen import refuse_seen

    _check(prior)
    if trained_on is not None:
        refuse_seen(X, trained_on)
    log_q = log_of_any(estimator, X, y)
    if _is_estimator(prior):
        log_p = log_of_any(prior, X, y)
    else:
        log_p = _log_prior(prior, y, getattr(estimator, "classes_", None), None)
    return assess(log_q=_with_labels(log_q, X, y), log_p=log_p, **options)


def _check(prior: Any) -> None:
    if prior is None:
        raise InputError(
            "prior must be given, since a score is as good as the prior it is measured against and none is "
            "right for all: for example nepers.priors.class_frequencies(y_train)"
        )
    if isinstance(prior, str) and prior != FITTED_ON_TEST:
        raise InputError(f"prior must not be text, except {FITTED_ON_TEST!r}; it is {prior!r}")
    if isinstance(prior, type):
        raise InputError(f"prior must be fitted; it is the class {prior.__name__}")


def _is_estimator(prior: Any) -> bool:
    return not hasattr(prior, "log_p") and (hasattr(prior, "predict_proba") or hasattr(prior, "predict"))


def _log_prior(prior: Any, y_true: Any, labels: Any, sample_weight: Any) -> Array:
    """log P of each outcome, for a prior of any form but an estimator."""
    if hasattr(prior, "log_p"):
        return np.asarray(prior.log_p(y_true), dtype=np.float64)
    if isinstance(prior, str):
        own = class_frequencies(
            y_true, pseudo_count=0.0, sample_weight=sample_weight, fitted_on_test_outcomes=True
        )
        return own.log_p(y_true)
    if _is_estimator(prior):
        raise InputError(
            f"prior must be what {name_of(prior)} gave to the cases, where there is no X to ask it for: "
            "its predict_proba(X)"
        )
    if isinstance(prior, Mapping) or (np.ndim(prior) == 1 and index_labels(prior) is not None):
        return known_classes(prior).log_p(y_true)
    return _log_of_table(prior, y_true, labels)


def _log_of_table(prior: Any, y_true: Any, labels: Any) -> Array:
    """A table, or a row that is the same for all cases."""
    table = prior
    if np.ndim(prior) == 1:
        row = np.asarray(prior)
        table = np.broadcast_to(row, (outcomes("y_true", y_true).values.size, row.size))
    try:
        return log_class(y_true, table, labels=labels)
    except InputError as error:
        raise InputError(str(error).replace("y_proba", "prior")) from None


def _mean(log_q: Array, log_p: Array, y_true: Any, sample_weight: Any) -> float:
    j = log_ratios(log_q=log_q, log_p=log_p).values
    if not j.size:
        raise InputError("y_true must have at least one outcome; it is empty")
    if sample_weight is None:
        return float(j.mean())
    weights = case_weights(sample_weight, outcomes("y_true", y_true))
    counted = weights > 0.0  # zero times minus infinity is no number
    return float(np.average(j[counted], weights=weights[counted] / weights.max()))


def _with_labels(log_q: Array, X: Any, y: Any) -> Any:
    """log_q under the user's own names of the rows, if there are any."""
    of_y, of_X = index_labels(y), index_labels(X)
    refuse_other_labels("X", of_X, "y", of_y)
    labels = of_X if of_y is None else of_y
    if labels is None:
        return log_q
    import narwhals as nw

    series = nw.new_series(name="log_q", values=log_q, backend="pandas").to_native()
    series.index = labels
    return series

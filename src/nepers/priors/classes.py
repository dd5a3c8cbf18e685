"""Priors over classes: how often each class came true, the same for every case.

    P(class k) = (n_k + c) / (n + K c)

with n_k of the n training outcomes in class k, K classes, and a pseudo-count c for each. c = 1/2 is the
posterior mean under Jeffreys's prior, Dirichlet(1/2, ..., 1/2): a class that training lacks, but is known of
(``labels=``), has a small probability and not none. c = 0 gives the plain frequencies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import column, index_labels
from nepers.errors import InputError
from nepers.outcomes import outcomes
from nepers.priors.class_codes import all_labels, case_weights, distinct_labels, frequencies, label_codes
from nepers.priors.class_codes import pseudo_count as checked
from nepers.priors.leak import TrainingOutcomes

Array = NDArray[np.float64]

_SUM = 1e-6  # probabilities written down with seven digits


@dataclass(frozen=True, eq=False)
class ClassFrequencies:
    """The same probabilities for every case, in the order of ``labels``.

    ``training`` are the outcomes it was fitted on, which it refuses; None where it was not fitted, or on
    purpose on those it is used on.
    """

    labels: tuple[Any, ...]
    probabilities: Array
    training: TrainingOutcomes | None = None

    def log_p(self, y_true: Any) -> Array:
        """The log of the probability of what came true in each case."""
        truth = outcomes("y_true", y_true)
        codes = label_codes(truth, self.labels, "of the prior")
        if self.training is not None:
            self.training.refuse("y_true", truth.values)
        with np.errstate(divide="ignore"):  # with c = 0 a class may have probability zero
            return np.asarray(np.log(self.probabilities)[codes])

    def proba(self, n: int) -> Array:
        """The (n, K) table of the probabilities; read-only, as all its rows are one."""
        return np.broadcast_to(self.probabilities, (n, self.probabilities.size))


def class_frequencies(
    y_train: Any,
    *,
    labels: Any = None,
    pseudo_count: float = 0.5,
    sample_weight: Any = None,
    fitted_on_test_outcomes: bool = False,
) -> ClassFrequencies:
    """The frequencies of the classes among the training outcomes.

    y_train: the class that came true in each training case.
    labels: all classes there are, if training may lack some; left out, those of ``y_train``, sorted.
    pseudo_count: what each class counts for before it is seen; 0 gives the plain frequencies.
    sample_weight: what each training case counts for; at least 0.
    fitted_on_test_outcomes: accept that the outcomes to be assessed are those of the training. The prior is
        then better than it would be on new cases, and the prediction seems worse.

    >>> from nepers.priors import class_frequencies
    >>> prior = class_frequencies(["cat", "cat", "dog"])
    >>> prior.labels, prior.probabilities.tolist()
    (('cat', 'dog'), [0.625, 0.375])
    """
    truth = outcomes("y_train", y_train)
    names = all_labels(truth, labels)
    weights = None if sample_weight is None else case_weights(sample_weight, truth)
    counts = np.bincount(label_codes(truth, names, "in labels"), weights, minlength=len(names))
    probabilities = frequencies(counts, checked(pseudo_count))
    remembered = None if fitted_on_test_outcomes else TrainingOutcomes.of(truth.values.copy())
    return ClassFrequencies(names, _locked(probabilities), remembered)


def known_classes(probabilities: Any) -> ClassFrequencies:
    """Probabilities known otherwise: a mapping of label to probability, or a pair (labels, probabilities).

    A pandas series is a mapping, by its index. The probabilities must lie in [0, 1] and sum to one, to within
    1e-6. Nothing was fitted, so no outcomes are refused.
    """
    if isinstance(probabilities, Mapping):
        labels: Any = list(probabilities)
        values: Any = list(probabilities.values())
    elif (index := index_labels(probabilities)) is not None:
        labels, values = index, probabilities
    elif isinstance(probabilities, tuple | list) and len(probabilities) == 2:
        labels, values = probabilities
    else:
        raise InputError(
            "probabilities must be a mapping of label to probability, or a pair (labels, probabilities); "
            f"it is {type(probabilities).__name__}"
        )
    names = distinct_labels(labels)
    found = column("probabilities", values).values
    if found.size != len(names):
        raise InputError(f"labels and probabilities must be as many; there are {len(names)} and {found.size}")
    for name, value in zip(names, found.tolist(), strict=True):
        if not 0.0 <= value <= 1.0:
            raise InputError(f"probabilities must lie in [0, 1]; that of {name!r} is {value}")
    if abs(found.sum() - 1.0) > _SUM:
        raise InputError(f"probabilities must sum to one, to within {_SUM:g}; the sum is {found.sum():.9g}")
    return ClassFrequencies(names, _locked(found.copy()))


def _locked(values: Array) -> Array:
    values.setflags(write=False)
    return values

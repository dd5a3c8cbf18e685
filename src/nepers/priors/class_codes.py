"""Outcomes as places among the classes, and the classes' frequencies from their counts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import column
from nepers.errors import InputError
from nepers.outcomes import Outcomes, outcomes
from nepers.ratios.class_labels import listed
from nepers.ratios.classes import coder
from nepers.rows import name_rows

Array = NDArray[np.float64]

_REMEDY = "give all classes there are as labels="


def all_labels(truth: Outcomes, labels: Any) -> tuple[Any, ...]:
    """The labels given, or those that the outcomes have, sorted; of no outcomes there is no frequency."""
    if not truth.values.size:
        raise InputError(f"{truth.argument} must have at least one outcome; it is empty")
    if labels is not None:
        return distinct_labels(labels)
    try:
        return tuple(sorted(set(truth.values.tolist())))
    except TypeError:
        raise InputError(
            f"{truth.argument} has labels of several types, which have no order: give labels="
        ) from None


def distinct_labels(labels: Any) -> tuple[Any, ...]:
    """The labels, each once."""
    values = outcomes("labels", labels).values.tolist()
    again = [label for label, times in Counter(values).items() if times > 1]
    if again or not values:
        problem = f"{again[0]!r} is repeated" if again else "there are none"
        raise InputError(f"labels must have each class once; {problem}")
    return tuple(values)


def label_codes(
    truth: Outcomes, labels: Sequence[Any], where: str, remedy: str = _REMEDY
) -> NDArray[np.int64]:
    """The place of each outcome among the labels; an outcome that is none of them is an error."""
    places = {label: i for i, label in enumerate(labels)}
    codes = np.asarray(coder(truth.values, places)(truth.values), dtype=np.int64)
    wrong = codes < 0
    if wrong.any():
        value = truth.values[wrong][:1].tolist()[0]
        raise InputError(
            f"{truth.argument} must be among the classes {where} ({listed(labels)}); {value!r} in the first "
            f"of {name_rows(wrong, truth.labels)}: {remedy}"
        )
    return codes


def case_weights(sample_weight: Any, truth: Outcomes) -> Array:
    """What each case counts for: at least 0, finite, and not all 0."""
    given = column("sample_weight", sample_weight)
    weights = given.values
    if weights.size != truth.values.size:
        raise InputError(
            f"sample_weight must have a row for each case; {truth.argument} has {truth.values.size:,}, "
            f"sample_weight {weights.size:,}"
        )
    wrong = ~((weights >= 0.0) & np.isfinite(weights))
    if wrong.any():
        value = weights[wrong][0]
        raise InputError(
            f"sample_weight must be finite and at least 0; {value} in {name_rows(wrong, given.labels)}"
        )
    if not weights.any():
        raise InputError("sample_weight must have a weight above 0; all are 0")
    return weights


def pseudo_count(value: float) -> float:
    """What each class counts for before it is seen."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 <= value < math.inf:
        raise InputError(f"pseudo_count must be a finite number of at least 0; it is {value!r}")
    return float(value)


def frequencies(counts: NDArray[Any], c: float) -> Array:
    """(n_k + c) / (n + K c)."""
    return np.asarray((counts + c) / (counts.sum() + counts.size * c))

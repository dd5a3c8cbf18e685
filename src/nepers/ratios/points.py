"""Predictions of one value without a probability.

A prediction that names one value and says no more puts all probability on it:

    log Q(x) = 0            where the value came true
    log Q(x) = -inf         where it did not

So J is minus infinity unless it is always right: it claimed certainty and was wrong. That is what such a
prediction says, taken at its word. If less was meant, it is to be said: a classifier's probabilities
(``predict_proba`` instead of ``predict``) go to `log_class`.

A real value has a density and no probability of its own, so where what comes true is real, a point cannot be
compared with a prior that has a density: it is refused. Several predictions of the same case go to
`log_ensemble`, a prediction with a stated spread to `log_parametric`. Whole numbers count as discrete,
whatever type they are stored in.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.outcomes import Outcomes, outcomes
from nepers.rows import refuse, refuse_other_cases

_REAL = (
    "must be labels or whole numbers: one real value has no density to compare with a prior's (give its "
    "spread with log_parametric, or several predictions with log_ensemble)"
)
_KINDS = {**dict.fromkeys("biuf", "number"), **dict.fromkeys("UT", "text")}


def log_point(y_true: Any, y_pred: Any) -> NDArray[np.float64]:
    """0 where the predicted value ``y_pred`` is ``y_true``, minus infinity where it is not.

    Both are labels of any type, or whole numbers. The remedy for minus infinity is to predict probabilities.
    """
    truth, predicted = outcomes("y_true", y_true), outcomes("y_pred", y_pred)
    refuse_other_cases(truth, predicted)
    if truth.values.dtype.kind == "f":
        refuse(truth, truth.values != np.rint(truth.values), _REAL)
        refuse(truth, np.isinf(truth.values), "must be finite")
    _refuse_other_type(truth, predicted)
    return np.where(truth.values == predicted.values, 0.0, -np.inf)


def _refuse_other_type(truth: Outcomes, predicted: Outcomes) -> None:
    """A text is never equal to a number: every case would be wrong for no fault of the prediction."""
    given = (truth.values, predicted.values)
    kinds = [_KINDS.get(values.dtype.kind, values.dtype.kind) for values in given]
    if truth.values.size and "O" not in kinds and kinds[0] != kinds[1]:
        first, other = (values[:1].tolist()[0] for values in given)
        raise InputError(
            "y_true and y_pred must be of one type, or no prediction can be right; "
            f"y_true starts with {first!r}, y_pred with {other!r}"
        )

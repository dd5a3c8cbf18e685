"""Tables of class probabilities, as classifiers give them.

    log Q(x) = log of the probability in the column of the class that came true

natural logarithms; minus infinity where that probability is zero. Minus the mean over the cases is
scikit-learn's ``log_loss``, except that nothing is clipped there: ``log_loss`` takes a zero for 2e-16, which
makes a claim of certainty that was wrong cost 36 nats instead of everything. A network whose softmax is taken
in float32 gives zeros below 1e-45; its log-softmax does not, and goes to ``assess`` as ``log_q`` directly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column
from nepers.errors import InputError
from nepers.outcomes import outcomes
from nepers.ratios.class_labels import Places, label_places, listed, refuse_unknown
from nepers.ratios.class_probabilities import blocks, class_probabilities
from nepers.rows import refuse_other_cases

Array = NDArray[np.float64]
Codes = NDArray[np.intp]


def log_class(y_true: Any, y_proba: Any, *, labels: Any = None) -> Array:
    """The log of the probability that each row of ``y_proba`` gave to the label in ``y_true``.

    y_true: the class that came true in each case: text, whole numbers, booleans.
    y_proba: for each case the probabilities of all classes, in [0, 1] and summing to one: a 2-D array, nested
        lists, a dataframe, a mapping of columns. In one dimension it is the probability of the greater of two
        labels (the one that sorts last: 1 of 0 and 1, "yes" of "no" and "yes").
    labels: the labels in the order of the columns, as in ``model.classes_``. Left out, the columns go by
        their names, which must be the labels, and columns without names are the sorted labels of ``y_true``,
        as in scikit-learn; then every class must have come true at least once, except that 0 and 1 (False
        and True) are known.

    >>> from nepers.ratios import log_class
    >>> log_class(["cat", "dog"], [[0.5, 0.5], [1.0, 0.0]]).tolist()
    [-0.6931471805599453, -inf]
    """
    truth, proba = outcomes("y_true", y_true), class_probabilities("y_proba", y_proba)
    refuse_other_cases(truth, proba)
    places = label_places(truth, proba, labels)
    if isinstance(proba, Column):
        _refuse_descending(places)
    pick: Callable[[Array, Codes], Array] = _log_of_two if isinstance(proba, Column) else _log_of_several
    code = coder(truth.values, places)
    logs = np.empty(truth.values.size)
    for rows in blocks(logs.size):
        codes = code(truth.values[rows])
        if codes.min() < 0:
            refuse_unknown(truth, places)
        with np.errstate(divide="ignore"):  # the log of zero is minus infinity
            logs[rows] = pick(proba.values[rows], codes)
    return logs


def _log_of_several(probabilities: Array, codes: Codes) -> Array:
    return np.asarray(np.log(probabilities[np.arange(codes.size), codes]))


def _log_of_two(second: Array, codes: Codes) -> Array:
    """log1p keeps the first class's log where its probability is nearly one."""
    return np.where(codes == 1, np.log(second), np.log1p(-second))


def _refuse_descending(places: Places) -> None:
    first, second = places
    try:
        ascending = bool(first < second)
    except TypeError:
        ascending = False
    if not ascending:
        raise InputError(
            "labels must be in ascending order where y_proba has one dimension, as that is the probability "
            f"of the greater of them; labels has {listed(places)}: give both columns"
        )


def coder(values: NDArray[Any], places: Places) -> Callable[[NDArray[Any]], Codes]:
    """From outcomes to their columns, -1 for an outcome that is no label."""
    known = np.array(list(places))
    columns = np.array(list(places.values()), dtype=np.intp)
    if not (_comparable(values, known) and known.size):
        return lambda block: np.array([places.get(value, -1) for value in block.tolist()], dtype=np.intp)
    order = np.argsort(known)
    ranked, columns = known[order], columns[order]

    def code(block: NDArray[Any]) -> Codes:
        at = np.minimum(np.searchsorted(ranked, block), ranked.size - 1)
        return np.where(ranked[at] == block, columns[at], -1)

    return code


def _comparable(values: NDArray[Any], known: NDArray[Any]) -> bool:
    """Numbers that a common type holds exactly."""
    kinds = {values.dtype.kind, known.dtype.kind}
    return kinds == {"f"} or (kinds <= set("biu") and np.result_type(values, known).kind in "biu")

"""Predictions that are distributions: objects of a library, or functions, to log Q(x).

    log Q(x)        the log of the density at the truth x, or of its probability where x is discrete

The prediction is one object that speaks of all cases, with a parameter for each case or the same for all, or
a list with an object for each. `nepers.ratios.asking` says how an object is asked.

Limits. A density depends on the unit of x, so Q and P must be in the same one. Of a library that works in
single precision (torch and numpyro unless told otherwise) the logarithm has seven digits. Of an object that
gives only the density and not its logarithm, a density below 1e-308 is zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import index_labels
from nepers.errors import InputError
from nepers.ratios.asking import Question, is_skpro, question
from nepers.ratios.truths import is_flat, real_table, real_truths
from nepers.rows import Rows, name_rows, refuse_other_cases

Array = NDArray[np.float64]


def log_parametric(y_true: Any, prediction: Any) -> Array:
    """The log density or probability that each case's ``prediction`` gave to the truth.

    y_true: a number for each case, or (n, d) for distributions of d numbers together.
    prediction: a distribution of scipy, skpro, torch, tensorflow or numpyro, any object with one of their
        methods, or a function of the truths that gives the log density; for all cases together, or a list
        with one for each.

    A distribution without an own parameter for each case, such as ``scipy.stats.norm(0, 1)``, is the same in
    every case. What has a probability at single values beside a density needs `log_mixed`, except for
    skpro's, which say themselves which it is.
    """
    truths: Rows = real_table("y_true", y_true) if _is_table(y_true) else real_truths(y_true)
    several = _as_list(prediction, len(truths.values))
    with np.errstate(all="ignore"):  # the log of zero is legal here, and what is wrong is NaN
        answer = _each(truths, several) if several is not None else _together(truths, prediction)
    _refuse(truths, np.isnan(answer), "a number, not NaN", "are its parameters legal?")
    _refuse(
        truths, np.isposinf(answer), "a finite density", "all the probability is at one point (log_mixed)"
    )
    return answer


def _is_table(data: Any) -> bool:
    """A dataframe of one column is that column; an array of shape (n, 1) is n vectors of one number."""
    if is_flat(data):
        return False
    shape: tuple[int, ...] = getattr(data, "shape", (0, 0))
    return len(shape) == 2 and (shape[1] != 1 or isinstance(data, np.ndarray))


def _as_list(prediction: Any, n: int) -> list[Any] | None:
    """The objects, one for each case; None if it is one object for all."""
    if isinstance(prediction, np.ndarray) and prediction.ndim != 1:
        raise InputError(f"prediction must have one object for each case; its shape is {prediction.shape}")
    if isinstance(prediction, list | tuple | np.ndarray):
        objects = list(prediction)
        if len(objects) != n:
            raise InputError(
                f"prediction must have one object for each case; it has {len(objects):,}, y_true {n:,} rows"
            )
        return objects
    # a distribution of skpro without rows knows one case only
    return [prediction] * n if is_skpro(prediction) and not prediction.ndim else None


def _each(truths: Rows, objects: list[Any]) -> Array:
    answer = np.empty(len(objects))
    for row, one in enumerate(objects):
        asked = question(one)
        found = _ask(asked, truths.values[row])
        if found.size != 1:
            raise InputError(
                f"prediction must give one log density for each case; {asked.name} gave shape {found.shape} "
                f"in row {row if truths.labels is None else truths.labels[row]}"
            )
        answer[row] = found.item()
    return answer


def _together(truths: Rows, prediction: Any) -> Array:
    n = len(truths.values)
    asked = question(prediction)
    if is_skpro(prediction):
        _refuse_other_index(truths, prediction)
    if n == 0:
        return np.empty(0)
    found = _ask(asked, truths.values)
    if found.shape != (n,) and not (n == 1 and found.shape == ()):  # scipy drops the axis of a single case
        raise InputError(
            f"prediction must give one log density for each case; for y_true of shape {truths.values.shape} "
            f"{asked.name} gave shape {found.shape}"
        )
    return found.reshape(n)


def _ask(asked: Question, y: Array) -> Array:
    try:
        return np.array(asked.ask(y), dtype=np.float64)
    except (ValueError, TypeError, NotImplementedError) as error:
        said = " ".join(str(error).split())
        raise InputError(
            f"prediction must take y_true of shape {np.shape(y)}; {asked.name} says: {said}"
        ) from error


class _Index:
    """The rows of a distribution of skpro."""

    argument = "prediction"

    def __init__(self, prediction: Any) -> None:
        self.values: NDArray[Any] = np.empty(prediction.shape[0])
        self.labels = index_labels(prediction)


def _refuse_other_index(truths: Rows, prediction: Any) -> None:
    if prediction.shape[1] != 1:
        raise InputError(f"prediction must have one column, as y_true has; its shape is {prediction.shape}")
    refuse_other_cases(truths, _Index(prediction))


def _refuse(truths: Rows, wrong: NDArray[np.bool_], what: str, why: str) -> None:
    if wrong.any():
        at = truths.values[np.flatnonzero(wrong)[0]]
        raise InputError(
            f"prediction must give {what}; not so at y_true {at} in {name_rows(wrong, truths.labels)}: {why}"
        )

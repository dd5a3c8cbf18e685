"""Class probabilities and the classes that came true, read for recalibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column
from nepers.errors import InputError
from nepers.matrices import Matrix
from nepers.outcomes import outcomes
from nepers.ratios.class_labels import label_places, listed
from nepers.ratios.class_probabilities import class_probabilities
from nepers.ratios.classes import log_class

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClassLogs:
    """Logs of probabilities, (K, n): a row for each class. Where ``zero``, the log is -inf and held as 0."""

    finite: Array
    zero: NDArray[np.bool_] | None

    def part(self, rows: slice | NDArray[np.intp]) -> ClassLogs:
        """Some of the cases."""
        return ClassLogs(self.finite[:, rows], None if self.zero is None else self.zero[:, rows])


@dataclass(frozen=True, eq=False)
class ClassCases:
    """The cases: all logs, the class that came true and its log; the names of the classes and of the rows."""

    logs: ClassLogs
    truth: NDArray[np.intp]
    log_q: Array
    labels: tuple[Any, ...]
    rows: NDArray[Any]


def read_cases(y_true: Any, y_proba: Any, labels: Any) -> ClassCases:
    """The cases, under the rules of `nepers.ratios.log_class`."""
    log_q = log_class(y_true, y_proba, labels=labels)
    happened, given = outcomes("y_true", y_true), class_probabilities("y_proba", y_proba)
    places = label_places(happened, given, labels)
    logs = _logs(given)
    columns = range(logs.finite.shape[0])
    known = {place: label for label, place in places.items()}
    # a class that is named by its column only, as it did not come true
    names = given.names if isinstance(given, Matrix) else None
    named = [(given.labels if given.labels is not None else happened.labels), np.arange(log_q.size)]
    return ClassCases(
        logs=logs,
        truth=np.array([places[value] for value in happened.values.tolist()], dtype=np.intp),
        log_q=log_q,
        labels=tuple(known.get(i, (names or columns)[i]) for i in columns),
        rows=next(found for found in named if found is not None),
    )


def as_logs(argument: str, data: Any, labels: tuple[Any, ...]) -> ClassLogs:
    """New predictions for the classes ``labels``, the columns in their order."""
    given = class_probabilities(argument, data)
    logs = _logs(given)
    if logs.finite.shape[0] != len(labels):
        raise InputError(
            f"{argument} must have a column for each of the {len(labels)} classes ({listed(labels)}); "
            f"it has {logs.finite.shape[0]}"
        )
    names = given.names if isinstance(given, Matrix) else None
    called = tuple(str(label) for label in labels)
    if names is not None and names != called and set(names) == set(called):
        raise InputError(
            f"{argument} must have its columns in the order {listed(called)}; theirs is {listed(names)}"
        )
    return logs


def _logs(given: Matrix | Column) -> ClassLogs:
    with np.errstate(divide="ignore"):  # the log of zero is minus infinity
        if isinstance(given, Column):
            logs = np.stack([np.log1p(-given.values), np.log(given.values)])
        else:
            logs = np.log(np.ascontiguousarray(given.values.T))
    zero = np.isneginf(logs)
    if not zero.any():
        return ClassLogs(logs, None)
    logs[zero] = 0.0
    return ClassLogs(logs, zero)

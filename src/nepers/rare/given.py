"""The border: what the user has becomes groups of cases of which Q and P say the same, and what came true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.cases import plain
from nepers.columns import index_labels
from nepers.errors import InputError
from nepers.improvement.class_table import ClassCases, as_logs, read_cases
from nepers.priors.classes import ClassFrequencies, known_classes
from nepers.rare.expectation import Groups
from nepers.rare.recalibration import Told
from nepers.ratios.class_labels import listed
from nepers.rows import name_rows

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Given:
    """The cases: grouped, how often each class came true, and which cases Q gave the truth no probability."""

    labels: tuple[Any, ...]
    counts: tuple[int, ...]
    told: Told
    groups: Groups
    infinite: tuple[int | float | str, ...]
    certain: int


def read_given(y_true: Any, y_proba: Any, prior: Any, labels: Any) -> Given:
    """The cases, checked as by `nepers.ratios.log_class`, and the prior of every class."""
    cases = read_cases(y_true, y_proba, labels)
    K, n = cases.logs.finite.shape
    if K < 2:
        raise InputError(f"y_proba must have at least two classes; it has {K}")
    if n == 0:
        raise InputError("y_true must have at least one case; it is empty")
    log_p, no_p = _prior_logs(prior, y_true, cases)
    no_q = np.zeros((K, n), dtype=bool) if cases.logs.zero is None else cases.logs.zero
    _refuse_impossible(no_p & ~no_q, cases)
    log_p = np.where(no_q, 0.0, log_p)
    seen = np.zeros((K, n))
    seen[cases.truth, np.arange(n)] = 1.0
    table, inverse = _same(np.concatenate([cases.logs.finite, log_p, no_q.astype(np.float64)]))
    possible = table[2 * K :] == 0.0
    grouped = np.stack([np.bincount(inverse, row, table.shape[1]) for row in seen]).astype(np.float64)
    return Given(
        labels=cases.labels,
        counts=tuple(int(count) for count in seen.sum(axis=1)),
        told=Told(table[:K], possible, grouped),
        groups=Groups(table[:K], table[K : 2 * K], possible, grouped.sum(axis=0)),
        infinite=tuple(plain(label) for label in cases.rows[np.isneginf(cases.log_q)]),
        certain=int(no_q.any(axis=0).sum()),
    )


def _same(columns: Array) -> tuple[Array, NDArray[np.intp]]:
    """The distinct columns, and which of them each one is."""
    found, inverse = np.unique(columns, axis=1, return_inverse=True)
    return np.asarray(found), inverse.ravel()


def _prior_logs(prior: Any, y_true: Any, cases: ClassCases) -> tuple[Array, NDArray[np.bool_]]:
    """log P of every class in every case, held as 0 where P is zero, and where that is."""
    K, n = cases.logs.finite.shape
    if prior is None or isinstance(prior, str | type):
        raise InputError(
            "prior must give a probability for every class: nepers.priors.class_frequencies(y_train), a "
            f"mapping of label to probability, or a table; it is {prior!r}"
        )
    if hasattr(prior, "log_p") and not isinstance(prior, ClassFrequencies):
        raise InputError(
            "prior must give a probability for every class, as nepers.priors.class_frequencies does; "
            f"{type(prior).__name__} gives that of what came true alone"
        )
    if isinstance(prior, ClassFrequencies):
        prior.log_p(y_true)  # which refuses the outcomes that it was fitted on
        row = _in_order(prior, cases.labels)
    elif isinstance(prior, Mapping) or (np.ndim(prior) == 1 and index_labels(prior) is not None):
        row = _in_order(known_classes(prior), cases.labels)
    elif np.ndim(prior) == 1:
        row = _in_order(known_classes((list(cases.labels), prior)), cases.labels)
    else:
        logs = as_logs("prior", prior, cases.labels)
        if logs.finite.shape[1] != n:
            raise InputError(
                f"prior must have a row for each case; it has {logs.finite.shape[1]:,}, y_true {n:,}"
            )
        return logs.finite, np.zeros((K, n), dtype=bool) if logs.zero is None else logs.zero
    zero = row == 0.0
    logs_of_row = np.log(np.where(zero, 1.0, row))
    return np.repeat(logs_of_row[:, None], n, axis=1), np.repeat(zero[:, None], n, axis=1)


def _in_order(prior: ClassFrequencies, labels: tuple[Any, ...]) -> Array:
    """The prior's probabilities in the order of the prediction's classes; it may name them as text."""
    places = {str(label): i for i, label in enumerate(prior.labels)} | {
        label: i for i, label in enumerate(prior.labels)
    }
    # classes that never came true are known by the name of their column, which is text
    found = [places.get(label, places.get(str(label))) for label in labels]
    if None in found or len(prior.labels) != len(labels):
        raise InputError(
            f"prior must have the classes of y_proba ({listed(labels)}); it has {listed(prior.labels)}: "
            "give both all classes there are, as labels="
        )
    return np.asarray(prior.probabilities[np.array(found, dtype=np.intp)])


def _refuse_impossible(wrong: NDArray[np.bool_], cases: ClassCases) -> None:
    if wrong.any():
        k = int(np.flatnonzero(wrong.any(axis=1))[0])
        raise InputError(
            "prior must give probability to every class to which y_proba gives some, since one that came "
            "true "
            f"would be worth plus infinity; it gives none to {cases.labels[k]!r} in "
            f"{name_rows(wrong[k], cases.rows)}"
        )

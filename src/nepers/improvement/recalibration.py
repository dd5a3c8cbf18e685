"""How much J would rise if the prediction were recalibrated.

    J <= I(x; Q) <= I(x; y)

I(x; Q) is the information about the truth x that the prediction Q carries, I(x; y) that of the data it was
made from. What lies between J and I(x; Q) is lost to miscalibration: a map of Q alone, that looks at neither
x nor y, can win it back. An oracle that is always wrong has a J far below zero, and an I(x; Q) that turning
it round brings to light. The gain of a fitted map estimates the loss, from below on average: maps of the
kinds tried here may not reach I(x; Q), and each is fitted on part of the cases.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import column
from nepers.improvement import class_map, pit_map
from nepers.improvement.class_map import ClassMap
from nepers.improvement.class_table import read_cases
from nepers.improvement.crossfit import CrossFit, crossfit, deal
from nepers.improvement.pit_map import PitMap
from nepers.improvement.pit_values import Pit, read_pit
from nepers.improvement.recalibrated import Recalibration
from nepers.rows import refuse, refuse_other_cases

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


def recalibrate_classes(
    y_true: Any, y_proba: Any, *, labels: Any = None, folds: int = 10, seed: int = 0
) -> Recalibration[ClassMap]:
    """What a recalibration of class probabilities would gain, case by case.

    y_true, y_proba, labels: as for `nepers.ratios.log_class`.
    folds: each case is recalibrated by a map fitted on the other folds; at least 3.
        The classes are spread evenly over the folds.
    seed: deals the cases into folds.

    `class_map` has the maps. A class given probability zero keeps it, so where that class came true no map of
    this sort can help, and J stays -inf; the answer says so.
    """
    cases = read_cases(y_true, y_proba, labels)
    possible = np.flatnonzero(~np.isneginf(cases.log_q))
    truth, logs = cases.truth[possible], cases.logs.part(possible)
    fold = deal(possible.size, folds, seed, truth)

    def fit(kind: int, rows: Rows) -> ClassMap:
        return class_map.fit(kind, cases.labels, logs.part(rows), truth[rows])

    def gain(one: ClassMap, rows: Rows) -> Array:
        return one.gain(logs.part(rows), truth[rows])

    found = crossfit(fold, len(class_map.KINDS), fit, gain)
    return _answer(found, possible, fold, cases.log_q, cases.rows, seed)


def recalibrate_pit(pit: Any, *, log_q: Any = None, folds: int = 10, seed: int = 0) -> Recalibration[PitMap]:
    """What a recalibration of predictions of a real quantity would gain, case by case.

    pit: u = F(x), the probability that each prediction gave to what lies at or below the truth; or (n, 2),
        the two ends of an interval: for a truth censored at t, [F(t), 1]; for whole numbers,
        [F(x - 1), F(x)].
    log_q: the logs of what the predictions gave to the truth, if the recalibrated ones are wanted.
    folds: each case is recalibrated by a map fitted on the other folds; at least 3.
    seed: deals the cases into folds.

    `pit_map` has the maps. Where log_q is -inf no map of this sort can help, and J stays -inf.
    """
    given = read_pit(pit)
    before = None if log_q is None else _logs(log_q, given)
    n = given.low.size
    possible = np.arange(n) if before is None else np.flatnonzero(~np.isneginf(before))
    fold = deal(possible.size, folds, seed)
    low, high = given.low[possible], given.high[possible]

    def fit(candidate: int, rows: Rows) -> PitMap:
        return pit_map.fit(pit_map.CANDIDATES[candidate], low[rows], high[rows])

    def gain(one: PitMap, rows: Rows) -> Array:
        return one.gain(low[rows], high[rows])

    found = crossfit(fold, len(pit_map.CANDIDATES), fit, gain)
    labels = np.arange(n) if given.labels is None else given.labels
    return _answer(found, possible, fold, before, labels, seed)


def _answer(
    found: CrossFit[Any], possible: Rows, fold: Rows, before: Array | None, rows: NDArray[Any], seed: int
) -> Recalibration[Any]:
    gain, dealt = np.full(rows.size, np.nan), np.full(rows.size, -1)
    gain[possible], dealt[possible] = found.gain, fold
    log_q = None
    if before is not None:
        log_q = np.array(before)
        log_q[possible] += found.gain
    return Recalibration(gain, log_q, found.final, found.maps, dealt, rows, seed)


def _logs(log_q: Any, pit: Pit) -> Array:
    given = column("log_q", log_q)
    refuse_other_cases(given, pit)
    refuse(given, np.isposinf(given.values), "must be below +inf")
    return given.values

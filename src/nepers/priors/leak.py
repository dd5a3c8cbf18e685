"""The outcomes a prior was fitted on, remembered so that it is not used on them.

A prior that has seen the outcomes it is judged on is better there than it would be on new cases, and makes
the prediction look worse, by an amount that nobody can tell afterwards. Two signs give it away: the outcomes
to be assessed stand, in their order, within those of the training (the very same column, or the training and
test data put end to end); or every one of them is a value that the training has (a prior fitted before the
data were divided). A sign counts if chance is no explanation, that is, if it would happen less than once in a
million times to outcomes drawn anew: for the first by the frequencies of the values in the training, for the
second by Good and Turing's estimate of how often a new outcome has a value seen before, one less the share of
the values seen once. Class labels can show the first sign only. The whole column, value for value, always
counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

_LOG_CHANCE = math.log(1e-6)


@dataclass(frozen=True, eq=False)
class TrainingOutcomes:
    """The rows of a prior's training outcomes; a row may have several columns, as a time and its event."""

    rows: NDArray[Any]

    @classmethod
    def of(cls, *columns: NDArray[Any]) -> TrainingOutcomes:
        """The columns side by side."""
        return cls(_rows(columns))

    def refuse(self, argument: str, *columns: NDArray[Any]) -> None:
        """An error if these outcomes are, or are among, those of the training."""
        other = _rows(columns)
        if other.size and self._seen(other):
            raise InputError(
                f"{argument} must be outcomes that the prior was not fitted on; these {other.size:,} are "
                "among its training outcomes. Fit the prior on the training data alone, or, to accept a "
                "prior that has seen the answers, fit it with fitted_on_test_outcomes=True"
            )

    def _seen(self, other: NDArray[Any]) -> bool:
        if np.array_equal(self.rows, other):
            return True
        codes, wanted = _coded(self.rows, other)
        if (wanted < 0).any():
            return False
        if wanted.size * _log_chance_of_known(codes) < _LOG_CHANCE:
            return True
        in_order = math.log(codes.size) + _log_chance(codes, wanted)
        return in_order < _LOG_CHANCE and _stands_in(codes, wanted)


def _rows(columns: tuple[NDArray[Any], ...]) -> NDArray[Any]:
    if len(columns) == 1:
        return np.asarray(columns[0])
    together = np.empty(columns[0].size, dtype=[(f"f{i}", c.dtype) for i, c in enumerate(columns)])
    for i, column in enumerate(columns):
        together[f"f{i}"] = column
    return together


def _coded(rows: NDArray[Any], other: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each value as a whole number: its place among the training's; -1 for one the training has not."""
    place: dict[Any, int] = {}
    codes = np.array([place.setdefault(value, len(place)) for value in rows.tolist()], dtype=np.int64)
    return codes, np.array([place.get(value, -1) for value in other.tolist()], dtype=np.int64)


def _log_chance(codes: NDArray[np.int64], wanted: NDArray[np.int64]) -> float:
    """The log probability that draws from the training's frequencies give these outcomes in this order."""
    share = np.bincount(codes) / codes.size
    return float(np.log(share[wanted]).sum())


def _log_chance_of_known(codes: NDArray[np.int64]) -> float:
    """The log probability that a new outcome has a value of the training, by Good and Turing's estimate."""
    alone = int(np.count_nonzero(np.bincount(codes) == 1))
    return math.log(max(codes.size - alone, 1) / codes.size)


def _stands_in(codes: NDArray[np.int64], wanted: NDArray[np.int64]) -> bool:
    text, part = codes.tobytes(), wanted.tobytes()
    at = text.find(part)
    while at >= 0 and at % codes.itemsize:
        at = text.find(part, at + 1)
    return at >= 0

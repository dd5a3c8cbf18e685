"""The outcomes a prior was fitted on, remembered so that it is not used on them.

A prior that has seen the outcomes it is judged on is better there than it would be on new cases, and makes
the prediction look worse, by an amount that nobody can tell afterwards. Two signs give it away: the outcomes
to be assessed stand, in their order, within those of the training (the very same column, or the training and
test data put end to end); or every one of them is a value that the training has (a prior fitted before the
data were divided). A sign counts if chance is no explanation, that is, if it would happen less than once in a
million times to outcomes drawn anew.

For the first sign the chance of each outcome is the larger of its frequency in the training and its frequency
there after the outcome before it: training and test data that are both sorted by class agree in their order
without being the same. A whole column that is equal counts as well where it is too short to tell by chance.

For the second, a new outcome has a value seen before with probability u, and of the n outcomes of the
training R have a value that another has too: Good and Turing's estimate of u is R/n. With u uniform
beforehand, m new outcomes all have values seen before with probability E[u^m | R of n], a ratio of Beta
functions. Class labels can show the first sign only.
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
        codes, wanted = _coded(self.rows, other)
        if (wanted < 0).any():
            return False
        if _log_chance_of_known(codes, wanted.size) < _LOG_CHANCE:
            return True
        places = math.log(codes.size)
        if places + _log_chance(codes, wanted) >= _LOG_CHANCE:
            return np.array_equal(codes, wanted)
        return _stands_in(codes, wanted) and places + _log_chance_in_pattern(codes, wanted) < _LOG_CHANCE


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


def _log_chance_in_pattern(codes: NDArray[np.int64], wanted: NDArray[np.int64]) -> float:
    """The same where an outcome may depend on the one before; ``wanted`` stands in the training."""
    share = np.bincount(codes) / codes.size
    pairs, times = np.unique(codes[:-1] * share.size + codes[1:], return_counts=True)
    place = np.searchsorted(pairs, wanted[:-1] * share.size + wanted[1:])
    # without the pair itself: a value that the training has once says nothing of what follows it
    others = np.bincount(codes[:-1], minlength=share.size)[wanted[:-1]] - 1
    after = (times[place] - 1) / np.maximum(others, 1)
    return float(np.log(share[wanted[0]]) + np.log(np.maximum(share[wanted[1:]], after)).sum())


def _log_chance_of_known(codes: NDArray[np.int64], m: int) -> float:
    """The log of E[u^m], where u ~ Beta(R + 1, n - R + 1): m new outcomes all have values of the training."""
    n = codes.size
    R = n - int(np.count_nonzero(np.bincount(codes) == 1))
    return math.lgamma(R + 1 + m) - math.lgamma(R + 1) + math.lgamma(n + 2) - math.lgamma(n + 2 + m)


def _stands_in(codes: NDArray[np.int64], wanted: NDArray[np.int64]) -> bool:
    text, part = codes.tobytes(), wanted.tobytes()
    at = text.find(part)
    while at >= 0 and at % codes.itemsize:
        at = text.find(part, at + 1)
    return at >= 0

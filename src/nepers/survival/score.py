"""Many covariates as one coordinate: the score of a regression, for where their joint density is too much.

The hierarchy models the density of all coordinates together. With many covariates, or such as have two
values, most of what there is to model has nothing to do with the time. The score is the location of log time
by a penalised log-logistic regression (`nepers.survival.regression`) on the covariates' coordinates, with

- 0, the middle of the training patients, where a value is missing, and an indicator of missing for each
  coordinate that at least 5% lack; a patient of whom nothing is known has no score;
- of each training patient, the score by a regression that has not seen it, fitted to nine tenths of them
  (else the score would say more of the time than it does for new patients);
- the penalty under which these have the greatest likelihood.

The hierarchy in two dimensions, log time and score, then finds how the time really depends on the score: its
spread, lopsidedness and tails, and patients to whom the event hardly comes, at each score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nepers.survival.regression import LogTimes, fitted, location, log_likelihood

Array = NDArray[np.float64]

_PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
_FOLDS = 10
_OFTEN = 0.05


@dataclass(frozen=True, eq=False)
class Score:
    """``lacking``: coordinates with an indicator; then the mean and unit of every feature; ``theta``."""

    lacking: NDArray[np.intp]
    mean: Array
    unit: Array
    theta: Array

    def of(self, coordinates: Array) -> Array:
        """The score of each patient; NaN where nothing is known."""
        known = np.isfinite(coordinates).any(axis=1)
        return np.where(known, location(self.theta, self._features(coordinates)), np.nan)

    def _features(self, coordinates: Array) -> Array:
        raw = _raw(coordinates, self.lacking)
        return np.asarray((raw - self.mean) / self.unit)


def score(coordinates: Array, lower: Array, upper: Array, seed: int) -> tuple[Score, Array]:
    """The score fitted to training patients, with ends of log time; and theirs, each by a fit without it."""
    times = LogTimes(lower, upper)
    lacking = np.flatnonzero(np.isnan(coordinates).mean(axis=0) >= _OFTEN)
    raw = _raw(coordinates, lacking)
    spread = raw.std(axis=0)
    mean, unit = raw.mean(axis=0), np.where(spread > 0.0, spread, 1.0)
    X = (raw - mean) / unit
    fold = _folds(np.isfinite(upper), seed)
    tried = [_crossed(X, times, fold, penalty) for penalty in _PENALTIES]
    best = int(np.argmax([value for value, _found in tried]))
    found = Score(lacking, mean, unit, fitted(X, times, _PENALTIES[best]))
    known = np.isfinite(coordinates).any(axis=1)
    return found, np.where(known, tried[best][1], np.nan)


def _raw(coordinates: Array, lacking: NDArray[np.intp]) -> Array:
    missing = np.isnan(coordinates)
    return np.column_stack([np.where(missing, 0.0, coordinates), missing[:, lacking].astype(np.float64)])


def _folds(ended: NDArray[np.bool_], seed: int) -> NDArray[np.intp]:
    """A fold for each patient, events spread evenly."""
    rng = np.random.default_rng(seed)
    fold = np.empty(ended.size, dtype=np.intp)
    for kind in (True, False):
        rows = rng.permutation(np.flatnonzero(ended == kind))
        fold[rows] = np.arange(rows.size) % _FOLDS
    return fold


def _crossed(X: Array, times: LogTimes, fold: NDArray[np.intp], penalty: float) -> tuple[float, Array]:
    """The mean log likelihood of patients left out, and their scores."""
    logs, scores = np.empty(len(X)), np.empty(len(X))
    start = fitted(X, times, penalty)
    for k in np.unique(fold):
        out = fold == k
        theta = fitted(X[~out], times.part(~out), penalty, start)
        logs[out] = log_likelihood(theta, X[out], times.part(out))
        scores[out] = location(theta, X[out])
    return float(logs.mean()), scores

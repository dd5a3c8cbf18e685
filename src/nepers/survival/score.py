"""Many covariates as one coordinate: the score of a regression, for where their joint density is too much.

The hierarchy models the density of all coordinates together. With many covariates, or such as have two
values, most of what there is to model has nothing to do with the time. The score is x'b of a penalised
regression of proportional odds (`nepers.survival.regression`) on the covariates' coordinates x, with

- 0, the middle of the training patients, where a value is missing, and an indicator of missing for each
  coordinate that at least 5% lack; a patient of whom nothing is known has no score;
- of each training patient, the score by a regression that has not seen it, fitted to nine tenths of them
  (else the score would say more of the time than it does for new patients);
- the penalty under which these have the greatest likelihood.

The hierarchy in two dimensions, log time and score, then finds how the time really depends on the score: its
spread, lopsidedness and tails, and patients to whom the event hardly comes, at each score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nepers.survival.regression import Baseline, LogTimes, Problem, parts

Array = NDArray[np.float64]

_PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
_FOLDS = 10
_OFTEN = 0.05


@dataclass(frozen=True, eq=False)
class Score:
    """``lacking``: coordinates with an indicator; then the mean and unit of every feature, and b."""

    lacking: NDArray[np.intp]
    mean: Array
    unit: Array
    b: Array

    def of(self, coordinates: Array) -> Array:
        """The score of each patient; NaN where nothing is known."""
        known = np.isfinite(coordinates).any(axis=1)
        return np.where(known, self._features(coordinates) @ self.b, np.nan)

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
    baseline = Baseline.of(times)
    tried = [_crossed(Problem(X, times, baseline, penalty), fold) for penalty in _PENALTIES]
    best = int(np.argmax([value for value, _scores, _b in tried]))
    _value, own, b = tried[best]
    known = np.isfinite(coordinates).any(axis=1)
    return Score(lacking, mean, unit, b), np.where(known, own, np.nan)


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


def _crossed(whole: Problem, fold: NDArray[np.intp]) -> tuple[float, Array, Array]:
    """The mean log likelihood of patients left out, their scores, and the b of all patients."""
    logs, scores = np.empty(len(whole.X)), np.empty(len(whole.X))
    start = whole.solved()
    first = whole.baseline.size
    for k in np.unique(fold):
        out = fold == k
        theta = replace(whole, X=whole.X[~out], times=whole.times.part(~out)).solved(start)
        held = whole.times.part(out)
        ends = whole.baseline.parts(held.lower), whole.baseline.parts(held.upper)
        logs[out] = parts(theta, whole.X[out], held, whole.baseline, ends)[0]
        scores[out] = whole.X[out] @ theta[first:]
    return float(logs.mean()), scores, start[first:]

"""Many covariates as one coordinate: the score of a regression, for where their joint density is too much.

The hierarchy models the density of all coordinates together. With many covariates, or such as have two
values, most of what there is to model has nothing to do with the time. The score is the predictor of a
penalised regression of proportional odds (`nepers.survival.regression`) on features of the covariates
(`nepers.survival.features`): linear ones, and smooth ones of all together.

- The score of each training patient is by a regression that has not seen it, fitted to nine tenths of them
  (else the score would say more of the time than it does for new patients).
- How much linear and smooth parts may do beforehand is not known. Each of a grid of answers gives a score;
  the score is their average, weighted by the likelihood of all patients, each left out in turn.
- A patient of whom nothing is known has no score.

The hierarchy in two dimensions, log time and score, then finds how the time really depends on the score: its
spread, lopsidedness and tails, and patients to whom the event hardly comes, at each score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.survival.features import Features
from nepers.survival.regression import Baseline, LogTimes, Problem, parts

Array = NDArray[np.float64]

# standard deviations beforehand: sqrt(1 / (n v)) of the coefficients of n patients' linear features for each
# v, and that of the smooth part in log odds
_LINEAR = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
_BESIDE_SMOOTH = (0.01, 0.03, 0.1, 0.3)
_SMOOTH = (0.5, 1.0, 2.0)
_FOLDS = 10


@dataclass(frozen=True, eq=False)
class Score:
    """The features, and their coefficients b."""

    features: Features
    b: Array

    def of(self, coordinates: Array) -> Array:
        """The score of each patient; NaN where nothing is known."""
        known = np.isfinite(coordinates).any(axis=1)
        return np.where(known, self.features.of(coordinates) @ self.b, np.nan)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Fit for a file."""
        return {**vars(self.features), "b": self.b}

    @classmethod
    def from_arrays(cls, arrays: dict[str, NDArray[Any]]) -> Score:
        """The inverse of ``to_arrays``."""
        b = arrays.pop("b")
        return cls(Features(**arrays), b)


def score(coordinates: Array, lower: Array, upper: Array, seed: int) -> tuple[Score, Array]:
    """The score fitted to training patients, with ends of log time; and theirs, each by a fit without it."""
    rng = np.random.default_rng(seed)
    features = Features.of_training(coordinates, rng)
    X, times = features.of(coordinates), LogTimes(lower, upper)
    fold = _folds(np.isfinite(upper), rng)
    whole = Problem(X, times, Baseline.of(times), 1.0 / len(X))
    tried = [_crossed(whole, scale, fold) for scale in _scales(features, len(X))]
    logs = np.array([value for value, _scores, _b in tried])
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    own = weights @ np.array([scores for _value, scores, _b in tried])
    b = weights @ np.array([b for _value, _scores, b in tried])
    known = np.isfinite(coordinates).any(axis=1)
    return Score(features, b), np.where(known, own, np.nan)


def _scales(features: Features, n: int) -> list[Array]:
    """The standard deviation of each coefficient beforehand; those after the last are 0."""
    p, k = features.linear, features.turn.shape[1]
    grid = [np.full(p, (n * v) ** -0.5) for v in _LINEAR]
    for v in _BESIDE_SMOOTH:
        grid += [np.concatenate([np.full(p, (n * v) ** -0.5), np.full(k, smooth)]) for smooth in _SMOOTH]
    return grid


def _folds(ended: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.intp]:
    """A fold for each patient, events spread evenly."""
    fold = np.empty(ended.size, dtype=np.intp)
    for kind in (True, False):
        rows = rng.permutation(np.flatnonzero(ended == kind))
        fold[rows] = np.arange(rows.size) % _FOLDS
    return fold


def _crossed(whole: Problem, scale: Array, fold: NDArray[np.intp]) -> tuple[float, Array, Array]:
    """The log likelihood of patients left out, their scores, and the b of all patients."""
    scaled = replace(whole, X=whole.X[:, : scale.size] * scale)
    X, times, baseline = scaled.X, scaled.times, scaled.baseline
    total, scores, start, first = 0.0, np.empty(len(X)), scaled.solved(), baseline.size
    for k in np.unique(fold):
        out = fold == k
        theta = replace(scaled, X=X[~out], times=times.part(~out)).solved(start)
        held = times.part(out)
        ends = baseline.parts(held.lower), baseline.parts(held.upper)
        total += float(parts(theta, X[out], held, baseline, ends)[0].sum())
        scores[out] = X[out] @ theta[first:]
    b = np.zeros(whole.X.shape[1])
    b[: scale.size] = scale * start[first:]
    return total, scores, b

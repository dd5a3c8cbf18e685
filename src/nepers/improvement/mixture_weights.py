"""The weights of the mixture that scores best, certified.

Given what each of K algorithms gave to the truth of each case, Q_k(x), the weights w >= 0, adding up to one,
that maximise the mean of log sum_k w_k Q_k(x). This is a concave problem; with Q(x) that of the mixture, the
optimum is where

    the mean of Q_k(x) / Q(x)   is 1 for every k with w_k > 0, and at most 1 for the others

and for any weights the mean is below its maximum by at most the log of 1 + gap, with

    gap = max over k of the mean of Q_k(x) / Q(x), minus 1.

Newton's steps, each a small problem of least squares with w >= 0, go on until the gap is at most 10^-10 or
rounding ends the progress. If two algorithms are alike, how their weight is shared between them is arbitrary;
the mixture is not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_GAP = 1e-10
_ENOUGH = 1e-8  # where rounding may end the progress
_STEPS = 100
_ROUNDING = 1e-15  # of a mean log score
_CELLS = 1 << 20  # of the table, worked on at a time


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights, and the gap: the mean log score is within log(1 + gap) of the best there is."""

    values: Array
    gap: float


def relative(log_q: Array) -> Array:
    """Q_k(x) over the greatest of the case's, (n, K); a case must have one above zero."""
    return np.asarray(np.exp(log_q - log_q.max(axis=1, keepdims=True)))


def log_mixture(log_q: Array, weights: Array) -> Array:
    """log sum_k w_k Q_k(x) from the logs, (n, K), without underflow."""
    with np.errstate(divide="ignore"):  # the log of zero, of a weight or a mixture, is minus infinity
        terms = log_q + np.log(weights)
        top = terms.max(axis=1)
        top = np.where(np.isneginf(top), 0.0, top)
        return np.asarray(top + np.log(np.exp(terms - top[:, None]).sum(axis=1)))


def best_weights(ratios: Array, rows: NDArray[np.intp], start: Array | None = None) -> Weights:
    """The best weights for the chosen rows of what `relative` gives."""
    K = ratios.shape[1]
    # with a little of every algorithm, no case begins at a mixture of zero
    w = np.full(K, 1.0 / K) if start is None else 0.99 * start + 0.01 / K
    value = _mean_log(ratios, rows, w)
    gap = np.inf
    best = Weights(w, gap)
    for _ in range(_STEPS):
        means, curvature = _derivatives(ratios, rows, w)
        gap = float(means.max() - 1.0)
        progress, best = gap < best.gap, min(best, Weights(w, gap), key=lambda one: one.gap)
        if gap <= _GAP or (gap <= _ENOUGH and not progress):
            break
        w, value, moved = _step(ratios, rows, w, value, means, curvature)
        if not moved:
            break
    return best


def _step(
    ratios: Array, rows: NDArray[np.intp], w: Array, value: float, means: Array, curvature: Array
) -> tuple[Array, float, bool]:
    """A Newton step for mean log sum w_k Q_k - sum w_k over w >= 0, shortened until it rises."""
    target = _quadratic_optimum(w, means, curvature)
    rise = float((means - 1.0) @ (target - w))
    length = 1.0
    while length > 1e-10:
        new = w + length * (target - w)
        new /= new.sum()
        reached = _mean_log(ratios, rows, new)
        if reached >= value + 1e-4 * length * rise - _ROUNDING * (1.0 + abs(value)):
            return new, reached, True
        length *= 0.5
    return w, value, False


def _quadratic_optimum(w: Array, means: Array, curvature: Array) -> Array:
    """The maximum over y >= 0 of (means - 1) (y - w) - (y - w)' H (y - w) / 2, by least squares.

    H w = means, so the linear part in y is 2 means - 1.
    """
    from scipy.optimize import nnls

    values, vectors = np.linalg.eigh(curvature)
    values = np.maximum(values, 1e-12 * values[-1])
    root = np.sqrt(values)
    found: Array = nnls(
        root[:, None] * vectors.T, (vectors.T @ (2.0 * means - 1.0)) / root, maxiter=100 * w.size
    )[0]
    return found


def _derivatives(ratios: Array, rows: NDArray[np.intp], w: Array) -> tuple[Array, Array]:
    """The means of Q_k / Q, and of (Q_k / Q) (Q_l / Q)."""
    K = w.size
    means, curvature = np.zeros(K), np.zeros((K, K))
    for part in _blocks(rows, K):
        block = ratios[part]
        share = block / (block @ w)[:, None]
        means += share.sum(axis=0)
        curvature += share.T @ share
    return means / rows.size, curvature / rows.size


def _mean_log(ratios: Array, rows: NDArray[np.intp], w: Array) -> float:
    total = 0.0
    with np.errstate(divide="ignore"):  # a mixture of zero is an honest minus infinity
        for part in _blocks(rows, w.size):
            total += float(np.log(ratios[part] @ w).sum())
    return total / rows.size


def _blocks(rows: NDArray[np.intp], K: int) -> list[NDArray[np.intp]]:
    size = max(1, _CELLS // K)
    return [rows[start : start + size] for start in range(0, rows.size, size)]

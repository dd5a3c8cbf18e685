"""R-hat and effective sample sizes of chains that lie side by side, as Vehtari and others (2021) define them.

Everything takes one quantity as an array (chains, draws). Chains are split in halves first, so that a chain
that drifts disagrees with itself. The numbers are those of ArviZ, which the tests compare them with; ArviZ is
not used here because importing it takes longer than an ordinary assessment.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_LEAST = 4  # draws of a chain below which nothing can be said


def r_hat(x: Array) -> float:
    """1 where the chains agree: the greater of rank-normalised R-hat for the place and for the spread."""
    if x.shape[1] < _LEAST:
        return math.nan
    halves = split(x)
    return max(_r_hat(normal_scores(halves)), _r_hat(normal_scores(np.abs(halves - np.median(halves)))))


def ess_bulk(x: Array) -> float:
    """The effective sample size for the middle of the distribution."""
    return math.nan if x.shape[1] < _LEAST else ess(normal_scores(split(x)))


def ess_tail(x: Array) -> float:
    """The lesser of the effective sample sizes for the 5% and the 95% quantiles."""
    if x.shape[1] < _LEAST:
        return math.nan
    return min(ess(split((x <= edge).astype(np.float64))) for edge in np.quantile(x, [0.05, 0.95]))


def mcse_mean(x: Array) -> float:
    """The Monte Carlo standard error of the mean."""
    if x.shape[1] < _LEAST:
        return math.nan
    return float(x.std(ddof=1)) / math.sqrt(ess(split(x)))


def split(x: Array) -> Array:
    """The first and the last half of every chain as chains of their own."""
    half = x.shape[1] // 2
    return np.concatenate([x[:, :half], x[:, x.shape[1] - half :]])


def normal_scores(x: Array) -> Array:
    """Ranks over all chains, equal values sharing theirs, turned into normal quantiles."""
    _, place, counts = np.unique(x, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - 0.5 * (counts - 1)
    quantile = NormalDist().inv_cdf
    # 3/8 and 1/4 are Blom's
    scores = np.array([quantile(p) for p in ((ranks - 0.375) / (x.size + 0.25)).tolist()])
    return scores[place].reshape(x.shape)


def ess(x: Array) -> float:
    """The effective sample size for the mean, by Geyer's initial monotone sequence.

    Autocorrelations come in pairs, of an even lag and the next, whose sum is positive and falls for any
    reversible chain: the sum over pairs ends where an estimate is not positive any more.
    """
    chains, draws = x.shape
    if np.ptp(x) < np.finfo(np.float64).resolution:
        return float(x.size)
    covariance = _autocovariance(x).mean(axis=0)
    within = covariance[0] * draws / (draws - 1.0)
    total = covariance[0] + (x.mean(axis=1).var(ddof=1) if chains > 1 else 0.0)
    rho = 1.0 - (within - covariance) / total
    rho[0] = 1.0
    # the last pair looked at begins below draws - 2
    pairs = rho[: max(draws - 2 + draws % 2, 2)].reshape(-1, 2).sum(axis=1)
    ended = np.flatnonzero(pairs <= 0.0)
    used = int(ended[0]) if ended.size else max(pairs.size - 1, 1)
    falling = np.minimum.accumulate(pairs[:used])
    # half of the next pair, if positive, improves the estimate
    rest = max(float(rho[2 * used]), 0.0) if used < pairs.size else 0.0
    time = max(-1.0 + 2.0 * float(falling.sum()) + rest, 1.0 / math.log10(x.size))
    return x.size / time


def _autocovariance(x: Array) -> Array:
    draws = x.shape[1]
    size = 1 << (2 * draws - 1).bit_length()
    spectrum = np.fft.rfft(x - x.mean(axis=1, keepdims=True), n=size, axis=1)
    power = np.square(spectrum.real) + np.square(spectrum.imag)
    return np.asarray(np.fft.irfft(power, n=size, axis=1)[:, :draws] / draws)


def _r_hat(x: Array) -> float:
    draws = x.shape[1]
    between = draws * float(x.mean(axis=1).var(ddof=1))
    within = float(x.var(axis=1, ddof=1).mean())
    if within == 0.0:
        return math.inf if between > 0.0 else math.nan
    return math.sqrt((between / within + draws - 1.0) / draws)

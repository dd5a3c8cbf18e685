"""95% intervals of a mean, by the ways that people use: the peers of the calibration battery."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import stats

RESAMPLES = 999
Interval = tuple[float, float]


def student(x: Any, rng: np.random.Generator) -> Interval:
    """Student's t."""
    half = stats.t.ppf(0.975, x.size - 1) * _error(x)
    return float(x.mean() - half), float(x.mean() + half)


def bca(x: Any, rng: np.random.Generator) -> Interval:
    """The bias-corrected and accelerated bootstrap; the mean itself where all values agree."""
    if np.ptp(x) == 0.0:
        return float(x[0]), float(x[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = stats.bootstrap((x,), np.mean, n_resamples=RESAMPLES, method="BCa", rng=rng, batch=100)
    low, high = found.confidence_interval
    return float(low), float(high)


def bootstrap_t(x: Any, rng: np.random.Generator) -> Interval:
    """The bootstrap of Student's ratio; resamples without any spread say nothing and are drawn again."""
    if np.ptp(x) == 0.0:
        return float(x[0]), float(x[0])
    ratios: list[float] = []
    while len(ratios) < RESAMPLES:
        drawn = x[rng.integers(0, x.size, (100, x.size))]
        error = drawn.std(axis=1, ddof=1) / np.sqrt(x.size)
        ratios.extend(((drawn.mean(axis=1) - x.mean())[error > 0.0] / error[error > 0.0]).tolist())
    low, high = np.quantile(ratios[:RESAMPLES], (0.025, 0.975))
    return float(x.mean() - high * _error(x)), float(x.mean() - low * _error(x))


def bayesian_bootstrap(x: Any, rng: np.random.Generator) -> Interval:
    """Weights from the flat Dirichlet."""
    weights = rng.standard_exponential((RESAMPLES, x.size))
    low, high = np.quantile(weights @ x / weights.sum(axis=1), (0.025, 0.975))
    return float(low), float(high)


PEERS = {"t": student, "BCa": bca, "bootstrap-t": bootstrap_t, "Bayesian bootstrap": bayesian_bootstrap}


def _error(x: Any) -> float:
    return float(x.std(ddof=1) / np.sqrt(x.size))

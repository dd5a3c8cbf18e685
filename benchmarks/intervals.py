"""95% intervals of a mean, by the ways that people use: the peers of the calibration battery."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special, stats

RESAMPLES = 999
Interval = tuple[float, float]
_ENDS = (0.025, 0.975)
_HELD = 1_000_000  # cases drawn at a time


def student(x: Any) -> Interval:
    """Student's t."""
    half = stats.t.ppf(0.975, x.size - 1) * _error(x)
    return float(x.mean() - half), float(x.mean() + half)


def bootstraps(x: Any, rng: np.random.Generator, resamples: int = RESAMPLES) -> dict[str, Interval]:
    """BCa and the bootstrap of Student's ratio from the same resamples; the mean if all values agree."""
    if np.ptp(x) == 0.0:
        return dict.fromkeys(("BCa", "bootstrap-t"), (float(x[0]), float(x[0])))
    means, errors = _resampled(x, rng, resamples)
    # resamples without any spread say nothing of the ratio
    ratios = (means - x.mean())[errors > 0.0] / errors[errors > 0.0]
    low, high = np.quantile(ratios, _ENDS)
    by_ratio = float(x.mean() - high * _error(x)), float(x.mean() - low * _error(x))
    return {"BCa": _bca(x, means), "bootstrap-t": by_ratio}


def bayesian_bootstrap(x: Any, rng: np.random.Generator) -> Interval:
    """Weights from the flat Dirichlet."""
    means = []
    for rows in _blocks(x.size):
        weights = rng.standard_exponential((rows, x.size))
        means.append(weights @ x / weights.sum(axis=1))
    low, high = np.quantile(np.concatenate(means), _ENDS)
    return float(low), float(high)


def _bca(x: Any, means: Any) -> Interval:
    """Bias-corrected and accelerated (Efron); the acceleration of a mean is its skewness over 6."""
    d = x - x.mean()
    acceleration = (d**3).sum() / (6.0 * (d**2).sum() ** 1.5)
    below = (means < x.mean()).mean() + 0.5 * (means == x.mean()).mean()
    shift = special.ndtri(below)
    z = shift + special.ndtri(_ENDS)
    low, high = np.quantile(means, special.ndtr(shift + z / (1.0 - acceleration * z)))
    return float(low), float(high)


def _resampled(x: Any, rng: np.random.Generator, resamples: int) -> tuple[Any, Any]:
    """The means of the resamples, and their standard errors."""
    means, errors = [], []
    for rows in _blocks(x.size, resamples):
        drawn = x[rng.integers(0, x.size, (rows, x.size))]
        means.append(drawn.mean(axis=1))
        errors.append(drawn.std(axis=1, ddof=1) / math.sqrt(x.size))
    return np.concatenate(means), np.concatenate(errors)


def _blocks(n: int, resamples: int = RESAMPLES) -> list[int]:
    """Numbers of resamples of n cases each that are held at a time."""
    most = max(1, _HELD // n)
    return [min(most, resamples - start) for start in range(0, resamples, most)]


def _error(x: Any) -> float:
    return float(x.std(ddof=1) / math.sqrt(x.size))

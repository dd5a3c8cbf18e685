"""What is computed from draws: the parts of the whole, what each group costs it, and a row of summaries.

Draws of J_g, of the shares w_g and of what comes of both are (draws, groups). For a group with J_g = -inf,
every draw is -inf. A group whose share is 0 counts for nothing, even then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nepers.estimate import Estimate

Array = NDArray[np.float64]


def parts(weights: Array, J: Array) -> Array:
    """w_g J_g."""
    counted = weights > 0.0
    return np.where(counted, weights * np.where(counted, J, 0.0), 0.0)


def rest(weights: Array, J: Array) -> Array:
    """J of the other groups together, those at -inf left out; NaN where no other has a share.

    (sum of w_h J_h) / (sum of w_h) over the h other than g.
    """
    finite = np.isfinite(J).all(axis=0)
    w, part = weights * finite, np.where(finite, parts(weights, np.where(finite, J, 0.0)), 0.0)
    counted = w > 0.0
    others = counted.sum(axis=1, keepdims=True) - counted > 0
    share = np.where(others, w.sum(axis=1, keepdims=True) - w, 1.0)
    return np.where(others, (part.sum(axis=1, keepdims=True) - part) / share, np.nan)


def lost(weights: Array, J: Array, others: Array) -> Array:
    """w_g (rest - J_g): what the whole would gain if the group had the J of the rest."""
    return np.where(np.isnan(others), np.nan, parts(weights, others - J))


def spread(weights: Array, J: Array) -> Array:
    """The standard deviation of J between the groups where it is finite, weighted by their shares."""
    finite = np.isfinite(J).all(axis=0)
    if not weights[:, finite].any():
        return np.full(len(J), np.nan)
    w = weights[:, finite] / weights[:, finite].sum(axis=1, keepdims=True)
    about = J[:, finite] - (w * J[:, finite]).sum(axis=1, keepdims=True)
    return np.asarray(np.sqrt((w * about**2).sum(axis=1)))


def moments(estimate: Estimate, level: float) -> dict[str, float]:
    """Mean, median, standard deviation, interval and the probability of being above 0."""
    lower, upper = estimate.interval(level)
    return {
        "mean": estimate.mean,
        "median": estimate.median,
        "sd": estimate.sd,
        "lower": lower,
        "upper": upper,
        "probability_above_0": estimate.probability_above(0.0),
    }

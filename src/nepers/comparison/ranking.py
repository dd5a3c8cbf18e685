"""What joint draws of several J say of their order. Draws are (draws, k); more is better.

The probability that an algorithm is best is the share of draws in which its J is the largest, and so on for
every rank. Draws that tie, as those of algorithms with J = -inf do, share their ranks evenly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def pairwise(J: Array) -> Array:
    """(k, k): the probability that the row's J is above the column's; ties count half."""
    k = J.shape[1]
    result = np.full((k, k), 0.5)
    for a in range(k):
        for b in range(a):
            above = float((J[:, a] > J[:, b]).mean() + 0.5 * (J[:, a] == J[:, b]).mean())
            result[a, b], result[b, a] = above, 1.0 - above
    return result


def rank_probabilities(J: Array) -> Array:
    """(k, k): the probability that the row's algorithm has rank 1 (the best), 2, ..., k."""
    k = J.shape[1]
    result = np.zeros((k, k))
    for a in range(k):
        own = J[:, [a]]
        better, equal = (own < J).sum(axis=1), (own == J).sum(axis=1)
        for rank in range(k):
            shares = (better <= rank) & (rank < better + equal)
            result[a, rank] = float((shares / equal).mean())
    return result


def judge(gain: Array, equivalence: float, certainty: float) -> str:
    """The verdict on draws of J less the reference's J: better, worse, equivalent, or not yet known."""
    if (gain > equivalence).mean() >= certainty:
        return "better"
    if (gain < -equivalence).mean() >= certainty:
        return "worse"
    if (np.abs(gain) <= equivalence).mean() >= certainty:
        return "equivalent"
    return "not yet known"

"""Rounded values, spread over what they were rounded from: under a density no two are equal.

c cases with one value v are put at the middles of c equal parts of the interval around v whose length is the
distance from v to the nearest other value. So nothing moves past half the way to its neighbour, a value alone
stays where it is, and the mean stays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nepers.atoms import split
from nepers.cases import RESOLUTION
from nepers.errors import InputError

Array = NDArray[np.float64]

_CHANCE_CASES, _CHANCE_SHARE = 3, 0.05  # what so few cases have in common is let pass
_COARSE_SHARE = 0.2
_WINDOW = 5


def distinct(values: Array) -> tuple[Array, NDArray[np.int64]]:
    """The different values, rising, and how many cases have each; what agrees but for rounding is one."""
    kinds = split(values, RESOLUTION * float(np.abs(values).max(initial=0.0)))
    every = np.concatenate([kinds.atom_values, kinds.remainder])
    counts = np.concatenate([kinds.atom_counts, np.ones(kinds.remainder.size, dtype=np.int64)])
    order = np.argsort(every)
    return every[order], counts[order]


def refuse_atoms(argument: str, values: Array, counts: NDArray[np.int64]) -> None:
    """An error for a value that has a probability of its own, or if the rounding is too coarse for a density.

    The first has more cases than the four values nearest in order together, as the values of rounded outcomes
    do not; the second more than a fifth of all. Up to 5% of the cases, or three, may be chance.
    """
    n = int(counts.sum())
    start = np.clip(np.arange(counts.size) - _WINDOW // 2, 0, max(counts.size - _WINDOW, 0))
    up_to = np.insert(np.cumsum(counts), 0, 0)
    others = up_to[np.minimum(start + _WINDOW, counts.size)] - up_to[start] - counts
    atom = (counts > others) | (counts > _COARSE_SHARE * n)
    atom &= counts > max(_CHANCE_CASES, _CHANCE_SHARE * n)
    if atom.any():
        i = int(np.flatnonzero(atom)[0])
        raise InputError(
            f"{argument} must have no value with a probability of its own; {values[i]:.6g} is in "
            f"{counts[i]:,} of {n:,} cases, too many for rounding: leave it out here, and give it one with "
            "log_mixed"
        )


def spread(values: Array, counts: NDArray[np.int64]) -> Array:
    """A value for each case, rising; of two or more different ``values`` with their ``counts``."""
    gaps = np.diff(values)
    nearest = np.minimum(np.append(gaps, np.inf), np.insert(gaps, 0, np.inf))
    first = np.cumsum(counts) - counts
    part = np.arange(counts.sum()) - np.repeat(first, counts)
    share = (part + 0.5) / np.repeat(counts, counts) - 0.5
    return np.asarray(np.repeat(values, counts) + np.repeat(nearest, counts) * share)

"""Cross-fitting: every case is served by a map that was fitted without it.

The cases are dealt into folds. For fold i, each candidate (a kind of map, simplest first) is fitted on the
cases outside i, and the candidate is chosen by cross-validation among those cases alone:

    inner_i(c) = sum over folds j other than i of the gain on j of candidate c fitted without i and without j

so that neither the map nor the choice of its kind has seen the cases it is judged on. The fit without i and j
serves both, so k folds cost 1 + k + k (k - 1) / 2 fits of each candidate. The map for new cases is fitted on
all of them, its kind chosen by the k fits that leave one fold out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.hierarchy.arrays import whole_number

Array = NDArray[np.float64]
Rows = NDArray[np.intp]
Map = TypeVar("Map")


@dataclass(frozen=True, eq=False)
class CrossFit(Generic[Map]):
    """The gain of each case by its own fold's map, each fold's map, and the map fitted on all cases."""

    gain: Array
    maps: tuple[Map, ...]
    final: Map


def deal(n: int, folds: Any, seed: Any, strata: NDArray[Any] | None = None) -> NDArray[np.intp]:
    """The fold of each case at random, the sizes as even as can be, within each stratum and in all."""
    k = whole_number("folds", folds, 3)
    rng = np.random.default_rng(whole_number("seed", seed, 0))
    if n < k:
        raise InputError(
            "folds must be at most the number of cases whose truth had a probability above zero; "
            f"they are {n}, folds is {k}"
        )
    shuffled = rng.permutation(n)
    if strata is not None:
        shuffled = shuffled[np.argsort(strata[shuffled], kind="stable")]
    fold = np.empty(n, dtype=np.intp)
    fold[shuffled] = np.arange(n) % k
    return fold


def crossfit(
    fold: NDArray[np.intp],
    candidates: int,
    fit: Callable[[int, Rows], Map],
    gain: Callable[[Map, Rows], Array],
) -> CrossFit[Map]:
    """``fit(candidate, rows)`` makes a map from those cases, ``gain(map, rows)`` judges it on others."""
    folds = int(fold.max()) + 1
    inside = [np.flatnonzero(fold == i) for i in range(folds)]
    outer = np.zeros((candidates, folds))
    inner = np.zeros((candidates, folds))
    maps: list[list[Map]] = [[] for _ in range(candidates)]
    gains = np.zeros((candidates, fold.size))
    for c in range(candidates):
        for i in range(folds):
            maps[c].append(fit(c, np.flatnonzero(fold != i)))
            gains[c, inside[i]] = gain(maps[c][i], inside[i])
            outer[c, i] = gains[c, inside[i]].sum()
            for j in range(i):
                pair = fit(c, np.flatnonzero((fold != i) & (fold != j)))
                inner[c, i] += gain(pair, inside[j]).sum()
                inner[c, j] += gain(pair, inside[i]).sum()
    chosen = inner.argmax(axis=0)  # the first, so the simplest, of equals
    return CrossFit(
        gain=gains[chosen[fold], np.arange(fold.size)],
        maps=tuple(maps[c][i] for i, c in enumerate(chosen)),
        final=fit(int(outer.sum(axis=1).argmax()), np.arange(fold.size)),
    )

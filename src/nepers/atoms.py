"""Repeated values: atoms of the distribution of j.

The hierarchy describes j by a density. Under any density two cases agree exactly with probability zero, so
a value seen twice is evidence, as strong as evidence gets, that the distribution has an **atom** there: a
single point with a probability of its own. Predictions with few distinct answers (a tree, a constant, a
classifier by groups) give such j. The hierarchy cannot describe them: its likelihood grows without bound as
a component shrinks onto a repeated value, and with enough repeats there is no posterior at all.

So the distribution of j is taken to be made of *kinds*: the atoms, and, where there are other values, a
continuous remainder. The case's kind has unknown probabilities w, with a Dirichlet prior worth two cases,
shared evenly: 2/A for each of A kinds, which for two kinds is uniform. Given n_a cases of kind a,

    w ~ Dirichlet(n_1 + 2/A, ..., n_A + 2/A),        J = sum_a w_a v_a + w_0 J_remainder

and the remainder's distribution has the hierarchy as its prior and the unrepeated values as its data. The
kind of every case is known, so w and the remainder are independent given the data. For two values this is
the Beta posterior of the proportion, mapped.

Two edges. A *single* unrepeated value beside atoms counts as an atom too: one point says nothing of a
density. And where every case has one and the same value, the other kind is "anything else": a remainder
without data, described by the hierarchy's prior, so that a run of equal values is not taken for certainty.

**The unseen.** With hyperparameters that have ``unseen`` = c > 0 there may be one more kind: cases so rare
that none has come yet, and costly. Its probability has Jeffreys' prior of a share, Beta(1/2, 1/2), and so is
Beta(1/2, n + 1/2) after n cases of which none was of it. Its value lies c f sqrt(n) s below the mean of the
cases; s is their standard deviation, or sqrt(2) times what the cases below the mean put into it, if that is
less: where only good cases lie far out, nothing tells of far bad ones. At c sqrt(n) s one such case would
move the mean by c standard errors, whatever n: there they can do most harm without being missed. Nearer ones
do less; farther ones would have to be rarer. A law at the edge of infinite variance (tail index 2) puts its
smallest of n values so far out. f = sqrt(s/q), but at least 1 and at most 2, is for how much farther the
cases reach than their middle says, q being what s would be, by their quartiles, if they were Gaussian: who
has seen far ones must expect farther ones. Where all values repeat there is no such kind.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from nepers.gibbs.chains import Points

Array = NDArray[np.float64]

_BLOCK = 1 << 20  # Gamma draws held at a time
_QUARTILES = 1.3489795003921634  # the distance of a Gaussian's quartiles in standard deviations
_FARTHEST = 2.0  # f is no more
_UNSEEN = 2**31  # the stream of the unseen kind, beside those of the blocks


@dataclass(frozen=True, eq=False)
class Kinds:
    """The atoms in ascending order with their numbers of cases, and the remaining values in the order given.

    ``has_remainder`` says whether there is a continuous kind; it may be without data. Where the cases come
    from a tally, the remainder are points that stand for several: ``points`` says for how many. ``unseen`` is
    the value of the kind of which there is no case, None without such a kind; `total` alone takes note of it.
    """

    atom_values: Array
    atom_counts: NDArray[np.int64]
    remainder: Array
    has_remainder: bool
    points: Points | None = None
    unseen: float | None = None

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.atom_counts.sum()) + self.remainder_cases

    @property
    def remainder_cases(self) -> int:
        """The number of cases in the remainder."""
        return self.remainder.size if self.points is None else int(self.points.weights.sum())

    @property
    def values_and_cases(self) -> tuple[Array, Array]:
        """The log ratios, and how many cases have each."""
        ones = np.ones(self.remainder.size) if self.points is None else self.points.weights
        values = np.concatenate([self.atom_values, self.remainder])
        return values, np.concatenate([self.atom_counts, ones])

    @property
    def A(self) -> int:
        """The number of kinds."""
        return self.atom_values.size + int(self.has_remainder)

    @property
    def concentration(self) -> Array:
        """The Dirichlet parameters of the weights given the data: the atoms', then the remainder's."""
        counts = [*self.atom_counts, self.remainder_cases] if self.has_remainder else self.atom_counts
        return np.asarray(counts, dtype=np.float64) + 2.0 / max(self.A, 1)

    @property
    def mean_weights(self) -> Array:
        """The posterior means of the weights, in the same order."""
        return np.asarray(self.concentration / self.concentration.sum())


def split(values: ArrayLike, resolution: float) -> Kinds:
    """The kinds of finite ``values``: neighbours in order no further apart than ``resolution`` are one.

    An atom's value is the mean of what was merged into it.
    """
    values = np.asarray(values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.flatnonzero(np.diff(ordered, prepend=-np.inf) > resolution)
    counts = np.diff(first, append=values.size)
    repeated = counts > 1
    if repeated.any() and np.count_nonzero(~repeated) == 1:
        repeated = np.ones_like(repeated)
    alone = order[first[~repeated]]
    return Kinds(
        atom_values=_merged(ordered, first, counts)[repeated],
        atom_counts=counts[repeated],
        remainder=values[np.sort(alone)],
        has_remainder=bool(alone.size > 0 or np.count_nonzero(repeated) < 2),
    )


def with_unseen(kinds: Kinds, distance: float) -> Kinds:
    """The same kinds and the unseen one; ``distance`` is c of this page."""
    if distance == 0.0 or kinds.remainder.size == 0 or kinds.n < 2:
        return kinds
    values, cases = kinds.values_and_cases
    size = float(np.abs(values).max()) or 1.0
    values = values / size  # whose squares do not overflow
    mean = float(np.average(values, weights=cases))
    below = distance * math.sqrt(kinds.n) * _reach(values, cases, mean)
    return dataclasses.replace(kinds, unseen=(mean - below) * size)


def _reach(values: Array, cases: Array, mean: float) -> float:
    """f s."""
    from_mean = values - mean
    variance = float(cases @ np.square(from_mean)) / (cases.sum() - 1.0)
    below = 2.0 * float(cases @ np.square(np.minimum(from_mean, 0.0))) / (cases.sum() - 1.0)
    s = math.sqrt(min(variance, below))
    low, high = quantiles_of_cases(values, cases, (0.25, 0.75))
    q = max((high - low) / _QUARTILES, s / _FARTHEST**2)
    return s * math.sqrt(max(s / q, 1.0)) if q > 0.0 else 0.0


def quantiles_of_cases(values: Array, cases: Array, q: Sequence[float]) -> list[float]:
    """Quantiles of the cases, ``cases`` at each value: numpy's, as if each stood there."""
    order = np.argsort(values)
    ends = np.cumsum(cases[order])
    place = np.asarray(q) * (ends[-1] - 1.0)
    below = values[order[np.searchsorted(ends, np.floor(place), side="right")]]
    above = values[order[np.searchsorted(ends, np.ceil(place), side="right")]]
    return [float(v) for v in below + (place - np.floor(place)) * (above - below)]


def unseen_weights(kinds: Kinds, seed: np.random.SeedSequence, size: int) -> Array:
    """Posterior draws of the unseen kind's probability, the first ``size`` of those that `total` uses."""
    return np.asarray(_stream(seed, _UNSEEN).beta(0.5, kinds.n + 0.5, size))


def weights(kinds: Kinds, rng: np.random.Generator, size: int) -> Array:
    """Independent posterior draws of the weights, (size, A): the atoms' in order, then the remainder's."""
    gammas = rng.standard_gamma(kinds.concentration, (size, kinds.A))
    return np.asarray(gammas / gammas.sum(axis=1, keepdims=True))


def weights_of_draw(kinds: Kinds, seed: np.random.SeedSequence, draw: int) -> Array:
    """The weights that `total` used for one draw: made again, as those of many atoms are too many to keep."""
    block, row = divmod(draw, _rows(kinds))
    return np.asarray(weights(kinds, _stream(seed, block), row + 1)[row])


def total(kinds: Kinds, remainder_J: Array, seed: np.random.SeedSequence) -> Array:
    """J of each draw, given J of the remainder in that draw (not looked at where there is none)."""
    rows = _rows(kinds)
    result = np.empty(remainder_J.size)
    for block, start in enumerate(range(0, result.size, rows)):
        part = slice(start, min(start + rows, result.size))
        w = weights(kinds, _stream(seed, block), part.stop - part.start)
        result[part] = w[:, : kinds.atom_values.size] @ kinds.atom_values
        if kinds.has_remainder:
            result[part] += w[:, -1] * remainder_J.ravel()[part]
    if kinds.unseen is not None:
        result += unseen_weights(kinds, seed, result.size) * (kinds.unseen - result)
    return result.reshape(remainder_J.shape)


def _merged(ordered: Array, first: NDArray[np.intp], counts: NDArray[np.intp]) -> Array:
    """The mean of each run, as its first value and a mean step from it: exact where all are equal."""
    if ordered.size == 0:
        return ordered
    base = ordered[first]
    step = np.add.reduceat(ordered - np.repeat(base, counts), first) / counts
    return np.asarray(base + step)


def _rows(kinds: Kinds) -> int:
    return max(1, _BLOCK // max(kinds.A, 1))


def _stream(seed: np.random.SeedSequence, block: int) -> np.random.Generator:
    child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, block))
    return np.random.default_rng(child)

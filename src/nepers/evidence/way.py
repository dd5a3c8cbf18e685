"""The way from the prior to the posterior, as stations; `nepers.evidence` says why it goes where it goes.

First the power of a few cases' Gaussian factor rises from 0 to 1; then the others come in, block by block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nepers.gibbs.replica import Replica

Array = NDArray[np.float64]

_FIRST_CASES = 8
_FAR = 10.0


def in_order(x: Array) -> tuple[Array, int]:
    """The cases (n, N), in an order in which any first few are spread like all of them, as (N, n).

    They are the quantiles of van der Corput's sequence 1/2, 1/4, 3/4, 1/8, ..., where N > 1 of the coordinate
    along which the standardised cases vary most. Cases so far away that nothing before would lead one to
    expect them, ten widths of the middle nine tenths, come first of all. Returns also how many cases the
    first stretch has.
    """
    n, N = x.shape
    ranks = np.argsort(_main_coordinate(x), kind="stable")
    order = ranks[np.argsort(np.argsort([_van_der_corput(k + 1) for k in range(n)], kind="stable"))]
    low, middle, high = np.quantile(x, (0.05, 0.5, 0.95), axis=0)
    far = (np.abs(x - middle) > _FAR * (high - low)).any(axis=1)[order]
    order = np.concatenate([order[far], order[~far]])
    first = min(n, int(far.sum()) + _FIRST_CASES * N)
    return np.ascontiguousarray(x[order].T), first


class Way:
    """``x`` (N, n) in order; ``powers`` from 0 to 1 of the first ``sizes[0]``; then more cases, up to n."""

    def __init__(self, x: Array, powers: Array, sizes: NDArray[np.int64]) -> None:
        self.x, self.powers, self.sizes = x, powers, sizes
        self._turn = powers.size - 1
        self._cases = [np.ascontiguousarray(x[:, :size]) for size in sizes]
        self._around = [self._neighbours(station) for station in range(self.steps + 1)]

    @property
    def steps(self) -> int:
        """From station to station."""
        return self._turn + self.sizes.size - 1

    def cases(self, station: int) -> Array:
        """The cases that count at a station."""
        return self._cases[max(station - self._turn, 0)]

    def power(self, station: int) -> float:
        """The power of their Gaussian factor there."""
        return float(self.powers[min(station, self._turn)])

    def gains(self, station: int, replica: Replica) -> tuple[float, float]:
        """What a state's log likelihood gains from the station before to this one, and from this to the next.

        Zero at the end where there is no such station.
        """
        x, ends, powers = self._around[station]
        found = replica.log_likelihoods(x, ends, powers)
        turn = self._turn
        if station < turn:
            before = found[1] - found[0] if station > 0 else 0.0
            return float(before), float(found[-1] - found[-2])
        if station == turn:
            return float(found[1] - found[0]), float(found[2]) if station < self.steps else 0.0
        return float(found[0]), float(found[1]) if station < self.steps else 0.0

    def _neighbours(self, station: int) -> tuple[Array, NDArray[np.int64], Array]:
        """The blocks of cases, and their powers, from which the two gains are found."""
        place, turn = station - self._turn, self._turn
        if place < 0:
            powers = self.powers[max(station - 1, 0) : station + 2]
            return self._cases[0], np.full(powers.size, self.sizes[0]), powers
        after = self.sizes[place : place + 2]
        if place == 0:
            x = np.ascontiguousarray(self.x[:, : after[-1]])
            powers = np.append(self.powers[turn - 1 :], np.ones(after.size - 1))
            return x, np.append(self.sizes[0], after), powers
        begin = self.sizes[place - 1]
        x = np.ascontiguousarray(self.x[:, begin : after[-1]])
        return x, after - begin, np.ones(after.size)


def _main_coordinate(x: Array) -> Array:
    if x.shape[1] == 1:
        return x[:, 0]
    spread = x.std(axis=0)
    standard = (x - x.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    return np.asarray(standard @ np.linalg.eigh(standard.T @ standard)[1][:, -1])


def _van_der_corput(k: int) -> float:
    value, unit = 0.0, 1.0
    while k:
        unit /= 2.0
        value += unit * (k & 1)
        k >>= 1
    return value

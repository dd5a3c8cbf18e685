"""What the bins of a tally hold, as columns: made from values, and merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.tally.grid import Array, Grid, Keys

_BLOCK = 1 << 20  # values looked at together


@dataclass(frozen=True, eq=False)
class Bins:
    """Each column has a place for every bin that holds a case, in ascending order of the keys."""

    key: Keys
    count: NDArray[np.int64]
    total: Array  # the sum of j
    square: Array  # the sum of j^2
    least: Array
    greatest: Array

    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def where(self, chosen: NDArray[np.bool_]) -> Bins:
        """Some of the bins."""
        return _made(column[chosen] for column in _columns(self))


def empty() -> Bins:
    """No bins."""
    whole, real = np.empty(0, dtype=np.int64), np.empty(0)
    return Bins(whole, whole, real, real, real, real)


def bins_of(j: Array, grid: Grid) -> Bins:
    """The bins of finite values, a block of them at a time."""
    blocks = [_one_block(j[start : start + _BLOCK], grid) for start in range(0, j.size, _BLOCK)]
    return merged(blocks)


def merged(parts: Sequence[Bins]) -> Bins:
    """The bins of all parts together."""
    parts = [part for part in parts if part.key.size]
    if len(parts) < 2:
        return parts[0] if parts else empty()
    columns = zip(*map(_columns, parts), strict=True)
    together = _made(np.concatenate(column) for column in columns)
    return grouped(together, together.key)


def grouped(bins: Bins, by: Keys) -> Bins:
    """The bins with the same ``by`` taken together, which becomes their key."""
    if not by.size:
        return empty()
    order = np.argsort(by, kind="stable")
    ordered = by[order]
    first = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1))
    return Bins(
        ordered[first],
        np.add.reduceat(bins.count[order], first),
        np.add.reduceat(bins.total[order], first),
        np.add.reduceat(bins.square[order], first),
        np.minimum.reduceat(bins.least[order], first),
        np.maximum.reduceat(bins.greatest[order], first),
    )


def _columns(bins: Bins) -> tuple[NDArray[Any], ...]:
    return tuple(bins.columns().values())


def _made(columns: Iterable[NDArray[Any]]) -> Bins:
    return Bins(*columns)


def _one_block(j: Array, grid: Grid) -> Bins:
    keys = grid.keys(j)
    order = np.argsort(keys, kind="stable")
    keys, j = keys[order], j[order]
    first = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1))
    return Bins(
        keys[first],
        np.diff(first, append=keys.size),
        np.add.reduceat(j, first),
        np.add.reduceat(j * j, first),
        np.minimum.reduceat(j, first),
        np.maximum.reduceat(j, first),
    )

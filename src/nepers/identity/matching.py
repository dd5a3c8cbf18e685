"""For each row of one table the first row of another that is the same.

Rows are hashed to 64 bits, the hashes of the other table sorted and looked up, and every hit is compared cell
by cell, so that a collision of hashes is never taken for a case. Besides the tables themselves this holds
some 40 bytes for each row.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nepers.identity.cells import Cells

Places = NDArray[np.int64]
Pair = tuple[Cells, Cells, str]  # a column of each table, and the kind as which they are compared

_BLOCK = 1 << 16  # rows at a time, which stay in the processor's cache
# odd numbers with as many ones as zeros: a product with one spreads every bit over those above it
_SPREAD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))


def first_match(pairs: Sequence[Pair]) -> Places:
    """For each row of the first table the place of the first same row in the second; -1 if there is none."""
    mine = _hashes([(a, kind) for a, _, kind in pairs])
    theirs = _hashes([(b, kind) for _, b, kind in pairs])
    order = np.argsort(theirs, kind="stable")
    theirs = theirs[order]
    place = _lookup(theirs, mine)
    where = np.full(mine.size, -1, dtype=np.int64)
    looking = np.flatnonzero(place < theirs.size)
    while looking.size:  # once, and once more for each collision of hashes at the same row
        looking = looking[theirs[place[looking]] == mine[looking]]
        there = order[place[looking]]
        same = _same(pairs, looking, there)
        where[looking[same]] = there[same]
        looking = looking[~same]
        place[looking] += 1
        looking = looking[place[looking] < theirs.size]
    return where


def _hashes(columns: Sequence[tuple[Cells, str]]) -> NDArray[np.uint64]:
    n = columns[0][0].n
    hashes = np.full(n, _SPREAD[1], dtype=np.uint64)
    for start in range(0, n, _BLOCK):
        rows = slice(start, min(start + _BLOCK, n))
        for cells, kind in columns:
            _mix(hashes[rows], cells.words(rows, kind))
    return hashes


def _mix(hashes: NDArray[np.uint64], words: NDArray[np.uint64]) -> None:
    """In place: a one-to-one map of the hash for each word, and of the word for each hash."""
    hashes ^= words
    for factor, shift in zip(_SPREAD, (29, 32), strict=True):
        hashes *= factor
        hashes ^= hashes >> np.uint64(shift)


def _lookup(ranked: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> Places:
    """searchsorted, in ascending order of what is wanted: neighbours find their places in the cache."""
    order = np.argsort(wanted)
    place = np.empty(wanted.size, dtype=np.int64)
    place[order] = np.searchsorted(ranked, wanted[order])
    return place


def _same(pairs: Sequence[Pair], rows: Places, there: Places) -> NDArray[np.bool_]:
    same = np.ones(rows.size, dtype=bool)
    for a, b, kind in pairs:
        left = np.flatnonzero(same)
        same[left] = a.same(rows[left], b, there[left], kind)
    return same

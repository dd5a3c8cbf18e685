"""One column of a table, ready to be compared with that of another: its kind, and its cells when asked for.

The cells stay where they are; `Cells.take` turns the few or many that are wanted into one of these kinds:

    whole                           int64 or uint64
    float64, float32, float16       float64; the name is the precision they come from
    time, span                      int64, in microseconds
    text, object                    Python objects
    empty                           nothing but missing
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

Part = slice | NDArray[np.intp]
Taken = tuple[NDArray[Any], NDArray[np.bool_]]  # the values, and which are missing

FLOATS = ("float16", "float32", "float64")  # the narrowest first
_OBJECTS = ("text", "object")
_EXACT = {"float16": 1 << 11, "float32": 1 << 24, "float64": 1 << 53}
_HIGH = np.uint64(1) << np.uint64(63)


@dataclass(frozen=True, eq=False)
class Cells:
    """The ``n`` cells of one kind; ``place`` is what the user calls the column."""

    place: str
    kind: str
    n: int
    take: Callable[[Part], Taken]

    def missing(self) -> NDArray[np.bool_]:
        """Which cells are missing."""
        return self.take(slice(0, self.n))[1]

    def shown(self, row: int) -> str:
        """One cell in words."""
        value = self.take(np.array([row]))[0].tolist()[0]
        text = str(np.datetime64(value, "us")) if self.kind == "time" else repr(value)
        return text if len(text) <= 40 else text[:37] + "..."

    def words(self, part: Part, kind: str) -> NDArray[np.uint64]:
        """64 bits for each cell as one of ``kind``: equal for equal cells, and for few others."""
        values, missing = self.take(part)
        if kind in _OBJECTS:
            hashes = (hash(value) for value in values.tolist())
            words = np.fromiter(hashes, dtype=np.int64, count=values.size).view(np.uint64)
        else:
            words = _bits(values, kind)
        words[missing] = _HIGH + np.uint64(1)
        return words

    def same(self, part: Part, other: Cells, place: Part, kind: str) -> NDArray[np.bool_]:
        """Whether these cells are those of ``other``, one by one."""
        (a, no_a), (b, no_b) = self.take(part), other.take(place)
        if kind in _OBJECTS:
            pairs = zip(a.tolist(), b.tolist(), strict=True)
            equal = np.fromiter((bool(x == y) for x, y in pairs), dtype=bool, count=a.size)
        else:
            equal = (_bits(a, kind) == _bits(b, kind)) & (_above(a) == _above(b))
        return np.asarray(np.where(no_a | no_b, no_a & no_b, equal))


def common_kind(a: Cells, b: Cells) -> str:
    """The kind as which the cells of both are compared."""
    kinds = {a.kind, b.kind}
    if len(kinds) == 1:
        return a.kind
    if kinds <= {"whole", *FLOATS}:
        return next(kind for kind in FLOATS if kind in kinds)
    if "object" in kinds and not kinds & {"time", "span"}:
        return "object"
    for one, other in ((a, b), (b, a)):
        if one.kind == "empty" or one.missing().all():
            return other.kind if other.kind != "empty" else "whole"
    raise InputError(
        f"{a.place} and {b.place} must be of the same type; the first holds {_example(a)}, the second "
        f"{_example(b)}: convert one, or name the columns that identify a case with by="
    )


def refuse_inexact(a: Cells, b: Cells) -> None:
    """Numbers that identify cases: whole ones too large for the other column's floats are no identity."""
    for one, other in ((a, b), (b, a)):
        limit = _EXACT.get(other.kind, 0)
        if one.kind == "whole" and limit and one.n:
            values, missing = one.take(slice(0, one.n))
            wrong = np.flatnonzero(~missing & ((values > limit) | (values < -limit)))
            if wrong.size:
                raise InputError(
                    f"{one.place} and {other.place} must both be whole numbers or text; the second is "
                    f"{other.kind}, which cannot tell {int(values[wrong[0]])} from its neighbours"
                )


def _bits(values: NDArray[Any], kind: str) -> NDArray[np.uint64]:
    """A copy, as 64 bits: the number itself, or the double nearest to it in the precision of ``kind``."""
    if kind not in FLOATS:
        return values.astype(np.uint64)
    with np.errstate(over="ignore"):
        doubles = values.astype(kind).astype(np.float64)
    return np.asarray((doubles + 0.0).view(np.uint64))  # minus zero becomes zero


def _above(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Unsigned numbers that are negative ones to int64."""
    if values.dtype.kind != "u":
        return np.zeros(values.shape, dtype=bool)
    return np.asarray(values >= _HIGH)


def _example(cells: Cells) -> str:
    first = np.flatnonzero(~cells.missing())[0]
    names = {"text": "text", "object": "objects", "time": "times", "span": "durations"}
    return f"{names.get(cells.kind, 'numbers')} ({cells.shown(int(first))})"

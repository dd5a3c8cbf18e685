"""How one covariate becomes coordinates: `nepers.survival` has the table. Fitted on the training patients."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.survival.covariates import Covariate

Array = NDArray[np.float64]

KINDS = ("auto", "linear", "log", "category")
_MOST_LEVELS = 20
_FEW_VALUES = 5


@dataclass(frozen=True)
class Treatment:
    """``kind`` with what was found in training; a number x becomes (f(x) - centre) / unit.

    ``numbers`` are: for "log" the c added; for "bounded" low, high and the pull off the ends.
    ``levels`` are those of a category but the most frequent, which is ``rest``; each has centre and unit.
    """

    name: str
    kind: str
    centre: tuple[float, ...]
    unit: tuple[float, ...]
    numbers: tuple[float, ...] = ()
    levels: tuple[str, ...] = ()
    rest: str = ""

    @property
    def coordinates(self) -> list[str]:
        """What the coordinates are called."""
        return [f"{self.name}={level}" for level in self.levels] if self.kind == "category" else [self.name]

    def apply(self, column: Covariate) -> Array:
        """(n, k) coordinates, NaN where the covariate is missing."""
        raw = _raw(column, self.kind, self.numbers, self.levels, self.rest)
        return np.asarray((raw - np.array(self.centre)) / np.array(self.unit))


def treatment(column: Covariate, asked: Any) -> Treatment:
    """The treatment asked for, fitted to a column of the training patients."""
    kind, numbers = _kind(column, asked)
    levels, rest = _levels(column) if kind == "category" else ((), "")
    if kind == "log":
        numbers = (_added(column),)
    if kind == "bounded":
        numbers = (*numbers, _pull(column, *numbers))
    raw = _raw(column, kind, numbers, levels, rest)
    middle = np.nanmean(raw, axis=0) if kind == "category" else np.nanmedian(raw, axis=0)
    spread = np.nanstd(raw, axis=0)
    # logs and log odds are numbers of a size of their own, whatever the covariate's unit
    unit = spread if kind in ("linear", "category") else np.where(spread > 0.0, 1.0, 0.0)
    flat = spread <= 1e-12 * np.nanmax(np.abs(raw), axis=0, initial=1e-300)
    return Treatment(
        column.name,
        kind,
        tuple(middle.tolist()),
        tuple(np.where(flat, 0.0, unit).tolist()),
        numbers,
        levels,
        rest,
    )


def _kind(column: Covariate, asked: Any) -> tuple[str, tuple[float, ...]]:
    if isinstance(asked, tuple | list) and len(asked) == 3 and asked[0] == "bounded":
        low, high = float(asked[1]), float(asked[2])
        if not low < high:
            raise InputError(f"covariates[{column.name!r}] must have its low end below its high end")
        _refuse_text(column)
        return "bounded", (low, high)
    if asked not in KINDS:
        raise InputError(
            f"covariates[{column.name!r}] must be one of {', '.join(KINDS)} or ('bounded', low, high); it is "
            f"{asked!r}"
        )
    if asked == "auto":
        asked = _automatic(column)
    if asked != "category":
        _refuse_text(column)
    return str(asked), ()


def _automatic(column: Covariate) -> str:
    if column.is_text or column.is_flag:
        return "category"
    x = column.values[~column.missing]
    if np.unique(x).size <= _FEW_VALUES or x.min() < 0.0:
        return "linear"
    logged = np.log(x + _added(column))
    return "log" if abs(_lopsided(logged)) < abs(_lopsided(x)) else "linear"


def _lopsided(x: Array) -> float:
    low, middle, high = np.quantile(x, [0.05, 0.5, 0.95])
    return float((high + low - 2.0 * middle) / (high - low)) if high > low else 0.0


def _added(column: Covariate) -> float:
    """0, or, if there are zeros, half the least value above them."""
    x = column.values[~column.missing]
    if x.size == 0 or x.min() > 0.0:
        return 0.0
    if x.min() < 0.0 or not (x > 0.0).any():
        raise InputError(
            f"column {column.name!r} must be at or above 0, with some above, to be taken in logs; "
            f"it has {x.min():g}"
        )
    return 0.5 * float(x[x > 0.0].min())


def _pull(column: Covariate, low: float, high: float) -> float:
    """Half the least distance to an end that is not zero, as a share; 0 if the ends are not met."""
    share = (column.values[~column.missing] - low) / (high - low)
    inside = np.minimum(share, 1.0 - share)
    if inside.size == 0 or inside.min() > 0.0:
        return 0.0
    return 0.5 * float(np.min(inside[inside > 0.0], initial=0.5))


def _levels(column: Covariate) -> tuple[tuple[str, ...], str]:
    counts = Counter(_texts(column)[~column.missing].tolist())
    if len(counts) > _MOST_LEVELS:
        raise InputError(
            f"column {column.name!r} must have at most {_MOST_LEVELS} levels to be a category; it has "
            f"{len(counts)}: leave it out if it only names the patients, or join levels"
        )
    rest = min(counts, key=lambda level: (-counts[level], level)) if counts else ""
    return tuple(sorted(level for level in counts if level != rest)), rest


def _texts(column: Covariate) -> NDArray[Any]:
    if column.is_text:
        return column.values
    written = [None if gone else f"{x:g}" for x, gone in zip(column.values, column.missing, strict=True)]
    return np.array([*written, None], dtype=object)[:-1]


def _raw(
    column: Covariate, kind: str, numbers: tuple[float, ...], levels: tuple[str, ...], rest: str
) -> Array:
    """(n, k) before centring."""
    if kind == "category":
        return _indicators(column, levels, rest)
    _refuse_text(column)
    x = column.values[:, None]
    if kind == "linear":
        return x
    if kind == "log":
        _refuse(column, x[:, 0] + numbers[0] <= 0.0, "be above 0, as in training")
        return np.asarray(np.log(x + numbers[0]))
    low, high, pull = numbers
    share = (x - low) / (high - low)
    _refuse(column, (share < 0.0)[:, 0] | (share > 1.0)[:, 0], f"be from {low:g} to {high:g}")
    if pull == 0.0:
        _refuse(column, (share == 0.0)[:, 0] | (share == 1.0)[:, 0], "be within its ends, as in training")
    share = pull + (1.0 - 2.0 * pull) * share
    return np.asarray(np.log(share / (1.0 - share)))


def _indicators(column: Covariate, levels: tuple[str, ...], rest: str) -> Array:
    texts = _texts(column)
    known = {*levels, rest}
    unseen = np.array([text is not None and text not in known for text in texts], dtype=bool)
    if unseen.any():
        raise InputError(
            f"column {column.name!r} must hold levels seen in training; {texts[unseen][0]!r} is none of "
            f"{', '.join(map(repr, sorted(known)))}"
        )
    found = np.array([[text == level for level in levels] for text in texts], dtype=np.float64)
    found = found.reshape(len(texts), len(levels))
    found[column.missing] = np.nan
    return found


def _refuse_text(column: Covariate) -> None:
    if column.is_text:
        raise InputError(f"column {column.name!r} must hold numbers; it holds texts")


def _refuse(column: Covariate, wrong: NDArray[np.bool_], rule: str) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(f"column {column.name!r} must {rule}; it is {column.values[row]:g} in row {row}")

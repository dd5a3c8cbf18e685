"""What a recalibration map does, as curves: for classes what a claim becomes; for PITs c(u)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.cases import plain
from nepers.improvement.wording import plain_mean
from nepers.words import count

if TYPE_CHECKING:
    from nepers.improvement import ClassMap, PitMap, Recalibration

Array = NDArray[np.float64]

CLASSES = 6  # as many curves as can be told apart
_POINTS = 2000
_GRID = 201
_INNER = 0.02  # of the unit interval at each end, where a density may be without bound


@dataclass(frozen=True, eq=False)
class ClassCurves:
    """For each of some classes what a claimed probability becomes, the other classes sharing the rest evenly.

    ``points`` (cases, 2) are what the truth of single cases was given, before and after, each by the map of
    its own fold; at most 2,000 of them, spread evenly over what was claimed.
    """

    claimed: Array
    labels: tuple[Any, ...]
    recalibrated: Array
    more: int
    points: Array
    gain: str


@dataclass(frozen=True, eq=False)
class PitCurves:
    """c(u), the density of u that the map found, and those of the ``folds``; calibrated is 1 everywhere."""

    u: Array
    density: Array
    folds: Array
    gain: str

    @property
    def top(self) -> float:
        """The height to show: the ends may rise without bound."""
        inner = (self.u >= _INNER) & (self.u <= 1.0 - _INNER)
        return 1.12 * max(1.5, float(self.density[inner].max()))

    @property
    def beyond(self) -> bool:
        """Whether there is more above."""
        return bool(self.density.max() > self.top)


def class_curves(recalibration: Recalibration[ClassMap]) -> ClassCurves:
    """The curves of a map for classes; with a single class there is nothing to claim and no curve."""
    r = recalibration
    K = len(r.map.labels)
    shown = min(K, CLASSES) if K > 1 else 0
    claimed = np.linspace(0.0, 1.0, _GRID + 2)[1:-1]
    found = np.empty((shown, _GRID))
    for k in range(shown):
        table = np.repeat((1.0 - claimed[:, None]) / (K - 1), K, axis=1)
        table[:, k] = claimed
        found[k] = r.map(table)[:, k]
    names = tuple(plain(label) for label in r.map.labels[:shown])
    return ClassCurves(claimed, names, found, K - shown, _points(r), gain_in_words(r))


def pit_curves(recalibration: Recalibration[PitMap]) -> PitCurves:
    """The curves of a map for PITs."""
    r = recalibration
    # dense towards the ends, where much may happen
    u = 0.5 - 0.5 * np.cos(np.pi * (np.arange(_GRID) + 0.5) / _GRID)
    with np.errstate(over="ignore"):
        density, *folds = (np.exp(one(u)) for one in (r.map, *r.fold_maps))
    return PitCurves(u, density, np.array(folds), gain_in_words(r))


def gain_in_words(recalibration: Recalibration[Any]) -> str:
    """The mean gain and, where the truth got probability zero, that J stays -inf."""
    r = recalibration
    finite = r.gain[~np.isnan(r.gain)]
    gain = plain_mean(finite).replace("-", "−")
    if not r.zeros:
        return f"gain {gain} nats a case"
    return (
        f"J = −inf before and after: probability zero in {count(len(r.zeros), 'case')}\n"
        f"gain in the others {gain} nats a case"
    )


def _points(r: Recalibration[ClassMap]) -> Array:
    if r.log_q is None:
        return np.empty((0, 2))
    known = ~np.isnan(r.gain)
    before, after = np.exp(r.log_q[known] - r.gain[known]), np.exp(r.log_q[known])
    order = np.argsort(before, kind="stable")
    if order.size > _POINTS:
        order = order[np.linspace(0, order.size - 1, _POINTS).astype(np.intp)]
    return np.column_stack([before[order], after[order]])

"""What the posterior sees of a tally: atoms, and points with weights in the place of the other cases.

Neighbouring bins, four or, where there are few, fewer, become two points that have the number, the mean and
the variance of their cases; up to eight cases, and the outermost, are taken one by one where their bins tell
them apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nepers.atoms import Kinds
from nepers.cases import RESOLUTION
from nepers.gibbs.chains import Points
from nepers.tally.bins import Bins, bins_of, grouped
from nepers.tally.grid import Array, Grid, Keys
from nepers.tally.tally import Tally

TOGETHER = 4  # bins
_ENOUGH = 500  # groups of bins, of which there are no fewer if there are as many bins
_HEAP = 0.02  # a larger share of the cases is a heap, whose shape matters
_FEW = 8  # cases of a group that are taken one by one
_TOLD = 4  # cases of a bin that are known one by one


def kinds_of(tally: Tally) -> Kinds:
    """The atoms, and the other cases as points with weights."""
    resolution = RESOLUTION * tally.largest
    values, counts, rest = _pure(tally.bins, resolution)
    repeated = counts > 1
    single = values[~repeated]
    if repeated.any() and single.size == 1 and not rest.key.size:
        repeated, single = np.ones_like(repeated), np.empty(0)
    remainder, points = _with_weights(rest, single, tally.grid)
    return Kinds(
        atom_values=values[repeated],
        atom_counts=counts[repeated],
        remainder=remainder,
        has_remainder=bool(remainder.size or np.count_nonzero(repeated) < 2),
        points=points,
    )


def points_of(values: Array, grid: Grid) -> tuple[Array, Points] | None:
    """Points in the place of many values, of which none repeats; None where a bin hides a heap of them."""
    if np.abs(values).max() > grid.reach:
        return None
    bins = bins_of(values, grid)
    if bins.count.max() > _HEAP * values.size:
        return None
    alone = bins.count == 1
    return _with_weights(bins.where(~alone), bins.least[alone], grid)


def _with_weights(bins: Bins, single: Array, grid: Grid) -> tuple[Array, Points]:
    """The points of bins and of single values, in order."""
    together = _together(bins, single.size)
    points, weights = _points(bins, together)
    points, weights = np.append(points, single), np.append(weights, np.ones(single.size))
    order = np.argsort(points, kind="stable")
    return points[order], Points(weights[order], 0.5 * together / grid.steps, grid.unit)


def scatter(bins: Bins) -> float:
    """The sum of squares about the mean of all."""
    count = bins.count.sum()
    mean = bins.total.sum() / count
    own = bins.total / bins.count
    return float((_spread(bins) ** 2 * bins.count).sum() + (bins.count * (own - mean) ** 2).sum())


def _pure(bins: Bins, resolution: float) -> tuple[Array, Keys, Bins]:
    """Bins whose cases agree, as values and their numbers, equal neighbours merged; and the other bins."""
    same = bins.greatest - bins.least <= resolution
    rest, bins = bins.where(~same), bins.where(same)
    if not bins.key.size:
        return np.empty(0), np.empty(0, dtype=np.int64), rest
    by = np.cumsum(np.diff(bins.least, prepend=bins.least[0]) > resolution, dtype=np.int64)
    one = grouped(bins, by)
    # exact where all are equal: the sum may be rounded
    values = np.where(one.least == one.greatest, one.least, one.total / one.count)
    return values, one.count, rest


def _together(bins: Bins, singles: int) -> int:
    """How many bins are taken together: fewer where they are few, or where many cases are in one group."""
    n = int(bins.count.sum()) + singles
    most = min(TOGETHER, (bins.key.size + singles) // _ENOUGH)
    for together in range(most, 1, -1):
        if grouped(bins, np.floor_divide(bins.key, together)).count.max(initial=0) <= _HEAP * n:
            return together
    return 1


def _points(bins: Bins, together: int) -> tuple[Array, Array]:
    groups = np.floor_divide(bins.key, together)
    each = grouped(bins, groups)
    outermost = np.isin(each.key, [groups.min(initial=0), groups.max(initial=0)])
    few = each.key[each.count <= _FEW]
    told = np.isin(groups, few) & (bins.count <= _TOLD)
    edge = np.isin(groups, each.key[outermost & (each.count > _FEW)])
    rest, ends = _without_ends(bins, edge & ~told)
    pairs, weights = _pairs(grouped(rest.where(~told), groups[~told]))
    ones = np.concatenate([_one_by_one(bins.where(told)), ends])
    return np.append(pairs, ones), np.append(weights, np.ones(ones.size))


def _without_ends(bins: Bins, chosen: NDArray[np.bool_]) -> tuple[Bins, Array]:
    """The chosen bins without their least and greatest case, and these cases."""
    chosen = chosen & (bins.count > 2)
    low, high = np.where(chosen, bins.least, 0.0), np.where(chosen, bins.greatest, 0.0)
    less = Bins(
        bins.key,
        bins.count - 2 * chosen,
        bins.total - low - high,
        bins.square - low * low - high * high,
        bins.least,
        bins.greatest,
    )
    return less, np.concatenate([low[chosen], high[chosen]])


def _one_by_one(bins: Bins) -> Array:
    """The cases of bins of at most four: least, greatest, and what sums and squares leave between them."""
    found = [bins.least, bins.greatest[bins.count > 1]]
    between = bins.where(bins.count > 2)
    inner, _ends = _without_ends(between, np.ones(between.key.size, dtype=bool))
    middle = inner.total / inner.count
    half = np.where(inner.count == 2, _spread(inner), 0.0)
    # ends are in `found` already
    found += [middle - half, (middle + half)[inner.count == 2]]
    return np.concatenate(found)


def _pairs(bins: Bins) -> tuple[Array, Array]:
    """Two points for each, with whole weights as equal as may be, and the bin's mean and variance."""
    mean, spread = bins.total / bins.count, _spread(bins)
    low, high = bins.count // 2, bins.count - bins.count // 2
    alone = low == 0
    ratio = np.sqrt(high / np.maximum(low, 1))
    below, above = mean - spread * ratio, mean + np.where(alone, 0.0, spread / ratio)
    points = np.concatenate([below[~alone], above])
    return points, np.concatenate([low[~alone], high]).astype(np.float64)


def _spread(bins: Bins) -> Array:
    """The standard deviation within each, kept by rounding errors between 0 and what the extremes allow."""
    mean = bins.total / bins.count
    most = np.maximum((mean - bins.least) * (bins.greatest - mean), 0.0)
    return np.asarray(np.sqrt(np.clip(bins.square / bins.count - mean * mean, 0.0, most)))

"""What is not known of the cases, beside their array x, which is then part of the state.

x holds the true values: those of coordinate 0 that are known by an interval only, and all that were measured
with noise, are drawn anew in every sweep. Entries of which nothing is known are integrated out of the
densities, of the allocations and alphas, and of the jumps; they are drawn only for the sums.

Cases stand in the order of how many of their entries are missing, so that those of a block have equally many.
Where `gaps` is None all is known, and the code for gaps is not compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nepers.gibbs.compiled import inner
from nepers.gibbs.records import component_type, gap_desk_type, side_type, sums_type, upper_type
from nepers.gibbs.tilt import tilt_table

if TYPE_CHECKING:
    from nepers.hierarchy.arrays import Array

BLOCK = 512  # cases handled together, so that their densities stay in the fast cache


class Unknown(NamedTuple):
    """What is given beside the cases, which are NaN where no exact value is known."""

    lower: Array  # (n,): the ends of coordinate 0, as observed
    upper: Array
    noise: tuple[float, Array] | None  # m_n and S_n


class Gaps(NamedTuple):
    """What is observed of each case, what is in the state beside x, and room to work in."""

    y: NDArray[np.float64]  # (N, n): as observed; zero where that is not an exact value
    lower: NDArray[np.float64]  # (n,): the ends of coordinate 0 as observed
    upper: NDArray[np.float64]
    bounded: NDArray[np.int64]  # (n,): 1 where coordinate 0 is known by an interval only
    absent: NDArray[np.int64]  # (n,): how many entries are missing
    missing: NDArray[np.int64]  # (most, n): which; coordinate 0 is the last of them
    noise_m: float  # m_n, or 0 where there is no noise
    noise_S: NDArray[np.float64]  # (N, N)
    beta: NDArray[np.float64]  # (n,): the noise is Gaussian of precision beta S_n
    place: NDArray[np.int64]  # (n,): the component of each case
    root: NDArray[np.float64]  # (n,): sqrt(alpha)
    table: NDArray[np.float64]  # of nepers.gibbs.tilt
    narrow: NDArray[Any]  # a component without the missing entries
    centred: NDArray[np.float64]  # (N, BLOCK): a block with its missing entries at the component's centre
    correction: NDArray[np.float64]  # (BLOCK,)
    desk: NDArray[Any]
    # of nepers.gibbs.regrouping
    trial: NDArray[Any]  # sums of the two sides of a split, and of both
    sides: NDArray[Any]
    odds: NDArray[np.float64]  # (n,)
    side: NDArray[np.int64]  # (n,)
    order: NDArray[np.int64]  # (n,)
    accepted: NDArray[np.int64]  # (4,): how often, of either kind; births and deaths by degrees
    # of nepers.gibbs.annealed: the state before
    upper_before: NDArray[Any]
    x_before: NDArray[np.float64]  # (N, n)


def make_gaps(cases: Array, unknown: Unknown) -> tuple[NDArray[np.float64], Gaps]:
    """x (N, n) as the chain begins, and the gaps, of cases (N, n), NaN where no exact value is known."""
    known, lower, upper, noise = cases.T, unknown.lower, unknown.upper, unknown.noise
    n, N = known.shape
    nothing = np.isinf(lower) & np.isinf(upper)
    bounded = np.isnan(known[:, 0]) & ~nothing
    absent = np.isnan(known)
    absent[bounded, 0] = False
    count = absent.sum(axis=1)
    order = np.argsort(count, kind="stable")
    # np.argsort puts missing entries first; coordinate 0 is looked at last
    columns = np.roll(np.arange(N), -1)
    missing = columns[np.argsort(~absent[:, columns], axis=1, kind="stable")]
    x = np.where(absent, 0.0, known)
    x[bounded, 0] = _inside(lower[bounded], upper[bounded])
    noise_m, noise_S = noise if noise is not None else (0.0, np.zeros((N, N)))
    gaps = Gaps(
        y=np.ascontiguousarray(np.where(np.isnan(known), 0.0, known)[order].T),
        lower=lower[order].copy(),
        upper=upper[order].copy(),
        bounded=bounded[order].astype(np.int64),
        absent=count[order].astype(np.int64),
        missing=np.ascontiguousarray(missing[order].T[: max(1, int(count.max(initial=0)))], dtype=np.int64),
        noise_m=float(noise_m),
        noise_S=np.array(noise_S),
        beta=np.ones(n),
        place=np.zeros(n, np.int64),
        root=np.ones(n),
        table=tilt_table(),
        narrow=np.zeros(1, component_type(N)),
        centred=np.zeros((N, BLOCK)),
        correction=np.zeros(BLOCK),
        desk=np.zeros(1, gap_desk_type(N)),
        trial=np.zeros(3, sums_type(N)),
        sides=np.zeros(2, side_type(N)),
        odds=np.zeros(n),
        side=np.zeros(n, np.int64),
        order=np.zeros(n, np.int64),
        accepted=np.zeros(4, np.int64),
        upper_before=np.zeros(1, upper_type(N)),
        x_before=np.zeros((N, n)),
    )
    return np.ascontiguousarray(x[order].T), gaps


def _inside(lower: Array, upper: Array) -> Array:
    """Somewhere in each interval."""
    middle = 0.5 * (lower + upper)
    return np.where(np.isinf(upper), lower, np.where(np.isinf(lower), upper, middle))


@inner
def block_size(gaps, start, n):
    """How many cases the block that begins at `start` has."""
    size = min(BLOCK, n - start)
    if gaps is not None:
        count = gaps.absent[start]
        while gaps.absent[start + size - 1] != count:
            size -= 1
    return size

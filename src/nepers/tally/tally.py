"""The tally as users hold it: made from arrays, merged, saved, and assessed."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.cases import Case, log_ratios
from nepers.errors import InputError
from nepers.tally.bins import Bins, bins_of, merged
from nepers.tally.grid import Array, Grid

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.atoms import Kinds


@dataclass(frozen=True, eq=False, repr=False)
class Tally:
    """The cases' log ratios in bins; see `nepers.tally`.

    ``impossible`` counts the cases at -inf by the part they came in. ``largest`` is the largest finite
    magnitude among the inputs, relative to which values are told apart. ``batches`` are the names of the
    parts that were added under a name: none is added twice.
    """

    grid: Grid
    bins: Bins
    impossible: dict[str, int] = field(default_factory=dict)
    largest: float = 0.0
    batches: frozenset[str] = frozenset()
    name: str | None = None

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.bins.count.sum()) + sum(self.impossible.values())

    @property
    def infinite(self) -> tuple[str, ...]:
        """The parts in which the truth got probability zero, with the number of such cases."""
        from nepers.words import count

        return tuple(f"{part} ({count(cases, 'case')})" for part, cases in self.impossible.items())

    @property
    def worst(self) -> tuple[Case, ...]:
        """None: a tally does not know the names of its cases."""
        return ()

    def kinds(self) -> Kinds:
        """The atoms, and the other finite cases as points that stand for several."""
        from nepers.tally.nodes import kinds_of

        return kinds_of(self)

    @property
    def mean(self) -> float:
        """The mean of j in nats, exactly that of the cases; NaN of none."""
        if self.impossible:
            return float("-inf")
        return float(self.bins.total.sum() / self.n) if self.n else float("nan")

    @property
    def sd(self) -> float:
        """The standard deviation of the cases' j; NaN where fewer than two are finite."""
        from nepers.tally.nodes import scatter

        n = int(self.bins.count.sum())
        return float(np.sqrt(scatter(self.bins) / (n - 1))) if n > 1 else float("nan")

    def merge(self, *others: Tally) -> Tally:
        """This tally and others together. The order does not matter."""
        for other in others:
            self._refuse_other(other)
        every = (self, *others)
        names = Counter(batch for tally in every for batch in tally.batches)
        twice = sorted(name for name, times in names.items() if times > 1)
        if twice:
            raise InputError(
                f"tallies must have no batch in common, or it would count twice; both have {twice[0]!r}"
                + (f" and {len(twice) - 1:,} more" if len(twice) > 1 else "")
            )
        impossible: Counter[str] = sum((Counter(tally.impossible) for tally in every), Counter())
        return Tally(
            grid=self.grid,
            bins=merged([tally.bins for tally in every]),
            impossible=dict(sorted(impossible.items())),
            largest=max(tally.largest for tally in every),
            batches=frozenset(names),
            name=self.name if len({tally.name for tally in every}) == 1 else None,
        )

    def __add__(self, other: Tally) -> Tally:
        return self.merge(other)

    def update(
        self, j: Any = None, *, log_q: Any = None, log_p: Any = None, batch: str | None = None
    ) -> Tally:
        """This tally with more cases. A ``batch`` that is named is added once: again, it changes nothing."""
        if batch is not None and batch in self.batches:
            return self
        more = from_arrays(j, log_q=log_q, log_p=log_p, grid=self.grid, batch=batch)
        return dataclasses.replace(self.merge(more), name=self.name)

    def assess(self, **options: Any) -> Assessment:
        """The posterior of J: `nepers.assess` of this tally."""
        from nepers.assessment import assess

        return assess(self, **options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tally to ``path``, whole or not at all, in place of what is there."""
        from nepers.tally.file import save

        save(self, path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Tally:
        """What `save` wrote; a file that was cut short or altered is refused."""
        from nepers.tally.file import load

        return load(path)

    def __repr__(self) -> str:
        return f"<Tally of {self.n:,} cases in {self.bins.key.size:,} bins, mean j {self.mean:.4g} nats>"

    def _refuse_other(self, other: Any) -> None:
        if not isinstance(other, Tally):
            raise InputError(f"only tallies can be merged; this is {type(other).__name__}")
        if other.grid != self.grid:
            raise InputError(
                f"tallies must have the same grid to be merged; one has {self.grid}, the other {other.grid}: "
                "make one of them again"
            )


def from_arrays(
    j: Any = None,
    *,
    log_q: Any = None,
    log_p: Any = None,
    grid: Grid | None = None,
    batch: str | None = None,
) -> Tally:
    """The tally of cases given as for `nepers.assess`: ``j``, or both of ``log_q`` and ``log_p``.

    ``batch`` names these cases: a tally that has them refuses or ignores them the next time.
    """
    grid = Grid() if grid is None else grid
    cases = log_ratios(j, log_q=log_q, log_p=log_p)
    finite = cases.values[np.isfinite(cases.values)]
    refuse_beyond(finite, grid)
    infinite = cases.n - finite.size
    return Tally(
        grid=grid,
        bins=bins_of(finite, grid),
        impossible={batch or "cases": infinite} if infinite else {},
        largest=largest_of(cases.resolution, finite),
        batches=frozenset() if batch is None else frozenset({batch}),
        name=cases.name,
    )


def refuse_beyond(finite: Array, grid: Grid) -> None:
    """An error for values so large that the grid has no bin for them."""
    beyond = np.abs(finite) > grid.reach
    if beyond.any():
        raise InputError(
            f"j must lie within {grid.reach:.3g} nats of 0 for this grid; it is {finite[beyond][0]:.6g}: "
            "give a grid of larger unit"
        )


def largest_of(resolution: float, finite: Array) -> float:
    """The largest magnitude among the inputs, from which `nepers.cases` made its resolution."""
    from nepers.cases import RESOLUTION

    return float(max(resolution / RESOLUTION, np.abs(finite).max(initial=0.0)))

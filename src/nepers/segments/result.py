"""What the draws say of each group, of the groups side by side, and of the whole."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from nepers.cases import plain
from nepers.display.methods import SegmentsPlots
from nepers.errors import InputError
from nepers.estimate import Estimate, Unit
from nepers.segments import figures
from nepers.segments.groups import Label

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]
Sort = Literal["lost", "J", "n", "group"]

_SHOWN = 5


@dataclass(frozen=True, eq=False, repr=False)
class Segments(SegmentsPlots):
    """The joint posterior of J by group. Numbers are in ``unit``; ``nats`` are the J_g, (draws, groups).

    The groups stand in the order of their labels. ``weights`` are the draws of their shares of new cases,
    in the same order; ``alone`` the draws of J of each group by itself, in nats; ``apart`` the probability
    that a group stands apart from the others; ``infinite_cases`` the rows where the truth got probability
    zero, by group; ``problems`` what keeps a group's posterior from being reliable, in sentences.
    ``hyperparameters`` are for data in units of ``scale``.
    """

    groups: tuple[Label, ...]
    n: NDArray[np.int64]
    nats: Array
    weights: Array
    alone: tuple[Array, ...]
    apart: Array
    infinite_cases: tuple[tuple[Label, ...], ...]
    problems: tuple[str, ...]
    hyperparameters: Hyperparameters
    scale: float
    seed: int
    version: str
    unit: Unit = "nats"

    @property
    def draws(self) -> Array:
        """The draws of J_g, (draws, groups)."""
        return self.nats * self.factor

    @cached_property
    def contributions(self) -> Array:
        """w_g J_g, (draws, groups)."""
        return figures.parts(self.weights, self.draws)

    @property
    def whole(self) -> Estimate:
        """J of the whole: in every draw the sum of the contributions."""
        return Estimate(self.contributions.sum(axis=1) / self.factor, self.unit)

    @cached_property
    def rest(self) -> Array:
        """J of the other groups together, (draws, groups), those at -inf left out; NaN if none is left."""
        return figures.rest(self.weights, self.draws)

    @cached_property
    def lost(self) -> Array:
        """What the whole would gain if a group had the J of the rest, (draws, groups): w_g (rest - J_g).

        It is also what the whole's J would be more without the group; below 0 for a group that lifts it.
        """
        return figures.lost(self.weights, self.draws, self.rest)

    @property
    def spread(self) -> Array:
        """The standard deviation of J between the groups, weighted by their shares, (draws,)."""
        return figures.spread(self.weights, self.draws)

    def __getitem__(self, group: Label) -> Estimate:
        """J of one group."""
        return Estimate(self._nats_of(group), self.unit)

    def difference(self, a: Label, b: Label) -> Estimate:
        """J of group ``a`` less J of group ``b``."""
        first, second = self._nats_of(a), self._nats_of(b)
        if np.isneginf(first).all() and np.isneginf(second).all():
            raise InputError(f"a and b must not both have J = -inf; {a!r} and {b!r} have")
        return Estimate(first - second, self.unit)

    def summary(self, level: float = 0.95) -> dict[str, Any]:
        """The whole as one row; ``spread`` is its posterior mean."""
        return {
            "n": int(self.n.sum()),
            "groups": len(self.groups),
            "unit": self.unit,
            **figures.moments(self.whole, level),
            "level": level,
            "spread": float(self.spread.mean()),
            "reliable": not self.problems,
            "seed": self.seed,
            "version": self.version,
        }

    def rows(self, level: float = 0.95, sort: Sort = "lost") -> list[dict[str, Any]]:
        """The groups, a row each: by what they cost (``lost``), the lowest J, the most cases, or the label.

        share, contribution and lost are posterior means; alone_mean is the mean of J from the group's own
        cases by themselves, and apart the probability that the group stands apart from the others.
        """
        from nepers.segments.table import rows

        return rows(self, level, sort)

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Everything but the draws, fit for JSON: infinite numbers are text, undefined ones None."""
        from nepers.segments.table import as_dict

        return as_dict(self, level)

    def to_frame(self, native: str | None = None, level: float = 0.95, sort: Sort = "lost") -> Any:
        """`rows` as a table of polars, pandas or pyarrow: the first installed if None."""
        from nepers.segments.table import as_frame

        return as_frame(self, native, level, sort)

    def in_bits(self) -> Segments:
        """The same, reporting in bits."""
        return dataclasses.replace(self, unit="bits")

    def in_nats(self) -> Segments:
        """The same, reporting in nats."""
        return dataclasses.replace(self, unit="nats")

    def __str__(self) -> str:
        from nepers.segments.words import describe

        return describe(self)

    def _repr_html_(self) -> str:
        from nepers.report.notebook import segments_html

        return segments_html(self)

    def __repr__(self) -> str:
        J = f"J = {self.whole.mean:.4g} {self.unit}"
        return f"<Segments of {len(self.groups)} groups, {J}, n = {int(self.n.sum())}>"

    def _nats_of(self, group: Label) -> Array:
        label = plain(group)
        if label not in self.groups:
            shown = ", ".join(map(repr, self.groups[:_SHOWN]))
            more = f" and {len(self.groups) - _SHOWN:,} more" if len(self.groups) > _SHOWN else ""
            raise InputError(f"group must be one of {shown}{more}; it is {label!r}")
        return np.asarray(self.nats[:, self.groups.index(label)])

    @property
    def factor(self) -> float:
        """What a nat is in ``unit``."""
        return 1.0 if self.unit == "nats" else 1.0 / math.log(2.0)

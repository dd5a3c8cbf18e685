"""The number of further cases needed, as an answer."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

from nepers.display.methods import NeededPlots
from nepers.report.methods import InWords
from nepers.words import count


class Planned(NamedTuple):
    """The chance that so many further cases decide it, that they decide it rightly, and its error.

    ``error`` is the Monte Carlo standard error of ``decided``.
    """

    cases: int
    decided: float
    right: float
    error: float


@dataclass(frozen=True)
class CasesNeeded(NeededPlots, InWords):
    """How many further cases decide, with the assurance wanted, whether J is above the margin.

    ``cases``: the least number; 0 if it is decided already, None if it is more than ``most``.
    ``now``: the posterior probability that J is above the margin.
    ``curve``: the chances at the numbers looked at, ascending; it ends at ``most`` or with near certainty.
    """

    cases: int | None
    margin: float
    unit: str
    probability: float
    assurance: float
    most: int
    now: float
    n: int
    curve: tuple[Planned, ...]

    def at(self) -> Planned | None:
        """The chances at ``cases``; None where there is nothing more to decide, or not within ``most``."""
        return next((one for one in self.curve if one.cases == self.cases), None)

    def table(self) -> dict[str, list[Any]]:
        """The curve as columns."""
        return {name: [getattr(one, name) for one in self.curve] for name in Planned._fields}

    def to_dict(self) -> dict[str, Any]:
        """Everything, fit for JSON."""
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {**fields, "curve": self.table()}

    def to_frame(self, native: str | None = None) -> Any:
        """The curve as a table of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        return as_frame(self.table(), native)

    def __str__(self) -> str:
        goal = f"whether J is above {self.margin:g} {self.unit}"
        rule = f"with probability {self.probability:g} on one side"
        state = f"From {count(self.n, 'case')} it is above with probability {self.now:.3f}"
        if self.cases == 0:
            return f"{state}: {goal} is decided already, {rule}. No further cases are needed for that."
        if self.cases is None:
            last = self.curve[-1]
            return (
                f"{state}. Even {count(last.cases, 'further case')} decide {goal}, {rule}, with a chance "
                f"of only {last.decided:.2f} (Monte Carlo error {last.error:.2f}); {self.assurance:g} was "
                "wanted."
            )
        chance = self.at()
        assert chance is not None
        return (
            f"{state}. About {count(self.cases, 'further case')} like these decide {goal}, {rule}, "
            f"with a chance of {chance.decided:.2f} (Monte Carlo error {chance.error:.2f}); rightly with "
            f"{chance.right:.2f}, if the posterior as it stands is right."
        )

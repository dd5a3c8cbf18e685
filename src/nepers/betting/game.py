"""The answer to `nepers.bet`: piles step by step, what they prove, and the intervals for J."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nepers.betting.confidence_sequence import ConfidenceSequence, interval_of_mean
from nepers.betting.evidence import Evidence
from nepers.cases import plain
from nepers.display.methods import GamePlots
from nepers.errors import InputError

Array = NDArray[np.float64]
Label = int | float | str
Limits = tuple[float, float]


@dataclass(frozen=True, eq=False, repr=False)
class Game(GamePlots):
    """Piles step by step. Everything is in order of time, and logs are natural.

    ``j`` has a row for each bet and a column for each of ``names``; ``labels`` are the user's row labels. A
    step is what becomes known at one time: ``settled`` counts the bets by the end of each, and ``times`` are
    the steps' times, None where the order of the rows is the order of play.
    """

    names: tuple[str, ...]
    j: Array
    labels: NDArray[Any]
    settled: NDArray[np.intp]
    times: NDArray[Any] | None
    alpha: float
    bounds: Limits | None
    clip: Limits | None
    _sequences: dict[int, ConfidenceSequence] = field(default_factory=dict, init=False)

    @property
    def n(self) -> int:
        """The number of bets each player made."""
        return int(self.j.shape[0])

    @cached_property
    def log_piles(self) -> Array:
        """(steps, players): the log of each pile after each step; all start at 0, before the first."""
        found: Array = np.cumsum(self.j, axis=0)[self.settled - 1]
        found.setflags(write=False)
        return found

    @property
    def piles(self) -> Array:
        """(steps, players): the piles, from 1 at the start; infinite where a float is too small for them."""
        return exponential(self.log_piles)

    @property
    def growth(self) -> Array:
        """By what a bet multiplied each player's pile on geometric average: exp of the mean of j."""
        return exponential(self.j.mean(axis=0))

    @property
    def ruined(self) -> dict[str, Label]:
        """The players whose piles are 0, each with the first case to which it gave probability zero."""
        found = {}
        for name, lost in zip(self.names, np.isneginf(self.j).T, strict=True):
            if lost.any():
                found[name] = plain(self.labels[np.argmax(lost)])
        return found

    def ratio(self, a: str, b: str) -> Array:
        """After each step, the log of player a's pile over player b's; NaN once both are ruined."""
        return self._difference(self._number(a), self._number(b))

    def evidence(self, name: str | None = None, against: str | None = None) -> Evidence:
        """What a player's pile says against the prior, or ``against`` another player, being right."""
        number = self._number(name)
        path = self.log_piles[:, number]
        if against is not None:
            other = self._number(against)
            if other == number:
                raise InputError(f"against must be another player than name; both are {against!r}")
            path = self._difference(number, other)
        return Evidence(self.names[number], against, self.alpha, self.settled, path)

    def confidence_sequence(self, name: str | None = None) -> ConfidenceSequence:
        """For a player's J, or clipped J: an interval after each step, valid at all of them at once."""
        limits = self.clip or self.bounds
        if limits is None:
            raise InputError(
                "bounds or clip must be given to bet for a confidence sequence: it exists only for bounded j"
            )
        number = self._number(name)
        if number not in self._sequences:
            self._sequences[number] = self._sequence(number, limits)
        return self._sequences[number]

    def summary(self) -> list[dict[str, Any]]:
        """A row for each player."""
        from nepers.betting.rows import player_row

        return [player_row(self, name) for name in self.names]

    def to_dict(self) -> dict[str, Any]:
        """The players and their pairs, without the paths, fit for JSON: infinite numbers are text."""
        from nepers.betting.rows import as_dict

        return as_dict(self)

    def to_frame(self, native: str | None = None) -> Any:
        """`summary` as a table of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        rows = self.summary()
        return as_frame({key: [row[key] for row in rows] for key in rows[0]}, native)

    def __str__(self) -> str:
        from nepers.betting.words import describe

        return describe(self)

    def _repr_html_(self) -> str:
        from nepers.report.notebook import game_html

        return game_html(self)

    def __repr__(self) -> str:
        return f"<Game of {', '.join(self.names)}: n = {self.n:,}>"

    def _number(self, name: str | None) -> int:
        if name is None and len(self.names) == 1:
            return 0
        if name not in self.names:
            raise InputError(f"the player must be one of {', '.join(map(repr, self.names))}; it is {name!r}")
        return self.names.index(name)

    def _sequence(self, number: int, limits: Limits) -> ConfidenceSequence:
        j = self.j[:, number]
        kept = np.clip(j, *limits)
        lower, upper = interval_of_mean(kept, self.settled, limits, self.alpha)
        quantity: Literal["J", "clipped J"] = "J" if self.clip is None else "clipped J"
        clipped = 0 if self.clip is None else int(np.count_nonzero(kept != j))
        return ConfidenceSequence(
            self.names[number], quantity, self.alpha, limits, clipped, self.settled, lower, upper
        )

    def _difference(self, a: int, b: int) -> Array:
        with np.errstate(invalid="ignore"):  # -inf - -inf: nothing over nothing
            return np.asarray(self.log_piles[:, a] - self.log_piles[:, b])


def exponential(logs: Array) -> Array:
    """exp, infinite where it would overflow."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(logs))

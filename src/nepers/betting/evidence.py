"""What a path of a pile proves: e-values, and a p-value that may be looked at after every bet."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """What a player's pile says against the prior being right, or, with ``against``, another player.

    ``log_e`` is the log of the pile after each step, or of the ratio of the two piles; ``settled`` counts the
    bets by then. The conditions are those of `nepers.betting`. Each test stands alone: with several players,
    no allowance is made for choosing among them.
    """

    name: str
    against: str | None
    alpha: float
    settled: Rows
    log_e: Array

    @cached_property
    def log_largest(self) -> Array:
        """The log of the largest e-value so far, after each step; 0 is where it starts.

        The undefined ratio of two ruined players changes nothing.
        """
        return np.asarray(np.maximum.accumulate(np.fmax(self.log_e, 0.0)))

    @property
    def p_values(self) -> Array:
        """After each step min(1, 1/largest): valid at all steps at once."""
        return np.asarray(np.exp(-self.log_largest))

    @property
    def p_value(self) -> float:
        """The p-value after the last step."""
        return float(self.p_values[-1])

    @property
    def reached(self) -> int | None:
        """The first step, counted from 0, at which the e-value is 1/alpha or more; None if there is none."""
        found = np.flatnonzero(self.log_largest >= -math.log(self.alpha))
        return int(found[0]) if found.size else None

    @property
    def reached_after(self) -> int | None:
        """How many bets were settled by then."""
        return None if self.reached is None else int(self.settled[self.reached])

    def __str__(self) -> str:
        from nepers.betting.words import evidence_in_words

        return evidence_in_words(self)

    def __repr__(self) -> str:
        against = "the prior" if self.against is None else self.against
        return f"<Evidence of {self.name} against {against}: p = {self.p_value:.3g} at any time>"

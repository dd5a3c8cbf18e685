"""Has J changed? A watch that may be looked at after every batch, for ever.

Suppose nothing has changed: whatever came before, the mean of the next j is the same number. For all
batches so far there is a confidence sequence for it, and so there is for those since the k-th, k = 2, 3, ...:
see `nepers.betting.confidence_sequence`, with a batch for a step. The first has the error probability
alpha/2, the k-th alpha/2 times 6/(pi (k - 1))^2, which is alpha/2 for all of them together. So with
probability at least 1 - alpha all of these intervals hold that one number at all times, and no two of them
are ever apart. Once one that began with a batch lies wholly above or below that of all that came before the
batch, J has changed.

That is for bounded j, or for the J of clipped j. To keep the work bounded, fewer and fewer beginnings are
kept the longer ago they are; forgetting one costs only speed of detection.

A batch is a tally. The bets need the sum of a concave, rising function of j over its cases. Within a bin, the
chord from the least to the greatest lies below it, which errs on the safe side, by the square of the bin's
width.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from nepers.betting.confidence_sequence import RATES, log_gains, roots
from nepers.errors import InputError
from nepers.tally.tally import Tally

Array = NDArray[np.float64]
Limits = tuple[float, float]
_LATEST = 8  # batches back to which every beginning is kept


@dataclass(frozen=True)
class Change:
    """What was seen after ``seen_at``: since ``since`` J is another than before, in nats."""

    seen_at: str
    since: str
    before: Limits
    after: Limits

    @property
    def direction(self) -> str:
        """Whether J went up or down."""
        return "up" if self.after[0] > self.before[1] else "down"

    def __str__(self) -> str:
        return (
            f"J has gone {self.direction}, seen after batch {self.seen_at}: since batch {self.since} it lies "
            f"within {self.after[0]:.4g} to {self.after[1]:.4g} nats, before that within "
            f"{self.before[0]:.4g} to {self.before[1]:.4g}."
        )


@dataclass(frozen=True, eq=False)
class Run:
    """A sequence that began with batch ``number``, called ``batch``; ``before``: the interval until then."""

    number: int
    batch: str
    before: Limits
    cases: float = 0.0
    total: float = 0.0  # of x, j in units of its limits
    gains: Array = field(default_factory=lambda: np.zeros((2, RATES.size)))  # for the lower and the upper end

    def after(self, x: Array, slope: Array, cases: Array) -> Run:
        """The sequence after a batch; the arguments are those of `Monitor._in_unit`."""
        mean = x[0] + slope.mean(axis=0) * (x[1] - x[0])
        guess = (0.5 + self.total) / (1.0 + self.cases)
        gains = self.gains.copy()
        for side in range(2):
            ends = x if side == 0 else 1.0 - x
            g = np.full(x.shape[1], guess if side == 0 else 1.0 - guess)
            low, high = log_gains(ends[0], g), log_gains(ends[1], g)
            gains[side] += cases @ (low + slope[side][:, None] * (high - low))
        return replace(
            self,
            cases=self.cases + float(cases.sum()),
            total=self.total + float(cases @ mean),
            gains=gains,
        )

    def interval(self, alpha: float, limits: Limits) -> Limits:
        """The interval of the mean since the beginning, of the sequence with this error probability."""
        if not self.cases:
            return limits
        low, high = np.clip(roots(self.gains, alpha / 2.0) / self.cases, 0.0, 1.0)
        width = limits[1] - limits[0]
        return limits[0] + width * float(low), limits[0] + width * (1.0 - float(high))


@dataclass(frozen=True, eq=False)
class Monitor:
    """The watch; `update` gives the next. ``change`` is the first that was seen, None before.

    ``limits``: j is known to lie between them, or is clipped to them if ``clipped``; ``alpha``: the
    probability of ever seeing a change where there is none.
    """

    limits: Limits
    clipped: bool
    alpha: float = 0.05
    number: int = 0
    runs: tuple[Run, ...] = ()
    change: Change | None = None

    def __post_init__(self) -> None:
        low, high = self.limits
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise InputError(f"limits must be finite, the lower one first; it is {self.limits}")
        if not 0.0 < self.alpha < 1.0:
            raise InputError(f"alpha must lie between 0 and 1; it is {self.alpha}")

    @property
    def interval(self) -> Limits:
        """Where J lies, of all batches together: valid at all times, if there is no change."""
        return self._interval(self.runs[0]) if self.runs else self.limits

    def update(self, tally: Tally, batch: str) -> Monitor:
        """The watch after one more batch."""
        if not tally.n:
            return self
        x, slope, cases = self._in_unit(tally, batch)
        before = self.interval
        number = self.number + 1
        runs = [run.after(x, slope, cases) for run in (*self.runs, Run(number, batch, before))]
        kept = tuple(run for run in runs if _is_kept(run.number, number))
        return replace(self, number=number, runs=kept, change=self.change or self._seen(runs, batch))

    def _seen(self, runs: list[Run], batch: str) -> Change | None:
        for run in runs[1:]:
            after = self._interval(run)
            if after[0] > run.before[1] or after[1] < run.before[0]:
                return Change(batch, run.batch, run.before, after)
        return None

    def _interval(self, run: Run) -> Limits:
        return run.interval(self.alpha * share(run.number), self.limits)

    def _in_unit(self, tally: Tally, batch: str) -> tuple[Array, Array, Array]:
        """The ends of each bin, between 0 and 1; where between them its mean lies; the numbers of cases.

        The place of the mean has a row for the lower end of the interval and one for the upper. Of a bin that
        reaches beyond a limit it is not known, and the least favourable is taken.
        """
        low, high = self.limits
        b = tally.bins
        room = 1e-12 * max(abs(low), abs(high))
        impossible = float(sum(tally.impossible.values()))
        outside = (b.least < low - room).any() or (b.greatest > high + room).any() or impossible > 0.0
        if outside and not self.clipped:
            raise InputError(f"j must lie within the limits {low:g} to {high:g}; not so in batch {batch!r}")
        ends = np.clip((np.array([b.least, b.greatest]) - low) / (high - low), 0.0, 1.0)
        width = b.greatest - b.least
        place = np.clip((b.total / b.count - b.least) / np.where(width > 0.0, width, 1.0), 0.0, 1.0)
        crossed = (b.least < low) | (b.greatest > high)
        slope = np.array([np.where(crossed, 0.0, place), np.where(crossed, 1.0, place)])
        none = np.zeros((2, 1))
        return np.append(ends, none, axis=1), np.append(slope, none, axis=1), np.append(b.count, impossible)


def share(number: int) -> float:
    """The part of the error probability that the sequence from this batch on has; together 1."""
    return 0.5 if number == 1 else 3.0 / (math.pi * (number - 1)) ** 2


def _is_kept(number: int, now: int) -> bool:
    """Every beginning of late; of those longer ago every second, every fourth, and so on; and the first."""
    age = now - number
    return number == 1 or number % (1 << max(0, (age // _LATEST).bit_length())) == 0

"""Paths over the steps of a game: where each step lies on the axis of time, and which steps to draw.

A picture is a few hundred dots wide, so of a million steps about two thousand are drawn: the lowest and the
highest of each of many equal stretches, with the first and the last of all. Every peak and every trough that
could be seen stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.betting import Game

Array = NDArray[np.float64]

MOST = 2000


@dataclass(frozen=True, eq=False)
class Clock:
    """Where the steps lie on the axis of time, and what is counted there: whole bets, days as matplotlib
    counts them from a date of its own, or any numbers.
    """

    places: Array
    label: str
    kind: Literal["bets", "dates", "numbers"]

    def label_axis(self, ax: Axes) -> None:
        """The axis of time."""
        ax.set_xlabel(self.label)
        if self.kind == "bets":
            ax.locator_params(axis="x", integer=True)
        if self.kind == "dates":
            from matplotlib import dates

            ticks: Any = dates.AutoDateLocator
            texts: Any = dates.ConciseDateFormatter
            ax.xaxis.set_major_locator(locator := ticks(minticks=3, maxticks=6))
            ax.xaxis.set_major_formatter(texts(locator))


def clock(game: Game) -> Clock:
    """The times of the steps if the game has them, else how many bets were settled."""
    if game.times is None:
        return Clock(game.settled.astype(np.float64), "Bets settled", "bets")
    times = game.times
    if times.dtype.kind == "m":
        return Clock(times / np.timedelta64(1, "D"), "Time (days)", "numbers")
    if times.dtype.kind == "M" or isinstance(times.flat[0], date):
        from matplotlib import dates

        as_days: Any = dates.date2num
        return Clock(np.asarray(as_days(times), dtype=np.float64), "Time", "dates")
    if times.dtype.kind == "O":
        days = [span.total_seconds() / 86_400.0 for span in times]
        return Clock(np.array(days), "Time (days)", "numbers")
    return Clock(times.astype(np.float64), "Time", "numbers")


def to_draw(paths: Array, most: int = MOST) -> NDArray[np.intp]:
    """The steps of ``paths`` (steps, paths) to draw, ascending: all if they are at most ``most``."""
    steps, k = paths.shape
    if steps <= most:
        return np.arange(steps)
    stretches = (most - 2) // (2 * k)
    length = -(-steps // stretches)
    padded = np.concatenate([paths, np.repeat(paths[-1:], stretches * length - steps, axis=0)])
    cut = padded.reshape(stretches, length, k)
    starts = (length * np.arange(stretches))[:, None]
    extremes = np.concatenate([cut.argmin(axis=1) + starts, cut.argmax(axis=1) + starts])
    return np.unique(np.concatenate([[0, steps - 1], np.minimum(extremes, steps - 1).ravel()]))


def thinned_in_words(steps: int) -> str:
    """What is said below a picture that leaves out steps."""
    return f"{steps:,} steps: only the extremes of short stretches are drawn."


def power_ticks(low: float, high: float) -> tuple[Array, list[str]]:
    """Where between these powers of ten to put ticks, and their numbers: a few, evenly spaced."""
    from matplotlib.ticker import MaxNLocator

    if high - low > 3.0:
        found = np.asarray(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]).tick_values(low, high))
    else:
        found = np.log10([digit * 10.0**k for k in range(-4, 5) for digit in (1, 2, 5)])
    inside = np.asarray(found[(found >= low) & (found <= high)], dtype=np.float64)
    return inside, [_power(x) for x in inside]


def _power(x: float) -> str:
    if not -3.0 <= x <= 4.0:
        return f"$10^{{{x:g}}}$"
    return f"{10.0**x:,.0f}" if x >= 1.0 else f"{10.0**x:.3g}"

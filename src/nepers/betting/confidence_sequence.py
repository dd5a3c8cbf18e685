"""An interval for J that may be looked at after every bet.

Let x be j in units of its bounds, x = (j - low) / (high - low), so between 0 and 1. Let m_i be the mean of
x_i given all that was known before its step; cases of one step are taken as independent. The sequence is for

    the average so far of these means,  (m_1 + ... + m_t) / t

which is J itself where the cases are alike and independent and the prediction is fixed. Nothing is assumed of
how the m_i change: the prediction may be refitted, the cases may drift. With probability at least 1 - alpha
the interval holds what it is for at all steps at once, so it may be looked at daily, and the collecting of
data may stop or go on because of what it says.

Take any guess g_i of m_i made from the past, and any rate r > 0 with r g_i < 1. As 1 + r (m - g) is at most
exp(r (m - g)),

    exp( sum over i <= t of [log(1 + r (x_i - g_i)) + r g_i]  -  r (m_1 + ... + m_t) )

is a nonnegative supermartingale that starts at 1. So is a mixture of these over rates, with weights that sum
to 1, and by Ville's inequality the probability that it ever reaches 2/alpha is at most alpha/2. The mixture
falls as m_1 + ... + m_t grows, so the sums at which it is below 2/alpha are those above a root, which is the
lower end. The upper end is the same for 1 - x. (This is the empirical Bernstein sequence of Howard, Ramdas,
McAuliffe and Sekhon, Annals of Statistics 2021, before a parabola is put below the logarithm, which costs
width.)

The guess is the mean so far, with one more case of 1/2 for a start, held below 0.9 / r. The rates are powers
of 2, fixed once for all, so later cases never change what was said after earlier ones. The ends at different
steps are about different averages, and are not intersected. The root is approached from the safe side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

_POWERS = np.arange(3, -15, -1)
RATES = np.exp2(_POWERS)
# rates about 1/4 suit a few hundred cases that use a third of their range; others pay for being rarer
_LOG_WEIGHTS = -np.log1p(np.abs(_POWERS + 2.0))
_LOG_WEIGHTS -= np.log(np.exp(_LOG_WEIGHTS).sum())
_LARGEST_STAKE = 0.9  # of the pile that can be lost on one case
_NEWTON = 5  # too few only widen the interval
_BLOCK = 1 << 13


@dataclass(frozen=True, eq=False, repr=False)
class ConfidenceSequence:
    """The interval after each step, for ``quantity``: "J", or "clipped J", which is another number.

    ``lower`` and ``upper`` have one value for each step, in nats, and ``settled`` counts the bets by then.
    ``limits`` are what each j lies between, by the user's word or by clipping; ``clipped`` counts the cases
    that clipping moved. Both ends hold at all steps at once with probability at least 1 - alpha.
    """

    name: str
    quantity: Literal["J", "clipped J"]
    alpha: float
    limits: tuple[float, float]
    clipped: int
    settled: Rows
    lower: Array
    upper: Array

    @property
    def now(self) -> tuple[float, float]:
        """The interval after the last step."""
        return float(self.lower[-1]), float(self.upper[-1])

    def __str__(self) -> str:
        from nepers.betting.words import interval_in_words

        return interval_in_words(self)

    def __repr__(self) -> str:
        lower, upper = self.now
        return (
            f"<ConfidenceSequence {self.quantity}: {lower:.4g} to {upper:.4g} nats, alpha = {self.alpha:g}>"
        )


def interval_of_mean(
    j: Array, settled: Rows, limits: tuple[float, float], alpha: float
) -> tuple[Array, Array]:
    """Both ends after each step, of j in the order of play; ``settled`` counts the cases after each step."""
    low, high = limits
    x = (j - low) / (high - low)
    lower = _lower_mean(x, settled, alpha / 2.0)
    upper = 1.0 - _lower_mean(1.0 - x, settled, alpha / 2.0)
    return low + (high - low) * lower, low + (high - low) * upper


def _lower_mean(x: Array, settled: Rows, alpha: float) -> Array:
    """The lower end for the mean of x, in the unit interval."""
    guesses = _guesses(x, settled)
    ends = np.empty(settled.size)
    carried = np.zeros(RATES.size)
    for start in range(0, x.size, _BLOCK):
        part = slice(start, min(start + _BLOCK, x.size))
        gains = log_gains(x[part], guesses[part])
        gains[0] += carried
        np.cumsum(gains, axis=0, out=gains)
        carried = gains[-1]
        steps = slice(*np.searchsorted(settled, (part.start, part.stop), side="right"))
        ends[steps] = roots(gains[settled[steps] - 1 - part.start], alpha)
    return np.asarray(np.clip(ends / settled, 0.0, 1.0))


def _guesses(x: Array, settled: Rows) -> Array:
    """For each case the mean of all that was known before its step, and of one more case at 1/2."""
    sums = np.concatenate([[0.0], np.cumsum(x)])
    before = np.concatenate([[0], settled[:-1]])
    return np.repeat((0.5 + sums[before]) / (1.0 + before), np.diff(settled, prepend=0))


def log_gains(x: Array, guesses: Array) -> Array:
    """log(1 + r (x - g)) + r g for each case and rate; it rises with x, and is concave in it."""
    held = np.minimum(guesses[:, None], _LARGEST_STAKE / RATES)
    return np.asarray(np.log1p(RATES * (x[:, None] - held)) + RATES * held)


def roots(gains: Array, alpha: float) -> Array:
    """The sum of means at which the mixture is 1/alpha, or a little less than that sum.

    The log of the mixture is convex and falling in the sum. The start is where one rate alone reaches
    1/alpha, at or below the root, and from there Newton's steps never pass it.
    """
    heights = gains + _LOG_WEIGHTS + np.log(alpha)
    sums = (heights / RATES).max(axis=1)
    for _ in range(_NEWTON):
        exponents = heights - RATES * sums[:, None]
        top = exponents.max(axis=1)
        terms = np.exp(exponents - top[:, None])
        total = terms.sum(axis=1)
        sums = sums + (top + np.log(total)) * total / (terms @ RATES)
    return np.asarray(sums)

"""The game played through: what the user has becomes a `Game`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nepers.betting.game import Game, Limits
from nepers.betting.players import Players, players
from nepers.betting.steps import steps_of
from nepers.cases import RESOLUTION
from nepers.errors import InputError


def bet(
    j: Any,
    *,
    time: Any = None,
    clip: Any = None,
    bounds: Any = None,
    alpha: float = 0.05,
) -> Game:
    """Play the betting game of `nepers.betting` with the log ratios ``j``, in nats; positive is better.

    j: log Q(x) - log P(x) of each case, in the order in which the truths became known: a column for one
    player, or a mapping or dataframe with a named column for each of several players on the same cases.
    time: when each truth became known, as numbers or dates. The bets are put in this order, and those of the
    same time are settled together, as one step. Left out, the rows are in order.
    bounds: (low, high), what every possible j lies between, known before the outcomes: where both Q's and
    P's probabilities are kept between 0.01 and 0.99, plus and minus log 99. A j outside is an error.
    clip: (low, high), chosen before the outcomes, in place of bounds. The confidence sequence is then for the
    J of clipped j, and is called so everywhere. The piles are never clipped.
    alpha: 1 - alpha is the level of the confidence sequence, and 1/alpha the pile that is enough evidence.

    One j = -inf ruins its player. `nepers.betting` states the conditions under which a pile is evidence.
    """
    found = players(j)
    if not 0.0 < alpha < 1.0:
        raise InputError(f"alpha must lie between 0 and 1; it is {alpha}")
    if bounds is not None and clip is not None:
        raise InputError("give bounds, if j is known to be bounded, or clip, if it is not; got both")
    stated, clipped = _limits("bounds", bounds), _limits("clip", clip)
    if stated is not None:
        _refuse_outside(found, stated)
    steps = steps_of(time, found.n, found.labels)
    labels = np.arange(found.n) if found.labels is None else found.labels
    ordered = found.values[steps.order]
    ordered.setflags(write=False)
    return Game(
        found.names, ordered, labels[steps.order], steps.settled, steps.times, float(alpha), stated, clipped
    )


def _limits(argument: str, given: Any) -> Limits | None:
    if given is None:
        return None
    try:
        low, high = (float(value) for value in given)
    except (TypeError, ValueError):
        raise InputError(f"{argument} must be two numbers, (low, high); it is {given!r}") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InputError(f"{argument} must be finite, the lower one first; it is {given!r}")
    return low, high


def _refuse_outside(found: Players, bounds: Limits) -> None:
    """What is outside by no more than rounding of log Q - log P is taken to be on the bound."""
    low, high = bounds
    room = RESOLUTION * max(abs(low), abs(high))
    outside = (found.values < low - room) | (found.values > high + room)
    found.refuse(outside, f"must lie within bounds, from {low:g} to {high:g}, in every case")

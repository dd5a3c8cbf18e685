"""A game in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nepers.words import decimals

if TYPE_CHECKING:
    from nepers.betting.confidence_sequence import ConfidenceSequence
    from nepers.betting.evidence import Evidence
    from nepers.betting.game import Game


def describe(game: Game) -> str:
    """The piles, what they prove, and under which conditions: a line for each."""
    by_pile = sorted(range(len(game.names)), key=lambda k: -game.log_piles[-1, k])
    names = [game.names[k] for k in by_pile]
    lines = [line for name in names for line in _player(game, name)]
    lines += [evidence_in_words(game.evidence(names[0], other)) for other in names[1:]]
    return "\n".join([*lines, *_caveats(len(names))])


def _player(game: Game, name: str) -> list[str]:
    named = len(game.names) > 1
    pile = _pile(game, name)
    lines = [f"{name}: {pile}" if named else pile[0].upper() + pile[1:]]
    lines.append(evidence_in_words(game.evidence(name), named))
    if game.bounds is not None or game.clip is not None:
        lines.append(interval_in_words(game.confidence_sequence(name), named))
    return lines


def _pile(game: Game, name: str) -> str:
    bets = _count(game.n)
    if name in game.ruined:
        return (
            f"ruined: after {bets} the pile is 0, and stays so. The prediction gave the truth probability "
            f"zero in row {game.ruined[name]}."
        )
    log_pile = float(game.log_piles[-1, game.names.index(name)])
    return (
        f"after {bets} a pile of 1 would have become {figure(log_pile)}: on geometric average each bet "
        f"multiplied it by {figure(log_pile / game.n)}."
    )


def evidence_in_words(evidence: Evidence, named: bool = True) -> str:
    """The p-value, what it is against, and when the evidence was first enough."""
    who = f" of {evidence.name}" if named else ""
    if evidence.against is None:
        what, against = "pile", "the prior"
    else:
        what, against = f"pile over that of {evidence.against}", evidence.against
    largest = float(evidence.log_largest[-1])
    enough, after = f"{1.0 / evidence.alpha:g}", evidence.reached_after
    when = f"has not reached {enough}" if after is None else f"first reached {enough} after {_count(after)}"
    return (
        f"Evidence{who} against {against}: the largest {what} so far is {figure(largest)}, so "
        f"p = {figure(-largest)}, valid at whatever time one looks; it {when}."
    )


def interval_in_words(sequence: ConfidenceSequence, named: bool = True) -> str:
    """The interval now, of what, and what it rests on."""
    who = f" of {sequence.name}" if named else ""
    lower, upper = sequence.now
    places = decimals((upper - lower) / 4.0)
    low, high = sequence.limits
    if sequence.quantity == "J":
        rests = f"if every possible j lies between {low:g} and {high:g}, as stated"
    else:
        rests = (
            f"where j below {low:g} counts as {low:g} and above {high:g} as {high:g}, which moved "
            f"{sequence.clipped:,} of {sequence.settled[-1]:,}: it is not J"
        )
    return (
        f"The {sequence.quantity}{who}, averaged over the bets so far, is between {lower:z.{places}f} and "
        f"{upper:z.{places}f} nats ({100.0 * (1.0 - sequence.alpha):g}% confidence sequence, which holds at "
        f"all times at once), {rests}."
    )


def _caveats(players: int) -> list[str]:
    lines = [
        "This holds if each prediction was made before its outcome and the bets are in the order of time. "
        "The evidence is against the prior being the true distribution: it is no proof that J is above 0."
    ]
    if players > 1:
        lines.append("Each p-value is for its own pair alone, without allowance for choosing among several.")
    return lines


def figure(log: float) -> str:
    """exp of this to three figures, or two and a power of ten; of any size."""
    if math.isinf(log):
        return "infinite" if log > 0.0 else "0"
    tens = math.floor(log / math.log(10.0))
    if -4 < tens < 4:
        return f"{math.exp(log):.{max(2 - tens, 0)}f}"
    leading = f"{math.exp(log - tens * math.log(10.0)):.1f}"
    return f"1.0e{tens + 1}" if leading == "10.0" else f"{leading}e{tens}"


def _count(bets: int) -> str:
    return f"{bets:,} bet{'' if bets == 1 else 's'}"

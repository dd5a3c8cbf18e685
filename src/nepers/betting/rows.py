"""A game as rows of plain values: one for each player, one for each ordered pair of players."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

from nepers.export import plain

if TYPE_CHECKING:
    from nepers.betting.game import Game


def player_row(game: Game, name: str) -> dict[str, Any]:
    """How a player stands after the last step, and what it says against the prior."""
    number = game.names.index(name)
    evidence = game.evidence(name)
    bounded = game.bounds is not None or game.clip is not None
    sequence = game.confidence_sequence(name) if bounded else None
    lower, upper = (None, None) if sequence is None else sequence.now
    return {
        "name": name,
        "n": game.n,
        "steps": int(game.settled.size),
        "log_pile": float(game.log_piles[-1, number]),
        "pile": float(game.piles[-1, number]),
        "growth": float(game.growth[number]),
        "ruined_by": game.ruined.get(name),
        "log_largest_pile": float(evidence.log_largest[-1]),
        "p_value": evidence.p_value,
        "alpha": game.alpha,
        "reached_after": evidence.reached_after,
        "quantity": None if sequence is None else sequence.quantity,
        "lower": lower,
        "upper": upper,
        "clipped": None if sequence is None else sequence.clipped,
    }


def pair_row(game: Game, name: str, against: str) -> dict[str, Any]:
    """The ratio of two piles after the last step, and what it says against the other being right."""
    evidence = game.evidence(name, against)
    return {
        "name": name,
        "against": against,
        "log_ratio": float(evidence.log_e[-1]),
        "log_largest_ratio": float(evidence.log_largest[-1]),
        "p_value": evidence.p_value,
        "reached_after": evidence.reached_after,
    }


def as_dict(game: Game) -> dict[str, Any]:
    """Everything but the paths, in types that JSON has."""
    found: dict[str, Any] = plain(
        {
            "n": game.n,
            "steps": game.settled.size,
            "alpha": game.alpha,
            "bounds": game.bounds,
            "clip": game.clip,
            "players": game.summary(),
            "pairs": [pair_row(game, a, b) for a, b in permutations(game.names, 2)],
        }
    )
    return found

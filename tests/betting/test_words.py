"""What is printed says what was found, of what, and on which conditions."""

from __future__ import annotations

import math
from importlib.resources import files

import numpy as np
import pytest

from nepers.betting import bet
from nepers.betting.words import figure

PAPER_LIKE = np.loadtxt(str(files("nepers") / "data" / "paper_like_j.csv"), skiprows=1)


def test_one_player():
    # red if: the figures are another player's, or the hypothesis that is rejected is misnamed
    said = str(bet(PAPER_LIKE))
    assert said.startswith(
        "After 418 bets a pile of 1 would have become 2.7e17: on geometric average each bet multiplied it by "
        "1.10."
    )
    assert "Evidence against the prior: the largest pile so far is" in said
    assert "valid at whatever time one looks" in said
    assert "against the prior being the true distribution: it is no proof that J is above 0" in said
    assert "J, averaged" not in said


def test_several_players_are_in_the_order_of_their_piles():
    # red if: the leader is the first named instead of the one ahead
    said = str(bet({"old": [0.1, 0.2], "new": [1.6, 1.5]}, alpha=0.1)).splitlines()
    assert said[0].startswith("new: after 2 bets a pile of 1 would have become 22.2:")
    assert said[1] == (
        "Evidence of new against the prior: the largest pile so far is 22.2, so p = 0.0450, valid at "
        "whatever time one looks; it first reached 10 after 2 bets."
    )
    assert said[2].startswith("old: after 2 bets a pile of 1 would have become 1.35:")
    assert "it has not reached 10." in said[3]
    assert said[4].startswith("Evidence of new against old: the largest pile over that of old so far is 16.4")
    assert "without allowance for choosing among several" in said[-1]


def test_clipped_j_is_never_called_J():
    # red if: the interval of a clipped mean is shown as if it were J's
    sequence = bet([0.1, -9.0, 0.2], clip=(-2, 1)).confidence_sequence()
    assert sequence.quantity == "clipped J"
    assert sequence.clipped == 1
    assert str(sequence).startswith("The clipped J of prediction, averaged over the bets so far, is between")
    assert "j below -2 counts as -2 and above 1 as 1, which moved 1 of 3: it is not J" in str(sequence)
    assert "clipped J" in repr(sequence)
    bounded = bet([0.1, 0.2], bounds=(-2, 1)).confidence_sequence()
    assert bounded.quantity == "J"
    assert "if every possible j lies between -2 and 1, as stated" in str(bounded)
    assert "95% confidence sequence, which holds at all times at once" in str(bounded)
    assert "clipped" not in str(bounded)


def test_the_interval_is_in_the_words_of_the_game():
    # red if: the interval is left out, or is that of another level
    said = str(bet(PAPER_LIKE, clip=(-2, 2), alpha=0.1))
    assert "The clipped J, averaged over the bets so far, is between" in said
    assert "(90% confidence sequence" in said


def test_short_forms():
    # red if: repr computes what it does not show, or shows the wrong player
    game = bet({"a": [1.0], "b": [0.5]})
    assert repr(game) == "<Game of a, b: n = 1>"
    assert repr(game.evidence("a", "b")) == "<Evidence of a against b: p = 0.607 at any time>"
    assert repr(game.evidence("a")) == "<Evidence of a against the prior: p = 0.368 at any time>"
    assert str(game.evidence("b")).startswith(
        "Evidence of b against the prior: the largest pile so far is 1.65"
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1.0, "1.00"),
        (1.0999, "1.10"),
        (9.999, "10.00"),
        (123.4, "123"),
        (0.0123, "0.0123"),
        (2.67e17, "2.7e17"),
        (9.97e20, "1.0e21"),
        (3.2e-9, "3.2e-9"),
    ],
)
def test_figures_of_any_size(value, said):
    # red if: a digit is lost where a number rounds up to a power of ten
    assert figure(math.log(value)) == said


def test_figures_beyond_floats():
    # red if: exp overflows or underflows on the way to words
    assert figure(10_000.0) == "8.8e4342"
    assert figure(-10_000.0) == "1.1e-4343"
    assert (figure(math.inf), figure(-math.inf)) == ("infinite", "0")

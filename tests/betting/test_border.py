"""Every wrong input to a game is an error of one line that names it."""

from __future__ import annotations

import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from nepers.betting import bet
from nepers.errors import InputError

J = [0.5, -1.25, 0.0]
INF = math.inf
DAY = datetime.date(2024, 2, 27)
NAT = np.array(["2024-02-27", "NaT", "2024-02-28"], dtype="M8[D]")

WRONG = {
    "plus infinity": (
        {"j": [0.0, INF]},
        r"j must be below \+inf: there the prior gave.*inf in row 1 \(1 of 2\)",
    ),
    "plus infinity of one": (
        {"j": {"a": J, "b": [0, 1, INF]}},
        r"j\['b'\] must be below \+inf.*row 2 \(1 of 3\)",
    ),
    "NaN": ({"j": [0.0, math.nan]}, r"j must have no missing values \(NaN\); row 1"),
    "NaN of one": ({"j": {"a": [math.nan], "b": [0]}}, r"j\['a'\] must have no missing values"),
    "text": ({"j": ["a"]}, "j must hold real numbers; row 0 is 'a'"),
    "no name for each": ({"j": np.ones((3, 2))}, "j must have one dimension"),
    "no cases": ({"j": []}, "j must have at least one case: without a bet there is no game"),
    "no players": ({"j": {}}, "j must have at least one column"),
    "one name twice": ({"j": {1: J, "1": J}}, "j must have a different name for each player"),
    "lengths": ({"j": {"a": J, "b": J[:2]}}, "the same number of rows; j\\['a'\\] has 3, j\\['b'\\] 2"),
    "rows": (
        {"j": pd.Series(J, index=list("abc")), "time": pd.Series(J, index=list("acb"))},
        "j and time must have the same row labels.*position 1 j has 'b' and time 'c'",
    ),
    "times": ({"j": J, "time": [1, 2]}, "j and time must have a row for each case; j has 3, time 2"),
    "missing time": ({"j": J, "time": [1, math.nan, 3]}, "time must have no missing values; row 1"),
    "null time": ({"j": J, "time": pl.Series([1, None, 3])}, "time must have no missing values; row 1"),
    "no date": ({"j": J, "time": NAT}, r"time must be finite; NaT in row 1 \(1 of 3\)"),
    "no end": ({"j": J, "time": [1.0, INF, INF]}, r"time must be finite; inf in rows 1, 2 \(2 of 3\)"),
    "text times": ({"j": J, "time": ["10", "9", "8"]}, "time must hold numbers or dates; row 0 is .*'10'"),
    "booleans": ({"j": J, "time": np.array([True, False, True])}, "numbers or dates; row 0 is .*True"),
    "objects": (
        {"j": J, "time": pd.Series([DAY, DAY, "late"], index=list("abc"))},
        "time must hold numbers or dates; row c is 'late'",
    ),
    "two kinds": (
        {"j": J, "time": [DAY, datetime.datetime(2024, 2, 28), DAY]},
        "time must hold values of one kind",
    ),
    "alpha": ({"j": J, "alpha": 1.0}, "alpha must lie between 0 and 1; it is 1.0"),
    "alpha NaN": ({"j": J, "alpha": math.nan}, "alpha must lie between 0 and 1; it is nan"),
    "both": ({"j": J, "bounds": (-2, 2), "clip": (-2, 2)}, "give bounds.*or clip.*got both"),
    "one bound": ({"j": J, "bounds": (2,)}, r"bounds must be two numbers, \(low, high\); it is \(2,\)"),
    "a number": ({"j": J, "clip": 2}, "clip must be two numbers"),
    "order": ({"j": J, "clip": (2, -2)}, "clip must be finite, the lower one first"),
    "no room": ({"j": J, "clip": (2, 2)}, "clip must be finite, the lower one first"),
    "infinite": ({"j": J, "bounds": (-INF, 2)}, "bounds must be finite"),
    "outside": (
        {"j": {"a": J, "b": [0, 1, 2.5]}, "bounds": (-2, 2)},
        r"j\['b'\] must lie within bounds, from -2 to 2, in every case; 2.5 in row 2 \(1 of 3\)",
    ),
    "below": ({"j": J, "bounds": (-1, 1)}, r"j must lie within bounds, from -1 to 1.*-1.25 in row 1"),
    "ruin in bounds": ({"j": [0, -INF], "bounds": (-1, 1)}, "j must lie within bounds.*-inf in row 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_game_is_an_error_that_names_it(case):
    # red if: the input is repaired, sorted as text, or passed on; or the message leaves out what or where
    given, message = WRONG[case]
    with pytest.raises(InputError, match=message) as raised:
        bet(**given)
    assert "\n" not in str(raised.value)


def test_a_bound_that_rounding_passes_is_kept():
    # red if: log 0.9 - log 0.1, the largest j there can be, is outside of bounds computed as log 9
    j = [np.log(0.9) - np.log(0.1), np.log(0.1) - np.log(0.9)]
    limit = np.nextafter(j[0], 0.0)
    lower, upper = bet(j, bounds=(-limit, limit)).confidence_sequence().now
    assert -limit <= lower < upper <= limit


def test_questions_about_nobody_are_errors():
    # red if: a wrong name gives another player's answer
    game = bet({"a": J, "b": J}, clip=(-1, 1))
    with pytest.raises(InputError, match="the player must be one of 'a', 'b'; it is 'c'"):
        game.ratio("a", "c")
    with pytest.raises(InputError, match="it is None"):
        game.evidence()
    with pytest.raises(InputError, match="it is None"):
        game.confidence_sequence()
    with pytest.raises(InputError, match="against must be another player than name; both are 'a'"):
        game.evidence("a", "a")


def test_without_bounds_there_is_no_confidence_sequence():
    # red if: the range of the data is taken for bounds
    with pytest.raises(InputError, match=r"bounds or clip must be given to bet .*only for bounded j"):
        bet(J).confidence_sequence()

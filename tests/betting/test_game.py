"""Piles: products of the factors, in the order of time, for ever zero once ruined."""

from __future__ import annotations

import dataclasses
import json
import math
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nepers.betting import bet

RNG = np.random.default_rng(20)
J = RNG.normal(0.1, 0.7, 40)
INF = math.inf


def simplex(size: int) -> st.SearchStrategy[np.ndarray]:
    return st.lists(st.floats(0.05, 1.0), min_size=size, max_size=size).map(lambda w: np.array(w) / np.sum(w))


@given(p=simplex(3), q=simplex(3), truth=simplex(3))
@settings(max_examples=30, deadline=None)
def test_the_expected_log_pile_is_the_number_of_bets_times_J(p, q, truth):
    # red if: the pile is not the product, or the sign of j is turned round: then J > 0 does not make it grow
    j = np.log(q) - np.log(p)
    J = float(truth @ j)
    expected = 0.0
    for outcome in product(range(3), repeat=3):
        chance = math.prod(truth[x] for x in outcome)
        expected += chance * float(bet(j[list(outcome)]).log_piles[-1, 0])
    assert expected == pytest.approx(3.0 * J, abs=1e-12)


def test_piles_are_running_products():
    # red if: a step is shifted by one, or logs are to another base
    game = bet({"a": J, "b": -J})
    assert game.log_piles.shape == (40, 2)
    assert game.piles[:, 0] == pytest.approx(np.cumprod(np.exp(J)))
    assert game.piles[:, 1] == pytest.approx(np.cumprod(np.exp(-J)))
    assert game.growth == pytest.approx([np.exp(J.mean()), np.exp(-J.mean())])
    assert game.growth[0] ** 40 == pytest.approx(game.piles[-1, 0])


def test_the_ratio_of_two_piles_is_the_difference_of_their_logs():
    # red if: the ratio is the other way up
    game = bet({"a": J, "b": 0.3 * J[::-1]})
    assert game.ratio("a", "b") == pytest.approx(game.log_piles[:, 0] - game.log_piles[:, 1])
    assert game.ratio("a", "b") == pytest.approx(np.cumsum(J - 0.3 * J[::-1]))
    assert game.ratio("a", "b").tolist() == (-game.ratio("b", "a")).tolist()


def test_constant_j_is_exact():
    # red if: growth is an arithmetic mean of factors, or a pile is taken to start elsewhere than at 1
    game = bet([0.25] * 8)
    assert game.log_piles[:, 0].tolist() == [0.25 * k for k in range(1, 9)]
    assert game.growth.tolist() == [math.exp(0.25)]


def test_a_pile_beyond_all_floats_is_infinite_and_its_log_is_not():
    # red if: the overflow warns, or the log is taken of an overflown pile
    game = bet([500.0, 500.0])
    assert game.piles.ravel().tolist() == [math.exp(500.0), INF]
    assert game.log_piles[-1, 0] == 1000.0
    assert "a pile of 1 would have become 2.0e434" in str(game)


TIMES = {
    "numbers": lambda t: t,
    "list": lambda t: t.tolist(),
    "floats": lambda t: t / 7.0,
    "dates": lambda t: np.datetime64("2024-02-27") + t,
    "pandas": lambda t: pd.Series(pd.Timestamp("2024-02-27") + pd.to_timedelta(t, unit="D")),
    "pandas with a zone": lambda t: pd.Series(pd.date_range("2024-02-27", periods=13, tz="UTC")[t]),
    "pandas nullable": lambda t: pd.Series(t, dtype="Int64"),
    "polars": lambda t: pl.Series(t).cast(pl.Date),
    "durations": lambda t: t.astype("m8[h]"),
    "python dates": lambda t: (np.datetime64("2024-02-27") + t).tolist(),
}


@pytest.mark.parametrize("kind", TIMES)
def test_bets_are_in_the_order_of_time_and_those_of_one_time_are_one_step(kind):
    # red if: the sort is by text or by row, or a tie makes two steps
    time = np.array([3, 1, 12, 1, 5])
    game = bet([0.3, 0.1, 0.8, 0.01, 0.5], time=TIMES[kind](time))
    assert game.log_piles[:, 0] == pytest.approx([0.11, 0.41, 0.91, 1.71])
    assert game.settled.tolist() == [2, 3, 4, 5]
    assert game.labels.tolist() == [1, 3, 0, 4, 2]
    assert len(game.times) == 4
    assert game.n == 5


def test_the_order_of_rows_and_of_ties_does_not_matter():
    # red if: anything after a step depends on the order in which its cases were written
    time = RNG.integers(0, 12, 40)
    shuffle = RNG.permutation(40)
    first, second = bet(J, time=time, bounds=(-4, 4)), bet(J[shuffle], time=time[shuffle], bounds=(-4, 4))
    assert first.log_piles == pytest.approx(second.log_piles)
    assert first.confidence_sequence().lower == pytest.approx(second.confidence_sequence().lower)
    assert first.confidence_sequence().upper == pytest.approx(second.confidence_sequence().upper)


def test_without_time_each_row_is_a_step():
    # red if: rows are reordered where no time was given
    game = bet([0.5, -0.5, 0.25])
    assert game.log_piles[:, 0].tolist() == [0.5, 0.0, 0.25]
    assert game.settled.tolist() == [1, 2, 3]
    assert game.times is None


def test_minus_infinity_ruins_for_ever_and_the_case_is_named():
    # red if: a ruined player recovers, the case is counted in the order of play, or the row's label is lost
    j = pd.DataFrame({"a": [0.1, 9.0, -INF, -INF], "b": [0.2] * 4}, index=["w", "x", "y", "z"])
    game = bet(j, time=[1, 4, 3, 2])
    assert game.piles[:, 0] == pytest.approx([math.exp(0.1), 0.0, 0.0, 0.0])
    assert game.growth[0] == 0.0
    assert game.ruined == {"a": "z"}
    assert "a: ruined: after 4 bets the pile is 0" in str(game)
    assert "row z" in str(game)


def test_the_ratio_of_two_ruined_players_is_undefined_and_breaks_nothing():
    # red if: 0/0 warns, or counts for either, or hides what was proved before
    game = bet({"a": [3.5, -INF, 1.0], "b": [0.0, 0.0, -INF]})
    assert game.ratio("a", "b")[:2].tolist() == [3.5, -INF]
    assert math.isnan(game.ratio("a", "b")[2])
    assert game.evidence("a", "b").p_value == pytest.approx(math.exp(-3.5))
    assert game.evidence("b", "a").p_value == 0.0
    assert game.to_dict()["pairs"][0]["log_ratio"] is None


def test_every_container_gives_the_same_game():
    # red if: one kind of table loses its names or its order
    columns = {"a": J.tolist(), "b": (2 * J).tolist()}
    for table in (columns, pd.DataFrame(columns), pl.DataFrame(columns), pl.LazyFrame(columns)):
        game = bet(table)
        assert game.names == ("a", "b")
        assert game.j.tolist() == np.column_stack([J, 2 * J]).tolist()
    for column in (J, J.tolist(), pl.Series(J), pd.DataFrame({"prediction": J})):
        assert bet(column).names == ("prediction",)
    assert bet(pd.Series(J, name="mine")).names == ("mine",)


def test_a_game_cannot_be_changed():
    # red if: the user's array is shared, or a field can be set
    mine = J.copy()
    game = bet(mine)
    mine[0] = 99.0
    assert game.j[0, 0] == J[0]
    with pytest.raises(ValueError, match="read-only"):
        game.j[0, 0] = 1.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        game.alpha = 0.1


def test_the_summary_the_frame_and_the_dict_say_the_same():
    # red if: rows and names are mixed up, or the dict is no JSON
    game = bet({"a": J, "b": [-INF, *J[1:]]}, clip=(-2, 2), alpha=0.1)
    rows = game.summary()
    assert [row["name"] for row in rows] == ["a", "b"]
    assert rows[0]["log_pile"] == game.log_piles[-1, 0]
    assert (rows[1]["lower"], rows[1]["upper"]) == game.confidence_sequence("b").now
    assert [row["ruined_by"] for row in rows] == [None, 0]
    frame = game.to_frame("pandas")
    assert frame["growth"].tolist() == game.growth.tolist()
    found = json.loads(json.dumps(game.to_dict(), allow_nan=False))
    assert found["players"][1]["log_pile"] == "-inf"
    assert found["players"][0]["quantity"] == "clipped J"
    assert [(pair["name"], pair["against"]) for pair in found["pairs"]] == [("a", "b"), ("b", "a")]
    assert found["pairs"][0]["log_ratio"] == "inf"
    assert (found["alpha"], found["clip"], found["bounds"]) == (0.1, [-2.0, 2.0], None)


def test_without_bounds_the_summary_has_no_interval():
    # red if: an interval is made up from bounds that nobody stated
    row = bet(J).summary()[0]
    assert (row["quantity"], row["lower"], row["upper"]) == (None, None, None)

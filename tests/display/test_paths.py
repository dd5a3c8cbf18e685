"""Paths over time: what is kept of a million steps, the ticks of powers of ten, and every kind of time."""

import datetime

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.dates import num2date

import nepers
from nepers.display import paths


def test_a_short_path_is_drawn_whole():
    # red if: anything is left out that need not be
    assert paths.to_draw(np.zeros((2000, 1))).tolist() == list(range(2000))


@settings(max_examples=50, deadline=None)
@given(st.integers(2001, 30_000), st.integers(1, 3), st.integers(0, 10**6))
def test_what_is_kept_is_little_and_has_the_extremes_of_every_stretch(steps, k, seed):
    # red if: the last stretch is cut short, an extreme is lost, or the ends are
    rng = np.random.default_rng(seed)
    path = np.cumsum(rng.standard_t(1.5, (steps, k)), axis=0)
    kept = paths.to_draw(path)
    assert kept.size <= paths.MOST
    assert (np.diff(kept) > 0).all()
    assert (kept[0], kept[-1]) == (0, steps - 1)
    stretch = -(-steps // ((paths.MOST - 2) // (2 * k)))
    for start in range(0, steps, stretch):
        inside = kept[(kept >= start) & (kept < start + stretch)]
        part = path[start : start + stretch]
        assert path[inside].max(axis=0).tolist() == part.max(axis=0).tolist()
        assert path[inside].min(axis=0).tolist() == part.min(axis=0).tolist()


def test_no_path_at_all_is_kept_as_none():
    # red if: a player ruined at the first bet breaks the picture
    assert paths.to_draw(np.empty((0, 1))).size == 0


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.1, 1.4, ["1", "2", "5", "10", "20"]),
        (-1.2, 1.4, ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20"]),
        (-2.5, 5.5, ["0.01", "1", "100", "10,000"]),
        (-6.0, 1.5, ["$10^{-6}$", "$10^{-4}$", "0.01", "1"]),
        (-900.0, 100.0, ["$10^{-800}$", "$10^{-600}$", "$10^{-400}$", "$10^{-200}$", "1"]),
    ],
)
def test_ticks_are_few_round_and_within(low, high, expected):
    # red if: powers that a float cannot hold overflow, or ticks fall between the powers
    places, said = paths.power_ticks(low, high)
    assert said == expected
    assert ((places >= low) & (places <= high)).all()


DAYS = [datetime.date(2024, 2, 27) + datetime.timedelta(days=i) for i in range(5)]


@pytest.mark.parametrize(
    ("times", "kind"),
    [
        (DAYS, "dates"),
        (np.array(DAYS, dtype="datetime64[D]"), "dates"),
        (pd.Series(pd.date_range("2024-02-27", periods=5, tz="Europe/London")), "dates"),
        (list(range(10, 15)), "numbers"),
        ([0.5, 1.5, 2.5, 3.5, 4.5], "numbers"),
        ([datetime.timedelta(hours=12 * i) for i in range(5)], "numbers"),
        (pd.to_timedelta([0, 12, 24, 36, 48], unit="h").to_numpy(), "numbers"),
    ],
)
def test_every_kind_of_time_is_an_axis(times, kind):
    # red if: nanoseconds are taken for days, or a time zone moves a day
    found = paths.clock(nepers.bet([0.1, -0.2, 0.3, 0.1, 0.2], time=times))
    assert found.kind == kind
    assert (np.diff(found.places) > 0).all()
    if kind == "dates":
        assert [num2date(x).date() for x in found.places] == DAYS
    elif found.label == "Time (days)":
        assert found.places.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    else:
        assert found.places.tolist() == list(times)


def test_without_times_the_bets_are_counted():
    # red if: they are counted from 0
    found = paths.clock(nepers.bet([0.1, -0.2]))
    assert (found.places.tolist(), found.kind, found.label) == ([1.0, 2.0], "bets", "Bets settled")

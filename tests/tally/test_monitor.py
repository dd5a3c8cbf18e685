"""The watch over J: its error probability, its power, and that bins err on the safe side."""

import numpy as np
import pytest

import nepers
from nepers.betting.confidence_sequence import log_gains
from nepers.tally import Grid, Monitor, from_arrays
from nepers.tally.monitor import Run, _is_kept, share

ALPHA = 0.1


def watch(batches, limits=(-2.0, 1.0), **settings):
    monitor = Monitor(limits, True, ALPHA, **settings)
    for k, j in enumerate(batches):
        monitor = monitor.update(from_arrays(j, grid=Grid(0.25, 32)), str(k))
    return monitor


def test_the_error_probabilities_add_up():
    # red if: the beginnings do not share one error probability
    shares = np.array([share(number) for number in range(1, 100_001)])
    assert 0.9999 < shares.sum() < 1.0
    watched = watch([[0.1] * 30, [0.2] * 30])
    second = watched.runs[1]
    assert watched._interval(second) == second.interval(ALPHA * shares[1], watched.limits)


def test_no_change_is_seen_where_there_is_none():
    # red if: an interval is far too narrow, as one whose batches count twice in it
    rng = np.random.default_rng(1)
    seen = [watch(rng.choice([0.6, -1.5], (20, 40), p=[0.75, 0.25])).change is not None for _ in range(50)]
    # 50 alarms of probability 0.1 are more than 12 with probability 0.001
    assert sum(seen) <= 12


def test_a_change_is_seen_and_placed():
    # red if: up and down, or before and after, are exchanged; or a change is never seen
    rng = np.random.default_rng(2)
    for first, then, direction in ((0.3, -0.2, "down"), (-0.2, 0.3, "up")):
        batches = [rng.normal(first if k < 10 else then, 0.5, 200) for k in range(20)]
        found = watch(batches).change
        assert found is not None
        assert found.direction == direction
        assert 8 <= int(found.since) <= int(found.seen_at) <= 16
        assert found.before[0] <= np.clip(np.concatenate(batches[:10]), -2, 1).mean() <= found.before[1]
        assert direction in str(found)


def test_the_interval_holds_the_mean():
    # red if: the lower and the upper end are exchanged, or j is not put in units of its limits
    rng = np.random.default_rng(3)
    monitor = watch(rng.uniform(-1.0, 0.5, (30, 300)))
    low, high = monitor.interval
    assert low < -0.25 < high
    assert high - low < 0.15


def test_bins_err_on_the_safe_side_and_not_by_much():
    # red if: the mean of a bin is put in the place of its cases, whose gains are then too large
    rng = np.random.default_rng(4)
    j = np.clip(rng.normal(0.1, 0.4, 3000), -2.0, 1.0)
    monitor = Monitor((-2.0, 1.0), False, ALPHA)
    x = (j + 2.0) / 3.0
    for steps, most in ((16, 0.2), (256, 0.002)):
        found = Run(1, "a", (-2.0, 1.0)).after(*monitor._in_unit(from_arrays(j, grid=Grid(0.25, steps)), "a"))
        for side, values in enumerate((x, 1.0 - x)):
            exact = log_gains(values, np.full(j.size, 0.5)).sum(axis=0)
            assert (found.gains[side] <= exact + 1e-9 * np.abs(exact)).all()
            assert (found.gains[side] >= exact - most * np.maximum(np.abs(exact), 1.0)).all()


def test_what_is_clipped_errs_on_the_safe_side():
    # red if: a bin across a limit is taken to lie at it for both ends of the interval
    j = np.linspace(-2.1, 1.1, 5000)
    found = Run(1, "a", (-2.0, 1.0)).after(
        *Monitor((-2.0, 1.0), True, ALPHA)._in_unit(from_arrays([*j, -np.inf], grid=Grid(0.25, 16)), "a")
    )
    x = (np.clip([*j, -2.0], -2.0, 1.0) + 2.0) / 3.0
    for side, values in enumerate((x, 1.0 - x)):
        exact = log_gains(values, np.full(x.size, 0.5)).sum(axis=0)
        assert (found.gains[side] <= exact + 1e-9 * np.abs(exact)).all()
    assert found.cases == x.size


def test_beginnings_are_thinned_out():
    # red if: all are kept, or one that was forgotten would be needed again, or the first is forgotten
    for now in (1, 9, 100, 5000):
        kept = {k for k in range(1, now + 1) if _is_kept(k, now)}
        later = {k for k in range(1, now + 2) if _is_kept(k, now + 1)}
        assert later <= kept | {now + 1}
        assert {1, now} <= kept
        assert len(kept) < 16 * np.log2(now + 2)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"limits": (1.0, -1.0)}, "lower one first"),
        ({"alpha": 0.0}, "alpha"),
        ({"limits": (0.0, np.inf)}, "finite"),
    ],
)
def test_wrong_settings(settings, words):
    # red if: a watch that can say nothing is made
    with pytest.raises(nepers.InputError, match=words):
        Monitor(**({"limits": (-1.0, 1.0), "clipped": True} | settings))


def test_j_outside_its_bounds_is_refused():
    # red if: bounds that do not hold are used, and the watch proves nothing
    for j in (-1.5, -np.inf):
        with pytest.raises(nepers.InputError, match="batch 'b'"):
            Monitor((-1.0, 1.0), False).update(from_arrays([0.1, j]), "b")

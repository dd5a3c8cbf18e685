"""The arithmetic and the pages of the benchmarks; the measuring itself takes minutes and is run by hand."""

import numpy as np
import pytest
from scipy import stats

predicted = pytest.importorskip(
    "predicted_probabilities", reason="the benchmarks are not in an installed package"
)
sbc = pytest.importorskip("sbc", reason="the benchmarks are not in an installed package")
rare_truths = pytest.importorskip("rare_truths", reason="the benchmarks are not in an installed package")
speed_page = pytest.importorskip("speed_page", reason="the benchmarks are not in an installed package")
battery = pytest.importorskip("battery", reason="the benchmarks are not in an installed package")
battery_page = pytest.importorskip("battery_page", reason="the benchmarks are not in an installed package")
intervals = pytest.importorskip("intervals", reason="the benchmarks are not in an installed package")
truths = pytest.importorskip("truths", reason="the benchmarks are not in an installed package")


def test_the_rank_among_equals_is_random():
    # red if: a tie counts as below or as above, so that C, which has many ties, seems biased
    rng = np.random.default_rng(1)
    ranks = [sbc._rank(2.0, np.array([1.0, 2.0, 2.0, 3.0]), rng) for _ in range(3000)]
    assert np.bincount(ranks, minlength=5) == pytest.approx([0, 1000, 1000, 1000, 0], abs=130)


def test_uniform_ranks_pass_and_others_do_not():
    # red if: the bins are uneven, or an end is left out
    rng = np.random.default_rng(2)
    assert min(sbc.tests(rng.integers(0, sbc.RANKED + 1, 5000))) > 0.01
    assert max(sbc.tests(np.floor(100 * rng.beta(1.3, 1.0, 5000)).astype(int))) < 1e-6


def test_fits_of_another_sampler_are_not_mixed_in(tmp_path):
    # red if: a run that goes on keeps the ranks of a sampler that has changed since
    path = tmp_path / "fits.json"
    head = {"sampler": "a", "seed": 1}
    sbc.write(path, {"head": head, "fits": {"0": {}}, "seconds": 1.0})
    assert sbc.read(path, head)["fits"] == {"0": {}}
    assert sbc.read(path, {"sampler": "b", "seed": 1})["fits"] == {}


def test_the_page_of_calibration_names_every_quantity():
    # red if: a quantity is ranked and not shown
    rng = np.random.default_rng(3)
    fits = {
        str(k): {"worth": 300.0, "ranks": {name: int(rng.integers(100)) for name in sbc.NAMES}}
        for k in range(200)
    }
    page = sbc.page({"head": {"seed": 1}, "fits": fits, "seconds": 60.0}, "./do sbc")
    for words in sbc.NAMES.values():
        assert f"| {words} |" in page


@pytest.mark.parametrize("with_peer", [True, False])
def test_the_page_of_speed_has_the_worst_and_the_ratio(with_peer):
    # red if: the ratio is upside down, or the page needs the peer
    rates = {name: 1000.0 for name in speed_page.WORDS if name != "C"}
    means = dict.fromkeys(rates, 0.1)
    mine = {"rates": rates | {"m_S": 50.0}, "means": means, "microseconds": 30.0}
    peer = {"rates": dict.fromkeys(rates, 10.0), "means": means, "compile": 2.0, "versions": "x 1"}
    found = {
        "machine": "m",
        "versions": "v",
        "command": "c",
        "answers": {"first": 9.0, "later": [1.0, 2.0, 3.0], "import": 0.01},
        "fixed": mine,
        "unknown": mine | {"rates": mine["rates"] | {"C": 25.0}},
        "peer": peer if with_peer else None,
        "sizes": {100: {"fixed": 20.0, "unknown": 40.0}},
        "memory": 300.0,
    }
    page = speed_page.page(found)
    assert ("| **the worst** | 50 | 25 | 10 | 5.0 |" if with_peer else "| **the worst** | 50 | 25 |") in page
    assert "(here 2.0 times)" in page
    assert "| 100 | 20 | 200 | 40 | 400 |" in page


def test_the_truths_of_rare_events_have_the_J_they_are_said_to_have():
    # red if: what is drawn is of another recalibration than the integral, or a prior is of another rate
    rng = np.random.default_rng(4)
    n = 200_000
    for truth in rare_truths.truths():
        x, table, prior = truth.draw(n, rng)
        j = np.log(table[np.arange(n), x]) - np.log(prior[x])
        # what came true varies more than its expectation, which gives the error
        assert j.mean() == pytest.approx(truth.J, abs=4.5 * j.std() / np.sqrt(n)), truth.name
        assert np.bincount(x, minlength=prior.size) / n == pytest.approx(prior, abs=0.005)


# --- the battery


@pytest.mark.parametrize("number", range(14))
def test_the_mean_of_a_truth_is_that_of_its_draws(number):
    # red if: a mean is derived wrongly. Where the variance is infinite, four standard errors say less.
    truth = truths.truths()[number]
    x = truth.draw(200_000, np.random.default_rng([1, number]))
    assert abs(x.mean() - truth.mean) < 4.0 * x.std() / x.size**0.5 + (
        0.02 if truth.infinite_variance else 0.0
    )


def test_the_truths_are_enough_and_fall_in_two_halves():
    # red if: a truth is added in the middle of its family, and what was reported on has been tuned by
    found = truths.truths()
    assert len(found) >= 12
    assert [t.half for t in found if t.family == "discrete"] == ["tune", "report", "tune", "report"]
    assert {t.family for t in found if t.half == "report"} == set(truths.FAMILIES)


def test_the_bootstraps_are_those_of_others():
    # red if: the acceleration has the wrong sign, or the ends of the ratio are not exchanged
    x = np.random.default_rng(2).gamma(1.0, 1.0, 60)
    rng = np.random.default_rng(3)
    found = {way: np.array(ends) for way, ends in intervals.bootstraps(x, rng, resamples=40_000).items()}
    theirs = stats.bootstrap((x,), np.mean, n_resamples=40_000, method="BCa", rng=rng, batch=1000)
    # a quantile of 40,000 resamples is known to 0.014 standard deviations
    sd = x.std() / 60**0.5
    assert found["BCa"] == pytest.approx(theirs.confidence_interval, abs=0.07 * sd)
    low, high = intervals.student(x)
    assert found["bootstrap-t"][1] - high > 0.3 * sd  # the mean of few skewed cases is mostly too low
    assert abs(found["bootstrap-t"][0] - low) < 0.6 * sd


def test_a_battery_that_was_cut_off_goes_on(tmp_path):
    # red if: a sample is drawn twice, or a line that was cut off stops everything
    ways = ("t", "Bayesian bootstrap")
    work = list(battery.missing([1, 7], {30: 3}, ways, {}))
    battery.run(work[:4], 1, tmp_path)
    with next(tmp_path.glob("*.jsonl")).open("a") as file:
        file.write('{"truth": 1, "n": 30')
    left = list(battery.missing([1, 7], {30: 3}, ways, battery.kept(tmp_path)))
    assert left == work[4:]
    battery.run(left, 1, tmp_path)
    there = battery.kept(tmp_path)
    assert not list(battery.missing([1, 7], {30: 3}, ways, there))
    assert there[1, 30, 2] == {k: list(v) if k in ways else v for k, v in battery.intervals(*work[4]).items()}


def test_a_small_battery_tells_good_intervals_from_bad():
    # red if: the interval leaves out the unseen, or its truth is that of another cell; and t overclaims here
    rows = [battery.intervals(4, 50, sample, ("t", "calibrated")) for sample in range(60)]
    mean = truths.truths()[4].mean
    ours, theirs = (battery_page.count(rows, way, mean) for way in ("calibrated", "t"))
    # at the wanted 0.025, four or more of 60 have a probability of 7%, at t's 0.07 of 78%
    assert ours["above"] <= 3
    assert ours["above"] < theirs["above"]
    assert ours["above"] + ours["below"] <= 6
    assert ours["width"] < 1.5


def test_the_page_of_the_battery_marks_what_misses():
    # red if: a miss is passed over, or one within the error of its share is called a miss
    cell = {"truth": 1, "n": 50, "way": "calibrated", "samples": 400, "above": 10, "below": 14, "width": 1.05}
    assert not any(battery_page.misses(cell).values())
    assert battery_page.misses(cell | {"above": 17})["above"]
    assert battery_page.misses(cell | {"below": 29})["covered"]
    assert battery_page.misses(cell | {"width": 1.2})["width"]
    assert not battery_page.misses(cell | {"width": 1.2, "truth": 7})["width"]
    page = battery_page.page({"machine": "m", "versions": "v", "cells": [cell | {"width": 1.2}]})
    assert "| 50 | calibrated | 400 | 0.940 | 0.025 | 0.035 | 1.20* |" in page
    assert "| report | calibrated | 1 | 0.940 | 0 | 0.025 | 0 | 1.09 | 1 |" in page


def test_a_censored_case_counts_evenly_over_what_is_left_above_its_cut():
    # red if: a censored case is left out, or counted where its cut lies
    bins = predicted.spread_over(np.array([0.05, 0.9]), np.array([0.5, 0.75]))
    # the first is known; the second is censored at 0.75, half of the bin from 0.7 to 0.8
    assert bins == pytest.approx([1, 0, 0, 0, 0, 0, 0, 0.2, 0.4, 0.4])
    rng = np.random.default_rng(3)
    many = predicted.spread_over(rng.random(20_000), rng.random(20_000))
    assert np.abs(many / 2_000 - 1.0).max() < 0.1  # four standard errors of a tenth of 20,000

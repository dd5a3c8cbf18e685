"""The left tail: its index on laws whose index is known, and J under other priors of tails."""

import dataclasses
import math

import numpy as np
import pytest
from fake_chains import prior_draws

from nepers.assessment import assess
from nepers.hierarchy import calibrated, paper
from nepers.hierarchy.prior import component_shape_prior
from nepers.tails import (
    good_cases_are_far,
    left_index,
    odds_weights,
    prior_of_heavy,
    sensitivity,
    weighted_quantiles,
)


@pytest.mark.parametrize("index", [1.2, 2.0, 5.0])
def test_a_pareto_tail_has_its_index(index):
    # red if: the tail is the right one, or the estimate is that of 1/index, or biased by k/(k - 1)
    rng = np.random.default_rng(1)
    found = []
    for _ in range(300):
        tail = -(rng.random(400) ** (-1.0 / index))
        found.append(left_index(np.concatenate([tail, np.zeros(401)])).index)
    # 29 of 801 cases each: the relative error of one is 0.19, of the mean of 300 0.011
    assert np.mean(found) == pytest.approx(index, rel=0.05)


def test_a_heavy_right_tail_is_none_of_it():
    # red if: absolute values are taken
    x = np.random.default_rng(2).pareto(1.1, 1000)
    assert left_index(x).index > 3.0
    assert left_index(-x).heavy


def test_the_index_needs_no_origin_and_no_unit():
    # red if: distances are not from the median
    x = np.random.default_rng(3).standard_t(2, 300)
    assert left_index(5.0 - 3.0 * x).index == pytest.approx(left_index(-x).index)


def test_few_cases_tell_no_index_and_equal_ones_have_none():
    # red if: a handful of values is called heavy
    few = left_index(-np.random.default_rng(4).pareto(0.5, 29))
    assert math.isnan(few.index)
    assert not few.heavy
    assert left_index(np.repeat([0.5, -1.0], 50)).index == math.inf


@pytest.mark.parametrize("h", [paper(), calibrated(), paper().replace(shape_type=2, m_lower=0.55)])
def test_the_prior_of_heavy_components_is_the_share_of_its_draws(h):
    # red if: the cut is left out, or the type. The standard error of 40,000 draws is below 0.0025; 4 of them.
    draws = component_shape_prior(h).rvs(40_000, rng=np.random.default_rng(7))
    assert prior_of_heavy(h) == pytest.approx((draws < 1.5).mean(), abs=0.01)


@pytest.fixture(scope="module")
def draws():
    return prior_draws(draws=2000)


@pytest.mark.parametrize("odds", [0.25, 4.0])
def test_weighted_draws_of_the_prior_are_draws_of_the_other_prior(draws, odds):
    # red if: the weights lack a normaliser per component, or belong to other draws
    w = odds_weights(draws, paper(), odds)
    C, first = draws.C.ravel(), draws.first.ravel()
    assert w.mean() == pytest.approx(1.0, abs=5 * w.std() / w.size**0.5)
    heavy = np.array([(draws.m[f : f + c] < 1.5).mean() for f, c in zip(first, C, strict=True)])
    p = prior_of_heavy(paper())
    error = 5 * (w * heavy).std() / w.size**0.5
    assert (w * heavy).mean() == pytest.approx(odds * p / (1.0 + (odds - 1.0) * p), abs=error)


def test_equal_weights_give_the_usual_quantiles():
    # red if: the weighted quantiles jump from draw to draw
    x = np.random.default_rng(5).normal(size=1001)
    expected = np.quantile(x, (0.025, 0.975))
    assert weighted_quantiles(x, np.ones(x.size), (0.025, 0.975)) == pytest.approx(expected, abs=0.02)


@pytest.fixture(scope="module")
def heavy():
    rng = np.random.default_rng(6)
    j = np.where(rng.random(300) < 0.1, -0.5 * (1.0 + rng.pareto(1.3, 300)), rng.normal(0.2, 0.3, 300))
    return assess(j, seed=1, hyperparameters="calibrated", target_ess=400.0, chains=2)


def test_a_heavy_tail_is_told_with_what_it_does_to_J(heavy):
    # red if: it is not in the words, the summary or the dict; the lighter prior reaches farther
    lighter, heavier = heavy.tail_sensitivity()
    assert heavy.tail.heavy
    assert heavier[0] < heavy.interval()[0] < lighter[0]
    assert f"estimated index {heavy.tail.index:.2g}" in str(heavy)
    row = heavy.summary()
    assert (row["lighter_tail_lower"], row["heavier_tail_upper"]) == (lighter[0], heavier[1])
    assert heavy.to_dict()["tail_index"] == heavy.tail.index


def test_another_unit_and_level_are_those_of_the_interval(heavy):
    # red if: the sensitivity stays in nats, or at 95%
    bits = heavy.in_bits().tail_sensitivity(0.5)
    nats = heavy.tail_sensitivity(0.5)
    assert np.array(bits) == pytest.approx(np.array(nats) / math.log(2.0))
    assert nats.heavier[1] - nats.heavier[0] < heavy.interval()[1] - heavy.interval()[0]


def test_a_light_tail_needs_no_words():
    # red if: every answer warns
    light = assess(np.repeat([0.4, -1.0], [30, 12]), seed=1)
    assert light.tail_sensitivity() is None
    assert "tail" not in str(light)
    assert math.isnan(light.summary()["heavier_tail_lower"])
    assert light.to_dict()["heavier_tail_lower"] is None


def test_without_the_unseen_and_without_the_hierarchy_nothing_depends_on_the_prior(heavy):
    # red if: the unseen is taken out where there is none
    plain = dataclasses.replace(heavy, draws=None, kinds=dataclasses.replace(heavy.kinds, unseen=None))
    for ends in sensitivity(plain, 0.95):
        assert ends == pytest.approx(plain.interval(), abs=1e-3)


def test_values_that_stand_for_several_cases_count_as_often():
    # red if: the cases at a value are not counted, or those at the edge of the lowest are all taken
    rng = np.random.default_rng(6)
    values, cases = -rng.pareto(1.5, 60), rng.integers(1, 9, 60)
    assert left_index(values, cases.astype(float)) == left_index(np.repeat(values, cases))


def test_far_good_cases_are_told_and_far_bad_ones_are_not(heavy):
    # red if: the sides are exchanged, or the paper's table, which has no unseen kind, is warned of
    rng = np.random.default_rng(8)
    j = np.where(rng.random(200) < 0.03, 3.0, 0.0) + rng.normal(-0.05, 0.05, 200)
    assert good_cases_are_far(j)
    assert not good_cases_are_far(-j)
    assert not good_cases_are_far(rng.normal(size=30))
    assert not good_cases_are_far(np.array([1.0]))
    kinds = dataclasses.replace(heavy.kinds, remainder=j)
    assert "The far cases are the good ones" in str(dataclasses.replace(heavy, kinds=kinds, n=200))
    assert "The far cases" not in str(heavy)
    plain = dataclasses.replace(kinds, unseen=None)
    assert "The far cases" not in str(dataclasses.replace(heavy, kinds=plain, n=200))

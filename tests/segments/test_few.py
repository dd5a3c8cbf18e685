"""Groups of few cases: weighted draws from the prior are draws from the posterior."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from nepers.cases import log_ratios
from nepers.hierarchy import calibrated, sample_prior
from nepers.options import read_options
from nepers.posterior import kinds_of, posterior_of
from nepers.segments.few import DRAWS, ENOUGH, Few, is_few, weighed
from nepers.segments.kernels import Kernels, _each
from nepers.segments.likelihood import choose_kernels, log_likelihoods, sums_over_kernels

OPTIONS = read_options("calibrated", 1.0, 3, 4, 400.0, 20.0, 1)


def few(j, seed=5):
    return Few(kinds_of(log_ratios(j), OPTIONS), seed)


def test_what_is_kept_of_several_blocks_is_drawn_by_weight():
    # red if: a block is not weighed against those before, or the weights are not relative to one largest.
    # The prior is N(0, 1), the likelihood that of one observation with sd 1/2, whose logs differ by blocks
    rng = np.random.default_rng(1)
    one, every = few([0.1, 0.2, 0.3]), []
    for least, most in ((-9.0, -1.0), (-1.0, 1.0), (1.0, 9.0)):
        law = stats.truncnorm(least, most)
        J = law.rvs(6000, random_state=rng)
        share = stats.norm.cdf(most) - stats.norm.cdf(least)
        every.append(-2.0 * (0.8 - J) ** 2 + np.log(share) + 700.0)
        one.take(every[-1], J)
    weights = np.exp(np.concatenate(every) - 700.0)
    assert one.worth == pytest.approx(weights.sum() ** 2 / np.square(weights).sum())
    # the posterior is N(0.64, 0.2); of 1,000 draws, five standard errors
    assert one.kept.mean() == pytest.approx(0.64, abs=5.0 * (0.2 / 1000.0) ** 0.5)
    assert one.kept.var() == pytest.approx(0.2, rel=5.0 * (2.0 / 1000.0) ** 0.5)


def test_the_likelihood_is_that_of_the_hierarchy():
    # red if: a case counts for the group before, a component is left out, or the shape is of the other type
    from nepers.gibbs.records import make_components
    from nepers.gibbs.tilt import tilt_table

    h = calibrated()
    draws = [sample_prior(h, rng=np.random.default_rng(seed)) for seed in range(5)]
    count = np.array([draw.mixture.C for draw in draws])
    components = np.concatenate([make_components(draw, 1) for draw in draws])
    x, ends = np.array([0.1, -0.4, 2.0, 0.3, -7.0, 0.0]), np.array([2, 3, 6])
    out = np.zeros((3, 5), np.float32)
    first = np.cumsum(count) - count
    log_likelihoods(x[None, :], ends, components, first, count, h.shape_type, tilt_table(), out)
    each = np.array([draw.mixture.logpdf(x) for draw in draws])
    expected = [part.sum(axis=1) for part in np.split(each, ends[:-1], axis=1)]
    np.testing.assert_allclose(out, expected, rtol=1e-5)


def test_sums_over_kernels_are_those_of_the_formula():
    # red if: the variances are not added; or a kernel is drawn one too early or too late
    rng = np.random.default_rng(2)
    kernels = Kernels(rng.dirichlet(np.ones(9)), rng.normal(size=9), rng.uniform(0.01, 0.5, 9))
    given = (kernels.weights, kernels.centres, kernels.variances)
    centre, variance = rng.normal(size=40), rng.uniform(0.0, 2.0, 40)
    parts, total, at = _each(kernels, centre, variance), np.empty(40), np.empty(40, dtype=np.int64)
    sums_over_kernels(*given, centre, variance, total)
    np.testing.assert_allclose(total, parts.sum(axis=1), rtol=1e-12)
    uniform = rng.random(40)
    choose_kernels(*given, centre, variance, uniform, at)
    ends = np.cumsum(parts, axis=1)
    assert np.array_equal(at, (ends < uniform[:, None] * ends[:, -1:]).sum(axis=1))


def test_the_posterior_is_that_of_the_chains():
    # red if: the prior of the blocks is another, draws are not weighed, or atoms and the unseen are left out
    j = [0.3, -0.2, 0.5, 0.1, 0.4, 0.4]
    one, cases = few(j), log_ratios(j)
    assert is_few(one.kinds)
    weighed([one], OPTIONS, np.inf)
    assert one.worth >= ENOUGH
    mine = one.posterior()
    theirs = posterior_of(cases, dataclasses.replace(OPTIONS, target_ess=1500.0), False)
    assert mine.diagnostics.good()
    levels = np.linspace(0.1, 0.9, 9)
    there = np.quantile(theirs.nats, levels)
    # a share of 400 independent draws has a standard error of at most 0.025; five of them, with the chains'
    below = (mine.nats.ravel()[:, None] < there).mean(axis=0)
    assert np.abs(below - levels).max() < 5.0 * np.sqrt(0.25 / ENOUGH + 0.25 / 1000.0)


def test_the_answer_is_the_same_beside_other_groups():
    # red if: what other groups there are changes the draws of one
    alone, beside = few([0.3, -0.2, 0.5], 7), few([0.3, -0.2, 0.5], 7)
    weighed([alone], OPTIONS, np.inf)
    weighed([few([0.1, 0.2], 6), beside, few([1.0, -3.0, 0.2], 9)], OPTIONS, np.inf)
    assert np.array_equal(alone.posterior().nats, beside.posterior().nats)
    assert alone.blocks * DRAWS >= ENOUGH


def test_what_is_not_few_is_left_to_the_chains():
    # red if: a group of many cases, or of one value, is weighed
    assert not is_few(few(np.linspace(0.0, 1.0, 9)).kinds)
    assert not is_few(few([0.2, 0.2, 0.2]).kinds)

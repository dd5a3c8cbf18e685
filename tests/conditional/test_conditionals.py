"""One coordinate given others: against the closed form, against sums over both scales, and in its limits."""

import numpy as np
import pytest
from conditional.brute import log_conditional
from conditional.mixtures import marginal_of, some_mixture
from scipy import integrate

from nepers.conditional.cases import Conditionals
from nepers.hierarchy import Mixture
from nepers.prediction.observations import Noise

PLACES = np.array([-3.0, -0.5, 0.4, 2.0, 7.0])
NOISE = Noise(5.0, np.array([[4.0, 1.0, 0.0], [1.0, 9.0, -1.0], [0.0, -1.0, 2.0]]))


def of_one(mixture, noise, row, target=0, noisy=True):
    return Conditionals(mixture, noise, np.array([row], dtype=float), target, noisy)


def log_density(cases, u):
    return cases.each(lambda _i, found: found.logpdf(np.asarray(u)))[0]


@pytest.mark.parametrize("target", [0, 2])
@pytest.mark.parametrize("far", [1.0, 30.0])
def test_without_noise_it_is_the_ratio_of_two_closed_forms(target, far):
    """Red if alpha given the known is taken for a Gamma (l = 0 in the kernel), or nu is not conditioned."""
    mixture = some_mixture(3, 3, seed=1)
    others = [i for i in range(3) if i != target]
    known = far * np.array([0.3, -1.0])
    row = np.full(3, np.nan)
    row[others] = known
    points = np.empty((PLACES.size, 3))
    points[:, target], points[:, others] = PLACES, known
    expected = mixture.logpdf(points) - marginal_of(mixture, others).logpdf(known)
    cases = of_one(mixture, None, row, target)
    # steps of the width of the integrand leave 3e-9 of it
    assert np.abs(log_density(cases, PLACES) - expected).max() < 1e-8
    assert abs(cases.log_density_of_known()[0] - marginal_of(mixture, others).logpdf(known)) < 1e-11


@pytest.mark.parametrize("noisy", [True, False])
@pytest.mark.parametrize("known", [[0.3, -1.0], [6.0, -8.0], [np.nan, 2.0], [np.nan, np.nan]])
def test_with_noise_it_agrees_with_sums_over_both_scales(known, noisy):
    """Red if noise counts in the target though it should not, or its correlation with the known is lost."""
    mixture = some_mixture(2, 3, seed=2)
    row = np.array([np.nan, *known])
    given = np.flatnonzero(np.isfinite(row))
    expected, weight = log_conditional(mixture, NOISE, row[given], given, 0, PLACES, noisy)
    cases = of_one(mixture, NOISE, row, noisy=noisy)
    # the plain sums have a step of 0.02 in the logs: 1e-7 by halving it
    assert np.abs(log_density(cases, PLACES) - expected).max() < 1e-6
    assert abs(cases.log_density_of_known()[0] - weight) < 1e-6


def test_far_out_the_tails_are_still_exact():
    """Red if what is left out as negligible is left out in the tails too: 1e8 then has density zero."""
    mixture = some_mixture(2, 3, seed=3)
    known = np.array([0.3, -1.0])
    places = np.array([-1e8, -5e3, -60.0, 40.0, 900.0])
    points = np.column_stack([places, np.tile(known, (5, 1))])
    expected = mixture.logpdf(points) - marginal_of(mixture, [1, 2]).logpdf(known)
    found = log_density(of_one(mixture, None, [np.nan, *known]), places)
    assert expected.min() < -80.0
    assert np.abs(found - expected).max() < 1e-9


def test_each_posterior_draw_counts_by_the_density_of_what_is_known():
    """Red if draws are averaged without weights: here the second draw alone explains the known value."""
    mixture = Mixture(
        p=np.full(2, 0.5),
        mu=np.array([[0.0, 0.0], [5.0, 8.0]]),
        nu=np.zeros((2, 2)),
        S=np.tile(np.eye(2), (2, 1, 1)),
        m=np.full(2, 30.0),
        r=np.full(2, 30.0),
    )
    mean = of_one(mixture, None, [np.nan, 8.0]).each(lambda _i, found: found.mean())[0]
    assert abs(mean - 5.0) < 1e-6


def test_nothing_known_gives_the_marginal():
    """Red if an unknown value is taken for zero, or for the mean."""
    mixture = some_mixture(3, 3, seed=4)
    cases = of_one(mixture, None, [np.nan] * 3)
    marginal = marginal_of(mixture, [0])
    assert np.abs(log_density(cases, PLACES) - marginal.logpdf(PLACES)).max() < 1e-8
    below = np.exp(cases.each(lambda _i, found: found.logcdf(PLACES))[0])
    assert np.abs(below - marginal.cdf(PLACES)).max() < 1e-8


@pytest.mark.parametrize("noise", [None, NOISE])
def test_density_survival_quantiles_mean_and_draws_are_of_one_distribution(noise):
    """Red if a sign, a width or a weight differs between them."""
    cases = of_one(some_mixture(3, 3, seed=5, m=(2.0, 6.0)), noise, [np.nan, 0.4, -0.7])
    (found,) = cases.each(lambda _i, one: one)
    p = np.array([1e-6, 0.03, 0.5, 0.9, 1.0 - 1e-6])
    u = found.quantile(p)
    assert np.abs(np.exp(found.logcdf(u)) / p - 1.0).max() < 1e-9
    assert np.abs(np.exp(found.logsf(u)) / (1.0 - p) - 1.0).max() < 1e-8
    between = integrate.quad(lambda x: np.exp(found.logpdf(np.array([x]))[0]), u[1], u[3], epsabs=1e-11)[0]
    assert abs(between - 0.87) < 1e-9
    mean = integrate.quad(
        lambda x: x * np.exp(found.logpdf(np.array([x]))[0]),
        u[0] - 60,
        u[4] + 60,
        limit=400,
        points=u.tolist(),
    )[0]
    assert abs(found.mean() - mean) < 1e-6
    draws = found.draws(20_000, np.random.default_rng(1))
    shares = (draws[:, None] < u[1:4]).mean(axis=0)
    # four standard errors of a share
    assert (np.abs(shares - p[1:4]) < 4.0 * np.sqrt(p[1:4] * (1.0 - p[1:4]) / 20_000)).all()


def test_the_mean_up_to_a_limit_is_the_area_under_the_survival_curve():
    """Red if e^u P(y > u) or the early part is lost. E[min(e^y, h)] = integral of P(e^y > t) from 0 to h."""
    (found,) = of_one(some_mixture(2, 3, seed=6), None, [np.nan, 0.4, -0.7]).each(lambda _i, one: one)
    for limit in (0.2, 3.0):
        area = integrate.quad(lambda t: np.exp(found.logsf(np.log([t]))[0]), 0.0, limit, epsabs=1e-11)[0]
        assert abs(found.mean_exp_below(np.log(limit)) - area) < 1e-8

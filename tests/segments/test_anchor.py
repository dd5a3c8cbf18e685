"""The groups are given the whole's law, and otherwise left as they are."""

import numpy as np
import pytest

from nepers.segments.anchor import anchored

SD = np.array([0.1, 0.4, 0.2])
LEVELS = (np.arange(20_000) + 0.5) / 20_000
W = np.array([0.5, 0.2, 0.3])


@pytest.fixture
def draws():
    rng = np.random.default_rng(1)
    mean = np.array([0.3, -0.2, 0.1])
    return mean + SD * rng.standard_normal((20_000, 3)), rng.dirichlet(1e7 * W, 20_000)


def test_the_whole_has_the_law_that_is_wanted(draws):
    # red if: the sums are only near it, or shares no longer add up to 1
    wanted = np.random.default_rng(2).gumbel(size=5000)
    nats, weights = anchored(*draws, wanted)
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    sums = np.sort((nats * weights).sum(axis=1))
    np.testing.assert_allclose(sums, np.quantile(wanted, LEVELS, method="hazen"), atol=1e-12)


def test_nothing_changes_if_the_whole_has_that_law(draws):
    # red if: draws are paired with those of the whole at random, which adds its spread to every group
    nats, weights = draws
    found, shares = anchored(nats, weights, (nats * weights).sum(axis=1))
    np.testing.assert_allclose(found, nats, atol=1e-9)
    np.testing.assert_allclose(shares, weights, atol=1e-9)


def test_gaussian_groups_become_what_conditioning_makes_of_them(draws):
    # red if: all groups move alike. Closed form: b_g = Cov(J_g, J) / Var(J), and the variance of J_g is
    # what J leaves of it plus b_g^2 times the new variance of J
    nats, weights = draws
    variance = float((W**2 * SD**2).sum())
    b = W * SD**2 / variance
    wanted = 0.8 + 0.03 * np.random.default_rng(3).standard_normal(20_000)
    found, _ = anchored(nats, weights, wanted)
    step = 0.8 - float(W @ nats.mean(axis=0))
    np.testing.assert_allclose(found.mean(axis=0) - nats.mean(axis=0), b * step, rtol=0.04)
    exact = np.sqrt(SD**2 - b**2 * variance + b**2 * 0.03**2)
    np.testing.assert_allclose(found.std(axis=0), exact, rtol=0.03)


def test_where_the_shares_are_uncertain_they_move():
    # red if: groups that are known well are moved by what only the shares leave open
    rng = np.random.default_rng(4)
    nats = np.array([1.0, -1.0]) + 0.01 * rng.standard_normal((4000, 2))
    weights = rng.dirichlet([20.0, 20.0], 4000)
    whole = (weights * nats).sum(axis=1) - 0.05
    found, shares = anchored(nats, weights, whole)
    assert np.abs(found - nats).max() < 0.025
    assert shares[:, 0].mean() - weights[:, 0].mean() == pytest.approx(-0.025, abs=0.003)

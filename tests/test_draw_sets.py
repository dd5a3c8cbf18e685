"""Sets of draws: the prior's own law, and the laws of changing the unit."""

import dataclasses

import numpy as np
import pytest
from fake_chains import prior_draws

from nepers.draw_sets import from_prior, in_unit, joined, later, pooled
from nepers.hierarchy import paper, sample_prior

F = 1.0 / np.log(2.0)
FIELDS = ("J", "C", "mu_mu", "S_mu", "R_S_mu", "m_S", "R_S", "first", "p", "mu", "nu", "S", "m")


def test_draws_from_the_prior_are_those_of_the_hierarchy():
    # red if: components are handed to the wrong draw, or a field to the wrong name
    one = from_prior(paper(), np.random.default_rng(3), chains=2, draws=5)
    same = sample_prior(paper(), 10, rng=np.random.default_rng(3))
    for k, parameters in enumerate(same):
        chain, draw = divmod(k, 5)
        mixture = one.mixture(chain, draw)
        for name in ("p", "mu", "nu", "S", "m", "r"):
            np.testing.assert_array_equal(getattr(mixture, name), getattr(parameters.mixture, name))
        for name in ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S"):
            np.testing.assert_array_equal(getattr(one, name)[chain, draw], getattr(parameters, name))
        assert one.J[chain, draw] == parameters.mixture.mean()


def test_a_change_of_unit_is_a_change_of_the_hyperparameters_unit():
    # red if: a field takes the wrong power of the unit, or none
    changed = in_unit(from_prior(paper(), np.random.default_rng(3), 2, 5), F, 0)
    direct = from_prior(paper().scaled(F), np.random.default_rng(3), 2, 5)
    for name in FIELDS:
        np.testing.assert_allclose(getattr(changed, name), getattr(direct, name), rtol=1e-9, err_msg=name)


def test_the_log_likelihood_takes_the_jacobian_of_every_case():
    # red if: densities per bit are given as densities per nat
    x = np.array([0.3, -0.1, 0.2])
    draws = prior_draws(chains=1, draws=3)
    likelihood = np.array([[draws.mixture(0, k).logpdf(x).sum() for k in range(3)]])
    changed = in_unit(dataclasses.replace(draws, log_likelihood=likelihood), F, x.size)
    for k in range(3):
        direct = changed.mixture(0, k).logpdf(x * F).sum()
        assert changed.log_likelihood[0, k] == pytest.approx(direct, rel=1e-9)


def test_later_draws_keep_their_components():
    # red if: the places of the components are cut with the draws, and each takes another's
    draws = prior_draws(chains=2, draws=6)
    rest = later(draws, 4)
    assert (rest.chains, rest.draws) == (2, 2)
    assert rest.mixture(1, 0).mean() == draws.mixture(1, 4).mean() == rest.J[1, 0]


def test_the_pool_is_the_average_of_the_draws():
    # red if: draws weigh by their number of components, or the first ones are taken instead of a spread
    draws = prior_draws(chains=2, draws=6)
    x = np.linspace(-2.0, 2.0, 9)
    every = np.mean([draws.mixture(c, k).pdf(x) for c in range(2) for k in range(6)], axis=0)
    np.testing.assert_allclose(pooled(draws, 100).pdf(x), every, rtol=1e-12)
    spread = pooled(draws, 2)
    ends = (draws.mixture(0, 0).pdf(x) + draws.mixture(1, 5).pdf(x)) / 2
    np.testing.assert_allclose(spread.pdf(x), ends, rtol=1e-12)


def test_joined_sets_keep_every_draw_and_its_components():
    # red if: the second set's draws point at the first one's components
    one, two = prior_draws(chains=2, draws=3, seed=1), prior_draws(chains=2, draws=4, seed=2, C=3)
    both = joined([one, two])
    assert (both.chains, both.draws) == (2, 7)
    for chain in range(2):
        for draw in range(7):
            source = one.mixture(chain, draw) if draw < 3 else two.mixture(chain, draw - 3)
            for name in ("p", "mu", "nu", "S", "m", "r"):
                np.testing.assert_array_equal(getattr(both.mixture(chain, draw), name), getattr(source, name))
    assert pooled(both, 14).p.sum() == pytest.approx(1.0)

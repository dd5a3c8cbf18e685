"""The map to the Gaussian score, against fresh draws of the prior."""

import numpy as np
import pytest
from scipy import stats

from nepers.hierarchy import paper, sample_prior
from nepers.segments.score import score


def test_the_prior_of_J_becomes_a_standard_gaussian():
    # red if: the map is of another prior, one-sided, or scaled wrongly; 4000 draws see 3% anywhere
    draws = sample_prior(paper(), 4000, rng=np.random.default_rng(77))
    J = np.array([draw.mixture.mean()[0] for draw in draws])
    assert stats.kstest(score(paper()).of(J), stats.norm.cdf).pvalue > 0.001


def test_the_inverse_is_the_inverse():
    # red if: the two directions are interpolated differently, or the far ends have no slope
    T = score(paper())
    J = np.array([-1e6, -30.0, -1.0, -0.01, 0.0, 0.3, 2.5, 100.0])
    np.testing.assert_allclose(T.inverse(T.of(J)), J, rtol=1e-9, atol=1e-12)
    assert (np.diff(T.of(J)) > 0.0).all()


def test_the_centre_and_the_unit_are_those_of_the_hyperparameters():
    # red if: the prior's centre is taken for 0, or a scale is applied to the unit alone
    moved = paper().replace(mu_mu_mu=np.array([3.0]))
    assert score(moved).of(np.array([3.0])) == pytest.approx(0.0, abs=1e-12)
    T = score(moved)
    np.testing.assert_allclose(T.scaled(10.0).of(np.array([20.0, 45.0])), T.of(np.array([2.0, 4.5])))

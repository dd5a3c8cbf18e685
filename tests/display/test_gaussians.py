"""Many draws' distributions at once, against each draw's own, and the points at which they are looked at."""

import math

import numpy as np
import pytest
from fake_chains import prior_draws
from fake_results import assessment, long_tailed, student_draws
from scipy import stats

from nepers.display.curves import curves_of, far_points, ranks_shown, steps
from nepers.display.gaussians import gaussians_of
from nepers.display.sample import sample_of

X = np.concatenate([-np.geomspace(0.01, 60.0, 25), [0.0], np.geomspace(0.01, 60.0, 25)])


@pytest.mark.parametrize(("C", "seed"), [(1, 1), (3, 2), (8, 3)])
def test_every_draw_has_its_own_density_and_distribution(C, seed):
    # red if: a draw gets another's components, the skewness loses its sign, or the nodes are too few
    draws = prior_draws(2, 20, seed, C)
    found = gaussians_of(draws, 40)
    assert found.draws == 40
    cdf, pdf = found.cdf(X), found.pdf(X)
    for k in range(40):
        exact = draws.mixture(*divmod(k, 20))
        # a dot of a picture is a three hundredth of its height
        np.testing.assert_allclose(cdf[k], exact.cdf(X), atol=1e-3)
        np.testing.assert_allclose(pdf[k], exact.pdf(X), atol=2e-3 * exact.pdf(X).max() + 1e-12)
    # far in the tail, which is drawn on a logarithmic scale
    tail = np.array([draws.mixture(*divmod(k, 20)).cdf(X[:5]) for k in range(40)])
    seen = tail > 1e-6
    np.testing.assert_allclose(cdf[:, :5][seen], tail[seen], rtol=0.02)


def test_without_skewness_it_is_students_t():
    # red if: the shape or the precision is taken for another parameter
    m, spread = 3.0, 0.5
    draws = student_draws(centre=0.2, sd=0.0, spread=spread, m=m, chains=1, draws=3)
    scale = spread * math.sqrt((m - 1.0) / m)  # r = m - 1 in the place of m
    law = stats.t(2.0 * m, 0.2, scale)
    np.testing.assert_allclose(gaussians_of(draws, 3).cdf(X)[0], law.cdf(X), rtol=5e-3, atol=1e-9)


def test_fewer_draws_are_spread_over_all():
    # red if: the first draws stand for all chains
    draws = student_draws(centre=0.0, sd=1.0, spread=1e-3, m=50.0, chains=4, draws=50)
    found = gaussians_of(draws, 5)
    place = draws.J.ravel()[[0, 49, 99, 149, 199]]
    below = found.cdf(np.sort(place))
    assert found.draws == 5
    order = np.argsort(np.argsort(place))
    assert [int((row > 0.75).sum()) for row in below] == [4 - int(k) for k in order]


def test_the_mean_curve_is_the_predictive_distribution():
    # red if: the atoms' probabilities are left out, or the continuous part keeps the whole
    j = np.concatenate([long_tailed(60), [0.3] * 20, [-0.7] * 10])
    a = assessment(j, student_draws(chains=2, draws=15))
    curves = curves_of(a)
    x = np.array([-6.5, -0.7, -0.69999, 0.0, 0.3, 0.31, 2.0])
    np.testing.assert_allclose(curves.mean_cdf(x), a.predictive_cdf(x), atol=1e-3)
    np.testing.assert_allclose(curves.mean_pdf(x), a.predictive_pdf(x), atol=3e-3)
    bits = curves_of(a.in_bits())
    np.testing.assert_allclose(bits.mean_cdf(x * (1.0 / math.log(2.0))), curves.mean_cdf(x), atol=1e-9)


def test_a_step_is_as_high_as_the_atom_is_probable():
    # red if: the point before a step comes after it, or another atom's probability is the step
    a = assessment([*long_tailed(60), *[0.3] * 20, *[-0.7] * 10], student_draws(chains=2, draws=15))
    curves = curves_of(a)
    x, before = steps(np.array([-1.0, 0.0, 1.0]), curves.atom_values)
    assert x.tolist() == [-1.0, -0.7, -0.7, 0.0, 0.3, 0.3, 1.0]
    assert before.tolist() == [False, True, False, False, True, False, False]
    each, mean = curves.cdf(x, before)
    np.testing.assert_allclose(each[:, [2, 5]] - each[:, [1, 4]], curves.weights[:, :2], atol=1e-12)
    np.testing.assert_allclose(mean[[2, 5]] - mean[[1, 4]], a.kinds.mean_weights[:2], atol=1e-12)
    assert (np.diff(each, axis=1) >= -1e-12).all()


@pytest.mark.parametrize("n", [1, 2, 7, 100, 418, 1_000_000])
def test_the_ranks_that_are_shown_keep_the_extremes(n):
    # red if: a rank is beyond the cases, or the lowest ones, where J is decided, are thinned out
    ranks = ranks_shown(n)
    assert (np.diff(ranks) > 0).all()
    assert (ranks[0], ranks[-1]) == (1, n)
    assert set(range(1, min(n, 40) + 1)) <= set(ranks.tolist())
    assert ranks.size <= min(n, 450)


def test_curves_go_on_beyond_the_cases():
    # red if: the tail ends where the cases do
    sample = sample_of(assessment(long_tailed(50), student_draws(chains=1, draws=10)))
    x = far_points(sample)
    reach = sample.every[-1] - sample.every[0]
    assert x[0] < sample.every[0] - 20.0 * reach
    assert x[-1] > sample.every[-1] + 20.0 * reach
    assert (np.diff(x) > 0.0).all()

"""The mixture against the hierarchy's own way of making a data point."""

import numpy as np
import pytest
from scipy import integrate, stats

from nepers.errors import InputError
from nepers.hierarchy import Mixture, SkewStudent


def lopsided() -> Mixture:
    return Mixture(
        p=[0.6, 0.3, 0.1],
        mu=[[0.2], [-1.5], [4.0]],
        nu=[[0.5], [-1.0], [0.0]],
        S=[[[2.0]], [[0.5]], [[9.0]]],
        m=[2.4, 3.3, 1.7],
        r=[1.4, 2.3, 0.7],
    )


def lopsided_in_two_dimensions() -> Mixture:
    return Mixture(
        p=[0.7, 0.3],
        mu=[[0.2, 1.0], [-1.5, 0.0]],
        nu=[[0.5, -0.2], [-1.0, 0.3]],
        S=[[[2.0, 0.4], [0.4, 1.0]], [[0.5, -0.2], [-0.2, 3.0]]],
        m=[4.4, 5.3],
        r=[4.4, 5.3],
    )


def by_definition(mix: Mixture, n: int, rng: np.random.Generator) -> np.ndarray:
    """c, then alpha, then x, as the paper's hierarchy has it."""
    draws = np.empty((n, mix.N))
    for k in range(n):
        c = rng.choice(mix.C, p=mix.p)
        alpha = rng.gamma(mix.m[c], 1 / mix.r[c])
        draws[k] = rng.multivariate_normal(
            mix.mu[c] + mix.nu[c] / np.sqrt(alpha), np.linalg.inv(alpha * mix.S[c])
        )
    return draws


def test_distribution_function_is_that_of_the_hierarchy():
    """Red if density or cdf belong to another model than c, alpha, x of the hierarchy."""
    mix = lopsided()
    x = by_definition(mix, 5000, np.random.default_rng(1))[:, 0]
    assert stats.kstest(x, mix.cdf).pvalue > 1e-3
    assert stats.kstest(mix.rvs(20_000, rng=np.random.default_rng(2)), mix.cdf).pvalue > 1e-3


def test_density_is_the_derivative_of_the_cdf_and_the_sum_of_its_components():
    """Red if weights are lost or applied twice."""
    mix = lopsided()
    mass, _ = integrate.quad(mix.pdf, -5, 3, points=[-1.5, 0.2], epsabs=1e-12, limit=200)
    assert mix.cdf(3.0) - mix.cdf(-5.0) == pytest.approx(mass, abs=1e-11)
    x = np.array([[-60.0, -1.0], [0.3, 45.0]])
    expected = sum(p * c.pdf(x) for p, c in zip(mix.p, mix.components, strict=True))
    np.testing.assert_allclose(mix.pdf(x), expected, rtol=1e-12)


def test_density_in_two_dimensions_by_monte_carlo():
    """Red if N > 1 is mixed up: the share of the hierarchy's points in a box is the density's integral."""
    mix = lopsided_in_two_dimensions()
    x = by_definition(mix, 10_000, np.random.default_rng(4))
    inside = ((x > [-0.5, 0.2]) & (x < [1.0, 1.5])).all(axis=1).mean()
    grid = np.stack(np.meshgrid(*(np.polynomial.legendre.leggauss(30)[0],) * 2, indexing="ij"), axis=-1)
    weights = np.outer(*(np.polynomial.legendre.leggauss(30)[1],) * 2)
    points = np.array([-0.5, 0.2]) + (grid + 1) / 2 * np.array([1.5, 1.3])
    share = float((mix.pdf(points) * weights).sum() * 1.5 * 1.3 / 4)
    assert abs(inside - share) < 4 * np.sqrt(share / len(x))


def test_mean_and_covariance():
    """Red if the spread of the means is left out, or taken about the wrong centre."""
    mix = lopsided_in_two_dimensions()
    x = mix.rvs(400_000, rng=np.random.default_rng(5))
    assert (np.abs(x.mean(axis=0) - mix.mean()) < 4.5 * np.sqrt(np.diag(mix.cov()) / len(x))).all()
    np.testing.assert_allclose(np.cov(x.T), mix.cov(), rtol=0.05, atol=0.02)
    one = lopsided()
    mean, _ = integrate.quad(lambda x: x * one.pdf(x), -np.inf, np.inf, limit=400)
    assert one.mean() == pytest.approx(mean, rel=1e-5)


def test_a_component_of_weight_zero_counts_for_nothing():
    """Red if log 0 or the undefined mean of an unused component leaks into the sum."""
    mix = Mixture(
        p=[1.0, 0.0], mu=[[0.2], [5.0]], nu=[[0.5], [1.0]], S=[[[2.0]], [[1.0]]], m=[2.4, 0.3], r=[1.4, 1.0]
    )
    alone = SkewStudent(0.2, 0.5, 2.0, 2.4, 1.4)
    assert mix.logpdf(0.7) == pytest.approx(float(alone.logpdf(0.7)), rel=1e-14)
    np.testing.assert_allclose(mix.mean(), alone.mean())
    np.testing.assert_allclose(mix.cov(), alone.cov())


def test_far_points_keep_a_finite_log_density():
    """Red if densities are added before the logarithm is taken."""
    assert np.isfinite(lopsided().logpdf([-1e300, 1e300, 0.0])).all()
    np.testing.assert_array_equal(lopsided().logpdf([np.inf, np.nan]), [-np.inf, np.nan])


def test_wrong_shapes_are_named():
    """Red if arrays that do not belong together pass."""
    with pytest.raises(InputError, match=r"nu must have the shape of \(2, 1\)"):
        Mixture(p=[0.5, 0.5], mu=[[0.0], [1.0]], nu=[0.0, 1.0], S=np.ones((2, 1, 1)), m=[2, 2], r=[1, 1])

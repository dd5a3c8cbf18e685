"""A group's posterior as kernels: moments, tails, and the evidence against quadrature."""

import numpy as np
import pytest
from scipy import integrate, stats

from nepers.segments.kernels import Kernels, draw, fit, log_evidence

MIXED = Kernels(np.array([0.5, 0.3, 0.2]), np.array([0.3, -0.4, 1.5]), np.array([0.05, 0.2, 0.01]))


def density(kernels, z):
    return sum(
        v * stats.norm.pdf(z, c, s**0.5)
        for v, c, s in zip(kernels.weights, kernels.centres, kernels.variances, strict=True)
    )


def product(z, m, tau):
    """L_g(z) times the family's density."""
    family = stats.norm.pdf(z, np.sqrt(1 - tau**2) * m, tau)
    return density(MIXED, z) / stats.norm.pdf(z) * family


@pytest.mark.parametrize(("m", "tau"), [(0.1, 0.05), (-0.7, 0.4), (1.2, 0.9), (0.0, 0.99)])
def test_the_evidence_is_the_integral_of_the_likelihood_over_the_family(m, tau):
    # red if: the prior is not divided out, or a constant that depends on m or tau is lost
    exact, _ = integrate.quad(product, -6, 6, args=(m, tau), points=[-0.4, 0.3, 1.5, m], limit=400)
    assert log_evidence(MIXED, np.array(m), np.array(tau)) == pytest.approx(np.log(exact), abs=1e-6)


def test_a_family_as_wide_as_the_prior_tells_nothing():
    # red if: the evidence is not normalised: with tau = 1 the family's density is the prior's
    found = log_evidence(MIXED, np.array([0.0, 0.5]), np.array([1.0 - 1e-9] * 2))
    np.testing.assert_allclose(found, 0.0, atol=1e-3)


@pytest.mark.parametrize(("m", "tau"), [(0.1, 0.3), (1.2, 0.7)])
def test_draws_have_the_law_of_the_product(m, tau):
    # red if: a kernel is chosen by its weight alone, or the draw is from the kernel alone
    grid = np.linspace(-4.0, 4.0, 8001)
    cdf = integrate.cumulative_trapezoid(product(grid, m, tau), grid, initial=0.0)
    z = draw(MIXED, np.full(5000, m), np.full(5000, tau), np.random.default_rng(1))
    test = stats.kstest(z, lambda x: np.interp(x, grid, cdf / cdf[-1]))
    assert test.pvalue > 0.001


def test_mean_and_variance_are_those_of_the_draws():
    # red if: smoothing widens the posterior, by some 5% at 1000 draws
    z = 0.4 + 0.05 * np.random.default_rng(2).standard_t(5, size=6000)
    kernels = fit(z, 1000.0)
    assert kernels.mean == pytest.approx(z.mean(), rel=1e-9)
    assert kernels.sd == pytest.approx(z.std(), rel=1e-6)


def test_a_heavy_tail_is_kept():
    # red if: the tail is that of a Gaussian kernel, which has 1e-7 of the density at 12 scales
    scale = 0.02
    z = 0.1 + scale * stats.t(3).ppf((np.arange(6000) + 0.5) / 6000)
    kernels = fit(z, 1000.0)
    for away in (-12.0, -5.0, 0.0, 2.0, 5.0, 12.0):
        exact = stats.t.pdf(away, 3) / scale
        assert density(kernels, 0.1 + scale * away) == pytest.approx(exact, rel=0.3)


def test_no_kernel_is_wide_beside_the_prior():
    # red if: a draw far out makes the likelihood grow without bound, and the family follow it
    z = np.concatenate([np.random.default_rng(3).standard_normal(5999), [6.0]])
    assert fit(z, 500.0).variances.max() < 0.1


@pytest.mark.parametrize("size", [2, 5, 80])
def test_few_draws_do_not_break_it(size):
    # red if: bins are empty, or a width is zero
    kernels = fit(np.random.default_rng(4).standard_normal(size), 4.0)
    assert kernels.weights.sum() == pytest.approx(1.0)
    assert np.isfinite(log_evidence(kernels, np.array(0.1), np.array(0.2)))

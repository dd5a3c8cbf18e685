"""The prior of the number of components and of their weights."""

import numpy as np
import pytest
from scipy import integrate, stats

from nepers.errors import InputError
from nepers.hierarchy import GeometricCount, SymmetricDirichlet


def test_count_is_the_papers_geometric():
    """Red if the exponent is C instead of C - 1, or kappa and 1 - kappa change places."""
    d = GeometricCount(0.9)
    C = np.arange(1, 2000)
    np.testing.assert_allclose(d.pmf(C[:5]), 0.1 * 0.9 ** np.arange(5), rtol=1e-13)
    assert d.pmf(C).sum() == pytest.approx(1.0)
    assert d.pmf(C) @ C == pytest.approx(d.mean())
    assert d.pmf(0) == 0.0
    assert d.pmf(1.5) == 0.0
    x = d.rvs(100_000, rng=np.random.default_rng(0))
    assert x.min() == 1
    assert x.mean() == pytest.approx(10.0, abs=4 * np.sqrt(90 / 1e5))
    for kappa in (0.0, 1.0):
        with pytest.raises(InputError, match="kappa"):
            GeometricCount(kappa)


def test_weights_have_the_ordinary_dirichlet_density():
    """Red if the paper's 1/sqrt(C) is counted: then the integral over the first C - 1 weights is not 1."""
    d = SymmetricDirichlet(1.7, 3)
    p = np.array([0.2, 0.5, 0.3])
    assert d.logpdf(p) == pytest.approx(stats.dirichlet([1.7] * 3).logpdf(p), rel=1e-12)
    mass, _ = integrate.dblquad(
        lambda v, u: float(np.exp(d.logpdf([u, v, 1 - u - v]))), 0, 1, 0, lambda u: 1 - u
    )
    assert mass == pytest.approx(1.0, rel=1e-6)
    assert d.logpdf([0.2, 0.5, 0.4]) == -np.inf
    assert SymmetricDirichlet(10.0, 1).logpdf([1.0]) == 0.0


def test_draws_are_dirichlet_even_where_weights_underflow():
    """Red if tiny eta gives 0/0: the share of draws led by the first weight is 1/C, and logs stay finite."""
    rng = np.random.default_rng(3)
    p = SymmetricDirichlet(0.8, 3).rvs(50_000, rng=rng)
    assert stats.kstest(p[:, 1], stats.beta(0.8, 1.6).cdf).pvalue > 1e-3
    logs = SymmetricDirichlet(1e-5, 4).log_rvs(4000, rng=rng)
    assert np.isfinite(logs).all()
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0, rtol=1e-12)
    assert np.bincount(logs.argmax(axis=1), minlength=4).min() > 1000 - 5 * np.sqrt(750)
    # for tiny eta, eta * (log of the largest - log of another) tends to an exponential
    gap = -1e-5 * np.sort(logs, axis=1)[:, -2]
    assert stats.kstest(gap, stats.expon(scale=1 / 3).cdf).pvalue > 1e-3

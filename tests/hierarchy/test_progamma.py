"""proGamma: kernels, constants, moments, draws, and what makes it the conjugate prior."""

import itertools

import mpmath as mp
import numpy as np
import pytest
from hierarchy import oracles
from scipy import integrate

from nepers.errors import InputError
from nepers.hierarchy import ProGamma, Wishart

# (a, b, N, type, lower): both tables' priors, the cut of type 2, and asymmetric others of every type
CASES = [
    (1.0, 3.0, 1, 1, None),
    (1.0, 2.0, 1, 1, None),
    (1.0, 20.0, 1, 2, None),
    (1.0, 0.01, 14, 1, None),
    (1.0, 3.0, 1, 2, 0.55),
    (0.3, 2.0, 3, 0, None),
    (0.3, 0.4, 2, 2, None),
    (2.0, 0.05, 3, 1, 1.2),
    (0.01, 50.0, 1, 2, 40.0),
    (0.001, 3.0, 1, 1, None),
]


@pytest.mark.parametrize("case", CASES)
def test_normaliser_and_moments_are_exact(case):
    """Red if the quadrature stops early, misses the cut, or the kernel is not the paper's."""
    d = ProGamma(*case)
    log_mass, mean, var = oracles.progamma_moments(*case[:4], d.lower, d.mean() - d.lower)
    assert abs(float(d.log_kernel(d.mean()) - d.logpdf(d.mean()) - log_mass)) < 1e-12 * max(1, abs(log_mass))
    assert abs(float(d.mean() / mean - 1)) < 1e-13
    assert abs(float(d.var() / var - 1)) < 1e-12


@pytest.mark.parametrize("case", CASES)
def test_kernel_is_the_papers_to_the_last_digits(case):
    """Red if Stirling's terms are dropped unevenly: they cancel to 1e-6 of themselves at the largest m."""
    d = ProGamma(*case)
    mp.mp.dps = 40
    for m in d.lower + np.array([1e-3, 0.3, 2.0, 14.0, 17.0, 1e3, 1e5]):
        truth = oracles.log_progamma_kernel(m, *case[:4])
        assert abs(float(d.log_kernel(m) - truth)) < 1e-12 * max(1.0, abs(float(truth)))
        slope = mp.diff(lambda v: oracles.log_progamma_kernel(v, *case[:4]), mp.mpf(float(m)))
        assert float(d.slope(m)) == pytest.approx(float(slope), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_draws_follow_the_density(case):
    """Red if a tangent piece gets the wrong mass, or the cut is ignored."""
    d = ProGamma(*case)
    x = d.rvs(20_000, rng=np.random.default_rng(CASES.index(case)))
    assert x.min() >= d.lower
    knots = np.quantile(x, np.linspace(0, 1, 41))
    mass = np.array([integrate.quad(d.pdf, u, v, epsabs=1e-10)[0] for u, v in itertools.pairwise(knots)])
    below = integrate.quad(d.pdf, d.lower, knots[0])[0]
    cdf = np.concatenate([[below], below + np.cumsum(mass)])
    # Kolmogorov's statistic at the knots; 2.0 / sqrt(n) is passed once in 1,500 true samples
    assert np.abs(cdf - np.linspace(0, 1, 41)).max() < 2.0 / np.sqrt(x.size)
    assert abs(x.mean() - d.mean()) < 4.5 * np.sqrt(d.var() / x.size)


@pytest.mark.parametrize("case", CASES)
def test_mode_is_the_highest_point_and_the_kernel_is_concave(case):
    """Red if the mode ignores the cut, or where the rejection envelope would not be above the density."""
    d = ProGamma(*case)
    m = d.lower + np.geomspace(1e-6, 50 * (d.mean() - d.lower), 4001)
    assert d.log_kernel(m).max() <= d.log_kernel(d.mode()) + 1e-12 * abs(d.log_kernel(d.mode()))
    assert (np.diff(d.slope(m)) <= 1e-10).all()
    assert ProGamma(2.0, 0.05, 3, 1, 1.2).mode() == 1.2


def test_it_is_conjugate_to_the_wishart_in_each_parameterisation():
    """Red if a or b mean something else: n Wisharts add n to b, and their statistic to a."""
    rng = np.random.default_rng(5)
    a, b, m = 0.7, 1.3, np.array([1.3, 1.9, 2.8, 6.0, 31.0])
    for N in (1, 2, 3):
        root = rng.normal(size=(N, N))
        T = root @ root.T + np.eye(N)
        S = Wishart(2.5, 1.4 * T).rvs(4, rng=rng)
        h = (N - 1) / 2
        for kind, factor in ((0, lambda m: 1.0), (1, lambda m: m - 1), (2, lambda m, h=h: m + h)):
            likelihood = np.array([Wishart(v, factor(v) * T).logpdf(S).sum() for v in m])
            # what multiplies m in the log likelihood, beyond the new -N b m and the factor's power
            tilt = np.linalg.slogdet(T)[1] + np.linalg.slogdet(S)[1].mean()
            if kind > 0:
                tilt += N - np.trace(T @ S.mean(axis=0))
            else:
                tilt += N
            posterior_a = a - 4 * tilt
            kernel = (
                ProGamma(a, b, N, kind).log_kernel(m)
                + likelihood
                - oracle_kernel(m, posterior_a, b + 4, N, kind)
            )
            np.testing.assert_allclose(kernel, kernel[0], rtol=1e-10, atol=1e-9)


def oracle_kernel(m, a, b, N, kind):
    """The paper's kernel without the rule a > 0, which a posterior of few data may break for type 0."""
    return np.array([float(oracles.log_progamma_kernel(v, a, b, N, kind)) for v in m])


def test_wrong_parameters_are_named():
    """Red if a non-positive a, an unknown type or a cut below the support passes."""
    for bad, words in [
        ((0, 1), "a must be above 0"),
        ((1, 1, 1, 3), "type must be"),
        ((1, 1, 1, 1, 0.5), "lower"),
    ]:
        with pytest.raises(InputError, match=words):
            ProGamma(*bad)
    assert ProGamma(1, 3).logpdf(0.99) == -np.inf
    assert ProGamma(1, 3).pdf(1.0) == 0.0

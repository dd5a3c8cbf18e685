"""The prior of the whole model: its density and its draws, each checked against the other's definition."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest
from hierarchy import oracles
from scipy import special, stats

from nepers.hierarchy import (
    Hyperparameters,
    Mixture,
    Parameters,
    ProGamma,
    SkewStudent,
    log_prior,
    paper,
    prostate,
    sample_prior,
)

COVARIANCE = np.array([[2.0, 0.3, -0.5], [0.3, 1.1, 0.2], [-0.5, 0.2, 0.8]])


def in_three_dimensions() -> Hyperparameters:
    return prostate([1.5, -0.3, 4.0], COVARIANCE).replace(kappa_C=0.7, m_R_S=3.0)


def written_out(q: Parameters, h: Hyperparameters) -> float:
    """The hierarchy for any N from scipy's distributions, with the proGammas by mpmath."""
    mix, N = q.mixture, h.N

    def wishart(S, m, R):
        return stats.wishart(2 * m + N - 1, np.linalg.inv(2 * R)).logpdf(S)

    def gaussian(x, mean, precision):
        return stats.multivariate_normal(mean, np.linalg.inv(precision)).logpdf(x)

    def progamma(m, a, b, dimension, kind, lower):
        scale = ProGamma(a, b, dimension, kind, lower).mean() - lower
        return (
            oracles.log_progamma_kernel(m, a, b, dimension, kind)
            - oracles.progamma_moments(a, b, dimension, kind, lower, scale)[0]
        )

    eta = h.kappa_eta / mix.C
    total = stats.geom(1 - h.kappa_C).logpmf(mix.C)
    total += math.lgamma(h.kappa_eta) - mix.C * math.lgamma(eta) + (eta - 1) * np.log(mix.p).sum()
    total += wishart(q.R_S_mu, h.m_R_S_mu, h.R_R_S_mu) + wishart(q.S_mu, h.m_S_mu, q.R_S_mu)
    total += gaussian(q.mu_mu, h.mu_mu_mu, h.S_mu_mu) + wishart(q.R_S, h.m_R_S, h.R_R_S)
    total += progamma(q.m_S, h.a_m_S, h.b_m_S, N, 1, 1.0)
    for c in range(mix.C):
        total += wishart(mix.S[c], q.m_S, (q.m_S - 1) * q.R_S)
        total += progamma(mix.m[c], h.a_m, h.b_m, h.N_m, h.shape_type, h.m_lower)
        total += gaussian(mix.nu[c], np.zeros(N), mix.S[c] / h.kappa_nu) + gaussian(
            mix.mu[c], q.mu_mu, q.S_mu
        )
    return float(total)


@pytest.mark.parametrize("h", [paper().replace(kappa_nu=0.4, kappa_C=0.7), in_three_dimensions()])
def test_log_prior_is_the_hierarchy_written_out(h):
    """Red if a line of the hierarchy is missing, or a precision is taken for a covariance."""
    for q in sample_prior(h, 3, rng=np.random.default_rng(7)):
        assert log_prior(q, h) == pytest.approx(written_out(q, h), rel=1e-9, abs=1e-8)


@pytest.mark.parametrize(
    "h", [paper(), paper().replace(shape_type=2, m_lower=0.55, C=3), in_three_dimensions()]
)
def test_changing_units_changes_the_log_prior_by_the_jacobian_only(h):
    """Red if ``scaled`` multiplies any constant by the wrong power of the unit."""
    u = 0.3
    for q in sample_prior(h, 4, rng=np.random.default_rng(8)):
        mix = q.mixture
        moved = Parameters(
            Mixture(mix.p, u * mix.mu, u * mix.nu, mix.S / u**2, mix.m, mix.r),
            u * q.mu_mu,
            q.S_mu / u**2,
            q.R_S_mu * u**2,
            q.m_S,
            q.R_S * u**2,
        )
        # N per location, N (N+1) per precision (inverse) and per rate of a precision
        N, C = h.N, mix.C
        powers = (2 * C + 1) * N - (C + 1) * N * (N + 1) + 2 * N * (N + 1)
        assert log_prior(moved, h.scaled(u)) == pytest.approx(
            log_prior(q, h) - powers * math.log(u), abs=1e-8
        )


def test_log_prior_knows_what_is_impossible():
    """Red if C is not held to the number fixed, or r to its rule."""
    h = paper().replace(C=2)
    q = sample_prior(h, rng=np.random.default_rng(1))
    assert q.mixture.C == 2
    assert np.isfinite(log_prior(q, h))
    assert log_prior(q, paper().replace(C=3)) == -math.inf
    assert log_prior(q, h.replace(shape_type=2)) == -math.inf


def test_prior_predictive_of_J_has_its_published_width():
    """Red if any level of the hierarchy is drawn on the wrong scale.

    An independent simulation of 200,000 draws put the 2.5 and 97.5 centiles of J at -2.57 and 2.57. Here
    the standard error of a centile of 40,000 draws is sqrt(.025 * .975 / 40000) / f, with a density f
    near 0.015 there: 0.05. The paper says about 2.
    """
    J = np.array([q.mixture.mean()[0] for q in sample_prior(paper(), 40_000, rng=np.random.default_rng(20))])
    low, middle, high = np.quantile(J, [0.025, 0.5, 0.975])
    assert low == pytest.approx(-2.57, abs=0.17)
    assert high == pytest.approx(2.57, abs=0.17)
    assert abs(middle) < 0.03


def test_draws_from_the_prior_follow_each_conditional():
    """Red if a level uses another draw's parent: each pivot's law is free of all parents."""
    h = in_three_dimensions().replace(shape_type=2, m_lower=0.55)
    draws = sample_prior(h, 4000, rng=np.random.default_rng(9))
    N, last = h.N, [q.mixture.C - 1 for q in draws]
    v = np.array([0.3, -1.0, 0.7])

    def chi2(S, m, R):
        return special.chdtr(2 * m + N - 1, (v @ S @ v) / (v @ np.linalg.inv(2 * R) @ v))

    def normal(x, mean, precision):
        return special.ndtr((v @ (x - mean)) / math.sqrt(v @ np.linalg.inv(precision) @ v))

    pairs = list(zip(draws, last, strict=True))
    uniforms = {
        "R_S_mu": [chi2(q.R_S_mu, h.m_R_S_mu, h.R_R_S_mu) for q in draws],
        "S_mu": [chi2(q.S_mu, h.m_S_mu, q.R_S_mu) for q in draws],
        "mu_mu": [normal(q.mu_mu, h.mu_mu_mu, h.S_mu_mu) for q in draws],
        "R_S": [chi2(q.R_S, h.m_R_S, h.R_R_S) for q in draws],
        "S_c": [chi2(q.mixture.S[c], q.m_S, (q.m_S - 1) * q.R_S) for q, c in pairs],
        "nu_c": [normal(q.mixture.nu[c], np.zeros(N), q.mixture.S[c] / h.kappa_nu) for q, c in pairs],
        "mu_c": [normal(q.mixture.mu[c], q.mu_mu, q.S_mu) for q, c in pairs],
        "p_c": [
            special.betainc(h.kappa_eta / (c + 1), h.kappa_eta * c / (c + 1), q.mixture.p[c])
            for q, c in pairs
            if c > 0
        ],
    }
    for name, values in uniforms.items():
        assert stats.kstest(values, "uniform").pvalue > 1e-4, name
    C = np.array(last) + 1
    assert C.mean() == pytest.approx(1 / 0.3, abs=4.5 * np.sqrt(0.7 / 0.09 / len(C)))
    m = np.concatenate([q.mixture.m for q in draws])
    prior = ProGamma(h.a_m, h.b_m, h.N_m, 2, 0.55)
    assert abs(m.mean() - prior.mean()) < 4.5 * math.sqrt(prior.var() / m.size)
    m_S = np.array([q.m_S for q in draws])
    prior = ProGamma(h.a_m_S, h.b_m_S, N, 1)
    assert abs(m_S.mean() - prior.mean()) < 4.5 * math.sqrt(prior.var() / m_S.size)
    assert all((q.mixture.r == q.mixture.m).all() for q in draws[:50])


def test_same_seed_same_draws():
    """Red if anything but the generator given is drawn from."""
    one, two = (sample_prior(paper(), 3, rng=np.random.default_rng(4)) for _ in range(2))
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a.mixture.mu, b.mixture.mu)
        assert a.m_S == b.m_S
    assert isinstance(one[0].mixture.components[0], SkewStudent)


def test_importing_the_hierarchy_needs_numpy_only():
    """Red if scipy, slow to import, is pulled in before it is used."""
    code = "import json, sys, nepers.hierarchy; print(json.dumps([m for m in sys.modules if 'scipy' in m]))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(result.stdout) == []

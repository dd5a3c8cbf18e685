"""Whole posteriors against truths found otherwise: an oracle, brute-force evidence, chains from other
starts."""

import math
from functools import cache
from pathlib import Path

import convergence
import numpy as np
import pytest
from arviz_stats.base import array_stats

from nepers.gibbs.chains import Sampler
from nepers.hierarchy import ProGamma, paper

DATA = Path(__file__).parent.parent / "data"

# at C = 6: mean and standard error, from a long run of an independent, plain sampler of the paper's model
ORACLE = {
    "J": (0.09424, 0.00014),
    "sd of J": (0.0161, 0.00015),
    "mu_mu": (0.193, 0.003),
    "R_S": (0.0301, 0.0001),
    "m_S - 1": (2.256, 0.012),
    "log S_mu": (2.401, 0.016),
    "R_S_mu": (0.270, 0.003),
    "largest weight": (0.3685, 0.0011),
    "log likelihood": (-96.938, 0.025),
}


def effective(draws):
    return min(float(array_stats.ess(draws, method="mean", chain_axis=0, draw_axis=1)), draws.size)


def oracle_z(hyperparameters, draws=20_000):
    x = np.loadtxt(DATA / "oracle_418.csv", skiprows=1)
    sampler = Sampler(x, hyperparameters, seed=8, chains=4, cores=2)
    sampler.warm_up(1_000)
    d = sampler.run(draws, thin=2)
    starts = d.first.ravel()
    J = d.J[..., 0]
    values = {
        "J": J,
        "sd of J": np.abs(J - J.mean()) ** 2,
        "mu_mu": d.mu_mu[..., 0],
        "R_S": d.R_S[..., 0, 0],
        "m_S - 1": d.m_S - 1.0,
        "log S_mu": np.log(d.S_mu[..., 0, 0]),
        "R_S_mu": d.R_S_mu[..., 0, 0],
        "largest weight": np.maximum.reduceat(d.p, starts).reshape(d.C.shape),
        "log likelihood": d.log_likelihood,
    }
    z = {}
    for name, (truth, error) in ORACLE.items():
        one = values[name]
        mean, own = one.mean(), one.std() / math.sqrt(effective(one))
        if name == "sd of J":
            mean, own = math.sqrt(mean), own / (2.0 * math.sqrt(mean))
        z[name] = (mean - truth) / math.hypot(error, own)
    return z


def test_the_oracle_at_six_components():
    """Red if any conditional is wrong by more than the oracle's own error; C = 6, 418 cases."""
    z = oracle_z(paper().replace(C=6))
    assert max(map(abs, z.values())) < 3.0, z


@pytest.mark.parametrize(
    "wrong", [{"kappa_nu": 1.3}, {"b_m_S": 2.5}, {"R_R_S_mu": 3.2}, {"kappa_eta": 20.0}, {"b_m": 9.0}]
)
def test_the_oracle_sees_wrong_constants(wrong):
    """Red if the test above could not fail: one constant of the table off."""
    z = oracle_z(paper().replace(C=6, **wrong), draws=4_000)
    assert max(map(abs, z.values())) > 4.0, z


# --------------------------------------------------------------------------- evidence


def evidence(x, C, h, draws, rng):
    """p(x | C) and its standard error: likelihoods averaged over the prior, written for N = 1 from the
    paper's lines.

    In place of the skew-Student density stands the Gaussian one given alpha, alpha drawn afresh for each case
    and component: its expectation is the same.
    """
    R_S_mu = rng.gamma(h.m_R_S_mu, 1.0 / h.R_R_S_mu[0, 0], draws)
    S_mu = rng.gamma(h.m_S_mu, 1.0 / R_S_mu)
    mu_mu = h.mu_mu_mu[0] + rng.standard_normal(draws) / math.sqrt(h.S_mu_mu[0, 0])
    m_S = ProGamma(h.a_m_S, h.b_m_S, 1, 1).rvs(draws, rng=rng)
    R_S = rng.gamma(h.m_R_S, 1.0 / h.R_R_S[0, 0], draws)
    p = rng.dirichlet(np.full(C, h.kappa_eta / C), draws)
    S = rng.gamma(m_S[:, None], 1.0 / ((m_S - 1.0) * R_S)[:, None], (draws, C))
    m = ProGamma(h.a_m, h.b_m, 1, 1).rvs((draws, C), rng=rng)
    nu = rng.standard_normal((draws, C)) * np.sqrt(h.kappa_nu / S)
    mu = mu_mu[:, None] + rng.standard_normal((draws, C)) / np.sqrt(S_mu)[:, None]
    likelihood = np.ones(draws)
    for one in x:
        alpha = rng.gamma(m, 1.0 / (m - 1.0))
        root = np.sqrt(alpha)
        f = root * np.sqrt(S / (2.0 * math.pi)) * np.exp(-0.5 * alpha * S * (one - mu - nu / root) ** 2)
        likelihood *= (p * f).sum(axis=1)
    return likelihood.mean(), likelihood.std() / math.sqrt(draws)


@cache
def evidences(x, most):
    h, rng = paper().replace(kappa_C=0.6), np.random.default_rng(12)
    return np.array([evidence(x, C, h, 100_000, rng) for C in range(1, most + 1)])


def count_z(hyperparameters, x, most=6, draws=40_000):
    """P(C | x) up to `most` from the sampler, less the same from the evidences, in standard errors."""
    h = paper().replace(kappa_C=0.6)
    found = evidences(x, most)
    weight = found[:, 0] * h.kappa_C ** np.arange(most)
    truth = weight / weight.sum()
    spread = found[:, 1] / found[:, 0]
    error = truth * np.sqrt(spread**2 * (1.0 - 2.0 * truth) + (truth**2 * spread**2).sum())
    sampler = Sampler(x, hyperparameters, seed=4, chains=2, cores=2)
    sampler.warm_up(200)
    C = sampler.run(draws).C
    z = []
    for c in range(1, most + 1):
        # a ratio of two means, so its error is that of the difference
        share = (most >= C).mean()
        mine = (c == C).mean() / share
        gap = ((c == C) - mine * (most >= C)) / share
        own = gap.std() / math.sqrt(effective(gap))
        z.append((mine - truth[c - 1]) / math.hypot(error[c - 1], own))
    return np.array(z)


@pytest.mark.parametrize("x", [(-1.5, 0.02, 0.03), (0.4, 0.5, 2.0)])
def test_count_against_the_evidence(x):
    """Red if the prior of C is bent by the jumps, by the Dirichlet's constants, or by empty components."""
    z = count_z(paper().replace(kappa_C=0.6), x)
    assert np.abs(z).max() < 4.0, z


def test_count_sees_a_wrong_constant():
    """Red if the test above could not fail: kappa_C 0.7 for 0.6."""
    assert np.abs(count_z(paper().replace(kappa_C=0.7), (0.4, 0.5, 2.0))).max() > 6.0


# --------------------------------------------------------------------------- starts


@pytest.mark.parametrize("data_set", [0, 1])
def test_chains_agree_wherever_they_start(data_set):
    """Red if chains from the truth, the prior, C = 1 and C = 15 stay apart: the paper's own test."""
    found = convergence.compare(*convergence.synthetic(data_set), draws=2_000, seed=data_set, cores=2)
    assert max(found.values()) < 1.03, found


def test_chains_agree_on_data_like_the_papers():
    """Red if C mixes so slowly that chains with few and with many components are side by side."""
    found = convergence.compare(convergence.paper_like(), None, draws=2_000, seed=1, cores=2)
    assert max(found.values()) < 1.03, found


@pytest.mark.slow
@pytest.mark.parametrize("data_set", range(10))
def test_chains_agree_on_ten_data_sets(data_set):
    """Red as above; the whole of the paper's test."""
    found = convergence.compare(*convergence.synthetic(data_set), draws=20_000, seed=data_set, cores=2)
    assert max(found.values()) < 1.01, found


def test_chains_that_do_not_move_are_seen():
    """Red if the comparison could not fail: chains of ten draws after no warm-up."""
    x = convergence.paper_like()
    found = convergence.compare(x, None, draws=10, seed=1, cores=2, warm_up=0)
    assert max(found.values()) > 1.1, found

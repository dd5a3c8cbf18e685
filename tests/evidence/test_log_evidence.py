"""Log evidences against the prior, closed forms, brute force, and nested sampling."""

import numpy as np
import pytest
from scipy import special, stats

from nepers.errors import InputError
from nepers.evidence import log_evidence
from nepers.hierarchy import ProGamma, paper, prostate, sample_prior


def brute_force(x, h, draws, seed=3):
    """log of the likelihood averaged over the prior, and its standard error."""
    rng = np.random.default_rng(seed)
    x = np.asarray(x, dtype=float)
    logs = np.array([one.mixture.logpdf(x).sum() for one in sample_prior(h, draws, rng=rng)])
    weight = np.exp(logs - logs.max())
    return np.log(weight.mean()) + logs.max(), weight.std() / weight.mean() / np.sqrt(draws)


def test_no_cases_have_evidence_zero():
    # red if: the constant of any density on the way is missing
    found = log_evidence([], paper())
    assert (found.value, found.error) == (0.0, 0.0)


CASES = {
    "one": (paper(), [0.3]),
    "two": (paper().replace(kappa_C=0.6), [0.4, -2.0]),
    "three, C fixed": (paper().replace(C=2), [-1.5, 0.02, 0.03]),
    "type 2": (paper().replace(shape_type=2, m_lower=0.55), [0.4, 0.5, 2.0]),
    "two dimensions": (prostate([0.0, 0.0], np.eye(2)), [[0.1, 0.4], [-1.0, 2.0]]),
}


@pytest.mark.parametrize("name", CASES)
def test_against_brute_force(name):
    # red if: a power, a block or a jump is wrong by more than the errors of the two
    h, x = CASES[name]
    truth, error = brute_force(x, h, 4_000)
    found = log_evidence(x, h, seed=1, target_error=0.05, max_seconds=3.0, ladders=2, cores=1)
    assert found.reliable
    assert abs(found.value - truth) < 4.0 * np.hypot(error, found.error), (found, truth, error)
    gap = found.stepping_stone.value - found.value
    assert abs(gap) < 5.0 * np.hypot(found.error, found.stepping_stone.error)


def conjugate(spread=0.5, between=2.0, centre=0.3):
    """Constants so firm that x ~ N(mu, spread^2) and mu ~ N(centre, between^2), each known to one in 1e4."""
    firm = 1e6
    return paper().replace(
        C=1, kappa_nu=1e-6, mu_mu_mu=centre, S_mu_mu=1e8, m_S_mu=firm, m_R_S_mu=firm,
        R_R_S_mu=1.0 / between**2, a_m=1e-4, b_m=1.0, a_m_S=1e-5, b_m_S=1.0,
        m_R_S=firm, R_R_S=firm / spread**2,
    )  # fmt: skip


def test_the_conjugate_limit():
    # red if: the evidence is off by a constant for every case, which small data do not show
    spread, between, centre = 0.5, 2.0, 0.3
    h = conjugate(spread, between, centre)
    x = np.random.default_rng(3).normal(1.0, 0.5, 30)
    truth = stats.multivariate_normal(
        np.full(30, centre), spread**2 * np.eye(30) + between**2 * np.ones((30, 30))
    ).logpdf(x)
    found = log_evidence(x, h, seed=2, target_error=0.05, max_seconds=8.0, ladders=2, cores=1)
    assert abs(found.value - truth) < 4.0 * found.error + 0.02, (found, truth)


def nested(x, h, live, seed):
    """log p(x | C = 1) by dynesty, over the nine parameters of one component and the levels above."""
    dynesty = pytest.importorskip("dynesty", reason="the referee is not installed")
    shape, precision_shape = ProGamma(h.a_m, h.b_m), ProGamma(h.a_m_S, h.b_m_S)
    grid = np.linspace(0.0, 1.0, 20_001)[1:-1]
    rng = np.random.default_rng(seed)
    # quantiles of the proGammas, for which there is no formula
    tables = [np.quantile(one.rvs(400_000, rng=rng), grid) for one in (shape, precision_shape)]

    def transform(u):
        R_S_mu = special.gammaincinv(h.m_R_S_mu, u[0]) / h.R_R_S_mu[0, 0]
        S_mu = special.gammaincinv(h.m_S_mu, u[1]) / R_S_mu
        mu = special.ndtri(u[2]) + special.ndtri(u[3]) / np.sqrt(S_mu)
        m_S = np.interp(u[4], grid, tables[1])
        R_S = special.gammaincinv(h.m_R_S, u[5]) / h.R_R_S[0, 0]
        S = special.gammaincinv(m_S, u[6]) / ((m_S - 1.0) * R_S)
        nu = special.ndtri(u[7]) * np.sqrt(h.kappa_nu / S)
        return np.array([mu, S, nu, np.interp(u[8], grid, tables[0]), R_S_mu, S_mu, m_S, R_S, 0.0])

    from nepers.gibbs.replica import Replica

    one = Replica(h, np.random.SeedSequence(1))
    one.upper["C"] = 1
    row = np.ascontiguousarray(np.asarray(x, dtype=float)[None, :])

    def log_likelihood(v):
        if not (np.isfinite(v).all() and v[1] > 0.0 and v[3] > 1.0):
            return -1e300
        c = one.components
        c["log_p"], c["mu"], c["S"], c["nu"], c["m"] = 0.0, v[0], v[1], v[2], v[3]
        found = one.log_likelihood(row, 1.0)
        return found if np.isfinite(found) else -1e300

    sampler = dynesty.NestedSampler(
        log_likelihood, transform, 9, nlive=live, rstate=np.random.default_rng(seed), sample="rwalk"
    )
    sampler.run_nested(dlogz=0.1, print_progress=False)
    return sampler.results.logz[-1], sampler.results.logzerr[-1]


@pytest.mark.parametrize(
    ("n", "live"),
    [(12, 60), *(pytest.param(*one, marks=pytest.mark.slow) for one in [(12, 400), (100, 500), (418, 500)])],
)
def test_against_nested_sampling(n, live):
    # red if: the evidence at C = 1 is not what another method finds
    x = np.random.default_rng(5).standard_t(3, n) * 0.4 + 0.1
    h = paper().replace(C=1)
    truth, error = nested(x, h, live, 4)
    found = log_evidence(x, h, seed=1, target_error=0.1, max_seconds=60.0)
    assert abs(found.value - truth) < 3.5 * np.hypot(error, found.error), (found, truth, error)


@pytest.mark.slow
@pytest.mark.parametrize("C", [None, 1, 3])
def test_the_error_is_right(C):
    # red if: the standard error is not that of repeated runs
    x = np.random.default_rng(6).standard_t(3, 60) * 0.4
    h = paper().replace(C=C)
    found = [log_evidence(x, h, seed=s, target_error=0.1, max_seconds=60.0) for s in range(24)]
    value, error = (np.array([getattr(one, name) for one in found]) for name in ("value", "error"))
    z = (value - np.average(value, weights=error**-2)) / error
    assert stats.chi2.sf((z**2).sum(), 23) > 1e-3
    assert stats.chi2.cdf((z**2).sum(), 23) > 1e-3


@pytest.mark.parametrize(
    ("x", "words"),
    [([1.0, np.inf], "finite"), ([[1.0, 2.0]], "row of 1"), ([0.5, 0.5], "twice")],
)
def test_what_is_refused(x, words):
    # red if: data without an evidence are sampled
    with pytest.raises(InputError, match=words):
        log_evidence(x, paper())

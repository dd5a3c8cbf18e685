"""The whole sweep: from (parameters, data) of the prior, and alternating with new data, it stays in the
prior.

First exactly: independent states of the prior, data given each, three sweeps given the data; what comes out
must be
a sample of the prior. Then Geweke's joint test: one long chain of a sweep, new data, a sweep, new data.
"""

import math
from functools import cache

import numpy as np
import pytest
from arviz_stats.base import array_stats
from exactness import drivers
from exactness.checks import caught, mean_p, right, same_p
from exactness.test_blocks import hyperparameters
from scipy import stats

from nepers.gibbs.chains import Sampler
from nepers.hierarchy import paper, sample_prior

COUNT = 10_000


def functionals(kept):
    """Bounded or light-tailed functions of J, C, log likelihood and every hyperparameter."""
    N = kept["mu_mu"].shape[1]

    def log_det(name):
        return np.linalg.slogdet(kept[name])[1]

    values = {
        "C": kept["C"].astype(float),
        "log likelihood": np.arctan(kept["log_likelihood"] / 5.0),
        "log (m_S - 1)": np.log(np.maximum(kept["m_S"] - 1.0, 1e-300)),
        "log S_mu": log_det("S_mu"),
        "log R_S_mu": log_det("R_S_mu"),
        "log R_S": log_det("R_S"),
    }
    for i in range(N):
        values |= {f"J {i}": np.arctan(kept["J"][:, i]), f"mu_mu {i}": kept["mu_mu"][:, i]}
    if N > 1:
        for name in ("S_mu", "R_S_mu", "R_S"):
            A = kept[name]
            values[f"correlation of {name}"] = A[:, 0, 1] / np.sqrt(A[:, 0, 0] * A[:, 1, 1])
    # what connects the levels with one another
    values["mu_mu and J"] = np.arctan(
        (kept["J"][:, 0] - kept["mu_mu"][:, 0]) * np.sqrt(kept["S_mu"][:, 0, 0])
    )
    values["S_mu R_S_mu"] = values["log S_mu"] + values["log R_S_mu"]
    return values


def settings(name):
    if name == "paper":
        return paper()
    if name == "type 2":
        return paper().replace(shape_type=2, m_lower=0.55, N_m=1)
    return hyperparameters(int(name))


@cache
def prior(name, seed):
    return sample_prior(settings(name), COUNT, rng=np.random.default_rng(seed))


@cache
def reference(name, n):
    """The functionals of independent draws of the prior, with the log likelihood of n cases drawn from
    each."""
    draws = prior(name, 2)
    kept = np.zeros(COUNT, drivers.kept_type(draws[0].mu_mu.size))
    for i, one in enumerate(draws):
        mix = one.mixture
        for field in ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S"):
            kept[field][i] = getattr(one, field)
        kept["C"][i] = mix.C
        kept["J"][i] = mix.mean()
    before, _ = drivers.try_jumps(78, 0, n, draws, settings(name))
    kept["log_likelihood"] = before[:, drivers.FUNCTIONALS.index("log likelihood")]
    return functionals(kept)


def sweep_p(name, n, thin=2, count=COUNT, **wrong):
    kept = drivers.try_sweeps(51, n, prior(name, 1)[:count], settings(name), thin, **wrong)
    values, truth = functionals(kept), reference(name, n)
    return {key: same_p(values[key], truth[key]) for key in truth}


SETTINGS = [("paper", 1), ("paper", 3), ("paper", 10), ("1", 10), ("2", 3), ("type 2", 3)]


@pytest.mark.parametrize(("name", "n"), SETTINGS)
def test_sweeps_keep_the_prior(name, n):
    """Red if anything in the sweep is wrong, also the order of its blocks: independent states, exact
    p-values."""
    right(sweep_p(name, n))


def kappa_nu_wrong(constants):
    constants["kappa_nu"] *= 10.0


def kappa_C_wrong(constants):
    constants["kappa_C"] *= 0.96


def m_S_type_wrong(constants):
    constants["m_S_type"] = 2


def rate_wrong(constants):
    constants["R_R_S"] *= 1.4


WRONG = [
    (10, {"skew": -1.0}),
    (10, {"mistake": kappa_nu_wrong}),
    (3, {"mistake": kappa_C_wrong}),
    (3, {"mistake": m_S_type_wrong}),
    (3, {"mistake": rate_wrong}),
]


@pytest.mark.parametrize(("n", "wrong"), WRONG[1:])
def test_wrong_sweeps_are_caught(n, wrong):
    """Red if the test above could not fail: a constant is wrong."""
    caught(sweep_p("paper", n, thin=6, count=6_000, **wrong))


def chain_p(name, n, count=24_000, **wrong):
    """Geweke's test: z of every mean by the effective number of draws; and ranks of draws far apart."""
    h = settings(name)
    chains = [drivers.try_chain(60 + i, n, prior(name, 1)[i], h, count // 4, **wrong) for i in range(4)]
    truth = reference(name, n)
    values = [functionals(kept) for kept in chains]
    p = {}
    for key in truth:
        draws = np.array([one[key] for one in values])
        size = min(float(array_stats.ess(draws, method="mean", chain_axis=0, draw_axis=1)), draws.size)
        variance = draws.var() / size + truth[key].var() / truth[key].size
        p[f"mean of {key}"] = 2.0 * stats.norm.sf(abs(draws.mean() - truth[key].mean()) / math.sqrt(variance))
        gap = math.ceil(3.0 * draws.size / size)
        p[f"ranks of {key}"] = same_p(draws[:, gap::gap].ravel(), truth[key])
    return p


@pytest.mark.parametrize(("name", "n"), [("paper", 1), ("paper", 3), ("paper", 10), ("2", 3), ("type 2", 3)])
def test_geweke(name, n):
    """Red if the sweep and the data's distribution do not belong to the same joint distribution."""
    right(chain_p(name, n))


# a wrong kappa_nu moves a long chain too little to be sure of, and a wrong type of m_S soon makes it NaN
@pytest.mark.parametrize(("n", "wrong"), [WRONG[0], WRONG[2], WRONG[4]])
def test_wrong_chains_are_caught(n, wrong):
    """Red if Geweke's test could not fail."""
    caught(chain_p("1" if "skew" in wrong else "paper", n, **wrong))


@pytest.fixture(scope="module")
def without_data():
    return Sampler(np.empty(0), paper(), seed=3, chains=4, cores=2).run(20_000)


def test_no_data_gives_the_prior(without_data):
    """Red if the sweep needs a case to be right; J has the centiles ±2.57 that the hierarchy has (the paper:
    ±2)."""
    J = without_data.J[..., 0]
    for share, truth in ((0.025, -2.57), (0.975, 2.57)):
        below = (truth >= J).astype(float)
        size = float(array_stats.ess(below, method="mean", chain_axis=0, draw_axis=1))
        # 2.57 is rounded, and from 200,000 draws
        slack = 0.005 * 0.012 + math.sqrt(share * (1 - share) / 200_000) * 3
        assert abs(below.mean() - share) < 3.0 * math.sqrt(share * (1 - share) / size) + slack
        assert size > 3_000


def test_no_data_gives_the_prior_of_C_exactly(without_data):
    """Red if C's prior gains or loses weight in the jumps or the telescoping step."""
    C = without_data.C
    for at_most in (1, 2, 5, 10, 30):
        inside = (at_most >= C).astype(float)
        size = float(array_stats.ess(inside, method="mean", chain_axis=0, draw_axis=1))
        truth = 1.0 - 0.9**at_most
        assert abs(inside.mean() - truth) < 4.0 * math.sqrt(truth * (1.0 - truth) / size)
    assert (without_data.log_likelihood == 0.0).all()


def test_means_of_the_prior(without_data):
    """Red if the top level is not what its names say; every mean in closed form."""
    d = without_data
    one = {
        "mu_mu": (d.mu_mu[..., 0], 0.0),
        "R_S_mu": (d.R_S_mu[..., 0, 0], 2.0 / 2.8),
        "R_S": (d.R_S[..., 0, 0], 2.0 / 200.0),
    }
    p = {}
    for name, (draws, truth) in one.items():
        size = float(array_stats.ess(draws, method="mean", chain_axis=0, draw_axis=1))
        p[name] = 2.0 * stats.norm.sf(
            abs(draws.mean() - truth) / (draws.std() / math.sqrt(min(size, draws.size)))
        )
    right(p)
    assert mean_p(np.array([1.0, 2.0, 3.0, 4.0]), 2.5) == 1.0

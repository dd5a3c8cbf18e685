"""The tempered sampler against the prior weighted by the tempered likelihood; states from the prior."""

import numpy as np
import pytest
from scipy import stats

from nepers.gibbs.replica import Replica
from nepers.hierarchy import paper, prostate, sample_prior

X1 = np.array([[-1.5, 0.02, 0.4]])
X2 = np.array([[-1.0, 0.2, 0.9], [0.3, -0.2, 1.5]])
SETS = {
    "C unknown": (paper().replace(kappa_C=0.6), X1),
    "C fixed": (paper().replace(C=2), X1),
    # shapes below 1/2 give alpha's density a pole at zero, at powers below 1/N
    "two dimensions, low shapes": (
        prostate([0.0, 0.0], np.eye(2)).replace(kappa_C=0.5, a_m=1.0, b_m=0.5, b_m_S=2.0, m_R_S=4.0),
        X2,
    ),
}


def seen(upper, components):
    """Numbers of a state that every block has a hand in, all with moments."""
    p = np.exp(components["log_p"])
    S = np.array([np.linalg.slogdet(one)[1] for one in components["S"]])
    z = np.einsum("ci,cij,cj->c", components["nu"], components["S"], components["nu"])
    return [
        len(p),
        np.tanh(p @ components["mu"][:, 0]),
        np.tanh(upper["mu_mu"][0, 0]),
        p @ S,
        p @ np.log(components["m"]),
        p @ np.tanh(z),
        p.max(),
        np.log(upper["S_mu"][0, 0, 0]),
        np.log(upper["R_S"][0, 0, 0]),
        np.log(upper["r_S"][0]),
    ]


def from_prior(h, draws):
    """The same numbers of independent draws, with the replica that can weigh them."""
    one = Replica(h, np.random.SeedSequence(7))
    for _ in range(draws):
        one.draw_from_prior()
        yield one


def compared(h, x, sampled_at, weighed_at, draws=4_000):
    """z of every number: chains at a power, against the prior weighed by the likelihood at a power."""
    values, log_weight = [], []
    for one in from_prior(h, 3 * draws):
        values.append(seen(one.upper, one.components))
        log_weight.append(one.log_likelihood(x, weighed_at))
    values = np.array(values)
    weight = np.exp(np.array(log_weight) - np.max(log_weight))
    weight /= weight.sum()
    truth = weight @ values
    truth_error = np.sqrt((weight**2) @ (values - truth) ** 2)
    chains = []
    for seed in range(4):
        chain = Replica(h, np.random.SeedSequence(seed))
        chain.sweep(x, sampled_at, 50, 3)
        kept = []
        for _ in range(draws // 4):
            chain.sweep(x, sampled_at, 2, 3)
            kept.append(seen(chain.upper, chain.components))
        chains.append(kept)
    from arviz_stats.base import array_stats

    z = []
    for i, (mean, error) in enumerate(zip(truth, truth_error, strict=True)):
        one = np.array(chains)[:, :, i]
        if np.ptp(one) == 0.0:
            continue
        ess = min(float(array_stats.ess(one, method="mean", chain_axis=0, draw_axis=1)), one.size)
        z.append((one.mean() - mean) / np.hypot(error, one.std() / np.sqrt(ess)))
    return np.array(z)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("power", [0.15, 0.6])
def test_the_chain_is_the_weighted_prior(name, power):
    # red if: a block, a jump or a renewal counts the cases otherwise than by the power
    h, x = SETS[name]
    z = compared(h, x, power, power)
    assert np.abs(z).max() < 4.0, z


def test_another_power_is_seen():
    # red if: the test above could not fail
    h, x = SETS["C unknown"]
    assert np.abs(compared(h, x, 0.3, 0.7)).max() > 5.0


@pytest.mark.parametrize("name", SETS)
def test_states_from_the_prior(name):
    # red if: a level is drawn given what stood there before, in place of from the top
    h, _ = SETS[name]
    mine = np.array([seen(one.upper, one.components) for one in from_prior(h, 3_000)])
    theirs = []
    for one in sample_prior(h, 3_000, rng=np.random.default_rng(1)):
        mix = one.mixture
        c = {"log_p": np.log(mix.p), "mu": mix.mu, "nu": mix.nu, "S": mix.S, "m": mix.m}
        u = {"mu_mu": one.mu_mu[None], "S_mu": one.S_mu[None], "R_S": one.R_S[None], "r_S": [one.m_S - 1.0]}
        theirs.append(seen(u, c))
    p = [stats.ks_2samp(a, b).pvalue for a, b in zip(mine.T, np.array(theirs).T, strict=True)]
    assert min(p) > 1e-4, p

"""J given the recalibration: the Bayesian bootstrap in closed form, ties, and the y that were not seen."""

import numpy as np
import pytest
from scipy import special, stats

from nepers.rare.expectation import Groups, _New, expectations

DRAWS = 40_000
CALIBRATED = np.zeros((DRAWS, 2))


def groups_of(logit, cases=None, rate=0.05):
    log_q = np.stack([special.log_expit(-logit), special.log_expit(logit)])
    log_p = np.repeat(np.log([[1.0 - rate], [rate]]), logit.size, axis=1)
    counts = np.ones(logit.size) if cases is None else np.asarray(cases, dtype=float)
    return Groups(log_q, log_p, np.ones(log_q.shape, dtype=bool), counts)


def divergence(g):
    return (np.exp(g.log_q) * (g.log_q - g.log_p)).sum(axis=0)


def test_without_new_y_it_is_the_bayesian_bootstrap():
    # red if: weights are not Dirichlet(1, ..., 1): then the variance is that of the cases over n + 1
    g = groups_of(np.random.default_rng(1).normal(-3.0, 2.0, 30))
    J = expectations(g, CALIBRATED, 0.0, np.random.default_rng(2))
    kl = divergence(g)
    sd = kl.std() / np.sqrt(31.0)
    assert J.mean() == pytest.approx(kl.mean(), abs=5.0 * sd / np.sqrt(DRAWS))
    assert J.std() == pytest.approx(sd, rel=0.03)


@pytest.mark.parametrize("fresh", [0.0, 5.0])
def test_equal_cases_are_one_group(fresh):
    # red if: a group of four counts for one, or the mean of the new y counts groups
    logit, cases = np.array([-4.0, -2.0, 0.5]), [4, 2, 1]
    one = expectations(groups_of(logit, cases), CALIBRATED, fresh, np.random.default_rng(3))
    other = expectations(groups_of(np.repeat(logit, cases)), CALIBRATED, fresh, np.random.default_rng(4))
    assert stats.ks_2samp(one, other).pvalue > 1e-3


def test_new_y_are_as_a_student_with_three_degrees_of_gaussian_cases():
    # red if: the stretch is its square, or is taken about 0 and not about the mean
    g = groups_of(stats.norm.ppf((np.arange(2000) + 0.5) / 2000) - 3.0)
    new = _New.like(g, np.ones(2000, dtype=bool))
    theta = np.zeros((4000, 2))
    # of binary cases with p = Q, j grows with |logit| beyond the prior's; look through the logit itself
    g_odds = Groups(g.log_q, g.log_q * 0.0 - np.log(2.0), g.possible, g.cases)
    kl = _New.like(g_odds, np.ones(2000, dtype=bool)).j(theta, np.random.default_rng(5)).ravel()
    p = special.expit(stats.t.ppf((np.arange(100_000) + 0.5) / 100_000, 3) - 3.0)
    wanted = -special.entr(p) - special.entr(1.0 - p) + np.log(2.0)
    assert np.quantile(kl, [0.05, 0.25, 0.5, 0.75, 0.95]) == pytest.approx(
        np.quantile(wanted, [0.05, 0.25, 0.5, 0.75, 0.95]), abs=0.01
    )
    assert new.apart.shape == (4, 2000)


def test_of_one_and_the_same_y_there_is_nothing_new():
    # red if: rounding in the spread of equal cases makes new ones of them
    g = groups_of(np.full(1, -1.0), [20])
    J = expectations(g, CALIBRATED[:100], 8.0, np.random.default_rng(6))
    assert pytest.approx(np.full(100, divergence(g)[0]), rel=1e-12) == J


def test_claims_of_certainty_keep_their_share():
    # red if: the new y are all uncertain, so that few cases without a claim outweigh many with one
    log_q = np.array([[0.0, special.log_expit(1.0)], [0.0, special.log_expit(-1.0)]])
    g = Groups(
        log_q,
        np.log([[0.5, 0.5], [0.0 + 1.0, 0.5]]),
        np.array([[True, True], [False, True]]),
        np.array([30.0, 10.0]),
    )
    J = expectations(g, CALIBRATED, 40.0, np.random.default_rng(7))
    uncertain = divergence(
        Groups(log_q[:, 1:], np.log(np.full((2, 1), 0.5)), g.possible[:, 1:], g.cases[1:])
    )[0]
    assert J.mean() == pytest.approx(0.75 * np.log(2.0) + 0.25 * uncertain, abs=0.003)

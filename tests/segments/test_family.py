"""The family against quadrature: groups whose likelihoods are Gaussian with known standard errors."""

import numpy as np
import pytest
from scipy import stats

from nepers.segments import kernels
from nepers.segments.family import APART, TAU_SCALE, pool
from nepers.segments.kernels import Kernels, fit

Y = np.array([0.9, 1.4, 0.2, 1.1])
S = np.array([0.7, 0.3, 0.5, 0.9])


def own_draws(y, s, size=2000):
    """The quantiles of the posterior under the Gaussian(0, 1) prior."""
    return y / (1 + s**2) + s / np.sqrt(1 + s**2) * stats.norm.ppf((np.arange(size) + 0.5) / size)


def exactly(y, s):
    """The one kernel that is the posterior."""
    return Kernels(np.ones(1), np.array([y / (1 + s**2)]), np.array([s**2 / (1 + s**2)]))


def oracle(y, s, half=5.0, centre=0.0):
    """Posterior means and standard deviations of z_g, m and tau: by conjugacy, and by brute force."""
    m = (centre + np.linspace(-half, half, 1501))[:, None]
    tau = (np.arange(400)[None, :] + 0.5) / 400
    a, log_p, moments = np.sqrt(1 - tau**2), -0.5 * m**2 - np.log1p((tau / TAU_SCALE) ** 2), []
    for yy, ss in zip(y, s, strict=True):
        inside = (1 - APART) * stats.norm.pdf(yy, a * m, np.sqrt(ss**2 + tau**2))
        outside = APART * stats.norm.pdf(yy, 0.0, np.sqrt(ss**2 + 1))
        log_p, part = log_p + np.log(inside + outside), inside / (inside + outside)
        precision = ss**-2 + tau**-2
        drawn, alone = (yy / ss**2 + a * m / tau**2) / precision, yy / (1 + ss**2)
        first = part * drawn + (1 - part) * alone
        second = part * (drawn**2 + 1 / precision) + (1 - part) * (alone**2 + ss**2 / (1 + ss**2))
        moments.append((first, second))
    moments += [(m, m**2), (tau, tau**2)]
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    mean = np.array([(p * first).sum() for first, _ in moments])
    return mean, np.sqrt(np.array([(p * second).sum() for _, second in moments]) - mean**2)


def errors(family, y, s):
    """The largest error of a mean, and of a standard deviation, in units of the posterior's own."""
    mean, sd = oracle(y, s)
    found = np.column_stack([family.z, family.m, family.tau])
    return np.abs((found.mean(axis=0) - mean) / sd).max(), np.abs(found.std(axis=0) / sd - 1).max()


def pooled(y, s, draws=8000, seed=1):
    own = [own_draws(a, b) for a, b in zip(y, s, strict=True)]
    return pool([fit(z, 2000.0) for z in own], own, draws, np.random.default_rng(seed))


def test_the_posterior_is_that_of_quadrature():
    # red if: any of the priors, the probability of standing apart, or the evidence is another
    # 8000 draws: a mean has an error of 0.011 and a standard deviation one of about 0.01; 4 of them
    mean, sd = errors(pooled(Y, S), Y, S)
    assert mean < 0.045
    assert sd < 0.05


def test_forgetting_to_divide_by_the_prior_is_seen(monkeypatch):
    # red if: the test above would pass a sampler that counts pi0 once for every group and the family too
    def undivided(m, tau):
        return np.sqrt(1 - tau**2) * m, tau**2 + 0 * m, 0 * (m + tau)

    monkeypatch.setattr(kernels, "over_prior", undivided)
    assert errors(pooled(Y, S), Y, S)[0] > 0.2


def test_the_grid_follows_very_narrow_posteriors():
    # red if: cells stay where the prior is, a thousand times too wide
    y, s = np.linspace(0.498, 0.502, 8), np.full(8, 0.002)
    ones = [exactly(a, b) for a, b in zip(y, s, strict=True)]
    family = pool(ones, [own_draws(a, b) for a, b in zip(y, s, strict=True)], 4000, np.random.default_rng(2))
    # complete pooling would give a standard error of 0.002 / sqrt(8), none at all 0.002
    assert np.abs(family.m.mean() - 0.5) < 0.0005
    assert 0.002 / 8**0.5 < family.z.std(axis=0).max() < 0.002


def test_groups_that_are_alike_become_nearly_one():
    # red if: tau cannot be small, or what the groups know is not shared
    y, s = np.full(40, 0.2), np.full(40, 0.4)
    family = pooled(y, s, draws=2000)
    assert np.abs(family.z.mean() - 0.2) < 0.1
    assert family.z.std(axis=0).max() < 0.4 / 2


def test_groups_far_from_one_another_are_left_alone():
    # red if: groups are drawn together whatever their cases say
    y, s = np.array([-2.5, -1.0, 0.0, 1.2, 2.4]), np.full(5, 0.02)
    found = pooled(y, s).z
    np.testing.assert_allclose(found.mean(axis=0), y, atol=0.01)
    np.testing.assert_allclose(found.std(axis=0), 0.02, rtol=0.06)


def test_one_group_unlike_the_others_stands_apart():
    # red if: it is drawn to the family, or widens it so that the others are no longer drawn together
    y, s = np.array([0.1, 0.12, 0.08, 0.1, 0.13, 0.07, 3.0]), np.full(7, 0.1)
    family = pooled(y, s)
    assert family.apart[:, -1].mean() > 0.9
    assert family.apart[:, :-1].mean() < 0.05
    assert family.z[:, -1].mean() == pytest.approx(3.0 / 1.01, abs=0.02)
    assert family.z[:, 0].std() < 0.075


def test_a_group_with_hardly_any_cases_goes_to_the_others_and_not_to_the_prior():
    # red if: a small group keeps its own posterior, which is mostly the prior's, centred on 0
    y, s = np.array([1.5, 1.45, 1.55, 1.5, 1.52, 0.0]), np.array([0.05] * 5 + [3.0])
    small = pooled(y, s).z[:, -1]
    assert np.median(small) == pytest.approx(1.5, abs=0.05)
    assert np.quantile(small, 0.9) - np.quantile(small, 0.1) < 0.5


def test_intervals_of_the_extreme_group_are_calibrated():
    # red if: shrinkage is too weak or too strong. Worlds drawn from the prior itself: then the interval of
    # whatever group the data single out contains the truth 95 times in 100. 300 worlds: 3.3 sds are 4.2
    rng, worlds, G, s = np.random.default_rng(5), 300, 12, 0.3
    inside = alone = 0
    for _ in range(worlds):
        m, tau = rng.standard_normal(), TAU_SCALE * np.tan(rng.random() * np.arctan(1 / TAU_SCALE))
        apart, e = rng.random(G) < APART, rng.standard_normal(G)
        truth = np.where(apart, e, np.sqrt(1 - tau**2) * m + tau * e)
        y = truth + s * rng.standard_normal(G)
        ones = [exactly(a, s) for a in y]
        z = pool(ones, [own_draws(a, s, 500) for a in y], 500, rng).z
        worst = int(np.argmin(z.mean(axis=0)))
        lower, upper = np.quantile(z[:, worst], [0.025, 0.975])
        inside += lower < truth[worst] < upper
        worst = int(np.argmin(y))
        alone += abs(truth[worst] - ones[worst].mean) < 1.96 * ones[worst].sd
    assert inside / worlds > 0.905
    assert alone / worlds < 0.88

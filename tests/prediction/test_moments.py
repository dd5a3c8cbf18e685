"""The mean and covariance of cases with gaps, against the sample's own, the likelihood, and scipy."""

import numpy as np
import pytest
from scipy import optimize, stats

from nepers.errors import InputError
from nepers.prediction.moments import _truncated, robust_moments
from nepers.prediction.observations import Observations


def table(n=400, N=4, seed=2):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, N)) @ (np.eye(N) + 0.5) + np.arange(N)


def observed(x, censored=0.4, missing=0.2, seed=3):
    rng = np.random.default_rng(seed)
    values = np.where(rng.random(x.shape) < missing, np.nan, x)
    z = np.quantile(x[:, 0], 1.0 - censored) + 0.5 * rng.standard_normal(len(x))
    lower = np.minimum(x[:, 0], z)
    return Observations(values, lower, np.where(x[:, 0] > z, np.inf, lower))


def test_whole_tables_have_their_own_moments():
    """Red if the divisor is n, or anything is added where nothing is missing."""
    x = table()
    mean, cov = robust_moments(Observations(x, x[:, 0], x[:, 0]))
    assert np.allclose(mean, x.mean(axis=0), rtol=1e-13)
    assert np.allclose(cov, np.cov(x.T), rtol=1e-12)


def test_units_do_not_matter():
    """Red if a column in other units, or far from zero, changes another."""
    x = table()
    given = observed(x)
    unit, shift = np.array([1e3, 1e-6, 1.0, 1e6]), np.array([0.0, 5.0, -1e3, 1e7])
    moved = Observations(given.values * unit + shift, given.lower * 1e3, given.upper * 1e3)
    mean, cov = robust_moments(given)
    mean_moved, cov_moved = robust_moments(moved)
    assert np.allclose(mean_moved, mean * unit + shift, rtol=1e-6)
    assert np.allclose(cov_moved, cov * np.outer(unit, unit), rtol=1e-5, atol=0.0)


def log_likelihood(given, mean, cov):
    total = 0.0
    known = given.known
    for row, low, high in zip(known, given.lower, given.upper, strict=True):
        there = ~np.isnan(row)
        if there.any():
            total += stats.multivariate_normal.logpdf(row[there], mean[there], cov[np.ix_(there, there)])
        if np.isnan(row[0]) and np.isfinite([low, high]).any():
            m, v = mean[0], cov[0, 0]
            if there.any():
                slope = np.linalg.solve(cov[np.ix_(there, there)], cov[there, 0])
                m, v = m + slope @ (row[there] - mean[there]), v - slope @ cov[there, 0]
            ends = stats.norm.cdf([low, high], m, np.sqrt(v))
            total += np.log(ends[1] - ends[0])
    return total


def test_the_moments_have_the_greatest_likelihood():
    """Red if a censored case's mean or left-over covariance is wrong: the slope is not zero then."""
    x = table(60, 2)
    given = observed(x, missing=0.0)
    ends = given.lower.copy(), given.upper.copy()
    ends[0][:10], ends[1][:10] = -np.inf, x[:10, 0] + 0.5  # left
    ends[0][10:20], ends[1][10:20] = x[10:20, 0] - 0.7, x[10:20, 0] + 0.3  # intervals
    given = Observations(given.values, *ends)
    mean, cov = robust_moments(given)
    n = 60
    # without the divisor n - 1 and without the added cases, which have the same variances
    more = 3 * float(np.isnan(given.known).mean())
    free = cov * (n - 1) / n
    free[0, 1] = free[1, 0] = free[0, 1] * (n + more) / n

    def at(v):
        return log_likelihood(given, v[:2], np.array([[v[2], v[3]], [v[3], v[4]]]))

    best = optimize.minimize(lambda v: -at(v), [*mean, free[0, 0], free[0, 1], free[1, 1]], tol=1e-6)
    assert np.allclose(best.x[:2], mean, atol=0.02)
    assert np.allclose(best.x[2:], [free[0, 0], free[0, 1], free[1, 1]], atol=0.05)
    single = Observations(given.values[:, :1], *ends)
    mean, cov = robust_moments(single)
    one = optimize.minimize(
        lambda v: -log_likelihood(single, v[:1], np.array([[v[1]]])), [mean[0], cov[0, 0]], tol=1e-8
    )
    assert np.allclose(one.x, [mean[0], cov[0, 0] * (n - 1) / n], atol=1e-4)


def test_truncated_moments():
    """Red if a tail is mirrored wrongly, or cancels."""
    a = np.array([-np.inf, -np.inf, -np.inf, -1.0, 0.5, 3.0, 8.0, -9.0, 20.0, 1.0])
    b = np.array([0.0, -6.0, 5.0, 2.0, np.inf, 4.0, np.inf, -8.5, np.inf, 1.01])
    mean, variance = _truncated(a, b)
    for i in range(a.size):
        truth = stats.truncnorm(a[i], b[i])
        assert mean[i] == pytest.approx(truth.mean(), rel=1e-8, abs=1e-12)
        assert variance[i] == pytest.approx(truth.var(), rel=1e-4, abs=1e-10)
    mean, variance = _truncated(np.array([0.3]), np.array([0.3 + 1e-9]))
    assert mean[0] == pytest.approx(0.3)
    assert 0.0 <= variance[0] < 1e-17


def test_many_gaps_leave_an_inverse():
    """Red if too few cases with too many gaps give a covariance that is singular."""
    x = table(60, 25)
    mean, cov = robust_moments(observed(x, missing=0.5))
    assert np.isfinite(mean).all()
    assert np.linalg.eigvalsh(cov)[0] > 1e-4


def columns(**change):
    x = table(50, 3)
    for i, values in change.items():
        x[:, int(i[1:])] = values
    return Observations(x, x[:, 0], x[:, 0])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            lambda: columns(_1=2.0),
            r"values\[:, 1\] must hold two different .* they hold only 2",
        ),
        (lambda: columns(_1=np.nan), r"values\[:, 1\] .* they hold no exact value"),
        (lambda: columns(_0=1.0), "lower and upper must hold two different exact values at least"),
        (lambda: columns(_2=table(50, 3)[:, 1] * 3.0 + 1.0), "determine one another; 1 and 2 do"),
        (lambda: Observations(table(3, 3), np.arange(3.0), np.arange(3.0)), "more cases than coordinates"),
        (lambda: Observations(table(9, 3), np.zeros(9), np.full(9, np.inf)), "they hold no exact value"),
    ],
)
def test_what_has_no_covariance_is_refused(given, words):
    """Red if a constant or duplicated column, too few cases, or nothing but censored times goes through."""
    with pytest.raises(InputError, match=words):
        robust_moments(given())

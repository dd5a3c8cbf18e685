"""Predictive probabilities of new cases are calibrated, on data from the prior."""

import numpy as np
import pytest
from scipy import stats

from nepers.hierarchy import prostate, sample_prior
from nepers.prediction.observations import Noise, Observations
from nepers.prediction.sampling import draw_posterior

GRID = np.linspace(-12.0, 12.0, 1201)
COUNT = 300


def predicted(seed):
    """The distribution function of one new case's time given its covariate, at its true time and at a cut."""
    rng = np.random.default_rng(seed)
    h = prostate(np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]))
    truth = sample_prior(h, rng=rng)
    x = truth.mixture.rvs(31, rng=rng)
    noise = Noise(5.0, 100.0 * np.eye(2))
    beta = rng.gamma(5.0, 1.0 / 5.0, (31, 1))
    y = x + 0.1 * rng.standard_normal((31, 2)) / np.sqrt(beta)
    cut = 0.5 + rng.standard_normal(30)
    lower = np.minimum(y[:30, 0], cut)
    upper = np.where(y[:30, 0] > cut, np.inf, lower)
    values = np.where(rng.random((30, 2)) < 0.2, np.nan, y[:30])
    given = Observations(values, lower, upper)
    draws = draw_posterior(given, noise, h, seed=seed, chains=1, draws=80, warm_up=200, thin=5)
    at = np.column_stack([GRID * 3.0, np.full(GRID.size, x[30, 1])])
    # the draws are weighed by what they give to the covariate, being joint densities
    density = sum(draws.mixture(0, k).pdf(at) for k in range(draws.draws))
    cdf = np.cumsum(density) / density.sum()
    return np.interp([x[30, 0], 0.5 + rng.standard_normal()], GRID * 3.0, cdf)


@pytest.mark.slow
def test_predictions_are_calibrated():
    """Red if the predictive distribution is too wide, too narrow, or shifted: PIT, and D-calibration."""
    u, cut = np.array([predicted(1000 + i) for i in range(COUNT)]).T
    assert stats.kstest(u, "uniform").pvalue > 1e-3
    assert stats.kstest(np.abs(2.0 * u - 1.0), "uniform").pvalue > 1e-3
    # a censored case counts evenly over what is left above its cut
    ends = np.linspace(0.0, 1.0, 6)
    bins = np.zeros(5)
    for one, c in zip(u, cut, strict=True):
        if one <= c:
            bins += np.histogram(one, ends)[0]
        else:
            bins += np.clip(ends[1:] - np.maximum(ends[:-1], c), 0.0, None) / (1.0 - c)
    assert stats.chisquare(bins).pvalue > 1e-3

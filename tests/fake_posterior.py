"""In the place of the sampler: draws of one Gaussian-like component with the data's own mean and covariance.

Tests of what surrounds the sampler need a posterior that follows from the data, and not a long one.
"""

import numpy as np

from nepers.gibbs.draws import Draws
from nepers.hierarchy import prostate


def take_the_place(monkeypatch):
    """Of the sampler; and the constants are those of standard coordinates."""

    def constants(_asked, data):
        return [prostate(np.zeros(data.N), np.eye(data.N))]

    monkeypatch.setattr("nepers.prediction.sampling.draw_posterior", draw_posterior)
    monkeypatch.setattr("nepers.survival.posterior.constants_for", constants)


def draw_posterior(observed, noise, constants, *, seed, chains, draws, warm_up, cores, thin=1):
    values = np.array(observed.values)
    values[:, 0] = np.where(np.isfinite(observed.lower), observed.lower, observed.upper)
    values[:, 0] = np.where(np.isfinite(values[:, 0]), values[:, 0], np.nan)
    N = values.shape[1]
    mean = np.nanmean(values, axis=0)
    filled = np.where(np.isnan(values), mean, values)
    S = np.linalg.inv(np.cov(filled.T).reshape(N, N) + 1e-6 * np.eye(N))
    rng = np.random.default_rng(seed)
    count = chains * draws
    mu = mean + 0.01 * rng.standard_normal((count, N))

    def per_draw(value):
        return np.broadcast_to(value, (chains, draws, *np.shape(value))).copy()

    return Draws(
        J=mu.reshape(chains, draws, N),
        log_likelihood=per_draw(0.0),
        C=np.ones((chains, draws), dtype=np.int64),
        mu_mu=mu.reshape(chains, draws, N),
        S_mu=per_draw(S),
        R_S_mu=per_draw(S),
        m_S=per_draw(2.0),
        R_S=per_draw(S),
        first=np.arange(count).reshape(chains, draws),
        p=np.ones(count),
        mu=mu,
        nu=np.zeros((count, N)),
        S=np.broadcast_to(S, (count, N, N)).copy(),
        m=np.full(count, 8.0),
        shape_type=2,
    )

"""Simulated patients with gaps: 30% of the times censored, 10% of the values missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from nepers.hierarchy import prostate, sample_prior
from nepers.prediction.observations import Noise, Observations

N = 14
NOISE = Noise(5.0, 100.0 * np.eye(N))


def cases(n: int, C: int, seed: int, noise: Noise | None = NOISE) -> tuple[Observations, Any]:
    """Observations of a mixture drawn from the paper's prior with C components, and 60 new cases from it."""
    rng = np.random.default_rng(seed)
    prior = prostate(np.zeros(N), 0.6 * np.eye(N) + 0.4)
    mixture = sample_prior(prior.replace(C=C), rng=rng).mixture
    beta = rng.gamma(NOISE.m, 1.0 / NOISE.m, (n, 1))
    y = mixture.rvs(n, rng=rng)
    error = 0.1 * rng.standard_normal((n, N)) / np.sqrt(beta)
    y += 0.0 if noise is None else error
    cut = np.quantile(y[:, 0], 0.72) + 0.8 * y[:, 0].std() * rng.standard_normal(n)
    lower = np.minimum(y[:, 0], cut)
    values = np.where(rng.random((n, N)) < 0.1, np.nan, y)
    return Observations(values, lower, np.where(y[:, 0] > cut, np.inf, lower)), mixture.rvs(60, rng=rng)

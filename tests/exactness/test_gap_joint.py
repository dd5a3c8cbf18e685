"""The whole sweep with censoring, noise and missing entries, from the prior back to the prior.

As in `test_joint`: exactly, from independent states of the prior; and by Geweke's joint test.
"""

import math
from functools import cache

import numpy as np
import pytest
from arviz_stats.base import array_stats
from exactness.checks import caught, right, same_p
from exactness.gap_drivers import (
    AT_THE_CUT,
    CELLS,
    EXACT,
    LEFT,
    NO_MISSING,
    OTHER_SIDE,
    RIGHT,
    Design,
    try_gap_sweeps,
)
from exactness.test_blocks import hyperparameters
from exactness.test_joint import functionals
from scipy import stats

from nepers.hierarchy import sample_prior

COUNT = 8_000


@cache
def prior(N, seed, count=COUNT):
    return sample_prior(hyperparameters(N, 2), count, rng=np.random.default_rng(seed))


def kept_of(draws):
    N = draws[0].mu_mu.size
    kept = {
        name: np.array([getattr(one, name) for one in draws])
        for name in ("mu_mu", "S_mu", "R_S_mu", "R_S", "m_S")
    }
    kept["C"] = np.array([one.mixture.C for one in draws])
    kept["J"] = np.array([one.mixture.mean() for one in draws]).reshape(-1, N)
    return kept | {"log_likelihood": np.zeros(len(draws))}


def values_of(kept):
    """Without the log likelihood, which is of the true values and not of what is observed."""
    return {name: value for name, value in functionals(kept).items() if name != "log likelihood"}


@cache
def reference(N):
    return values_of(kept_of(prior(N, 2)))


def noise_of(N):
    root = np.random.default_rng(N + 7).standard_normal((N, N + 2))
    return 1.7, 2.0 * root @ root.T / (N + 2)


def design(N, n, noisy, some_missing=True):
    """Every kind of telling, and every number of missing entries."""
    rng = np.random.default_rng(10 * N + n)
    missing = rng.random((n, N)) < (0.35 if some_missing else 0.0)
    missing = missing[np.argsort(missing.sum(axis=1), kind="stable")]
    kind = np.resize([RIGHT, CELLS, LEFT, EXACT], n)
    return Design(N, n, missing, kind, noise_of(N) if noisy else None)


def sweep_p(N, n, noisy, thin=2, count=COUNT, **wrong):
    kept = try_gap_sweeps(51, design(N, n, noisy), prior(N, 1)[:count], hyperparameters(N, 2), thin, **wrong)
    values, truth = values_of(kept), reference(N)
    return {key: same_p(values[key], truth[key]) for key in truth}


@pytest.mark.parametrize(
    ("N", "n", "noisy"),
    [
        (2, 8, True),
        (2, 8, False),
        pytest.param(1, 6, True, marks=pytest.mark.slow),
        pytest.param(4, 12, True, marks=pytest.mark.slow),
    ],
)
def test_sweeps_with_gaps_keep_the_prior(N, n, noisy):
    """Red if an allocation, a jump, a redrawn value or beta does not belong to what is observed."""
    right(sweep_p(N, n, noisy))


def scaled_noise(by):
    return lambda gaps: gaps._replace(noise_S=gaps.noise_S * by)


WRONG = [
    (True, {"wrong": OTHER_SIDE}),
    (False, {"wrong": NO_MISSING}),
    (True, {"mistake": scaled_noise(8.0)}),
    pytest.param(True, {"wrong": AT_THE_CUT}, marks=pytest.mark.slow),
    pytest.param(False, {"wrong": OTHER_SIDE}, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("noisy", "wrong"), WRONG)
def test_wrong_sweeps_with_gaps_are_caught(noisy, wrong):
    """Red if the test above could not fail: a cut taken for a value, or told of the other side; a missing
    value taken for zero; noise of another size."""
    caught(sweep_p(2, 8, noisy, thin=6, count=4_000, **wrong))


def chain_p(N, n, noisy, count=24_000, **wrong):
    h, at = hyperparameters(N, 2), design(N, n, noisy)
    chains = [
        try_gap_sweeps(60 + i, at, prior(N, 1)[i : i + 1], h, 1, count=count // 4, **wrong) for i in range(4)
    ]
    truth = reference(N)
    values = [values_of(kept) for kept in chains]
    p = {}
    for key in truth:
        draws = np.array([one[key] for one in values])
        size = min(float(array_stats.ess(draws, method="mean", chain_axis=0, draw_axis=1)), draws.size)
        variance = draws.var() / size + truth[key].var() / truth[key].size
        p[f"mean of {key}"] = 2.0 * stats.norm.sf(abs(draws.mean() - truth[key].mean()) / math.sqrt(variance))
        gap = math.ceil(3.0 * draws.size / size)
        p[f"ranks of {key}"] = same_p(draws[:, gap::gap].ravel(), truth[key])
    return p


@pytest.mark.parametrize(
    ("N", "n"),
    [
        pytest.param(2, 8, marks=pytest.mark.slow),
        pytest.param(1, 6, marks=pytest.mark.slow),
        pytest.param(4, 12, marks=pytest.mark.slow),
    ],
)
def test_geweke_with_gaps(N, n):
    """Red if the sweep and what is observed do not belong to the same joint distribution."""
    right(chain_p(N, n, noisy=True))


@pytest.mark.slow
def test_wrong_chains_with_gaps_are_caught():
    """Red if Geweke's test could not fail: here the noise is thought smaller than it is."""
    caught(chain_p(2, 8, noisy=True, mistake=scaled_noise(8.0)))

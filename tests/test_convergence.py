"""R-hat and effective sample sizes: those of ArviZ."""

import math

import arviz_stats.base
import numpy as np
import pytest

from nepers import convergence

ARVIZ = arviz_stats.base.array_stats
AXES = {"chain_axis": 0, "draw_axis": 1}


def walk(memory, chains, draws, seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((chains, draws))
    for k in range(1, draws):
        x[:, k] = memory * x[:, k - 1] + math.sqrt(1.0 - memory**2) * x[:, k]
    return x


KINDS = {
    "independent": walk(0.0, 4, 1000, 1),
    "slow": walk(0.98, 4, 1000, 2),
    "alternating": walk(-0.7, 4, 1000, 3),
    "odd number of draws": walk(0.5, 3, 501, 4),
    "whole numbers": np.round(3.0 * walk(0.9, 4, 800, 5)),
    "heavy tails": np.sinh(3.0 * walk(0.3, 2, 400, 6)),
    "apart": walk(0.3, 4, 300, 7) + np.arange(4.0)[:, None],
    "drifting": walk(0.3, 4, 300, 8) + np.linspace(0.0, 3.0, 300),
    "few": walk(0.3, 4, 10, 9),
    "never ends": np.cumsum(walk(0.0, 2, 60, 11), axis=1),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_numbers_are_those_of_arviz(kind):
    # red if: a pair of lags too many or too few, ranks of equal values, or which variance, differ from ArviZ
    x = KINDS[kind]
    tail = ARVIZ.ess(x, method="tail", prob=(0.05, 0.95), **AXES)
    assert convergence.ess_bulk(x) == pytest.approx(float(ARVIZ.ess(x, method="bulk", **AXES)), rel=1e-9)
    assert convergence.ess_tail(x) == pytest.approx(float(tail), rel=1e-9)
    assert convergence.mcse_mean(x) == pytest.approx(float(ARVIZ.mcse(x, method="mean", **AXES)), rel=1e-9)
    assert convergence.r_hat(x) == pytest.approx(float(ARVIZ.rhat(x, **AXES)), rel=1e-9)


def test_a_known_autocorrelation_gives_the_known_size():
    # red if: the sum over lags is doubled or halved; memory 0.9 means 19 draws for one independent one
    x = walk(0.9, 4, 20_000, 12)
    assert convergence.ess_bulk(x) == pytest.approx(80_000 / 19, rel=0.1)


def test_frozen_chains_apart_never_agree():
    # red if: zero over zero passes for agreement
    assert convergence.r_hat(np.repeat([[2.0], [5.0]], 100, axis=1)) > 1e6


def test_too_few_draws_say_nothing():
    # red if: two draws a chain give a number
    x = np.zeros((4, 3))
    assert math.isnan(convergence.r_hat(x))
    assert math.isnan(convergence.ess_bulk(x))

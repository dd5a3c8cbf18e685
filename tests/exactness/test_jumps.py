"""Births, deaths, splits and merges leave the posterior as it is: one transition from (parameters, data) of
the prior.

With the parameters from the prior and the data given them, the parameters are an exact draw of the
posterior given
these data. A reversible move from there makes (before, after) exchangeable: as many births as deaths, and
every functional rises as often and as far as it falls. This is exact for any number of states and any n.
"""

from functools import cache

import numpy as np
import pytest
from exactness import drivers
from exactness.checks import caught, right, symmetric_p
from exactness.test_blocks import hyperparameters

from nepers.hierarchy import sample_prior

BIRTHS, SPLITS = 0, 2
COUNT = 60_000


@cache
def states(N, shape_type=1, count=COUNT):
    return sample_prior(hyperparameters(N, shape_type), count, rng=np.random.default_rng(11 * N + shape_type))


def jump_p(kind, n, N, shape_type=1, least_share=0.01, count=COUNT, **wrong):
    h = hyperparameters(N, shape_type)
    before, after = drivers.try_jumps(41, kind, n, states(N, shape_type)[:count], h, **wrong)
    moved = (before[:, 0] != after[:, 0]).mean()
    assert moved > least_share, f"only {moved:.4f} of the jumps are accepted"
    return {name: symmetric_p(before[:, i], after[:, i]) for i, name in enumerate(drivers.FUNCTIONALS)}


@pytest.mark.parametrize(
    ("N", "n", "shape_type"), [(1, 0, 1), (1, 2, 1), (1, 10, 1), (1, 3, 2), (2, 0, 1), (2, 3, 1), (1, 40, 1)]
)
@pytest.mark.parametrize("kind", [BIRTHS, SPLITS], ids=["births", "splits"])
def test_jumps_are_reversible(kind, N, n, shape_type):
    """Red if a binomial, a Jacobian, a constant of the prior, or a proposal's density is wrong in the
    ratio."""
    right(jump_p(kind, n, N, shape_type))


def kappa_C_wrong(constants):
    constants["kappa_C"] *= 1.12


def eta_wrong(constants):
    constants["kappa_eta"] *= 3.0


def norm_wrong(constants):
    constants["log_norm_m"] += 0.15


def kappa_nu_wrong(constants):
    constants["kappa_nu"] *= 1.4


@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (BIRTHS, {"wrong": 2, "by": -1.0}),
        (BIRTHS, {"wrong": 1, "by": 0.15}),
        (BIRTHS, {"mistake": kappa_C_wrong}),
        (BIRTHS, {"mistake": eta_wrong}),
        (BIRTHS, {"mistake": kappa_nu_wrong}),
        (SPLITS, {"wrong": 2, "by": 1.0}),
        (SPLITS, {"wrong": 3, "by": -1.0}),
        (SPLITS, {"wrong": 1, "by": 0.15}),
        (SPLITS, {"mistake": kappa_C_wrong}),
        (SPLITS, {"mistake": eta_wrong}),
        (SPLITS, {"mistake": norm_wrong}),
        (SPLITS, {"mistake": kappa_nu_wrong}),
    ],
)
def test_wrong_jumps_are_caught(kind, wrong, n):
    """Red if the test above could not fail: binomial or Jacobian left out, a constant some percent off."""
    caught(jump_p(kind, n, 1, **wrong))


@pytest.mark.parametrize("kind", [BIRTHS, SPLITS], ids=["births", "splits"])
def test_a_wrong_likelihood_is_caught(kind):
    """Red if the test of the jumps does not see the data: here their likelihood is raised to 1.5."""
    caught(jump_p(kind, 10, 1, wrong=4, by=0.5))

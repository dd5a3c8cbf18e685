"""Chains that predict differently are told of."""

import dataclasses
import warnings

import numpy as np
import pytest

from nepers.diagnostics import ConvergenceWarning
from nepers.draw_sets import from_prior
from nepers.hierarchy import prostate
from nepers.prediction.agreement import agreement, warn_of_disagreement

CHAINS, DRAWS = 4, 200


def chains(apart):
    """Gaussian, each chain moving a little about one place; the first stands ``apart`` from the others."""
    h = prostate(np.zeros(2), np.eye(2)).replace(C=1)
    draws = from_prior(h, np.random.default_rng(1), CHAINS, DRAWS)
    mu = 0.05 * np.random.default_rng(2).standard_normal((CHAINS * DRAWS, 2))
    mu[:DRAWS, 0] += apart
    return dataclasses.replace(
        draws, mu=mu, nu=np.zeros_like(mu), S=np.broadcast_to(np.eye(2), (mu.shape[0], 2, 2)).copy(),
        m=np.full(mu.shape[0], 1e6),
    )  # fmt: skip


def test_size_of_a_disagreement():
    # red if: the densities are of other cases or components than the chain's, or are summed and not averaged
    row, size = agreement(chains(2.0), seed=1)
    # the cases: a quarter from N(2, 1), the others from N(0, 1); chain 0 against the others, in nats a case:
    # E[x^2 - (x - 2)^2] / 2 = 2 E[x] - 2 = -1, give or take the sd of 2 x over 50 cases
    assert size == pytest.approx(1.0, abs=4.0 * 2.0 * np.sqrt(1.0 + 0.75) / np.sqrt(50))
    assert row.r_hat > 1.4  # of ranks, so that it is hardly ever more than 1.5
    assert agreement(chains(0.0), seed=1)[1] < 0.02


def test_warning():
    # red if: nobody is told, or one is told without reason, or few draws are judged
    with pytest.warns(
        ConvergenceWarning, match=r"log predictive density of new cases, by up to .* nats a case"
    ):
        warn_of_disagreement([chains(0.0), chains(2.0)], 1, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_disagreement([chains(0.0)], 1, 1)
        few = chains(2.0)
        warn_of_disagreement([dataclasses.replace(few, **_first(few, 99))], 1, 1)


def _first(draws, count):
    return {name: getattr(draws, name)[:, :count] for name in ("log_likelihood", "C", "first")}

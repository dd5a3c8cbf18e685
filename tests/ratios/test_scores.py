"""Log scores of other libraries, turned round."""

import math

import numpy as np
import pandas as pd
import pytest
import scoringrules as sr
from scipy import stats
from sklearn.metrics import log_loss

from nepers.errors import InputError
from nepers.ratios import from_log_score, log_class

X = np.array([0.3, 1.7, 2.2, 0.05])
MU, SIGMA = np.array([0.0, 1.0, 2.5, -0.5]), np.array([1.0, 0.5, 2.0, 0.7])

# shape and scale differ from one another and from one, so that no parameter can be swapped or inverted unseen
PEERS = {
    "normal": (sr.logs_normal(X, MU, SIGMA), stats.norm.logpdf(X, MU, SIGMA)),
    "Student": (sr.logs_t(X, 5.0, MU, SIGMA), stats.t.logpdf(X, 5.0, MU, SIGMA)),
    "logistic": (sr.logs_logistic(X, MU, SIGMA), stats.logistic.logpdf(X, MU, SIGMA)),
    "gamma": (sr.logs_gamma(X, 2.5, rate=3.0), stats.gamma.logpdf(X, 2.5, scale=1 / 3.0)),
    "exponential": (sr.logs_exponential(X, 0.7), stats.expon.logpdf(X, scale=1 / 0.7)),
    "log-normal": (sr.logs_lognormal(X, MU, SIGMA), stats.lognorm.logpdf(X, SIGMA, scale=np.exp(MU))),
    "Poisson": (sr.logs_poisson(np.arange(4), 1.3), stats.poisson.logpmf(np.arange(4), 1.3)),
}


@pytest.mark.parametrize("family", PEERS)
def test_scoringrules_turned_round_is_the_log_density(family):
    # red if: the sign is left, or the score is not in nats
    score, log_q = PEERS[family]
    assert from_log_score(score) == pytest.approx(log_q, rel=1e-12)


def test_scikit_learns_log_loss_of_each_case():
    # red if: the orientation is not that of a loss
    truth, proba = [0, 1, 1], [[0.5, 0.5], [0.25, 0.75], [0.9, 0.1]]
    losses = [log_loss([y], [p], labels=[0, 1]) for y, p in zip(truth, proba, strict=True)]
    assert from_log_score(losses) == pytest.approx(log_class(truth, proba))


def test_the_worst_score_is_probability_zero():
    # red if: infinity is refused or clipped, or zero becomes minus zero
    logs = from_log_score(pd.Series([math.inf, 0.0, -2.5]))
    assert logs.tolist() == [-math.inf, 0.0, 2.5]
    assert not np.signbit(logs[1])
    assert from_log_score([]).size == 0


def test_what_is_no_log_score_is_an_error_that_names_it():
    # red if: log Q, whose -inf is legal, is taken for a score in silence
    with pytest.raises(
        InputError, match=r"score must be above -inf: less is better.*; -inf in row 1 \(1 of 2\)"
    ):
        from_log_score([0.5, -math.inf])
    with pytest.raises(InputError, match="score must have no missing values"):
        from_log_score([math.nan])

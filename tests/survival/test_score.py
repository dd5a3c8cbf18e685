"""The regression that makes one score of many covariates."""

import numpy as np
import pytest
from scipy import optimize, stats
from simulated_patients import simulated

import nepers
from nepers.ratios import Times, log_survival
from nepers.survival import SkewStudentSurvival, regression
from nepers.survival.regression import LogTimes, fitted, location, log_likelihood
from nepers.survival.score import score

SMALL = {"seed": 1, "chains": 1, "draws": 4, "warm_up": 0, "cores": 1}


def some(n=60, seed=1):
    """Log times of every kind: known, right- and left-censored, in an interval."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    u = 0.5 + X @ [0.8, -0.4] + 0.6 * rng.logistic(size=n)
    kind, seen = rng.integers(0, 3, n), 0.5 + rng.logistic(size=n)
    # followed until ``seen``; looked at once, then; looked at again and again, at whole numbers
    lower = np.choose(kind, [np.minimum(u, seen), np.where(u > seen, seen, -np.inf), np.floor(u)])
    later = np.where(u > seen, np.inf, u), np.where(u > seen, np.inf, seen)
    upper = np.choose(kind, [*later, np.floor(u) + 1.0])
    return X, LogTimes(lower, upper)


def test_every_kind_of_time_counts_by_its_probability():
    # red if: the ends are exchanged, the Jacobian 1/s is lost, or an open end is a number
    X, times = some()
    theta = np.array([0.3, -0.4, 0.6, -0.2])
    law = stats.logistic(location(theta, X), np.exp(-0.4))
    exact = times.lower == times.upper
    probability = law.cdf(times.upper) - law.cdf(times.lower)
    expected = np.log(np.where(exact, law.pdf(np.where(exact, times.lower, 0.0)), probability))
    assert np.allclose(log_likelihood(theta, X, times), expected, rtol=1e-9)


def test_the_slopes_are_those_of_the_values():
    # red if: a part of the gradient is wrong, and the search stops where it should not
    X, times = some(seed=2)

    def total(theta):
        return log_likelihood(theta, X, times).sum()

    theta = np.array([0.3, -0.4, 0.6, -0.2])
    _value, by_location, by_log_scale = regression._parts(theta, X, times)
    found = np.concatenate([[by_location.sum(), by_log_scale.sum()], X.T @ by_location])
    assert np.allclose(found, optimize.approx_fprime(theta, total, 1e-6), rtol=1e-4, atol=1e-4)


def test_the_fit_finds_what_made_the_data():
    # red if: censored times count as events
    X, times = some(4000, seed=3)
    theta = fitted(X, times, 0.0)
    # four standard errors, some 0.02 each for 4,000 times of which most are censored somehow
    assert np.abs(theta - [0.5, np.log(0.6), 0.8, -0.4]).max() < 0.08


def test_a_training_patients_score_does_not_know_its_time():
    # red if: scores of the training are of the fit to all: the first patient's own time would move its score
    rng = np.random.default_rng(4)
    Z, u = rng.normal(size=(50, 20)), rng.normal(size=50)
    _found, one = score(Z, u, u, seed=1)
    moved = u.copy()
    moved[0] += 30.0
    found, two = score(Z, moved, moved, seed=1)
    same_penalty = np.isclose(one[0], two[0], rtol=1e-5)
    assert same_penalty
    assert abs(found.of(Z)[0] - two[0]) > 1e-3


def test_units_of_a_covariate_and_its_missing_values():
    # red if: missing is a number, or an indicator is made in test that training had not
    rng = np.random.default_rng(5)
    Z, u = rng.normal(size=(80, 3)), rng.normal(size=80)
    Z[:8, 1] = np.nan
    Z[3] = np.nan
    found, own = score(Z, u, u, seed=1)
    assert found.lacking.tolist() == [1]
    assert np.isnan(own[3])
    assert np.isfinite(np.delete(own, 3)).all()
    new = np.array([[np.nan, 1.0, 2.0], [np.nan, np.nan, np.nan]])
    assert np.isfinite(found.of(new)).tolist() == [True, False]


@pytest.fixture
def model(quick):
    return SkewStudentSurvival(**SMALL).fit(*simulated(120, seed=1))


def test_the_score_model_predicts_saves_and_loads(model, tmp_path):
    # red if: the score is not applied to new patients, or not in the file
    X, y = simulated(40, seed=2)
    found = model.predict_distribution(X)
    log_q = log_survival(Times.right_censored(y["time"], event=y["event"]), found)
    prior = model.predict_distribution(X.assign(psa=np.nan, age=np.nan, grade=None))
    log_p = log_survival(Times.right_censored(y["time"], event=y["event"]), prior)
    assert np.mean(log_q - log_p) > 0.1
    assert np.ptp(log_survival(Times.right_censored(np.ones(40), event=np.ones(40)), prior)) == 0.0
    model.save(tmp_path / "model")
    back = nepers.load(tmp_path / "model")
    assert np.array_equal(back.predict(X), model.predict(X))

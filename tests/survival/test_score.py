"""The regression that makes one score of many covariates."""

import numpy as np
import pytest
from scipy import optimize, special
from simulated_patients import simulated

import nepers
from nepers.ratios import Times, log_survival
from nepers.survival import SkewStudentSurvival
from nepers.survival.features import Features
from nepers.survival.regression import Baseline, LogTimes, Problem, parts
from nepers.survival.score import _crossed, score

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


def given(X, times):
    baseline = Baseline.of(times)
    return baseline, (baseline.parts(times.lower), baseline.parts(times.upper))


def test_every_kind_of_time_counts_by_its_probability():
    # red if: the ends are exchanged, the slope of g is lost, or an open end is a number
    X, times = some()
    baseline, ends = given(X, times)
    theta = np.array([0.3, -0.4, 0.2, -1.0, 0.5, -0.3, 0.1, 0.6, -0.2])

    def F(u):
        with np.errstate(invalid="ignore"):
            ramps = special.expit((u[:, None] - baseline.places) / baseline.width) @ np.exp(theta[2:7])
            return special.expit(0.3 + np.exp(-0.4) * u + ramps - X @ theta[7:])

    exact = times.lower == times.upper
    at = np.where(exact, times.lower, 0.0)
    density = (F(at + 1e-5) - F(at - 1e-5)) / 2e-5
    expected = np.log(np.where(exact, density, F(times.upper) - F(times.lower)))
    # differences over 2e-5 leave 1e-9
    assert np.allclose(parts(theta, X, times, baseline, ends)[0], expected, rtol=1e-7)


def test_the_slopes_are_those_of_the_values():
    # red if: a part of the gradient is wrong, and the search stops where it should not
    X, times = some(seed=2)
    baseline, ends = given(X, times)
    theta = np.array([0.3, -0.4, 0.2, -1.0, 0.5, -0.3, 0.1, 0.6, -0.2])
    expected = optimize.approx_fprime(theta, lambda at: parts(at, X, times, baseline, ends)[0].sum(), 1e-6)
    found = parts(theta, X, times, baseline, ends)[1]
    assert np.allclose(found, expected, rtol=1e-4, atol=1e-3)


def test_the_fit_finds_what_made_the_data():
    # red if: censored times count as events
    X, times = some(4000, seed=3)
    found = Problem(X, times, Baseline.of(times), 0.0).solved()[-2:]
    # odds are proportional here, with b = (0.8, -0.4) / 0.6; four standard errors, some 0.04 each
    assert np.abs(found - np.array([0.8, -0.4]) / 0.6).max() < 0.16


def test_a_training_patients_score_does_not_know_its_time():
    # red if: scores of the training are of the fit to all: the patient's own time would move its score
    rng = np.random.default_rng(4)
    X, u = rng.normal(size=(50, 10)), rng.normal(size=50)
    last = int(np.argmax(u))  # which may be later still without moving the quantiles
    fold = np.arange(50) % 10

    def crossed():
        times = LogTimes(u, u)
        return _crossed(Problem(X, times, Baseline.of(times), 0.02), np.ones(10), fold)

    _total, one, before = crossed()
    u[last] += 30.0
    _total, two, after = crossed()
    # the searches begin elsewhere, and end as near as they are asked to
    assert abs(one[last] - two[last]) < 1e-3
    assert abs(X[last] @ (before - after)) > 1e-2


def test_units_of_a_covariate_and_its_missing_values():
    # red if: missing is a number, or an indicator is made in test that training had not
    rng = np.random.default_rng(5)
    Z, u = rng.normal(size=(80, 3)), rng.normal(size=80)
    Z[:8, 1] = np.nan
    Z[3] = np.nan
    found, own = score(Z, u, u, seed=1)
    assert found.features.lacking.tolist() == [1]
    assert np.isnan(own[3])
    assert np.isfinite(np.delete(own, 3)).all()
    new = np.array([[np.nan, 1.0, 2.0], [np.nan, np.nan, np.nan]])
    assert np.isfinite(found.of(new)).tolist() == [True, False]


def test_smooth_features_are_a_process_with_the_stated_covariance():
    # red if: distances are not shared among covariates, or the landmarks' own covariance is not divided out
    Z = np.random.default_rng(6).normal(size=(60, 2))
    found = Features.of_training(Z, np.random.default_rng(1))  # every patient is a landmark
    X = found.of(Z)
    x, smooth = X[:, : found.linear], X[:, found.linear :]
    assert np.allclose(x, (Z - Z.mean(axis=0)) / Z.std(axis=0), rtol=1e-12)
    K = np.exp(-np.square(x[:, None] - x).sum(axis=-1) / 4.0)
    off = np.eye(60) - 1.0 / 60.0
    expected = off @ K @ off
    # what is left out are eigenvalues under 1e-4 of the greatest
    assert np.abs(smooth @ smooth.T - expected * 60.0 / np.trace(expected)).max() < 0.02


def test_an_effect_may_bend_and_depend_on_another_covariate():
    # red if: the smooth part has no say; a linear score knows nothing of this one
    rng = np.random.default_rng(7)
    Z = rng.normal(size=(300, 2))
    truth = 2.0 * np.sign(Z[:, 0] * Z[:, 1]) + np.square(Z[:, 0])
    u = truth + rng.logistic(size=300)
    found, own = score(Z, u, u, seed=1)
    new = rng.normal(size=(300, 2))
    there = 2.0 * np.sign(new[:, 0] * new[:, 1]) + np.square(new[:, 0])
    assert np.corrcoef(own, truth)[0, 1] > 0.7
    assert np.corrcoef(found.of(new), there)[0, 1] > 0.7


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

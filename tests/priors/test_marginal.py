"""The fitted density of outcomes: near the truth, a distribution, not for its own training data."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from nepers import running
from nepers.diagnostics import ConvergenceWarning
from nepers.errors import InputError
from nepers.priors.marginal import fitted_marginal


def two_peaks(rng, n):
    return np.where(rng.random(n) < 0.4, rng.normal(-2.0, 0.5, n), rng.normal(1.0, 1.0, n))


def two_peaks_logpdf(y):
    return np.log(0.4 * stats.norm.pdf(y, -2.0, 0.5) + 0.6 * stats.norm.pdf(y, 1.0, 1.0))


TRAIN = 50.0 + 10.0 * np.round(two_peaks(np.random.default_rng(1), 300), 2)


@pytest.fixture(scope="module")
def marginal():
    return fitted_marginal(TRAIN, seed=1)


def test_two_peaks_and_rounding_are_learnt(marginal):
    # red if: the unit, the Jacobian of it or the pooling is wrong. The loss at 300 outcomes is 0.014 to 0.022
    # over seeds (measured); one normal would lose 0.23
    assert len(np.unique(TRAIN)) < 300
    new = two_peaks(np.random.default_rng(2), 4000)
    loss = two_peaks_logpdf(new) - np.log(10.0) - marginal.log_p(50.0 + 10.0 * new)
    assert -0.01 < loss.mean() < 0.035


def test_long_tails_of_positive_outcomes_are_learnt():
    # red if: the Jacobian of the logarithm is left out (it is 3 nats here), or the tails are a normal's
    rng = np.random.default_rng(3)
    train, new = np.exp(3.0 + rng.standard_t(3, 300)), np.exp(3.0 + rng.standard_t(3, 4000))
    p = fitted_marginal(train, transform="log", seed=1)
    loss = stats.t.logpdf(np.log(new), 3, 3.0) - np.log(new) - p.log_p(new)
    assert -0.01 < loss.mean() < 0.03
    assert repr(p).startswith("<FittedMarginal of log y, n = 300, median 2.968, unit 1.146>")


def test_it_is_a_distribution(marginal):
    # red if: pdf and cdf are not of the same distribution in the user's unit
    at = np.linspace(0.0, 100.0, 1001)
    steps = np.diff(marginal.cdf(at))
    middles = (at[:-1] + at[1:]) / 2.0
    np.testing.assert_allclose(marginal.pdf(middles) * 0.1, steps, atol=1e-5)
    assert marginal.cdf([-1e9, 1e9]) == pytest.approx([0.0, 1.0], abs=1e-6)
    np.testing.assert_allclose(np.log(marginal.pdf(at)), marginal.log_p(at), rtol=1e-12)


def test_the_logarithm_and_its_jacobian(marginal):
    # red if: a density of log y is given as one of y, or there is a density at or below zero
    of_log = dataclasses.replace(marginal, transform="log")
    y = np.exp(np.array([30.0, 50.0, 60.0]))
    np.testing.assert_allclose(of_log.log_p(y), marginal.log_p(np.log(y)) - np.log(y), rtol=1e-9)
    np.testing.assert_allclose(of_log.cdf(y), marginal.cdf(np.log(y)), rtol=1e-9)
    assert of_log.pdf([0.0, -1.0]).tolist() == [0.0, 0.0]
    assert of_log.cdf([0.0, -1.0]).tolist() == [0.0, 0.0]
    assert np.isnan(of_log.pdf(np.nan))


def test_it_refuses_the_outcomes_it_was_fitted_on(marginal):
    # red if: a prior that has seen the answers is used without being asked for
    with pytest.raises(
        InputError, match="y_true must be outcomes that the prior was not fitted on; these 300"
    ):
        marginal.log_p(TRAIN)
    allowed = dataclasses.replace(marginal, training=None)
    np.testing.assert_allclose(allowed.log_p(TRAIN), np.log(marginal.pdf(TRAIN)), rtol=1e-12)


def test_the_permission_and_the_budget():
    # red if: fitted_on_test_outcomes is lost, or unreliable draws are not told
    with pytest.warns(ConvergenceWarning):
        p = fitted_marginal(TRAIN[:50], max_seconds=1e-3, fitted_on_test_outcomes=True)
    assert (p.stopped, p.n, p.seed >= 0) == ("budget", 50, True)
    assert not p.diagnostics.good()
    assert p.log_p(TRAIN[:50]).shape == (50,)


def test_the_chains_get_the_seed_and_outcomes_in_their_own_unit(monkeypatch):
    # red if: the seed does not reach the chains, or P depends on the order or the unit of the outcomes
    class Caught(Exception):
        pass

    seen = []

    def catch(values, hyperparameters, *, seed, chains, cores):
        seen.append((values, seed))
        raise Caught

    monkeypatch.setattr(running, "make_sampler", catch)
    for y in (TRAIN, 8.0 * TRAIN[::-1]):
        with pytest.raises(Caught):
            fitted_marginal(y, seed=7)
    (one, seed), (other, _) = seen
    assert seed == 7
    np.testing.assert_array_equal(one, other)
    assert np.median(one) == pytest.approx(0.0, abs=1e-12)
    assert stats.iqr(one) == pytest.approx(1.349)


POSITIVE = pd.Series(np.arange(1.0, 21.0))
WRONG = {
    "zero in a logarithm": (
        {"y_train": pd.concat([POSITIVE, pd.Series([0.0], index=["zoe"])]), "transform": "log"},
        r"y_train must be above 0 for transform='log'; 0.0 in row zoe \(1 of 21\)",
    ),
    "few cases": ({"y_train": POSITIVE[:9]}, "y_train must have at least 10 cases; it has 9"),
    "an atom": ({"y_train": np.r_[np.ones(20), POSITIVE]}, "y_train must have no value.*1 is in 21 of 40"),
    "an atom in logarithms": (
        {"y_train": np.r_[np.full(20, 7.0), POSITIVE], "transform": "log"},
        "probability of its own; 7 is in 21 of 40",
    ),
    "a transform": ({"y_train": POSITIVE, "transform": "sqrt"}, "None or 'log'; it is 'sqrt'"),
    "NaN": ({"y_train": [np.nan] * 10}, "y_train must have no missing values"),
    "infinite": ({"y_train": [np.inf] * 10}, "y_train must be finite"),
    "seed": ({"y_train": POSITIVE, "seed": -1}, "seed must be a whole number"),
    "time": ({"y_train": POSITIVE, "max_seconds": 0.0}, "max_seconds must be above 0"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_fitted_is_named(case):
    # red if: outcomes without a density get one, or the message leaves out what or where
    given, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        fitted_marginal(**given)


def test_outcomes_it_cannot_give_a_density_are_named(marginal):
    # red if: what is no outcome gets a probability of zero
    of_log = dataclasses.replace(marginal, transform="log")
    with pytest.raises(InputError, match=r"y_true must be above 0 for transform='log'; -1.0 in row 1"):
        of_log.log_p([1.0, -1.0])
    with pytest.raises(InputError, match="y_true must be finite"):
        marginal.log_p([np.inf])

"""The estimator of a density, with a posterior in the sampler's place: its contract, and conditionals."""

import warnings

import fake_posterior
import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

import nepers
from nepers.conditional.density import SkewStudentDensity
from nepers.errors import InputError

SMALL = {"seed": 1, "chains": 1, "draws": 3, "warm_up": 0, "cores": 1}


@pytest.fixture
def quick(monkeypatch):
    fake_posterior.take_the_place(monkeypatch)


@pytest.fixture
def rows():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 3)) @ np.array([[1.0, 0.5, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, 0.7]])
    X = 100.0 + 5.0 * X
    X[rng.random(X.shape) < 0.1] = np.nan
    return X


def checks():
    """scikit-learn's, which warn of what is meant: the contract is kept without importing its base class."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Estimator SkewStudentDensity does not inherit")
        return list(estimator_checks_generator(SkewStudentDensity(**SMALL)))


@pytest.mark.parametrize(
    ("estimator", "check"), checks(), ids=lambda one: getattr(getattr(one, "func", None), "__name__", "")
)
@pytest.mark.filterwarnings("ignore:Estimator SkewStudentDensity does not inherit")
def test_scikit_learns_own_checks(estimator, check, quick):
    # red if: any part of its contract for estimators is broken
    check(estimator)


def test_a_row_scores_by_what_is_known_of_it(quick, rows):
    # red if: the unit's Jacobian counts for missing values, or the target is counted twice
    fitted = SkewStudentDensity(**SMALL).fit(rows)
    whole = np.array([[103.0, 95.0, 110.0]])
    mixture = fitted.posterior_.mixture()
    z = (whole - fitted.centre_) / fitted.unit_
    assert np.allclose(
        fitted.score_samples(whole), mixture.logpdf(z) - np.log(fitted.unit_).sum(), rtol=1e-10
    )
    parts = [whole.copy() for _ in range(3)]
    parts[1][0, 0] = np.nan
    parts[2][0, :] = np.nan
    logs = [fitted.score_samples(part)[0] for part in parts]
    rest = fitted.conditional(parts[1], 0)
    assert np.isclose(logs[0] - logs[1], rest.logpdf(103.0)[0], rtol=1e-9)
    assert logs[2] == 0.0


def test_conditionals_are_distributions_in_the_users_units(quick, rows):
    # red if: centre and unit are not undone
    fitted = SkewStudentDensity(**SMALL).fit(rows)
    found = fitted.conditional(rows[:5], 2)
    q = found.quantile([0.2, 0.5])
    assert np.allclose(np.exp(found.logcdf(q[:, 1])), 0.5, rtol=1e-9)
    assert np.allclose(np.exp(found.logsf(q[:, 0])), 0.8, rtol=1e-9)
    grid = np.linspace(0.0, 250.0, 6001)
    assert np.allclose(np.trapezoid(found.density(grid), grid, axis=1), 1.0, atol=1e-4)
    draws = found.draws(4000, seed=1)
    assert (np.abs(draws.mean(axis=1) - found.mean()) < 4.0 * draws.std(axis=1) / np.sqrt(4000.0)).all()


def test_it_is_saved_and_loaded(quick, rows, tmp_path):
    # red if: a field is left out of the file
    fitted = SkewStudentDensity(**SMALL).fit(rows)
    fitted.save(tmp_path / "density")
    back = nepers.load(tmp_path / "density")
    assert np.array_equal(back.score_samples(rows[:9]), fitted.score_samples(rows[:9]))


def test_a_column_without_variation_is_refused(quick, rows):
    # red if: it becomes a division by zero
    rows[:, 1] = 3.0
    with pytest.raises(InputError, match="'x1' has one value"):
        SkewStudentDensity(**SMALL).fit(rows)

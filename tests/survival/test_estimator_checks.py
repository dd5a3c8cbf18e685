"""scikit-learn's own checks of estimators, for one whose y says which times are events."""

import warnings

import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from nepers.ratios import Times
from nepers.survival import SkewStudentSurvival

SMALL = {"model": "joint", "seed": 1, "chains": 1, "draws": 3, "warm_up": 0, "cores": 1}


class OfNumbers(SkewStudentSurvival):
    """The checks know y as numbers or classes: these are taken for logs of times, all of events."""

    def fit(self, X, y=None):
        return super().fit(X, as_times(y))

    def score(self, X, y):
        return super().score(X, as_times(y))


def as_times(y):
    if y is None or np.iscomplexobj(y):
        return y
    numbers = np.asarray(y, dtype=np.float64).ravel()
    times = np.exp(numbers / (1.0 + np.abs(numbers).max(initial=0.0)))
    return Times.right_censored(times, event=np.ones(times.size, dtype=bool))


OfNumbers.__name__ = SkewStudentSurvival.__name__  # which messages have


def checks():
    """They warn of what is meant: the contract is kept without importing scikit-learn's base class."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Estimator SkewStudentSurvival does not inherit")
        return list(estimator_checks_generator(OfNumbers(**SMALL)))


@pytest.mark.parametrize(
    ("estimator", "check"), checks(), ids=lambda one: getattr(getattr(one, "func", None), "__name__", "")
)
@pytest.mark.filterwarnings("ignore:Estimator SkewStudentSurvival does not inherit")
@pytest.mark.filterwarnings("ignore::nepers.errors.InputWarning")
def test_scikit_learns_own_checks(estimator, check, quick):
    # red if: any part of its contract for estimators is broken
    check(estimator)

"""Predictive probabilities of new patients are as often right as they say, with the sampler itself."""

import numpy as np
import pytest
from scipy import stats
from simulated_patients import simulated

from nepers.survival import SkewStudentSurvival


def d_calibration(found, y, bins=10):
    """Observed numbers in bins of the predicted survival; a censored patient is spread over what is left."""
    survival = np.exp(found.logsf(y["time"]))
    edges = np.linspace(0.0, 1.0, bins + 1)
    counts = np.histogram(survival[y["event"]], edges)[0].astype(float)
    for s in survival[~y["event"]]:
        counts += np.clip(s - edges[:-1], 0.0, 1.0 / bins) / s
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("model", ["score", "joint"])
def test_predicted_probabilities_come_true(model):
    # red if: an unweighted average of draws, noise counted twice, or censored times taken for events
    X, y = simulated(600, seed=21)
    fitted = SkewStudentSurvival(model=model, seed=1, chains=2, warm_up=300, draws=200)
    fitted.fit(X.iloc[:300], y[:300])
    found = fitted.predict_distribution(X.iloc[300:])
    counts = d_calibration(found, y[300:])
    statistic = float(np.square(counts - 30.0).sum() / 30.0)
    # the training sample errs too, so that a fair prediction is a little off: 1 in 1,000 and not 1 in 20
    assert statistic < stats.chi2(9).ppf(0.999), counts

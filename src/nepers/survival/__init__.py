"""When will it happen? The predictive distribution of a time for each patient, from incomplete data.

`SkewStudentSurvival` fits the hierarchy of `nepers.hierarchy`, in N dimensions, to patients whose times may
be censored and whose covariates may be missing or measured with noise (`nepers.prediction`), and gives every
new patient a distribution of the time (`PredictedTimes`), which goes straight into
`nepers.ratios.log_survival`.

**Two models.** "joint" is the paper's: the density of log time and of all covariates together. Missing values
and noise are then part of the model, but so is much that has nothing to do with the time. "score", which is
taken unless asked otherwise, puts one score in the place of all covariates (`nepers.survival.score`), and
models log time and the score; on the sets of patients that were tried it predicts better, and takes seconds.

**The coordinates** of a patient are the log of the time and what the covariates become:

| a covariate that is | becomes |
|---|---|
| "linear": a number, or one of two values | (x - median) / standard deviation |
| "log": a level or a count, at or above 0 | log x - median; with zeros, log (x + half the least above 0) |
| ("bounded", low, high): a share or a score | log odds of (x - low) / (high - low), pulled off ends met |
| "category": text, booleans, or codes | an indicator of each level but the most frequent, standardised |

Without a word from the user, text and booleans are categories, numbers with more than five values that are
less lopsided in logs are "log", and other numbers "linear". So no unit matters: measured in other units, a
covariate has the same coordinates, and the time the same distribution.

The model is one of continuous coordinates. An indicator is for it a coordinate with two values, smoothed by
the noise of measurement; what it says of the time enters as it would in a regression. Where a category
changes the *shape* of what follows, fit its levels by themselves.

**The constants** of the joint model are the paper's table for the recurrence of prostate cancer
(`nepers.hierarchy.prostate`), which takes the mean and covariance of the training data, with the paper's
noise: m_n = 5, S_n = 100 I, that is, about a tenth of a standard deviation or of a log. The score is averaged
over three tables (`nepers.survival.constants`), and has no noise.

**The mean of the time** is infinite under this model, as it is under any with Student's tails of log time: a
few never come to the event in a time that counts. Medians, other quantiles, the mean up to a limit, and the
mean of the log exist.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nepers.survival.estimator import SkewStudentSurvival
    from nepers.survival.predicted import PredictedTimes

# imported when first used: they need scipy
_HOMES = {"PredictedTimes": "predicted", "SkewStudentSurvival": "estimator"}

__all__ = ["PredictedTimes", "SkewStudentSurvival"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'nepers.survival' has no attribute {name!r}")
    found = getattr(import_module(f"nepers.survival.{_HOMES[name]}"), name)
    globals()[name] = found
    return found

"""The prior of a survival time: its smooth distribution in the training data, without covariates.

The log of the hazard is a natural cubic spline in log time, with knots at equally spaced quantiles of the
training event times from 5% to 95%: 5, 35, 65 and 95% for four knots. It is fitted by maximum likelihood with
a small penalty on its curvature that is free of the unit of time (`nepers.priors.spline_fit`). Outside the
knots the log hazard is straight in log time, as a Weibull's, with a slope held at or above -0.95, so that the
density is above zero at every time and integrates to one. Where few come to the event in the end, the last
slope is at that bound: a proper distribution has no place for those who never do.

Why not Kaplan and Meier's curve: it is a step function. It has no density, so that an event at a new time
would have a prior of zero, and most often nothing to say beyond the last time. The survival here agrees with
it within its sampling error.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers.errors import InputError
from nepers.priors.leak import TrainingOutcomes
from nepers.priors.log_hazard import LogHazard
from nepers.priors.spline_fit import Likelihood, coefficients_for, knots_for
from nepers.ratios.censoring import Times
from nepers.ratios.survival import log_survival

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SurvivalMarginal:
    """A prior distribution of a time: made by `survival_marginal`, and a prediction for `log_survival` too.

    ``knots`` are times. ``log_likelihood`` is that of the training outcomes, without the penalty.
    """

    knots: Array
    coefficients: Array
    log_likelihood: float
    training: TrainingOutcomes | None

    def log_p(self, times: Times) -> Array:
        """log P of each case, as `log_survival` has log Q; an error if these are the training outcomes."""
        return log_survival(times, self)

    def survival(self, t: ArrayLike) -> Array:
        """P(T > t), for times above 0."""
        return np.asarray(np.exp(self.logsf(t)))

    def density(self, t: ArrayLike) -> Array:
        """The density at t, per unit of time."""
        return np.asarray(np.exp(self.logpdf(t)))

    def hazard(self, t: ArrayLike) -> Array:
        """The density at t among those who come to t, per unit of time."""
        return np.asarray(np.exp(self._log_hazard(_positive(t))))

    def logsf(self, t: ArrayLike) -> Array:
        """log P(T > t)."""
        values = _positive(t)
        cumulative = self._spline.cumulative(self._shifted(values).ravel())
        with np.errstate(over="ignore", invalid="ignore"):  # far out the cumulative hazard is infinite
            H = cumulative(self.coefficients)[0]
        return np.asarray(-H.reshape(values.shape))

    def logpdf(self, t: ArrayLike) -> Array:
        """The log of the density at t."""
        return np.asarray(self._log_hazard(_positive(t)) + self.logsf(t))

    def refuse_training_outcomes(self, times: Times) -> None:
        """An error if ``times`` are, or are among, the outcomes this was fitted on."""
        if self.training is not None:
            self.training.refuse("times", times.lower, times.upper)

    @property
    def _spline(self) -> LogHazard:
        return LogHazard(np.log(self.knots))

    def _shifted(self, t: Array) -> Array:
        return np.asarray(np.log(t) - np.log(self.knots[0]))

    def _log_hazard(self, t: Array) -> Array:
        return np.asarray(self._spline.basis(self._shifted(t)) @ self.coefficients - np.log(self.knots[0]))


def survival_marginal(
    times: Times, *, knots: int = 4, fitted_on_test_outcomes: bool = False
) -> SurvivalMarginal:
    """The distribution of the training ``times`` as a prior.

    ``knots`` is their number: 2 is the Weibull distribution, more can follow more bends. At least five times
    must be known to have ended. ``fitted_on_test_outcomes=True`` accepts a prior that has seen the outcomes
    it is used on.
    """
    if not isinstance(times, Times):
        raise InputError(f"times must be Times, as Times.right_censored(...); it is {type(times).__name__}")
    if knots < 2:
        raise InputError(f"knots must be at least 2, one for each end; it is {knots}")
    places = knots_for(times, knots)
    likelihood = Likelihood(times, LogHazard(places))
    theta = coefficients_for(likelihood)
    training = None if fitted_on_test_outcomes else TrainingOutcomes.of(times.lower, times.upper)
    return SurvivalMarginal(np.exp(places), theta, likelihood.log_likelihood(theta), training)


def _positive(t: ArrayLike) -> Array:
    values = np.asarray(t, dtype=np.float64)
    wrong = ~(np.isfinite(values) & (values > 0.0))
    if wrong.any():
        raise InputError(f"t must be finite and above 0; it has {values[wrong].flat[0]:g}")
    return values

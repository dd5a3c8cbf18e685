"""A prior P for real outcomes: the density of the training outcomes, by the mixture that nepers has for j.

The training outcomes y, or their logarithms, are put in a unit of their own,

    t = (y - median) / s,       s = (upper quartile - lower quartile) / 1.349

and P is the posterior predictive density of the hierarchy (`nepers.hierarchy`) given t: the average over
posterior draws of a mixture of skew-Student components. It follows several peaks, skewness and long tails,
and finds the number of components itself. The constants are the paper's, five of its units being one s: a
component is then expected to be about s/2 wide. With 300 outcomes P is some 0.01 to 0.02 nats a case worse
than the true density where that is smooth, and some 0.05 worse at an edge such as that of an exponential
density at 0; where the outcomes are positive, ``transform="log"`` does away with the edge.

All components have a finite variance: what is heavier-tailed than that, P follows as far as the data go.

Under a density no two outcomes are equal. Equal ones are taken to be rounded, to days or to digits, and are
spread evenly around their value, within half the way to the next (`nepers.priors.rounding`). Where a value is
so frequent that it must have a probability of its own, it is an error: such outcomes have an atom beside a
density, for which there is `log_mixed`, or are discrete, with the frequencies of the classes as their prior.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers import running
from nepers.columns import Column
from nepers.diagnostics import ConvergenceWarning, Diagnostics
from nepers.draw_sets import pooled
from nepers.errors import InputError, warn
from nepers.priors.leak import TrainingOutcomes
from nepers.priors.rounding import distinct, refuse_atoms, spread
from nepers.progress import Progress
from nepers.ratios.truths import real_truths
from nepers.rows import refuse

if TYPE_CHECKING:
    from nepers.hierarchy import Mixture

Array = NDArray[np.float64]

_UNIT = 5.0  # of the data's spread, in the unit of the paper's constants
_QUARTILES_APART = 1.349  # of a normal with standard deviation 1
_LEAST = 10
_CHAINS, _TARGET_ESS, _POOLED_DRAWS = 4, 400.0, 400


@dataclass(frozen=True, eq=False, repr=False)
class FittedMarginal:
    """The distribution P of the outcome, the same for every case.

    ``mixture`` is that of t; ``training`` is None where P may be used on the outcomes it was fitted on.
    ``seed`` and ``stopped`` are as in `nepers.Assessment`.
    """

    mixture: Mixture
    median: float
    unit: float
    transform: Literal["log"] | None
    training: TrainingOutcomes | None
    diagnostics: Diagnostics
    n: int
    seed: int
    stopped: str

    def log_p(self, y_true: Any) -> Array:
        """log P(x) for the outcome of each case, which must not be among those P was fitted on."""
        found = _outcomes("y_true", y_true, self.transform)
        if self.training is not None:
            self.training.refuse("y_true", found.values)
        return self._logpdf(found.values)

    def pdf(self, y: ArrayLike) -> Array:
        """The density at y."""
        return np.exp(self._logpdf(np.asarray(y, dtype=np.float64)))

    def cdf(self, y: ArrayLike) -> Array:
        """The probability of an outcome at or below y."""
        return self.mixture.cdf(self._standardised(np.asarray(y, dtype=np.float64)))

    def __repr__(self) -> str:
        of = "log y" if self.transform == "log" else "y"
        return f"<FittedMarginal of {of}, n = {self.n}, median {self.median:.4g}, unit {self.unit:.4g}>"

    def _standardised(self, y: Array) -> Array:
        return np.asarray((_transformed(y, self.transform) - self.median) / self.unit)

    def _logpdf(self, y: Array) -> Array:
        result: Array = self.mixture.logpdf(self._standardised(y)) - np.log(self.unit)
        if self.transform is None:
            return result
        with np.errstate(invalid="ignore"):  # the density is per unit of y, and none at or below zero
            return np.where(y <= 0.0, -np.inf, result - _transformed(y, "log"))


def fitted_marginal(
    y_train: Any,
    *,
    transform: Literal["log"] | None = None,
    seed: int | None = None,
    max_seconds: float = 60.0,
    fitted_on_test_outcomes: bool = False,
) -> FittedMarginal:
    """The distribution of the outcome in the training data, for ``log_p`` of the cases to be assessed.

    y_train: a number for each training case; at least 10 of them.
    transform: "log" to fit the density of log y, where all outcomes are positive.
    seed, max_seconds: as in `nepers.assess`.
    fitted_on_test_outcomes: True to let ``log_p`` take the outcomes that P was fitted on.
    """
    from nepers.hierarchy.arrays import positive, whole_number
    from nepers.options import fresh_seed

    if transform not in (None, "log"):
        raise InputError(f"transform must be None or 'log'; it is {transform!r}")
    seed = fresh_seed() if seed is None else whole_number("seed", seed, 0)
    budget = positive("max_seconds", max_seconds)
    given = _outcomes("y_train", y_train, transform)
    values = _spread(given, transform)
    lower, median, upper = (float(value) for value in np.quantile(values, [0.25, 0.5, 0.75]))
    unit = (upper - lower) / _QUARTILES_APART
    run = _sampled((values - median) / unit, seed, budget)
    if not run.diagnostics.good():
        warn(" ".join(run.diagnostics.problems()), ConvergenceWarning)
    return FittedMarginal(
        mixture=pooled(run.draws, _POOLED_DRAWS),
        median=median,
        unit=unit,
        transform=transform,
        training=None if fitted_on_test_outcomes else TrainingOutcomes.of(given.values),
        diagnostics=run.diagnostics,
        n=given.values.size,
        seed=seed,
        stopped=run.stopped,
    )


def _outcomes(argument: str, data: Any, transform: str | None) -> Column:
    found = real_truths(data, argument)
    if transform == "log":
        refuse(found, found.values <= 0.0, "must be above 0 for transform='log'")
    return found


def _transformed(y: Array, transform: str | None) -> Array:
    if transform is None:
        return y
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(np.maximum(y, 0.0)))


def _spread(given: Column, transform: str | None) -> Array:
    n = given.values.size
    if n < _LEAST:
        raise InputError(f"y_train must have at least {_LEAST} cases; it has {n}")
    values, counts = distinct(_transformed(given.values, transform))
    refuse_atoms(given.argument, np.exp(values) if transform else values, counts)
    return spread(values, counts)


def _sampled(t: Array, seed: int, budget: float) -> running.Run:
    from nepers.hierarchy import paper

    sampler = running.make_sampler(t, paper().scaled(_UNIT), seed=seed, chains=_CHAINS, cores=None)
    with Progress(None, budget) as shown:
        return running.run_on(sampler, target_ess=_TARGET_ESS, max_seconds=budget, progress=shown)

"""The estimator: patients in, a distribution of the time for each new one out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.hierarchy.arrays import whole_number
from nepers.options import fresh_seed
from nepers.parameters import Parameters
from nepers.survival.constants import TABLES
from nepers.survival.covariates import Covariates, covariates
from nepers.survival.design import Design, design
from nepers.survival.outcome import times_of
from nepers.survival.posterior import POOLED, Posterior, log_ends, sampled
from nepers.survival.score import Score, score

if TYPE_CHECKING:
    from nepers.ratios.censoring import Times
    from nepers.ratios.curves import Curves
    from nepers.survival.predicted import PredictedTimes

Array = NDArray[np.float64]


class SkewStudentSurvival(Parameters):
    """Predicts the time to an event by a mixture of skew-Student distributions of log time and covariates.

    Parameters
    ----------
    time, event : the columns of ``y`` with the time, and with True or 1 where the event was seen; not needed
        where y is structured with one field of each kind, is `nepers.ratios.Times`, or has columns ``lower``
        and ``upper``.
    covariates : how to treat covariates by name, as in `nepers.survival`; "auto" where left out.
    model : "score" for the hierarchy of log time and one score of all covariates (`nepers.survival.score`);
        "joint" for that of log time and all coordinates, as the paper has it.
    hyperparameters : a table of `nepers.survival.constants` by name, a function of mean and covariance that
        gives `nepers.Hyperparameters`, or a list of these to average over. None is "paper" for the joint
        model and all tables for the score.
    noise : of measurement: None, "paper", or (m_n, S_n) with S_n a number; "auto" is "paper" for the joint
        model and None for the score.
    seed : the same seed gives the same draws; drawn from the system if None.
    chains, warm_up, draws : of the sampler; ``draws`` are those kept of each chain.
    cores : all if None.

    After ``fit``: ``score_`` (None for the joint model), ``posterior_`` (draws and what they were made with),
    ``design_`` (what the covariates became), ``n_features_in_``, ``feature_names_in_`` where X has names.
    """

    def __init__(
        self,
        *,
        time: str | None = None,
        event: str | None = None,
        covariates: Any = None,
        model: str = "score",
        hyperparameters: Any = None,
        noise: Any = "auto",
        seed: int | None = None,
        chains: int = 4,
        warm_up: int = 500,
        draws: int = 500,
        cores: int | None = None,
    ) -> None:
        self.time = time
        self.event = event
        self.covariates = covariates
        self.model = model
        self.hyperparameters = hyperparameters
        self.noise = noise
        self.seed = seed
        self.chains = chains
        self.warm_up = warm_up
        self.draws = draws
        self.cores = cores

    def fit(self, X: Any, y: Any = None) -> Self:
        """From training patients: X their covariates, NaN where missing, y their times."""
        table, times = covariates("X", X), times_of(y, self.time, self.event)
        _refuse_unlike(table, times)
        plan = design(table, self.covariates)
        values = plan.apply(table)
        _refuse_too_few(times, values.shape[1] if self.model == "joint" else 1)
        seed = fresh_seed() if self.seed is None else whole_number("seed", self.seed, 0)
        options = {name: getattr(self, name) for name in ("chains", "warm_up", "draws", "cores")}
        options |= _defaults(self.model, self.hyperparameters, self.noise)
        found = None
        if self.model == "score" and values.shape[1]:
            found, own = score(values, *log_ends(times), seed)
            values = own[:, None]
        return self._with(plan, found, sampled(values, times, seed=seed, **options))

    def _with(self, plan: Design, found: Score | None, posterior: Posterior) -> Self:
        """Fitted, with these."""
        self.design_, self.score_, self.posterior_ = plan, found, posterior
        self.n_features_in_ = len(plan.treatments)
        if plan.named:
            self.feature_names_in_ = np.array(plan.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def predict_distribution(self, X: Any, *, most: int = POOLED) -> PredictedTimes:
        """The distribution of the time of each patient in X; what is NaN there is not known.

        It averages over at most ``most`` posterior draws.
        """
        from nepers.conditional.cases import Conditionals
        from nepers.survival.predicted import PredictedTimes

        self._refuse_unfitted()
        table = covariates("X", X)
        values = self.design_.apply(table)
        if self.score_ is not None:
            values = self.score_.of(values)[:, None]
        known = np.column_stack([np.full(table.n, np.nan), values])
        found = self.posterior_
        cases = Conditionals(found.mixture(most), found.noise, known, cores=self.cores)
        return PredictedTimes(cases, found.origin, table.labels)

    def predict(self, X: Any) -> Array:
        """The median time of each patient."""
        return self.predict_distribution(X).median()

    def predict_survival_function(self, X: Any, times: Any) -> Curves:
        """The survival curves at these times."""
        return self.predict_distribution(X).curves(times)

    def score(self, X: Any, y: Any) -> float:
        """The mean log of what was given to the truth: of a density at events, of a probability elsewhere."""
        from nepers.ratios.survival import log_survival

        return float(log_survival(times_of(y, self.time, self.event), self.predict_distribution(X)).mean())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was fitted to a file, for `nepers.load`."""
        from nepers.survival.saving import save

        self._refuse_unfitted()
        save(self, path)


def _defaults(model: str, hyperparameters: Any, noise: Any) -> dict[str, Any]:
    """The constants and the noise that go with the model, where they are left open."""
    if model not in ("score", "joint"):
        raise InputError(f"model must be 'score' or 'joint'; it is {model!r}")
    joint = model == "joint"
    if hyperparameters is None:
        hyperparameters = "paper" if joint else list(TABLES)
    if isinstance(noise, str) and noise == "auto":
        noise = "paper" if joint else None
    return {"hyperparameters": hyperparameters, "noise": noise}


def _refuse_unlike(table: Covariates, times: Times) -> None:
    if table.n != times.n:
        raise InputError(f"X and y must have the same number of rows; X has {table.n:,}, y {times.n:,}")
    from nepers.rows import refuse_other_labels

    refuse_other_labels("X", table.labels, "y", times.labels)


def _refuse_too_few(times: Times, coordinates: int) -> None:
    if times.right.all():
        raise InputError("y must have at least one event; all times are right-censored")
    if times.n < coordinates + 2:
        raise InputError(
            f"X must have more rows than coordinates: n_samples = {times.n}, and the covariates became "
            f"{coordinates} coordinates beside the time; choose covariates"
        )

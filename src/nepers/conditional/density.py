"""The estimator of an N-dimensional density, and of any one coordinate given others."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from nepers.conditional.cases import Conditionals
from nepers.conditional.values import PredictedValues
from nepers.errors import InputError
from nepers.parameters import Parameters
from nepers.survival.covariates import Covariates, covariates
from nepers.survival.posterior import POOLED, Posterior, drawn

if TYPE_CHECKING:
    from nepers.hierarchy import Mixture

Array = NDArray[np.float64]


class SkewStudentDensity(Parameters):
    """The density of the rows of X, by a mixture of skew-Student distributions, of unknown number.

    Any value of any row may be missing (NaN), in training and after. Coordinates are (x - median) / standard
    deviation, so that units do not matter.

    Parameters
    ----------
    hyperparameters : "paper" (`nepers.hierarchy.prostate`), or a function of the mean and covariance of the
        coordinates that gives `nepers.Hyperparameters`.
    noise : None, or (m_n, S_n) for Student noise of measurement, S_n a number in units of the coordinates.
    seed, chains, warm_up, draws, cores : as in `nepers.SkewStudentSurvival`.

    After ``fit``: ``posterior_``, ``centre_`` and ``unit_`` of the coordinates, ``n_features_in_``.
    """

    _is_density = True

    def __init__(
        self,
        *,
        hyperparameters: Any = "paper",
        noise: Any = None,
        seed: int | None = None,
        chains: int = 4,
        warm_up: int = 500,
        draws: int = 500,
        cores: int | None = None,
    ) -> None:
        self.hyperparameters = hyperparameters
        self.noise = noise
        self.seed = seed
        self.chains = chains
        self.warm_up = warm_up
        self.draws = draws
        self.cores = cores

    def fit(self, X: Any, y: Any = None) -> Self:
        """From the rows of X; ``y`` is there for scikit-learn and not used."""
        table = covariates("X", X)
        values = _numbers(table)
        centre, unit = _scale(table, values)
        z = (values - centre) / unit
        known = np.isfinite(z[:, 0])
        self.posterior_: Posterior = drawn(
            z,
            np.where(known, z[:, 0], -np.inf),
            np.where(known, z[:, 0], np.inf),
            **self.get_params(),
        )
        self.centre_, self.unit_ = centre, unit
        self.n_features_in_ = z.shape[1]
        if table.named:
            self.feature_names_in_ = np.array(table.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def score_samples(self, X: Any) -> Array:
        """The log density of what is known of each row; 0 where that is nothing."""
        known = self._coordinates(X)
        first, others = np.isfinite(known[:, 0]), np.isfinite(known[:, 1:]).sum(axis=1) > 0

        def ask(i: int, one: Any) -> float:
            own = float(one.logpdf(known[i, :1])[0]) if first[i] else 0.0
            return own + (float(one.log_weight) if others[i] else 0.0)

        found = np.array(self._conditionals(known, 0, POOLED).each(ask))
        return np.asarray(found - np.where(np.isfinite(known), np.log(self.unit_), 0.0).sum(axis=1))

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of `score_samples`."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, *, seed: int | None = None) -> Array:
        """Draws of new rows, without noise of measurement."""
        self._refuse_unfitted()
        rng = np.random.default_rng(seed)
        draws = self._mixture(POOLED).rvs(n_samples, rng=rng).reshape(n_samples, -1)
        return np.asarray(self.centre_ + self.unit_ * draws)

    def conditional(self, X: Any, column: int | str, *, most: int = POOLED) -> PredictedValues:
        """The distribution of one column in each row, given what is known (not NaN) of the row's others."""
        known = self._coordinates(X)
        place = self._place(column)
        cases = self._conditionals(known, place, most)
        return PredictedValues(cases, float(self.centre_[place]), float(self.unit_[place]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was fitted to a file, for `nepers.load`."""
        from nepers.survival.saving import save_density

        self._refuse_unfitted()
        save_density(self, path)

    def _place(self, column: int | str) -> int:
        names = list(getattr(self, "feature_names_in_", range(self.n_features_in_)))
        if column in names:
            return names.index(column)
        if isinstance(column, int | np.integer) and 0 <= column < self.n_features_in_:
            return int(column)
        raise InputError(f"column must be one of the training data; {column!r} is not")

    def _mixture(self, most: int) -> Mixture:
        return self.posterior_.mixture(most)

    def _conditionals(self, known: Array, target: int, most: int) -> Conditionals:
        return Conditionals(
            self._mixture(most), self.posterior_.noise, known, target=target, cores=self.cores
        )

    def _coordinates(self, X: Any) -> Array:
        self._refuse_unfitted()
        table = covariates("X", X)
        if len(table.columns) != self.n_features_in_:
            raise InputError(
                f"X has {len(table.columns)} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input"
            )
        known = getattr(self, "feature_names_in_", None)
        if known is not None and table.named and table.names != list(known):
            raise InputError("X must have the columns of the training data, by name and in the same order")
        return np.asarray((_numbers(table) - self.centre_) / self.unit_)


def _numbers(table: Covariates) -> Array:
    for column in table.columns:
        if column.is_text:
            raise InputError(f"X must hold numbers; {column.name!r} holds texts")
    return np.column_stack([column.values for column in table.columns])


def _scale(table: Covariates, values: Array) -> tuple[Array, Array]:
    """The medians and standard deviations of the columns; an error for one that does not vary."""
    if len(values) < values.shape[1] + 2:
        raise InputError(
            f"X must have at least two rows more than columns; found {len(values)} sample(s) and "
            f"{values.shape[1]} feature(s): with 1 sample there is no density"
        )
    empty = np.isnan(values).all(axis=0)
    spread = np.where(empty, 0.0, np.nanstd(np.where(empty, 0.0, values), axis=0))
    flat = spread <= 1e-12 * np.nanmax(np.abs(np.where(empty, 0.0, values)), axis=0)
    if flat.any():
        name = table.names[int(np.flatnonzero(flat)[0])]
        raise InputError(f"X must have columns that vary; {name!r} has one value in all rows, or none")
    return np.nanmedian(values, axis=0), spread

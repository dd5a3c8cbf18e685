"""What a table of hyperparameters says before any case is seen: of J, and of the distribution of j.

A prior for J of -2.6 to 2.6 nats says nothing against a prediction worth 1, and a lot against one worth 8.
Two remedies, to be chosen before looking at the cases:

``scale=s``: every j is s times larger, and so are the differences between cases, and all details. For j
that is large or small in every way: sums over long documents, densities of many dimensions, other units.

``Hyperparameters.widen(size)``: J may be as far from 0 as ``size`` nats, and the cases spread as far; but the
details of the distribution of j are as fine as before. For much information: many classes, very rare events.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.estimate import Posterior, Unit, check_level
from nepers.options import fresh_seed, named_hyperparameters

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters
    from nepers.hierarchy.prior import PriorRows

Array = NDArray[np.float64]

_DRAWS, _CURVES, _POINTS = 10_000, 300, 121


@dataclass(frozen=True, eq=False)
class Band:
    """Of the density of j at each x: median, interval and mean over the distributions."""

    x: Array
    lower: Array
    median: Array
    upper: Array
    mean: Array


@dataclass(frozen=True, eq=False, repr=False)
class PriorLook(Posterior):
    """J before any case: ``nats`` are independent draws, and numbers are in ``unit``."""

    nats: Array
    rows: PriorRows
    hyperparameters: Hyperparameters
    scale: float
    seed: int
    unit: Unit = "nats"

    @property
    def J(self) -> Array:
        """The draws of J."""
        return self.nats * self._factor

    def in_bits(self) -> PriorLook:
        """The same, reporting in bits."""
        return dataclasses.replace(self, unit="bits")

    def of_cases(self, level: float = 0.95) -> tuple[float, float]:
        """The interval that holds the j of a single case, of a distribution drawn from the prior."""
        check_level(level)
        low, high = np.quantile(self._cases, ((1.0 - level) / 2.0, (1.0 + level) / 2.0)) * self._factor
        return float(low), float(high)

    def density(self, level: float = 0.95) -> Band:
        """What the distributions of j may look like, on a grid over the middle of what the cases may be."""
        check_level(level)
        x, curves = self._curves
        lower, median, upper = np.quantile(curves, ((1.0 - level) / 2.0, 0.5, (1.0 + level) / 2.0), axis=0)
        return Band(x, lower, median, upper, curves.mean(axis=0))

    def summary(self, level: float = 0.95) -> dict[str, Any]:
        """The answer as one row."""
        lower, upper = self.interval(level)
        case_lower, case_upper = self.of_cases(level)
        return {
            "unit": self.unit,
            "median": self.median,
            "level": level,
            "lower": lower,
            "upper": upper,
            "case_lower": case_lower,
            "case_upper": case_upper,
            "scale": self.scale,
            "seed": self.seed,
        }

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """`summary` and the hyperparameters, fit for JSON."""
        return {**self.summary(level), "hyperparameters": self.hyperparameters.to_dict()}

    def to_frame(self, native: str | None = None, level: float = 0.95) -> Any:
        """`summary` as a table of one row, of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        return as_frame({key: [value] for key, value in self.summary(level).items()}, native)

    def plot(self, axes: Any = None) -> Any:
        """The density of J, and beside it the band of the densities of j."""
        from nepers.display.prior_look import plot_prior_look

        return plot_prior_look(self, axes)

    def __str__(self) -> str:
        (low, high), (case_low, case_high) = self.interval(), self.of_cases()
        return (
            f"Before any case J is between {low:.3g} and {high:.3g} {self.unit} with probability 0.95, and "
            f"the j of "
            f"a single case between {case_low:.3g} and {case_high:.3g}.\n"
            "If J may well lie outside: hyperparameters.widen(size) lets it be as far from 0 as that; "
            "scale= makes "
            "everything larger, the differences between cases and their details too."
        )

    def __repr__(self) -> str:
        lower, upper = self.interval()
        return f"<PriorLook J from {lower:.4g} to {upper:.4g} {self.unit} (95%)>"

    @cached_property
    def _curves(self) -> tuple[Array, Array]:
        """The densities of j in some draws on a grid; and their mirror images, as the prior is symmetric."""
        centre = float(self.hyperparameters.mu_mu_mu[0]) * self.scale
        reach = float(np.quantile(np.abs(self._cases - centre), 0.98))
        x = centre + np.linspace(-reach, reach, _POINTS)
        curves = np.stack([_pdf(self.rows, k, x) for k in range(_CURVES)]) / self._factor
        return x * self._factor, np.concatenate([curves, curves[:, ::-1]])

    @cached_property
    def _cases(self) -> Array:
        from nepers.hierarchy.prior import cases_of_each

        return cases_of_each(self.rows, 20, np.random.default_rng(self.seed + 1)).ravel()


def look_at_prior(
    hyperparameters: str | Hyperparameters = "calibrated",
    *,
    scale: float = 1.0,
    draws: int = _DRAWS,
    seed: int | None = None,
) -> PriorLook:
    """What hyperparameters say of J, and of the j of a case, before any case is seen.

    hyperparameters, scale: as for `nepers.assess`.
    draws: how many draws from the prior.
    seed: the same seed gives the same draws; left out, one is taken from the system and recorded.

    >>> import nepers
    >>> wide = nepers.paper().widen(8.0)
    >>> low, high = nepers.look_at_prior(wide, seed=1).interval(0.95)
    """
    from nepers.hierarchy.arrays import positive, whole_number
    from nepers.hierarchy.prior import prior_rows

    constants, unit = named_hyperparameters(hyperparameters), positive("scale", scale)
    size = whole_number("draws", draws, _CURVES)
    used = fresh_seed() if seed is None else whole_number("seed", seed, 0)
    rows = prior_rows(constants.scaled(unit), size, np.random.default_rng(used))
    return PriorLook(rows.J().sum(axis=0), rows, constants, unit, used)


def _pdf(rows: PriorRows, k: int, x: Array) -> Array:
    """The density of j in draw ``k``."""
    from nepers.hierarchy import Mixture

    own = rows.owner == k
    names = ("p", "mu", "nu", "S", "m", "r")
    return np.asarray(Mixture(**{name: getattr(rows, name)[own] for name in names}).pdf(x))

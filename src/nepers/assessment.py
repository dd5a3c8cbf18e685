"""What the cases say about J, the expectation of the log ratio over new cases.

    J = E[log Q(x) - log P(x)]

in nats: positive where the prediction Q is worth more than the prior P. `assess` gives the posterior of J
as independent or nearly independent draws; an `Assessment` answers questions from them.
"""

from __future__ import annotations

import dataclasses
import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers import atoms as atomic
from nepers.cases import Case, LogRatios, log_ratios
from nepers.diagnostics import ConvergenceWarning, Diagnostics
from nepers.display.methods import AssessmentPlots
from nepers.draw_sets import in_unit, pooled
from nepers.errors import InputError, warn
from nepers.estimate import Posterior, Unit, check_level
from nepers.input_notes import input_notes
from nepers.options import read_options
from nepers.posterior import Branch, branch, posterior_of
from nepers.report.methods import Reported
from nepers.tally.tally import Tally

if TYPE_CHECKING:
    from nepers.distribution import Distribution
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters
    from nepers.tails import Sensitivity, TailIndex

Array = NDArray[np.float64]
Label = int | float | str

_PREDICTIVE_DRAWS = 400


class Atom(NamedTuple):
    """A repeated value, the number of cases that have it, and its posterior mean probability."""

    value: float
    cases: int
    weight: float


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Posterior, AssessmentPlots, Reported):
    """The posterior of J. Numbers are in ``unit``; ``nats`` holds the draws of J, (chains, draws), in nats.

    ``stopped`` says why the drawing ended: "target" (J has the effective sample size wanted), "budget" (time
    was up), "independent" (the draws are exact) or "certain" (J = -inf: ``infinite_cases`` names why).
    ``worst_cases`` are the twenty with the lowest j, the lowest first.
    ``draws`` are those of the hierarchy for the continuous part of j, None where there is none.
    ``hyperparameters`` are for data in units of ``scale``.
    ``notes`` are sentences on what the input looks like, and on what would be better for it.
    """

    n: int
    nats: Array
    kinds: atomic.Kinds
    draws: Draws | None
    diagnostics: Diagnostics
    hyperparameters: Hyperparameters
    scale: float
    seed: int
    stopped: str
    infinite_cases: tuple[Label, ...]
    worst_cases: tuple[Case, ...]
    version: str
    name: str | None = None
    unit: Unit = "nats"
    notes: tuple[str, ...] = ()

    @property
    def J(self) -> Array:
        """The posterior draws of J, (chains, draws)."""
        return self.nats * self._factor

    @property
    def geometric_factor(self) -> float:
        """exp(J) at the posterior mean: what Q gives the truth over what P gives it, on geometric average."""
        return geometric_factor(float(self.nats.mean()))

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The repeated values of j, ascending."""
        k = self.kinds
        columns = (k.atom_values * self._factor, k.atom_counts, k.mean_weights[: k.atom_values.size])
        return tuple(Atom(float(v), int(c), float(w)) for v, c, w in zip(*columns, strict=True))

    @cached_property
    def tail(self) -> TailIndex:
        """The estimated index of the left tail of j and the number of cases it is from (`nepers.tails`)."""
        from nepers.tails import left_index

        return left_index(*self.kinds.values_and_cases)

    def tail_sensitivity(self, level: float = 0.95) -> Sensitivity | None:
        """The interval of J under a lighter and a heavier prior of tails.

        None if the left tail is light, or all values repeat, as then there is no tail to infer.
        """
        from nepers.tails import sensitivity

        check_level(level)
        return sensitivity(self, level) if self.tail.heavy and self.kinds.remainder.size else None

    def density(self, draw: int) -> Distribution:
        """The distribution of one case's j in a single posterior draw; draws are counted chain by chain."""
        from nepers.distribution import Distribution

        self._refuse_certain()
        if not 0 <= draw < self.nats.size:
            raise InputError(f"draw must be from 0 to {self.nats.size - 1}; it is {draw}")
        k, stream = self.kinds, branch(self.seed, Branch.WEIGHTS)
        w = atomic.weights_of_draw(k, stream, draw)
        mixture = None if self.draws is None else self.draws.mixture(*divmod(draw, self.draws.draws))
        found = Distribution(k.atom_values, w[: k.atom_values.size], mixture)
        if k.unseen is not None:
            found = found.with_point(k.unseen, float(atomic.unseen_weights(k, stream, draw + 1)[draw]))
        return found.in_unit(self._factor)

    @property
    def predictive(self) -> Distribution:
        """The posterior predictive distribution of the j of one new case."""
        return self._predictive_nats.in_unit(self._factor)

    def predictive_pdf(self, x: ArrayLike) -> Array:
        """The predictive density of the continuous part, times its probability; `atoms` has the rest."""
        return self.predictive.pdf(x)

    def predictive_cdf(self, x: ArrayLike) -> Array:
        """The predictive probability of a j at or below x, atoms and all."""
        return self.predictive.cdf(x)

    def predictive_rvs(self, size: int, rng: np.random.Generator | None = None) -> Array:
        """Draws of j, each for one new case on its own; the seed's own stream unless ``rng`` is given."""
        own = np.random.default_rng(branch(self.seed, Branch.PREDICTIVE))
        return self.predictive.rvs(size, rng=own if rng is None else rng)

    def in_bits(self) -> Assessment:
        """The same assessment, reporting in bits."""
        return dataclasses.replace(self, unit="bits")

    def in_nats(self) -> Assessment:
        """The same assessment, reporting in nats."""
        return dataclasses.replace(self, unit="nats")

    def summary(self, level: float = 0.95) -> dict[str, Any]:
        """The answer as one row."""
        return {
            "name": self.name,
            "n": self.n,
            **self.row(level),
            "geometric_factor": self.geometric_factor,
            "tail_index": self.tail.index,
            **self._tail_summary(level),
            "stopped": self.stopped,
            "reliable": self.diagnostics.good(),
            "seed": self.seed,
            "version": self.version,
        }

    def _tail_summary(self, level: float) -> dict[str, float]:
        """The ends of the interval under other priors of tails; NaN where there is nothing to say."""
        found = self.tail_sensitivity(level) or (None, None)
        names = (("lighter_tail_lower", "lighter_tail_upper"), ("heavier_tail_lower", "heavier_tail_upper"))
        return {
            name: math.nan if ends is None else ends[i]
            for pair, ends in zip(names, found, strict=True)
            for i, name in enumerate(pair)
        }

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Everything but the draws, fit for JSON: infinite numbers are text, undefined ones None."""
        from nepers.export import as_dict

        return as_dict(self, level)

    def to_frame(self, native: str | None = None, level: float = 0.95) -> Any:
        """`summary` as a table of one row, of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        return as_frame({key: [value] for key, value in self.summary(level).items()}, native)

    def to_arviz(self) -> Any:
        """The draws as ArviZ's labelled posterior."""
        from nepers.export import as_arviz

        return as_arviz(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything, draws included, to one file."""
        from nepers.storage import save

        save(self, path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Assessment:
        """What `save` wrote."""
        from nepers.storage import load

        found = load(path)
        if not isinstance(found, Assessment):
            raise InputError(f"{path} must be an assessment; it holds {type(found).__name__}")
        return found

    def __str__(self) -> str:
        from nepers.words import describe

        return describe(self)

    def _repr_html_(self) -> str:
        from nepers.report.notebook import assessment_html

        return assessment_html(self)

    def __repr__(self) -> str:
        lower, upper = self.interval()
        return f"<Assessment J = {self.mean:.4g} {self.unit} ({lower:.4g} to {upper:.4g}), n = {self.n}>"

    @cached_property
    def _predictive_nats(self) -> Distribution:
        from nepers.distribution import Distribution

        self._refuse_certain()
        k = self.kinds
        mixture = None if self.draws is None else pooled(self.draws, _PREDICTIVE_DRAWS)
        # the weights are independent of the remainder, so their posterior means are exact here
        found = Distribution(k.atom_values, k.mean_weights[: k.atom_values.size], mixture)
        return found if k.unseen is None else found.with_point(k.unseen, 1.0 / (k.n + 2.0))

    def draws_in_unit(self) -> Draws | None:
        """``draws`` in the unit of the report."""
        return self.draws and in_unit(self.draws, self._factor, self.kinds.remainder_cases)

    def _refuse_certain(self) -> None:
        if self.infinite_cases:
            raise InputError(
                "J is -inf for certain: no distribution of j was inferred, so there is none to give"
            )


def _given(j: Any, log_q: Any, log_p: Any) -> LogRatios | Tally:
    if isinstance(j, Tally):
        if log_q is not None or log_p is not None:
            raise InputError("give a tally alone: log_q and log_p are in it already")
        return j
    return log_ratios(j, log_q=log_q, log_p=log_p)


def geometric_factor(nats: float) -> float:
    """exp, infinite where it would overflow."""
    return math.exp(nats) if nats < 709.0 else math.inf


def assess(
    j: Any = None,
    *,
    log_q: Any = None,
    log_p: Any = None,
    hyperparameters: str | Hyperparameters = "calibrated",
    scale: float = 1.0,
    seed: int | None = None,
    chains: int = 4,
    target_ess: float = 1000.0,
    max_seconds: float = 60.0,
    cores: int | None = None,
    progress: bool | None = None,
) -> Assessment:
    """The posterior of J given the log ratios of unseen cases, in nats; positive is better.

    j: log Q(x) - log P(x) of each case: a list, an array, a column of a dataframe; or a `Tally`. Or both of
    log_q, log_p: the logs of what the prediction and the prior gave to what came true.

    hyperparameters: the constants of the hierarchy, or the name of a table of them: "calibrated", or "paper".
    scale: the unit in which those constants are stated. ``assess(s * j, scale=s)`` is s times ``assess(j)``.
    seed: the same seed gives the same draws; left out, one is taken from the system and recorded.
    chains, target_ess: drawing goes on until the chains agree and J's bulk effective sample size is this.
    max_seconds: the budget of time; if it ends first, the result says so, and warns unless it is good anyway.
    cores: how many to use; all by default.
    progress: whether to show progress; by default only on a terminal and if it takes longer than 2 s.

    A case with j = -inf makes J = -inf, for certain. Values that repeat are atoms (`nepers.atoms`). Of more
    than 10,000 values that do not, the posterior is made from a tally (`nepers.tally`): the same, but fast.
    The answer is for a fixed prediction on cases it was not made from, and not for cross-validated averages.
    """
    cases = _given(j, log_q, log_p)
    options = read_options(hyperparameters, scale, seed, chains, target_ess, max_seconds, cores)
    posterior = posterior_of(cases, options, progress)
    notes = input_notes(cases, posterior.kinds, options, log_p, posterior.tallied)
    if not posterior.diagnostics.good():
        warn(" ".join(posterior.diagnostics.problems()), ConvergenceWarning)
    return Assessment(
        n=cases.n,
        nats=posterior.nats,
        kinds=posterior.kinds,
        draws=posterior.draws,
        diagnostics=posterior.diagnostics,
        hyperparameters=options.hyperparameters,
        scale=options.scale,
        seed=options.seed,
        stopped=posterior.stopped,
        infinite_cases=cases.infinite,
        worst_cases=cases.worst,
        version=installed_version(),
        name=cases.name,
        notes=notes,
    )


def installed_version() -> str:
    """The version of nepers, which a result carries."""
    from importlib.metadata import version

    return version("nepers")

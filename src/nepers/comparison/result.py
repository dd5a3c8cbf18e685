"""The joint posterior of several J, and every question it answers."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.comparison import ranking
from nepers.comparison.given import PRIOR
from nepers.display.methods import ComparisonPlots
from nepers.errors import InputError
from nepers.estimate import Estimate, Unit, check_level
from nepers.report.methods import Reported

if TYPE_CHECKING:
    from nepers.assessment import Label
    from nepers.cases import Case
    from nepers.diagnostics import Diagnostics
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]

CERTAINTY = 0.95


@dataclass(frozen=True)
class Algorithm:
    """One row of the answer, in the comparison's unit. ``gain`` is J less the reference's J.

    ``rank_probabilities`` begin with the probability of being the best; ``verdict`` is "better", "worse" or
    "equivalent" if that has probability 0.95 or more, else "not yet known"; "reference" for the reference.
    """

    name: str
    mean: float
    median: float
    sd: float
    lower: float
    upper: float
    gain_mean: float
    gain_lower: float
    gain_upper: float
    probability_better: float
    probability_best: float
    rank_probabilities: tuple[float, ...]
    verdict: str


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(ComparisonPlots, Reported):
    """The joint posterior of the J of ``names``; ``nats`` holds its draws (draws, algorithms).

    J is relative to the prior, or to the reference where no prior was given: its own J is then 0.
    ``diagnostics`` has those of the chains on each of the ``axes`` (`nepers.comparison.axes`).
    ``infinite_cases`` names, for each algorithm, the cases to which it gave probability zero: its J is then
    -inf. ``worst_cases`` has the twenty with the lowest j of each. ``equivalence`` is in nats.
    """

    names: tuple[str, ...]
    reference: str
    n: int
    nats: Array
    diagnostics: tuple[Diagnostics, ...]
    axes: Array
    infinite_cases: tuple[tuple[Label, ...], ...]
    worst_cases: tuple[tuple[Case, ...], ...]
    equivalence: float
    hyperparameters: Hyperparameters
    scale: float
    seed: int
    stopped: str
    version: str
    unit: Unit = "nats"

    def __getitem__(self, name: str) -> Estimate:
        """J of one algorithm; of the prior it is 0."""
        return Estimate(self._nats_of(name), self.unit)

    def difference(self, a: str, b: str) -> Estimate:
        """J of a less J of b: the J of a with b as its prior. Either may be "prior"."""
        return Estimate(self._gain(a, b), self.unit)

    @property
    def J(self) -> Array:
        """The joint posterior draws, (draws, algorithms), in the order of ``names``."""
        return self.nats * (1.0 if self.unit == "nats" else 1.0 / math.log(2.0))

    @cached_property
    def pairwise(self) -> Array:
        """(k, k): the probability that the row's J is above the column's."""
        return ranking.pairwise(self.nats)

    @cached_property
    def rank_probabilities(self) -> Array:
        """(k, k): the probability that the row's algorithm is the best, the second, and so on."""
        return ranking.rank_probabilities(self.nats)

    @property
    def probability_best(self) -> dict[str, float]:
        """The probability that the algorithm has the largest J of those compared; they add up to one.

        It is about the algorithms as they stand, and about which is the best, not by how much. Before any
        data each of k has 1/k; of k equal ones, one may have much more after, by chance. The J of the
        one picked for being the best looks better than it is: assess it again on cases that did not pick it.
        """
        return dict(zip(self.names, self.rank_probabilities[:, 0].tolist(), strict=True))

    def verdict(self, name: str, against: str | None = None) -> str:
        """ "better", "worse", "equivalent" or "not yet known", against the reference or another algorithm."""
        other = self.reference if against is None else against
        if name == other:
            return "reference"
        return ranking.judge(self._gain(name, other), self.equivalence, CERTAINTY)

    def rows(self, level: float = 0.95) -> tuple[Algorithm, ...]:
        """A row for each algorithm, the one with the greatest mean of J first."""
        check_level(level)
        order = np.argsort(-self.nats.mean(axis=0), kind="stable")
        return tuple(self._row(int(i), level) for i in order)

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the chains and what to do about it; empty when all is well."""
        return tuple(
            f"Axis {i} of the comparison: {sentence}"
            for i, one in enumerate(self.diagnostics)
            for sentence in one.problems()
        )

    def in_bits(self) -> Comparison:
        """The same comparison, reporting in bits."""
        return dataclasses.replace(self, unit="bits")

    def in_nats(self) -> Comparison:
        """The same comparison, reporting in nats."""
        return dataclasses.replace(self, unit="nats")

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Everything but the draws, fit for JSON: infinite numbers are text, undefined ones None."""
        from nepers.comparison.export import as_dict

        return as_dict(self, level)

    def to_frame(self, native: str | None = None, level: float = 0.95) -> Any:
        """A row for each algorithm, as a table of polars, pandas or pyarrow: the first installed if None."""
        from nepers.comparison.export import as_frame

        return as_frame(self, native, level)

    def __str__(self) -> str:
        from nepers.comparison.words import describe

        return describe(self)

    def _repr_html_(self) -> str:
        from nepers.report.notebook import comparison_html

        return comparison_html(self)

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.names)} algorithms, n = {self.n}, reference {self.reference!r}>"

    def _row(self, i: int, level: float) -> Algorithm:
        name = self.names[i]
        own, gain = self[name], self.difference(name, self.reference)
        ranks = self.rank_probabilities[i]
        return Algorithm(
            name=name,
            mean=own.mean,
            median=own.median,
            sd=own.sd,
            lower=own.interval(level)[0],
            upper=own.interval(level)[1],
            gain_mean=gain.mean,
            gain_lower=gain.interval(level)[0],
            gain_upper=gain.interval(level)[1],
            probability_better=gain.probability_above(0.0),
            probability_best=float(ranks[0]),
            rank_probabilities=tuple(float(p) for p in ranks),
            verdict=self.verdict(name),
        )

    def _nats_of(self, name: str) -> Array:
        if name == PRIOR:
            return np.zeros(len(self.nats))
        if name not in self.names:
            raise InputError(f"name must be one of {', '.join(self.names)}, or {PRIOR!r}; it is {name!r}")
        return np.asarray(self.nats[:, self.names.index(name)])

    def _gain(self, a: str, b: str) -> Array:
        """The difference of two that are minus infinity is undefined: NaN, above and below nothing."""
        first, second = self._nats_of(a), self._nats_of(b)
        if a == b:
            return np.zeros(len(first))
        with np.errstate(invalid="ignore"):
            return first - second

"""The distribution of a new case's j in some posterior draws, atoms and all, and its posterior mean.

Each curve belongs to a draw of the hierarchy, evenly spread over all, and an independent draw of the kinds'
probabilities (`nepers.atoms`), from a stream of the assessment's own seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from nepers import atoms
from nepers.display.gaussians import Gaussians, gaussians_of
from nepers.display.sample import Array, Sample, in_report
from nepers.posterior import Branch, branch

if TYPE_CHECKING:
    from nepers.assessment import Assessment

DRAWS = 100
_WEIGHTS = 4_000_000  # what the probabilities of many atoms may take


@dataclass(frozen=True, eq=False)
class Curves:
    """Draws of the distribution: Gaussians for the continuous part, and ``weights`` (draws, kinds)."""

    gaussians: Gaussians | None
    atom_values: Array
    weights: Array
    mean_weights: Array

    def mean_pdf(self, x: Array) -> Array:
        """The posterior mean of the continuous part's density, times its probability."""
        if self.gaussians is None:
            return np.zeros(x.size)
        return np.asarray(self.mean_weights[-1] * self.gaussians.pdf(x).mean(axis=0))

    def mean_cdf(self, x: Array) -> Array:
        """The posterior mean of the probability of at most x."""
        return self.cdf(x, np.zeros(x.size, dtype=np.bool_))[1]

    def cdf(self, x: Array, before: NDArray[np.bool_]) -> tuple[Array, Array]:
        """The probability of at most x, or below x where ``before``: in each draw, and its mean."""
        under, at = (np.searchsorted(self.atom_values, x, side) for side in _SIDES)
        places = np.where(before, under, at)
        single, mean = _cumulated(self.weights, self.atom_values.size), self.mean_weights[None, :]
        each, average = single[:, places], _cumulated(mean, self.atom_values.size)[0, places]
        if self.gaussians is None:
            return each, average
        continuous = self.gaussians.cdf(x)
        return (
            each + self.weights[:, -1:] * continuous,
            average + self.mean_weights[-1] * continuous.mean(axis=0),
        )


_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


def curves_of(assessment: Assessment, most: int = DRAWS) -> Curves:
    """At most so many draws of the distribution, in the unit of the report."""
    kinds = assessment.kinds
    draws = assessment.draws_in_unit()
    number = max(10, min(most, assessment.nats.size, _WEIGHTS // max(kinds.A, 1)))
    gaussians = None if draws is None else gaussians_of(draws, number)
    number = number if gaussians is None else gaussians.draws
    rng = np.random.default_rng(branch(assessment.seed, Branch.PREDICTIVE))
    return Curves(
        gaussians=gaussians,
        atom_values=kinds.atom_values * in_report(assessment),
        weights=atoms.weights(kinds, rng, number),
        mean_weights=kinds.mean_weights,
    )


def steps(points: Array, atom_values: Array) -> tuple[Array, NDArray[np.bool_]]:
    """The points and the atoms in order, the atoms twice: before the step there, and after it."""
    x = np.concatenate([np.setdiff1d(points, atom_values), atom_values, atom_values])
    before = np.zeros(x.size, dtype=np.bool_)
    before[x.size - 2 * atom_values.size : x.size - atom_values.size] = True
    order = np.lexsort((~before, x))
    return x[order], before[order]


def far_points(sample: Sample) -> Array:
    """Points over the cases and far beyond, closer where the cases are."""
    every = sample.every
    low, high = float(every[0]), float(every[-1])
    reach = (high - low) or max(abs(low), 1.0)
    out = reach * np.geomspace(1e-3, 30.0, 50)
    inside = np.quantile(every, np.linspace(0.0, 1.0, 120))
    middle, share = np.median(every), np.geomspace(1e-4, 1.0, 50)
    toward = [middle + share * (end - middle) for end in (low, high)]
    return np.unique(np.concatenate([low - out, inside, *toward, high + out]))


def ranks_shown(n: int, ends: int = 40, middle: int = 120) -> NDArray[np.int64]:
    """Ranks from 1 to n: all near both ends, fewer between."""
    first, last = np.arange(1, min(n, ends) + 1), np.arange(max(1, n - ends + 1), n + 1)
    between = np.linspace(1, n, min(n, middle)).round().astype(np.int64)
    toward = np.geomspace(1, n, min(n, middle)).round().astype(np.int64)
    return np.unique(np.concatenate([first, last, between, toward, n + 1 - toward]))


def _cumulated(weights: Array, atoms_number: int) -> Array:
    sums = np.cumsum(weights[:, :atoms_number], axis=1)
    return np.concatenate([np.zeros((weights.shape[0], 1)), sums], axis=1)

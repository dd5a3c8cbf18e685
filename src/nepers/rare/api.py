"""`assess_classes`."""

from __future__ import annotations

from typing import Any

import numpy as np

from nepers.assessment import installed_version
from nepers.errors import InputError
from nepers.options import fresh_seed
from nepers.rare.expectation import expectations
from nepers.rare.given import Given, read_given
from nepers.rare.recalibration import draw, offsets, prior_sds
from nepers.rare.result import ClassAssessment

_DRAWS = (1000, 4000)
_WORK = 1_000_000_000  # probabilities that may be worked out for the draws
SHIFT_SD, SLOPE_SD, FRESH = 2.0, 0.5, 8.0


def assess_classes(
    y_true: Any,
    y_proba: Any,
    *,
    prior: Any,
    labels: Any = None,
    shift_sd: float = SHIFT_SD,
    slope_sd: float = SLOPE_SD,
    fresh: float = FRESH,
    draws: int | None = None,
    seed: int | None = None,
) -> ClassAssessment:
    """The posterior of J from the probabilities of all classes: for classes that few cases have shown.

    y_true, y_proba, labels: as for `nepers.ratios.log_class`; unseen cases.
    prior: P of every class: `nepers.priors.class_frequencies`, a mapping of label to probability, a row in
        the order of the labels, or a table with a row for each case, as an older algorithm gives it.
    shift_sd, slope_sd: of the prior of the recalibration (`nepers.rare`); smaller ones trust Q more.
    fresh: how many cases the y count for that were not seen yet; 0 is the Bayesian bootstrap.
    draws: how many posterior draws; left out, 4000, and of very many cases fewer, but at least 1000.
    seed: the same seed gives the same draws; left out, one is taken from the system and recorded.

    It models the true probabilities as a recalibration of the prediction's, which `nepers.assess` does not:
    use it where a class came true in fewer than some ten cases. The answer is for a fixed prediction on cases
    it was not made from.

    >>> import nepers
    >>> y = [0] * 48 + [1] * 2
    >>> proba = [0.01] * 40 + [0.1] * 9 + [0.3]
    >>> answer = nepers.assess_classes(y, proba, prior={0: 0.97, 1: 0.03}, seed=1)
    >>> lower, upper = answer.interval(0.95)
    """
    from nepers.hierarchy.arrays import number, positive, whole_number

    given = read_given(y_true, y_proba, prior, labels)
    sds = prior_sds(given.told.K, positive("shift_sd", shift_sd), positive("slope_sd", slope_sd))
    new = number("fresh", fresh)
    if new < 0.0:
        raise InputError(f"fresh must be at least 0; it is {fresh}")
    size = _affordable(given) if draws is None else whole_number("draws", draws, 100)
    used = fresh_seed() if seed is None else whole_number("seed", seed, 0)
    return _assessed(given, sds, new, size, used)


def _affordable(given: Given) -> int:
    least, most = _DRAWS
    return max(least, min(most, _WORK // given.groups.log_q.size))


def _assessed(given: Given, sds: Any, fresh: float, size: int, seed: int) -> ClassAssessment:
    rng = np.random.default_rng(seed)
    theta = np.zeros((0, given.told.K))
    nats = np.full(1, -np.inf)
    if not given.infinite:
        theta = draw(given.told, sds, size, rng)
        nats = expectations(given.groups, theta, fresh, rng)
    return ClassAssessment(
        n=sum(given.counts),
        nats=nats,
        labels=given.labels,
        counts=given.counts,
        slopes=1.0 + theta[:, -1],
        shifts=offsets(theta),
        shift_sd=float(sds[0] * np.sqrt(2.0)),
        slope_sd=float(sds[-1]),
        fresh=fresh,
        certain=given.certain,
        infinite_cases=given.infinite,
        seed=seed,
        version=installed_version(),
    )

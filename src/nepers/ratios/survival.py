"""The log of what a survival prediction gave to a time that may be censored.

For each case the prediction is the distribution of a time T > 0, with density f and S(t) = P(T > t), and the
truth is a time or the set it is known to lie in (`nepers.ratios.censoring`):

    event at t                   log f(t)                density per unit of time
    right-censored at c          log S(c)                probability of the set
    left-censored at c           log (1 - S(c))
    in an interval               log (S(lower) - S(upper))

The log ratio of each kind is free of the unit of time if prediction and prior share it. If they do not, the
events are wrong by the log of the ratio of the units, and nothing can tell.

Distributions have a density. Curves on a grid have none until it is said what happens between the times:
``density=`` and ``tail=`` (`nepers.ratios.interpolation`). Taken as it is (``density="step"``), a step
function gives every event that is not on one of its steps the density zero, and then J is minus infinity. A
model with a formula for its density, as lifelines' parametric ones, is better handed in as a distribution, or
as curves at many times (``predict_survival_function(X, times=...)``), than at few.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column
from nepers.errors import InputError
from nepers.ratios.censoring import Times
from nepers.ratios.curves import Curves
from nepers.ratios.distributions import Distributions, is_distribution
from nepers.ratios.interpolation import DENSITIES, TAILS, Density, Interpolated, Tail
from nepers.rows import name_rows, refuse_other_cases

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

_ROUNDING = 1e-9


class _Law(Protocol):
    """The distributions of all cases: values of the chosen ``rows``, each at a time of its own."""

    def log_density(self, rows: Rows, t: Array) -> Array: ...
    def log_survival(self, rows: Rows, t: Array) -> Array: ...
    def log_between(self, rows: Rows, lower: Array, upper: Array) -> Array: ...


def log_survival(
    times: Times, prediction: Any, *, density: Density | None = None, tail: Tail | None = None
) -> Array:
    """log Q of each case: of its density at an event, of the probability of the set where it is censored.

    ``prediction`` is one of

    - a distribution with ``logpdf`` and ``logsf`` (and ``logcdf``, for sets far to the left) that take one
      time for each case, as SciPy's frozen ones with a parameter for each case, or `survival_marginal`'s;
      or a list of distributions, one for each case;
    - `Curves`, or what `Curves.of` reads: scikit-survival's step functions, lifelines' table of
      ``predict_survival_function``, its fitters of a single curve. For these ``density`` must be said, and
      ``tail`` where a case goes beyond the last time; the default is to refuse such a case.

    A distribution is taken to be one of times: what it puts at or below zero counts as left of everything.
    Minus infinity is kept: it is an event where the density is zero, or a set of probability zero.
    """
    if not isinstance(times, Times):
        raise InputError(
            "times must be Times, which say what is censored: Times.right_censored(time, event=...), "
            f".interval or .structured; it is {type(times).__name__}"
        )
    law = _law(times, prediction, density, tail)
    result = np.empty(times.n)
    exact, right = times.exact, times.right
    rows = np.flatnonzero(exact)
    result[rows] = law.log_density(rows, times.lower[rows])
    rows = np.flatnonzero(right)
    result[rows] = law.log_survival(rows, times.lower[rows])
    rows = np.flatnonzero(~exact & ~right)
    result[rows] = law.log_between(rows, times.lower[rows], times.upper[rows])
    _refuse_what_is_no_log(times, result)
    return result


def _law(times: Times, prediction: Any, density: str | None, tail: str | None) -> _Law:
    if is_distribution(prediction):
        if density is not None or tail is not None:
            name = "density" if density is not None else "tail"
            raise InputError(f"{name} is for curves on a grid; the prediction has a density of its own")
        _refuse_training_outcomes(times, prediction)
        return Distributions(prediction, times.n)
    curves = Curves.of(prediction)
    _refuse_unlike(times, curves)
    _refuse_unknown("density", density, DENSITIES, "a curve on a grid has no density until it is chosen")
    _refuse_unknown(
        "tail", tail if tail is not None else "refuse", TAILS, "it says what is beyond the last time"
    )
    return Interpolated.of(curves, str(density), tail or "refuse", times.n, times.labels)


def _refuse_training_outcomes(times: Times, prediction: Any) -> None:
    check = getattr(prediction, "refuse_training_outcomes", None)
    if check is not None:
        check(times)


def _refuse_unknown(name: str, value: str | None, known: tuple[str, ...], reason: str) -> None:
    if value not in known:
        got = "it is not given" if value is None else f"it is {value!r}"
        raise InputError(f"{name} must be one of {', '.join(known)}: {reason}; {got}")


def _refuse_unlike(times: Times, curves: Curves) -> None:
    if curves.n is not None:
        given = Column("prediction", np.empty(curves.n), curves.labels, None)
        refuse_other_cases(Column("times", times.lower, times.labels, None), given)


def _refuse_what_is_no_log(times: Times, result: Array) -> None:
    for wrong, what in (
        (np.isnan(result), "give a number at every time"),
        (np.isposinf(result), "have a finite density at every event"),
        (~times.exact & (result > _ROUNDING), "give every set a probability of at most 1"),
    ):
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise InputError(
                f"prediction must {what}; the log is {result[row]:g} in {name_rows(wrong, times.labels)}"
            )

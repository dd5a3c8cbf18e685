"""Predictions that are draws: an ensemble of forecasts, or a posterior sample, to log Q(x).

m members are not yet a distribution. What they give to the truth depends on how they are read, and on m; so
the reading is part of the prediction that is assessed, and is to be named with the result. The formulas are
in `nepers.ratios.members`.

"kde", for real outcomes: a Gaussian kernel around each member. It wants some tens of members. A truth beyond
all of them is paid for by half the square of its distance to them in bandwidths.

"normal", for real outcomes and small ensembles: the Gaussian with the members' mean and standard deviation.
For Gaussian members, m > 3 of them, its log density is on average off from that of infinitely many by

    -(psi(k) - log k) / 2  -  (z^2 / (k - 1) + k / ((k - 1) m)) / 2          k = (m - 1) / 2

where z^2 is the mean square of the truth's distance from the members' true mean, in their true standard
deviations, and psi the digamma function. At z^2 = 1 that is close to -1/m nats.

"counts", for discrete outcomes: the share of the members that say x. What no member says has probability
zero, unless a pseudo count c is given to each of the K possible values (c = 1/2 is Jeffreys' choice).

`ensemble_bias` estimates what more members would have changed.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column
from nepers.errors import InputError
from nepers.matrices import Matrix, matrix
from nepers.ratios.members import METHODS, Formula, Method
from nepers.ratios.more_members import EnsembleBias, bias_of
from nepers.ratios.truths import real_table, real_truths, table_of_cases
from nepers.rows import name_rows, refuse, refuse_other_cases

__all__ = ["EnsembleBias", "ensemble_bias", "log_average", "log_ensemble"]

Array = NDArray[np.float64]


def log_ensemble(
    y_true: Any,
    draws: Any,
    *,
    method: Method = "kde",
    pseudo_count: float = 0.0,
    possible_values: Any = None,
) -> Array:
    """The log of the density, or for "counts" of the probability, that the members gave to the truth.

    y_true: a number for each case.
    draws: a row of members for each case, (n, m); or m draws that are those of every case.
    method: "kde", "normal" or "counts"; see the module's docstring.
    pseudo_count, possible_values: for "counts", what is added for each of all values that may come true.
    """
    truths = real_truths(y_true)
    members = table_of_cases("draws", draws, truths)
    formula = _formula(truths, members, method, pseudo_count, possible_values)
    answer = formula.score(truths.values, members.values)
    _refuse_equal(truths, members, np.isnan(answer), method)
    return answer


def ensemble_bias(
    y_true: Any,
    draws: Any,
    *,
    method: Method = "kde",
    pseudo_count: float = 0.0,
    possible_values: Any = None,
    repeats: int = 8,
    seed: int = 0,
) -> EnsembleBias:
    """What the mean of `log_ensemble` would gain from more members, by scoring halves and quarters of them.

    draws: a row of at least 16 members for each case. ``repeats`` times they are put in a random order and
    cut in halves and in quarters. The other arguments are those of `log_ensemble`.
    """
    truths = real_truths(y_true)
    members = real_table("draws", draws)
    refuse_other_cases(truths, members)
    formula = _formula(truths, members, method, pseudo_count, possible_values)
    return bias_of(truths.values, members.values, formula, repeats, np.random.default_rng(seed))


def log_average(log_densities: Any) -> Array:
    """The log of the mean density: log Q(x) where Q is the average over posterior draws of parameters.

        log Q(x) = log( (1/S) sum_s exp(l_s) )

    log_densities: (n, S): for each case the log density of the truth under each of S draws of the parameters.
    With few draws the logarithm of the mean is too low on average, by about V / (2 S) where V is the variance
    of the density over the draws, in units of its squared mean.
    """
    from scipy.special import logsumexp

    given = matrix("log_densities", log_densities)
    given.refuse(np.isposinf(given.values), "must be below +inf")
    if given.values.shape[1] == 0:
        raise InputError(f"log_densities must have at least one draw; its shape is {given.values.shape}")
    return np.asarray(logsumexp(given.values, axis=1) - math.log(given.values.shape[1]))


def _formula(
    truths: Column,
    members: Matrix,
    method: str,
    pseudo_count: float,
    possible_values: Any,
) -> Formula:
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(map(repr, METHODS))}; it is {method!r}")
    m, least = members.values.shape[1], 1 if method == "counts" else 2
    if m < least:
        raise InputError(f"draws must have at least {least} members for method={method!r}; it has {m}")
    if not (pseudo_count >= 0.0 and math.isfinite(pseudo_count)):
        raise InputError(f"pseudo_count must be a number from 0; it is {pseudo_count!r}")
    if method != "counts" and (pseudo_count or possible_values is not None):
        raise InputError(f"pseudo_count and possible_values must be left out for method={method!r}")
    if possible_values is None:
        if pseudo_count:
            raise InputError("possible_values must be given with a pseudo_count, which is added for each")
        return Formula(method)
    possible = np.unique(real_truths(possible_values, "possible_values").values)
    refuse(truths, ~np.isin(truths.values, possible), "must be among possible_values")
    members.refuse(~np.isin(members.values, possible), "must be among possible_values")
    return Formula(method, float(pseudo_count), possible.size)


def _refuse_equal(truths: Column, members: Matrix, equal: NDArray[np.bool_], method: str) -> None:
    if equal.any():
        row = int(np.flatnonzero(equal)[0]) if len(members.values) > 1 else 0
        value = float(np.median(members.values[row]))
        which = "half or more of them agree, so the bandwidth is 0" if method == "kde" else "all agree"
        raise InputError(
            f"draws must differ to state a density; {value:g} in {name_rows(equal, truths.labels)}: {which}. "
            "Discrete outcomes have method='counts', a value with a probability of its own log_mixed"
        )

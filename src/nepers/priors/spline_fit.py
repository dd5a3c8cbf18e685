"""The spline of `nepers.priors.log_hazard` of greatest likelihood for times that may be censored.

Each outcome counts by what is known of it, with H the cumulative hazard and h the hazard:

    event at t    log h(t) - H(t)                right-censored at c    -H(c)
    in (l, u]     log (exp(-H(l)) - exp(-H(u)))  left-censored at c     the same with H(l) = 0

The sum less 0.05/2 times the squares of the coefficients of the curved part is made greatest, with both outer
slopes at least -0.95. For events and right-censored times it has one maximum, being concave.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.priors.log_hazard import LogHazard
from nepers.ratios.censoring import Times
from nepers.ratios.distributions import log_difference

Array = NDArray[np.float64]

_FEWEST_EVENTS = 5
_RIDGE = 0.05
_LOWEST_SLOPE = -0.95
_OUTER_QUANTILE = 0.05
_ALIKE = 1e-9  # in log time


def knots_for(times: Times, number: int) -> Array:
    """The knots in log time."""
    ended = int(np.count_nonzero(~times.right))
    if ended < _FEWEST_EVENTS:
        raise InputError(
            f"times must have at least {_FEWEST_EVENTS} events to fit a distribution to; there are {ended} "
            f"in {times.n:,} cases"
        )
    if not (times.lower > 0.0).any():
        raise InputError("times must not all be left-censored: nothing then says how late they are")
    quantiles = np.linspace(_OUTER_QUANTILE, 1.0 - _OUTER_QUANTILE, number)
    found = np.quantile(np.log(_ended(times)), quantiles)
    if (np.diff(found) <= _ALIKE).any():
        raise InputError(
            f"times must not be so many alike: the {number} knots, at quantiles of the event times, fall "
            f"together ({', '.join(f'{k:.6g}' for k in np.exp(found))}). Give times that are rounded as "
            "Times.interval, or fewer knots"
        )
    return np.asarray(found)


def coefficients_for(likelihood: Likelihood) -> Array:
    """The coefficients of the maximum, sought from those of the exponential distribution."""
    from scipy.optimize import LinearConstraint, minimize

    slopes = LinearConstraint(likelihood.spline.ends, _LOWEST_SLOPE, np.inf)
    with np.errstate(over="ignore", invalid="ignore"):  # steps that go too far are taken back
        found = minimize(
            likelihood.objective,
            likelihood.exponential,
            jac=True,
            method="SLSQP",
            constraints=[slopes],
            options={"maxiter": 1000, "ftol": 1e-14},
        )
    if not (found.success and np.isfinite(found.x).all()):
        raise InputError(
            f"times must have a distribution of greatest likelihood; the search for it says: {found.message}"
        )
    return np.asarray(found.x)


class Likelihood:
    """The likelihood of ``times`` as a function of the coefficients."""

    def __init__(self, times: Times, spline: LogHazard) -> None:
        first = spline.knots[0]
        exact, right = times.exact, times.right
        between = ~exact & ~right
        late = between & (times.lower > 0.0)
        self.n, self.spline = times.n, spline
        self._units = float(np.count_nonzero(exact) * first)
        self._hazards = spline.basis(np.log(times.lower[exact]) - first).sum(axis=0)
        self._open = spline.cumulative(np.log(times.lower[exact | right]) - first)
        self._starts = spline.cumulative(np.log(times.lower[late]) - first)
        self._stops = spline.cumulative(np.log(times.upper[between]) - first)
        self._late = late[between]
        spent = float((np.concatenate([times.lower[right], _ended(times)]) / np.exp(first)).sum())
        self.exponential = np.zeros(spline.knots.size)
        self.exponential[0] = np.log(np.count_nonzero(~right) / spent)

    def log_likelihood(self, theta: Array) -> float:
        """The sum over the outcomes, densities being per unit of time."""
        return self._sum(theta)[0] - self._units

    def objective(self, theta: Array) -> tuple[float, Array]:
        """What is to be made least, per case, and its gradient."""
        value, gradient = self._sum(theta)
        curved = np.concatenate([[0.0, 0.0], theta[2:]])
        value -= 0.5 * _RIDGE * float(curved @ curved)
        return -value / self.n, -(gradient - _RIDGE * curved) / self.n

    def _sum(self, theta: Array) -> tuple[float, Array]:
        """The sum with densities per unit of the first knot, and its gradient."""
        H, dH = self._open(theta)
        value = float(self._hazards @ theta - H.sum())
        gradient = self._hazards - dH.sum(axis=0)
        if self._late.size:
            stop, d_stop = self._stops(theta)
            start, d_start = np.zeros_like(stop), np.zeros_like(d_stop)
            start[self._late], d_start[self._late] = self._starts(theta)
            value += float(log_difference(-start, -stop).sum())
            gradient += ((d_stop - d_start) / np.expm1(stop - start)[:, None] - d_start).sum(axis=0)
        return value, gradient


def _ended(times: Times) -> Array:
    """A time for each event; those known to lie in one and the same interval are spread evenly over it."""
    lower, upper = times.lower[~times.right], times.upper[~times.right]
    order = np.lexsort((upper, lower))
    lower, upper = lower[order], upper[order]
    new = (np.diff(lower, prepend=-1.0) > 0.0) | (np.diff(upper, prepend=-1.0) != 0.0)
    first = np.flatnonzero(new)
    size = np.diff(first, append=lower.size)
    place = np.arange(lower.size) - np.repeat(first, size) + 0.5
    return np.asarray(lower + (upper - lower) * place / np.repeat(size, size))

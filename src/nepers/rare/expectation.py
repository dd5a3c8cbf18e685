"""J of each draw: the mean over new y of what p(x|y) and the known j of every class make together.

    J = sum_g w_g sum_k p(k|y_g) j_k(y_g)

Of y only what Q and P say of the classes matters. Its distribution is a Dirichlet process given the cases:
each case counts for 1, and ``fresh`` is shared by new y. Without them it is the Bayesian bootstrap, in which
no y is ever more telling than the most telling one seen; but those that count most for a rare class are
rare. A new y is a case whose log odds, of Q and P alike, are stretched away from their means by the factor
that makes a Gaussian into a Student with three degrees of freedom: sqrt(3/chi^2_3). So it keeps to the
directions, and to the skewness, that the cases have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nepers.rare.recalibration import expected

Array = NDArray[np.float64]

_BLOCK = 1 << 15
_NEW = 8  # new y in each draw: more make no difference to J
_DEGREES = 3.0


@dataclass(frozen=True, eq=False)
class Groups:
    """Cases of which Q and P say the same: logs, (K, groups), and how many cases there are in each group.

    Where Q is zero both logs are held as 0 and ``possible`` is False.
    """

    log_q: Array
    log_p: Array
    possible: NDArray[np.bool_]
    cases: Array


def expectations(groups: Groups, theta: Array, fresh: float, rng: np.random.Generator) -> Array:
    """J for each row of ``theta``."""
    whole = np.asarray(groups.possible.all(axis=0))
    n, unclaimed = float(groups.cases.sum()), float(groups.cases[whole].sum())
    # new y are like the cases: with their share of claims of certainty, which no stretching changes
    shape = groups.cases * np.where(whole, 1.0, 1.0 + fresh / n)
    log_q, possible, j = (
        groups.log_q[:, None],
        groups.possible[:, None],
        (groups.log_q - groups.log_p)[:, None],
    )
    new = _New.like(groups, whole) if fresh * unclaimed > 0.0 else None
    J = np.empty(len(theta))
    step = max(1, _BLOCK // shape.size)
    for start in range(0, len(theta), step):
        rows = theta[start : start + step]
        w = _gammas(shape, len(rows), rng)
        top, total = (w * expected(rows, log_q, possible, j)).sum(axis=1), w.sum(axis=1)
        if new is not None:
            w = rng.standard_gamma(fresh * unclaimed / n / _NEW, (len(rows), _NEW))
            top += (w * new.j(rows, rng)).sum(axis=1)
            total += w.sum(axis=1)
        J[start : start + step] = top / total
    return J


@dataclass(frozen=True, eq=False)
class _New:
    """Where new y come from: the log odds of Q, then of P, less their means; those means; who is chosen."""

    apart: Array
    mean: Array
    cumulative: Array

    @staticmethod
    def like(groups: Groups, whole: NDArray[np.bool_]) -> _New:
        """The cases in which Q gave every class some probability."""
        share = groups.cases[whole] / groups.cases[whole].sum()
        logs = [part[:, whole] - part[:, whole].mean(axis=0) for part in (groups.log_q, groups.log_p)]
        both = np.concatenate(logs)
        mean = (both @ share)[:, None]
        return _New(both - mean, mean, np.cumsum(share))

    def j(self, theta: Array, rng: np.random.Generator) -> Array:
        """sum_k p(k|y) j_k(y) for new y of each theta, (thetas, new)."""
        shape = (len(theta), _NEW)
        chosen = np.searchsorted(self.cumulative, rng.random(shape)).clip(max=self.cumulative.size - 1)
        stretch = np.sqrt(_DEGREES / rng.chisquare(_DEGREES, shape))
        logs = self.mean[:, None] + stretch * self.apart[:, chosen]
        K = len(logs) // 2
        log_q, log_p = _normalised(logs[:K]), _normalised(logs[K:])
        return expected(theta, log_q, np.ones(log_q.shape, dtype=bool), log_q - log_p)


def _gammas(shape: Array, rows: int, rng: np.random.Generator) -> Array:
    """Gamma draws of these shapes; mostly all are 1, and then there is a faster way."""
    if (shape == 1.0).all():
        return rng.standard_exponential((rows, shape.size))
    return rng.standard_gamma(shape, (rows, shape.size))


def _normalised(logs: Array) -> Array:
    top = logs - logs.max(axis=0)
    return np.asarray(top - np.log(np.exp(top).sum(axis=0)))

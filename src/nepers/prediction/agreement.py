"""Do the chains agree on what they predict? The log predictive density of new cases, chain by chain.

The new cases are drawn from the distribution that all chains give together. What a chain that has settled
elsewhere says differently, as where components that lie over one another hardly ever come and go, is seen
there in nats a case: the unit of J.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nepers.diagnostics import OTHER_R_HAT, ConvergenceWarning, Row, diagnosed
from nepers.draw_sets import pooled

if TYPE_CHECKING:
    from nepers.gibbs.draws import Draws

Array = NDArray[np.float64]

_ENOUGH = 100  # draws of a chain: fewer cannot tell
_CASES = 50
_USED = 50  # draws of each chain that are looked at, and of all that the cases come from


def log_predictive(draws: Draws, seed: int) -> Array:
    """(chains, draws looked at): the mean log density of the new cases under each draw."""
    cases = pooled(draws, _USED).rvs(_CASES, rng=np.random.default_rng(seed))
    looked = np.unique(np.linspace(0, draws.draws - 1, min(_USED, draws.draws)).astype(np.intp))
    return np.array([[draws.mixture(i, k).logpdf(cases).mean() for k in looked] for i in range(draws.chains)])


def agreement(draws: Draws, seed: int) -> tuple[Row, float]:
    """The diagnostics of the log predictive density, and how far apart the chains' means of it are."""
    values = log_predictive(draws, seed)
    return diagnosed("log predictive density", values), float(np.ptp(values.mean(axis=1)))


def warn_of_disagreement(found: Sequence[Draws], seed: int, stacklevel: int) -> None:
    """Chains that disagree on what they predict are not one posterior."""
    looks = [agreement(one, seed) for one in found if one.draws >= _ENOUGH]
    apart = [(row.r_hat, size) for row, size in looks if not row.agrees]
    if apart:
        r_hat, size = max(apart)
        warnings.warn(
            f"The chains disagree on the log predictive density of new cases, by up to {size:.2g} nats a case"
            f" (R-hat {r_hat:.2f}, wanted below {OTHER_R_HAT}): fit with a larger warm_up and more draws.",
            ConvergenceWarning,
            stacklevel=stacklevel + 1,
        )

"""Hyperparameters under which J may be far from zero.

J = A + B with A the mean of the components' locations and B what their skewness adds. Multiplying the spread
of the locations by f, about mu_mu_mu, makes it mu_mu_mu + f (A - mu_mu_mu) + B, and leaves the widths and
shapes of the components as they were. f is such that |J| <= size with probability 0.95, over a fixed set of
prior draws.
"""

import numpy as np

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array, positive
from nepers.hierarchy.hyperparameters import Hyperparameters
from nepers.hierarchy.prior import prior_rows

LEVEL = 0.95
_DRAWS, _SEED = 20_000, 20262


def widened(hyperparameters: Hyperparameters, size: float) -> Hyperparameters:
    """See `Hyperparameters.widen`."""
    size = positive("size", size)
    if hyperparameters.N != 1:
        raise InputError(f"widen is for log ratios, with N = 1; N is {hyperparameters.N}")
    A, B = prior_rows(hyperparameters, _DRAWS, np.random.default_rng(_SEED)).J()
    centre = float(hyperparameters.mu_mu_mu[0])
    present = _reach(centre, A, B, 1.0)
    if size <= present:
        raise InputError(
            f"size must be more than what the prior of J covers already, {present:.3g} nats either way; it "
            f"is {size:.3g}"
        )
    f = _factor(centre, A, B, size)
    return hyperparameters.replace(
        S_mu_mu=hyperparameters.S_mu_mu / f**2, R_R_S_mu=hyperparameters.R_R_S_mu / f**2
    )


def _reach(centre: float, A: Array, B: Array, f: float) -> float:
    """The size that |J| stays under with probability 0.95."""
    return float(np.quantile(np.abs(centre + f * (A - centre) + B), LEVEL))


def _factor(centre: float, A: Array, B: Array, size: float) -> float:
    low, high = 0.0, 1.0
    while _reach(centre, A, B, high) < size:
        low, high = high, 2.0 * high
    while high - low > 1e-9 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _reach(centre, A, B, middle) < size else (low, middle)
    return high

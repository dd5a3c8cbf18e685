"""From coordinates and times to posterior draws: the data as the sampler takes them, and the constants."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.draw_sets import pooled
from nepers.errors import InputError
from nepers.prediction.observations import Noise, Observations

if TYPE_CHECKING:
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters, Mixture
    from nepers.ratios.censoring import Times

Array = NDArray[np.float64]

POOLED = 200  # draws that a prediction averages over
_PAPER_NOISE = (5.0, 100.0)


@dataclass(frozen=True, eq=False)
class Posterior:
    """Draws of the distribution of x; log time is ``origin`` + coordinate 0."""

    draws: Draws
    noise: Noise | None
    hyperparameters: Hyperparameters
    origin: float
    seed: int
    n: int

    def mixture(self, most: int = POOLED) -> Mixture:
        """The average distribution of at most ``most`` draws."""
        return pooled(self.draws, most)


def sampled(values: Array, times: Times, **options: Any) -> Posterior:
    """The posterior given covariates' ``values`` (n, p) and ``times``; the options are those of `drawn`."""
    with np.errstate(divide="ignore"):  # left-censored times lie above minus infinity
        lower, upper = np.log(times.lower), np.log(times.upper)
    origin = _middle(lower, upper)
    table = np.column_stack([np.full(times.n, np.nan), values])
    return replace(drawn(table, lower - origin, upper - origin, **options), origin=origin)


def drawn(
    values: Array,
    lower: Array,
    upper: Array,
    *,
    hyperparameters: Any,
    noise: Any,
    seed: int | None,
    chains: int,
    warm_up: int,
    draws: int,
    cores: int | None,
) -> Posterior:
    """The posterior given ``values`` (n, N); ``lower`` and ``upper`` say what is known of coordinate 0."""
    from nepers.hierarchy.arrays import whole_number
    from nepers.options import fresh_seed
    from nepers.prediction.sampling import draw_posterior

    seed = fresh_seed() if seed is None else whole_number("seed", seed, 0)
    observed = Observations(values, lower, upper)
    constants, student = _constants(hyperparameters, observed), read_noise(noise, observed.N)
    found = draw_posterior(
        observed,
        student,
        constants,
        seed=seed,
        chains=whole_number("chains", chains, 1),
        draws=whole_number("draws", draws, 1),
        warm_up=whole_number("warm_up", warm_up, 0),
        cores=cores,
    )
    return Posterior(found, student, constants, 0.0, seed, observed.n)


def read_noise(asked: Any, N: int) -> Noise | None:
    """The noise asked for, in N dimensions."""
    if asked is None:
        return None
    pair = _PAPER_NOISE if isinstance(asked, str) and asked == "paper" else asked
    try:
        m, S = pair
        return Noise(float(m), float(S) * np.eye(N))
    except (TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"noise must be 'paper', None, or two numbers (m_n, S_n); it is {asked!r}") from None


def _constants(asked: Any, observed: Observations) -> Hyperparameters:
    from nepers.hierarchy import Hyperparameters, prostate
    from nepers.prediction.moments import robust_moments

    if isinstance(asked, Hyperparameters):
        return asked
    make = prostate if isinstance(asked, str) and asked == "paper" else asked
    if not callable(make):
        raise InputError(
            "hyperparameters must be 'paper', Hyperparameters, or a function of mean and covariance; "
            f"it is {asked!r}"
        )
    found = make(*robust_moments(observed))
    if not isinstance(found, Hyperparameters):
        raise InputError("hyperparameters must give Hyperparameters; the function gave something else")
    return found


def _middle(lower: Array, upper: Array) -> float:
    """The median of the finite ends: a round place near the data, so that numbers stay small."""
    ends = np.concatenate([lower, upper])
    return float(np.median(ends[np.isfinite(ends)]))

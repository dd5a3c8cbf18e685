"""From coordinates and times to posterior draws: the data as the sampler takes them, and the constants."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.draw_sets import joined, pooled
from nepers.errors import InputError
from nepers.prediction.agreement import warn_of_disagreement
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
    """Draws of the distribution of x, those under each table of constants one after another.

    Log time is ``origin`` + coordinate 0.
    """

    draws: Draws
    noise: Noise | None
    hyperparameters: tuple[Hyperparameters, ...]
    origin: float
    seed: int
    n: int

    def mixture(self, most: int = POOLED) -> Mixture:
        """The average distribution of at most ``most`` draws."""
        return pooled(self.draws, most)


def sampled(values: Array, times: Times, **options: Any) -> Posterior:
    """The posterior given covariates' ``values`` (n, p) and ``times``; the options are those of `drawn`."""
    lower, upper = log_ends(times)
    origin = _middle(lower, upper)
    table = np.column_stack([np.full(times.n, np.nan), values])
    return replace(drawn(table, lower - origin, upper - origin, **options), origin=origin)


def log_ends(times: Times) -> tuple[Array, Array]:
    """The ends of what is known of log time; left-censored times lie above minus infinity."""
    with np.errstate(divide="ignore"):
        return np.log(times.lower), np.log(times.upper)


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
    constants, student = constants_for(hyperparameters, observed), read_noise(noise, observed.N)
    counts = {
        "chains": whole_number("chains", chains, 1),
        "draws": whole_number("draws", draws, 1),
        "warm_up": whole_number("warm_up", warm_up, 0),
    }
    # one stream for each table
    seeds = np.random.SeedSequence(seed).generate_state(len(constants))
    found = [
        draw_posterior(observed, student, table, seed=int(own), **counts, cores=cores)
        for table, own in zip(constants, seeds, strict=True)
    ]
    warn_of_disagreement(found, seed, stacklevel=4)
    return Posterior(joined(found), student, tuple(constants), 0.0, seed, observed.n)


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


def constants_for(asked: Any, observed: Observations) -> list[Hyperparameters]:
    """The tables asked for, given the data's robust mean and covariance."""
    from nepers.prediction.moments import robust_moments
    from nepers.survival.constants import tables

    return tables(asked, *robust_moments(observed))


def _middle(lower: Array, upper: Array) -> float:
    """The median of the finite ends: a round place near the data, so that numbers stay small."""
    ends = np.concatenate([lower, upper])
    return float(np.median(ends[np.isfinite(ends)]))

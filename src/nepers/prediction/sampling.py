"""Draws of the posterior given what was observed.

In one dimension, where all is known and there is no noise, the chains are those of log ratios, draw for draw.
In more dimensions groups of cases are split and merged as well (`nepers.gibbs.regrouping`), and from four on
components come and go by degrees (`nepers.gibbs.annealed`, which is switched off).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.gibbs.chains import Sampler
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters
    from nepers.hierarchy.arrays import Array
    from nepers.prediction.observations import Noise, Observations


def make_sampler(
    observations: Observations,
    noise: Noise | None,
    hyperparameters: Hyperparameters,
    *,
    seed: int,
    chains: int = 4,
    cores: int | None = None,
) -> Sampler:
    """The compiled chains, to be warmed up and run; also by `nepers.running.run_on`.

    Chain i depends on the seed and on i alone, not on the number of cores.
    """
    from nepers.gibbs.chains import Sampler as Chains
    from nepers.gibbs.gaps import Unknown

    N = observations.N
    if hyperparameters.N != N:
        raise InputError(
            f"hyperparameters must have N = {N}, as the observations; it has {hyperparameters.N}"
        )
    unknown = None
    if noise is not None or not observations.complete or N > 1:
        given = None if noise is None else _checked(noise, N)
        unknown = Unknown(observations.lower, observations.upper, given)
    return Chains(observations.known, hyperparameters, seed=seed, chains=chains, cores=cores, unknown=unknown)


def draw_posterior(
    observations: Observations,
    noise: Noise | None,
    hyperparameters: Hyperparameters,
    *,
    seed: int,
    chains: int = 4,
    draws: int = 1000,
    warm_up: int = 500,
    thin: int = 1,
    cores: int | None = None,
) -> Draws:
    """Draws of chains that are warmed up and run for a given number of sweeps."""
    sampler = make_sampler(observations, noise, hyperparameters, seed=seed, chains=chains, cores=cores)
    sampler.warm_up(warm_up)
    return sampler.run(draws, thin)


def _checked(noise: Noise, N: int) -> tuple[float, Array]:
    if len(noise.S) != N:
        raise InputError(f"noise.S must be a {N} x {N} matrix; its shape is {noise.S.shape}")
    return noise.m, noise.S

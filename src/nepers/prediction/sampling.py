"""Draws of the posterior given what was observed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters
    from nepers.prediction.observations import Noise, Observations


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
    """Chains warmed up and run for a given length; `make_sampler` is for running them on.

    Chain i depends on the seed and on i alone, not on the number of cores.
    """
    raise NotImplementedError

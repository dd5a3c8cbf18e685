"""Sets of posterior draws: made from the prior, cut, put in another unit, and pooled into one mixture."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters, Mixture

# the fields with the axes (chain, draw), and the power of the data's unit that each carries
PER_DRAW = {
    "J": 1,
    "log_likelihood": 0,
    "C": 0,
    "mu_mu": 1,
    "S_mu": -2,
    "R_S_mu": 2,
    "m_S": 0,
    "R_S": 2,
    "first": 0,
}
PER_COMPONENT = {"p": 0, "mu": 1, "nu": 1, "S": -2, "m": 0}


def from_prior(hyperparameters: Hyperparameters, rng: np.random.Generator, chains: int, draws: int) -> Draws:
    """Independent draws from the prior: the posterior given no data."""
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import sample_prior

    every = sample_prior(hyperparameters, chains * draws, rng=rng)

    def per_draw(name: str) -> NDArray[Any]:
        values = np.array([getattr(one, name) for one in every])
        return values.reshape(chains, draws, *values.shape[1:])

    C = np.array([one.mixture.C for one in every], dtype=np.int64).reshape(chains, draws)
    return Draws(
        J=np.array([one.mixture.mean() for one in every]).reshape(chains, draws, -1),
        log_likelihood=np.zeros((chains, draws)),
        C=C,
        **{name: per_draw(name) for name in ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S")},
        first=(np.cumsum(C) - C.ravel()).reshape(chains, draws),
        **{name: np.concatenate([getattr(one.mixture, name) for one in every]) for name in PER_COMPONENT},
        shape_type=hyperparameters.shape_type,
    )


def later(draws: Draws, start: int) -> Draws:
    """The draws from number ``start`` on, of every chain."""
    return dataclasses.replace(draws, **{name: getattr(draws, name)[:, start:] for name in PER_DRAW})


def in_unit(draws: Draws, factor: float, cases: int) -> Draws:
    """The draws of the same model of data that are multiplied by ``factor``; ``cases`` of them."""
    changed = {
        name: getattr(draws, name) * factor**power
        for name, power in (PER_DRAW | PER_COMPONENT).items()
        if power
    }
    # a density per larger unit is smaller
    changed["log_likelihood"] = draws.log_likelihood - cases * np.log(factor)
    return dataclasses.replace(draws, **changed)


def joined(several: Sequence[Draws]) -> Draws:
    """The draws of one set after those of another, chain by chain."""
    starts = np.cumsum([0, *(one.p.size for one in several[:-1])])
    moved = [
        dataclasses.replace(one, first=one.first + start) for one, start in zip(several, starts, strict=True)
    ]
    changed: dict[str, Any] = {
        name: np.concatenate([getattr(one, name) for one in moved], axis=1) for name in PER_DRAW
    }
    changed |= {name: np.concatenate([getattr(one, name) for one in moved]) for name in PER_COMPONENT}
    return dataclasses.replace(several[0], **changed)


def pooled(draws: Draws, most: int) -> Mixture:
    """The average distribution of at most ``most`` draws, spread evenly over all: itself one mixture."""
    from nepers.hierarchy import Mixture

    C, first = draws.C.ravel(), draws.first.ravel()
    used = np.unique(np.linspace(0, C.size - 1, min(most, C.size)).astype(np.intp))
    rows = np.concatenate([np.arange(first[i], first[i] + C[i]) for i in used])
    return Mixture(
        p=draws.p[rows] / used.size,
        **{name: getattr(draws, name)[rows] for name in ("mu", "nu", "S", "m", "r")},
    )

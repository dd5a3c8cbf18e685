"""Stand-ins for the compiled chains: independent draws from the prior, and two ways of going wrong."""

import dataclasses

import numpy as np

from nepers.draw_sets import PER_DRAW, from_prior
from nepers.hierarchy import paper


def prior_draws(chains=4, draws=1000, seed=0, C=2):
    hyperparameters = paper().replace(C=C)
    return from_prior(hyperparameters, np.random.default_rng(seed), chains, draws)


def cut(draws, first, last, thin=1):
    return dataclasses.replace(draws, **{name: getattr(draws, name)[:, first:last:thin] for name in PER_DRAW})


class FakeChains:
    """Hands out a pool of draws in order, as chains that go on would."""

    def __init__(self, pool):
        self.pool, self.start, self.used, self.calls = pool, 0, 0, []

    def warm_up(self, sweeps):
        self.calls.append(("warm_up", sweeps))
        self.start = self.used

    def run(self, draws, thin):
        self.calls.append(("run", draws, thin))
        self.used += draws * thin
        assert self.used <= self.pool.draws, "the pool of fake draws ran dry"
        return cut(self.pool, self.start, self.used, thin)


def apart(draws):
    """Each chain at a place of its own: they never meet."""
    away = 10.0 * np.arange(draws.chains)[:, None, None]
    return dataclasses.replace(draws, J=draws.J + away)


def sticky(draws, run=50):
    """Each draw of J repeated: worth only one in ``run``."""
    return dataclasses.replace(draws, J=np.repeat(draws.J[:, ::run], run, axis=1)[:, : draws.draws])

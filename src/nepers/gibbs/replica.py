"""A chain whose cases and whose power of the Gaussian factor may change, as the way to the evidence asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.gibbs.chains import FIRST_ROOM
from nepers.gibbs.draws import Array
from nepers.gibbs.records import (
    component_type,
    desk_type,
    kept_type,
    make_components,
    make_constants,
    make_upper,
    row_type,
    sums_type,
)
from nepers.gibbs.stream import make_stream

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

# attempts of each sweep to draw a component anew: what moves a state of few cases where C is fixed
_RENEWALS = 2


class Replica:
    """A state, which begins as a draw from the prior, and a stream of its own.

    Cases are given as (N, n): they run along the last axis.
    """

    def __init__(self, hyperparameters: Hyperparameters, seed: np.random.SeedSequence) -> None:
        from nepers.hierarchy import sample_prior

        for_start, for_stream = seed.spawn(2)
        start = sample_prior(hyperparameters, rng=np.random.default_rng(for_start))
        N = hyperparameters.N
        self._constants = make_constants(hyperparameters, renewals=_RENEWALS)
        self._nothing, self._desk = np.zeros(1, sums_type(N)), np.zeros(1, desk_type(N))
        self._kept, self._rows = np.zeros(1, kept_type(N)), np.zeros(1, row_type(N))
        self.stream = make_stream(for_stream)
        self.upper = make_upper(start)
        self._fresh: NDArray[Any] = np.zeros(0, component_type(N))
        self._take_room(make_components(start, FIRST_ROOM))

    @property
    def C(self) -> int:
        """The number of components."""
        return int(self.upper["C"][0])

    @property
    def components(self) -> NDArray[Any]:
        """Their records."""
        return self._components[: self.C]

    @property
    def kept(self) -> NDArray[Any]:
        """What `nepers.gibbs.keep` wrote in the last sweep."""
        return self._kept

    def sweep(self, x: Array, power: float, sweeps: int, jumps: int) -> None:
        """Go on given these cases at this power."""
        from nepers.gibbs.sweep import run
        from nepers.gibbs.tilt import tilt_table

        self._constants["power"] = power
        components, self._rows, _used = run(
            self.stream, x, self._constants, tilt_table(), self.upper, self._components, self._sums,
            self._nothing, self._fresh, self._desk, self._kept, self._rows, sweeps, jumps,
        )  # fmt: skip
        self._take_room(components)
        if not np.isfinite(self._kept["log_likelihood"][0]):
            raise InputError(
                "the data must be within some 150 orders of magnitude of the hyperparameters' scale: the "
                "chains lost their numerical footing on these values"
            )

    def draw_from_prior(self) -> None:
        """Forget the state, for a new one from the prior."""
        from nepers.gibbs.tempered import draw_state
        from nepers.gibbs.tilt import tilt_table

        self._constants["power"] = 1.0
        components = draw_state(
            self.stream,
            self._constants,
            tilt_table(),
            self.upper,
            self._components,
            self._nothing,
            self._desk,
        )
        self._take_room(components)

    def log_likelihoods(self, x: Array, ends: NDArray[np.int64], powers: Array) -> Array:
        """The log of the likelihood of blocks of cases, each at its power: see `nepers.gibbs.tempered`."""
        from nepers.gibbs.tempered import log_likelihoods
        from nepers.gibbs.tilt import tilt_table

        out = np.zeros(powers.size)
        log_likelihoods(x, ends, self._constants, tilt_table(), self._components, self.C, powers, out)
        return out

    def log_likelihood(self, x: Array, power: float) -> float:
        """The same of all cases at one power."""
        return float(self.log_likelihoods(x, np.array([x.shape[1]]), np.array([power]))[0])

    def settle(self) -> None:
        """Clear what earlier components left behind, so that the state is all that goes on from here."""
        self._components[self.C :] = np.zeros(1, self._components.dtype)

    def take(self, upper: NDArray[Any], components: NDArray[Any]) -> None:
        """Take on a state that another one had."""
        if len(self._components) < len(components):
            self._take_room(np.zeros(2 * len(components), components.dtype))
        self.upper[:] = upper
        self._components[: len(components)] = components

    def _take_room(self, components: NDArray[Any]) -> None:
        """Room for as many fresh components and sums as there is for components."""
        N = self.upper["mu_mu"].shape[1]
        self._components = components
        if len(self._fresh) != len(components):
            self._sums = np.zeros(len(components), sums_type(N))
            self._fresh = np.zeros(len(components), component_type(N))

"""Several chains side by side, each with its own stream, on the cores there are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nepers.errors import InputError
from nepers.gibbs.cooling import RESCUE, Stages, rescue, score_of
from nepers.gibbs.draws import Draws
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

if TYPE_CHECKING:
    from nepers.gibbs.gaps import Gaps, Unknown
    from nepers.hierarchy import Hyperparameters, Parameters

FIRST_ROOM = 128
# sweeps of the warm-up without jumps, in many dimensions: they would leave more components than there is need
# for while those that there are do not yet fit, and such go again but slowly
_QUIET = 200


@dataclass(frozen=True, eq=False)
class Points:
    """Points that stand for ``weights`` cases each; ``finest`` and ``unit`` are those of `gibbs.narrow`."""

    weights: NDArray[np.float64]
    finest: float
    unit: float


class Sampler:
    """Chains of the hierarchy's posterior given x.

    Parameters
    ----------
    x : (n,) or (n, N) array of the cases.
    hyperparameters : the constants of the hierarchy.
    seed : chain i depends on the seed and on i alone, not on the number of cores.
    chains, cores : how many chains, and how many of them run at the same time (default: all cores).
    start : where the chains begin, one `Parameters` for each; by default, draws from the prior.
    points : what each x stands for, where it stands for several cases; N = 1.
    unknown : what else is known where x is NaN, and the noise of what is known; x must be complete without.
    """

    def __init__(
        self,
        x: ArrayLike,
        hyperparameters: Hyperparameters,
        *,
        seed: int,
        chains: int = 4,
        cores: int | None = None,
        start: Sequence[Parameters] | None = None,
        points: Points | None = None,
        unknown: Unknown | None = None,
    ) -> None:
        self.hyperparameters = hyperparameters
        # cases run along the last axis, which the kernels turn into vector instructions
        cases = np.asarray(x, dtype=float)
        self._x = np.ascontiguousarray(cases.reshape(len(cases), hyperparameters.N).T)
        self._constants = make_constants(hyperparameters)
        if points is not None:
            self._constants["finest"], self._constants["finest_unit"] = points.finest, points.unit
        self._warmed = 0
        self._cores = max(1, min(chains, cores or os.cpu_count() or 1))
        seeds = np.random.SeedSequence(seed).spawn(chains)
        starts = [None] * chains if start is None else list(start)
        self._chains = [
            _Chain(self._x, self._constants, hyperparameters, one, where, points, unknown)
            for one, where in zip(seeds, starts, strict=True)
        ]

    def warm_up(self, sweeps: int) -> None:
        """Run without keeping, and forget what was kept."""
        first = min(sweeps, max(0, RESCUE - self._warmed)) if self._chains[0].weighted else 0
        self._each("warm_up", first)
        self._warmed += first
        if first and self._warmed == RESCUE:
            rescue(self._chains)
        self._each("warm_up", sweeps - first)

    def run(self, draws: int, thin: int = 1) -> Draws:
        """Keep `draws` more draws, one every `thin` sweeps; return all since the last warm-up."""
        self._each("run", draws, thin)
        return _side_by_side([chain.kept for chain in self._chains], self.hyperparameters.shape_type)

    def _each(self, what: str, *arguments: int) -> None:
        with ThreadPoolExecutor(self._cores) as pool:
            done = [pool.submit(getattr(chain, what), *arguments) for chain in self._chains]
            try:
                for one in done:
                    one.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise


def _start(hyperparameters: Hyperparameters, rng: np.random.Generator, points: Points | None) -> Parameters:
    """A draw from the prior; for points, one of which every component may have cases."""
    from nepers.hierarchy import sample_prior

    while True:
        start = sample_prior(hyperparameters, rng=rng)
        found = start.mixture
        if (
            points is None
            or (
                found.r
                >= points.finest**2 * (points.unit**2 + found.mu[:, 0] ** 2) * found.m * found.S[:, 0, 0]
            ).all()
        ):
            return start


class _Chain:
    def __init__(
        self,
        x: NDArray[np.float64],
        constants: NDArray[Any],
        hyperparameters: Hyperparameters,
        seed: np.random.SeedSequence,
        start: Parameters | None,
        points: Points | None,
        unknown: Unknown | None,
    ) -> None:
        from nepers.gibbs.annealed import LEAST_N
        from nepers.gibbs.gaps import make_gaps
        from nepers.gibbs.stream import make_stream

        for_start, for_stream = seed.spawn(2)
        if start is None:
            start = _start(hyperparameters, np.random.default_rng(for_start), points)
        self._stages = None if points is None else Stages(points.weights, for_start.spawn(1)[0])
        self.score = 0.0
        self._x = x
        self._gaps: tuple[Gaps, ...] = ()
        self._quiet = 0
        if unknown is not None:
            self._quiet = _QUIET if len(x) >= LEAST_N else 0
            self._x, gaps = make_gaps(x, unknown)
            self._gaps = (gaps,)
        self._constants = constants
        self._stream = make_stream(for_stream)
        self._upper = make_upper(start)
        self._components = make_components(start, FIRST_ROOM)
        self._jumps = jumps_per_sweep(x.shape[1])
        self.kept: list[tuple[NDArray[Any], NDArray[Any]]] = []

    @property
    def weighted(self) -> bool:
        return self._stages is not None

    def warm_up(self, sweeps: int) -> None:
        while sweeps > 0:
            now = sweeps if self._stages is None else min(sweeps, self._stages.left())
            now = min(now, self._quiet or now)
            kept, _ = self._run(1, now, 0 if self._quiet else self._jumps)
            self._quiet = max(0, self._quiet - now)
            if self._stages is not None:
                self._stages.done += now
                self.score = score_of(kept[0], self._stages.weights.sum())
            sweeps -= now
        self.kept = []

    def go_on_from(self, other: _Chain) -> None:
        """Take the state of another chain; the stream remains."""
        self._upper, self._components = other._upper.copy(), other._components.copy()

    def run(self, draws: int, thin: int) -> None:
        if draws > 0:
            self.kept.append(self._run(draws, thin, self._jumps))

    def _run(self, draws: int, thin: int, jumps: int) -> tuple[NDArray[Any], NDArray[Any]]:
        from nepers.gibbs.sweep import run
        from nepers.gibbs.tilt import tilt_table

        N = len(self._x)
        room = len(self._components)
        kept = np.zeros(draws, kept_type(N))
        self._components, rows, used = run(
            self._stream,
            self._x,
            self._constants,
            tilt_table(),
            self._upper,
            self._components,
            np.zeros(room, sums_type(N)),
            np.zeros(1, sums_type(N)),
            np.zeros(room, component_type(N)),
            np.zeros(1, desk_type(N)),
            kept,
            np.zeros(4 * draws, row_type(N)),
            thin,
            jumps,
            None if self._stages is None else self._stages.weight(),
            *self._gaps,
        )
        if not np.isfinite(kept["log_likelihood"]).all():
            raise InputError(
                f"{'values' if self._gaps else 'j'} must be within some 150 orders of magnitude of the "
                "hyperparameters' scale: the chains lost their numerical footing on these values"
                f"{'' if self._gaps else '; scale= states another scale'}"
            )
        return kept, rows[:used].copy()


def jumps_per_sweep(n: int) -> int:
    """Attempted jumps of a sweep: fewer where each costs more and is accepted less."""
    return 8 if n <= 450 else 4


def _side_by_side(chains: list[list[tuple[NDArray[Any], NDArray[Any]]]], shape_type: int) -> Draws:
    """One `Draws` from the pieces of each chain."""
    kept = np.stack([np.concatenate([piece[0] for piece in chain]) for chain in chains])
    rows = np.concatenate([piece[1] for chain in chains for piece in chain])
    ends = np.cumsum(kept["C"]).reshape(kept["C"].shape)
    fields = {
        name: np.ascontiguousarray(table[name]) for table in (kept, rows) for name in table.dtype.names or ()
    }
    return Draws(**fields, first=ends - kept["C"], shape_type=shape_type)

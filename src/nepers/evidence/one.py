"""The log evidence of data under one set of hyperparameters, in any number of dimensions."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.progress import Progress

if TYPE_CHECKING:
    from nepers.evidence.estimates import LogEvidence
    from nepers.evidence.run import Run
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]

LADDERS = 4
_FIRST_CHUNKS = 4


def log_evidence(
    x: Any,
    hyperparameters: Hyperparameters,
    *,
    seed: int | None = None,
    target_error: float = 0.1,
    max_seconds: float = 120.0,
    ladders: int = LADDERS,
    cores: int | None = None,
    progress: bool | None = None,
) -> LogEvidence:
    """The log evidence of cases x, (n,) or (n, N), under the hierarchy with these constants, in nats.

    Runs until the Monte Carlo standard error is below ``target_error`` or ``max_seconds`` are over. C is
    unknown or fixed as the hyperparameters say. Without cases it is 0 exactly. For log ratios with values
    that repeat, and to compare several hyperparameters: `nepers.choose`.
    """
    from nepers.evidence.run import Run
    from nepers.hierarchy.arrays import positive, whole_number
    from nepers.options import fresh_seed

    cases = _cases(x, hyperparameters.N)
    target = positive("target_error", target_error)
    budget = positive("max_seconds", max_seconds)
    begin = fresh_seed() if seed is None else whole_number("seed", seed, 0)
    run = Run(cases, hyperparameters, begin, whole_number("ladders", ladders, 1))
    with Progress(progress, budget) as shown:
        ends = time.perf_counter() + budget
        run.prepare(used_cores(cores), shown.report)
        while True:
            found = further(run, used_cores(cores), ends)
            shown.report(f"log evidence {found.value:.2f}, error {found.error:.3f}")
            if found.error <= target or time.perf_counter() >= ends:
                return found


def further(run: Run, cores: int, ends: float) -> LogEvidence:
    """A quarter more than there is, or what there is time for, but at least one chunk.

    The first look is at several: the error of a short run is itself too uncertain to stop by.
    """
    for _ in range(max(1, _FIRST_CHUNKS - len(run.up), len(run.up) // 4)):
        run.advance(cores)
        if time.perf_counter() >= ends:
            break
    return run.result()


def used_cores(cores: int | None) -> int:
    """How many cores to use; all where nothing is said."""
    from nepers.hierarchy.arrays import whole_number

    return (os.cpu_count() or 1) if cores is None else whole_number("cores", cores, 1)


def _cases(x: Any, N: int) -> Array:
    cases = np.asarray(x, dtype=np.float64)
    cases = cases[:, None] if cases.ndim == 1 and N == 1 else cases
    if cases.size == 0:
        return np.empty((0, N))
    if cases.ndim != 2 or cases.shape[1] != N:
        raise InputError(f"x must have a row of {N} coordinates for each case; its shape is {cases.shape}")
    if not np.isfinite(cases).all():
        row = int(np.flatnonzero(~np.isfinite(cases).all(axis=1))[0])
        raise InputError(f"x must be finite; row {row} is {cases[row].tolist()}")
    if len(np.unique(cases, axis=0)) < len(cases):
        raise InputError(
            "x must have no row twice: where a component may shrink onto it the evidence can be infinite "
            "(nepers.choose sets repeated values aside)"
        )
    return cases

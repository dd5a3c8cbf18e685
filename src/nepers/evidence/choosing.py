"""Several hyperparameters for the same log ratios: which does the evidence favour, and is it clear?"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.atoms import split
from nepers.cases import log_ratios
from nepers.errors import InputError
from nepers.evidence import keeping
from nepers.evidence.choice import Choice
from nepers.evidence.one import LADDERS, further, used_cores
from nepers.files import writable
from nepers.options import fresh_seed, named_hyperparameters
from nepers.progress import Progress

if TYPE_CHECKING:
    from nepers.evidence.estimates import LogEvidence
    from nepers.evidence.run import Run
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]

_BETWEEN_WRITES = 10.0  # seconds


def choose(
    j: Any = None,
    candidates: Mapping[str, str | Hyperparameters] | Sequence[str | Hyperparameters] = ("paper",),
    *,
    log_q: Any = None,
    log_p: Any = None,
    scale: float = 1.0,
    seed: int | None = None,
    target_error: float = 0.1,
    max_seconds: float = 300.0,
    ladders: int = LADDERS,
    cores: int | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> Choice:
    """The log evidence of log ratios under each of several hyperparameters, and how probable each is.

    j, or log_q and log_p: as for `nepers.assess`. A value that repeats is an atom under every candidate and
    says nothing of them: the evidence is that of the other values.

    candidates: {name: hyperparameters}, or a list of them; a string is the name of a table.
    scale: the unit in nats in which the hyperparameters are stated, as for `nepers.assess`.
    target_error: every run goes on until the standard error of its log evidence is below this.
    max_seconds: the budget of time of this call for all of them; each has at least one look.
    ladders, cores: how many independent runs there are for each, and how many go at the same time.
    resume: a file in which the run is kept; if it exists, the run goes on from it.
    """
    from nepers.evidence.run import Run
    from nepers.hierarchy.arrays import positive, whole_number

    cases = log_ratios(j, log_q=log_q, log_p=log_p)
    if cases.infinite:
        raise InputError(
            f"j must be finite to choose hyperparameters by; it is -inf in row {cases.infinite[0]}: J is "
            "then -inf under all of them"
        )
    named = _named(candidates)
    unit, target = positive("scale", scale), positive("target_error", target_error)
    budget, count = positive("max_seconds", max_seconds), whole_number("ladders", ladders, 1)
    place = None if resume is None else writable("resume", resume)
    begin = _seed(seed, place)
    values = split(cases.values, cases.resolution).remainder
    runs = [Run(values[:, None], h.scaled(unit) if unit != 1.0 else h, begin, count) for h in named.values()]
    settings = {
        "data": keeping.fingerprint(values),
        "candidates": {name: h.to_dict() for name, h in named.items()},
        "scale": unit,
        "seed": begin,
        "ladders": count,
        "version": _version(),
    }
    if place is not None and place.exists():
        keeping.take_up(place, settings, runs)
    with Progress(progress, budget) as shown:
        found = _run_on(runs, list(named), target, budget, used_cores(cores), shown, place, settings)
    return Choice(
        names=tuple(named),
        evidences=tuple(found),
        hyperparameters=tuple(named.values()),
        values=values,
        n=cases.n,
        scale=unit,
        seed=begin,
        target_error=target,
        version=_version(),
    )


def _run_on(
    runs: list[Run],
    names: list[str],
    target: float,
    budget: float,
    cores: int,
    shown: Progress,
    place: Path | None,
    settings: dict[str, Any],
) -> list[LogEvidence]:
    """Every run to its first look; then the one with the largest error, until all are below the target."""
    ends = written = time.perf_counter()
    ends += budget
    found: list[LogEvidence] = []
    for run, name in zip(runs, names, strict=True):
        run.prepare(cores, lambda words, name=name: shown.report(f"{name}: {words}"))  # type: ignore[misc]
        found.append(run.result() if run.up else further(run, cores, ends))
        if place is not None:
            keeping.write(place, settings, runs)
    while True:
        worst = int(np.argmax([one.error for one in found]))
        shown.report(f"{names[worst]}: log evidence {found[worst].value:.2f}, error {found[worst].error:.3f}")
        if found[worst].error <= target or time.perf_counter() >= ends:
            break
        found[worst] = further(runs[worst], cores, min(ends, time.perf_counter() + _BETWEEN_WRITES))
        if place is not None and time.perf_counter() >= written + _BETWEEN_WRITES:
            keeping.write(place, settings, runs)
            written = time.perf_counter()
    if place is not None:
        keeping.write(place, settings, runs)
    return found


def _named(
    candidates: Mapping[str, str | Hyperparameters] | Sequence[str | Hyperparameters],
) -> dict[str, Hyperparameters]:
    if isinstance(candidates, str) or not isinstance(candidates, Mapping | Sequence) or not candidates:
        raise InputError(
            f"candidates must be {{name: hyperparameters}} or a list of them, not empty; it is {candidates!r}"
        )
    if not isinstance(candidates, Mapping):
        names = [one if isinstance(one, str) else f"candidate {i}" for i, one in enumerate(candidates)]
        if len(set(names)) < len(names):
            raise InputError("candidates must have names of their own; one comes twice")
        candidates = dict(zip(names, candidates, strict=True))
    found = {}
    for name, given in candidates.items():
        try:
            found[str(name)] = named_hyperparameters(given)
        except InputError as error:
            raise InputError(f"candidate {name!r}: {error}") from None
    return found


def _seed(seed: int | None, place: Path | None) -> int:
    """The seed given, else that of the run that goes on, else one from the system."""
    from nepers.hierarchy.arrays import whole_number

    if seed is not None:
        return whole_number("seed", seed, 0)
    if place is not None and place.exists():
        return int(keeping.read_settings(place)["seed"])
    return fresh_seed()


def _version() -> str:
    from nepers.assessment import installed_version

    return installed_version()

"""`assess_many` and `compare_many`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nepers.errors import InputError
from nepers.many.backends import on_backend
from nepers.many.result import Many
from nepers.many.tasks import Task, do

_OURS = ("seed", "cores", "progress")


def assess_many(
    cases: Mapping[str, Any],
    *,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    workers: int = -1,
    target_ess: float = 400.0,
    max_seconds: float = 30.0,
    **options: Any,
) -> Many:
    """Assess every one of ``cases`` by itself: a row for each.

    cases: by name, what `nepers.assess` takes: log ratios, a `Tally`, or ``{"log_q": ..., "log_p": ...}``; or
    a function without arguments that gives it, called where the work is done.
    seed: each has its own seed, from this one and its name.
    folder: where rows are kept, so that a run that ended goes on where it was; made if it does not exist.
    backend, workers: of joblib; "dask", "ray" and "spark" are those that the user has started. Default: as
    ``joblib.parallel_config`` says, which without more is all cores of this machine.
    target_ess, max_seconds: of each; an ESS of 400 puts an end of an interval within a tenth of J's sd.
    options: others of `nepers.assess`, the same for all.
    """
    settings = options | {"target_ess": target_ess, "max_seconds": max_seconds}
    return _many("assess", cases, seed, folder, backend, workers, settings)


def compare_many(
    cases: Mapping[str, Any],
    *,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    backend: str | None = None,
    workers: int = -1,
    target_ess: float = 400.0,
    max_seconds: float = 60.0,
    **options: Any,
) -> Many:
    """Compare the algorithms of every one of ``cases``: a row for each of its algorithms.

    cases: by name, the ``j`` of `nepers.compare`, or ``{"log_q": ..., "log_p": ...}``. The rest is as for
    `assess_many`.
    """
    settings = options | {"target_ess": target_ess, "max_seconds": max_seconds}
    return _many("compare", cases, seed, folder, backend, workers, settings)


def _many(
    what: str,
    cases: Mapping[str, Any],
    seed: int,
    folder: str | os.PathLike[str] | None,
    backend: str | None,
    workers: int,
    options: dict[str, Any],
) -> Many:
    from joblib import Parallel, delayed

    ours = [name for name in _OURS if name in options]
    if ours:
        raise InputError(f"{ours[0]} cannot be given for many: each runs on one core")
    if not isinstance(cases, Mapping):
        raise InputError(f"cases must be a mapping from names; it is {type(cases).__name__}")
    odd = [name for name in cases if not isinstance(name, str)]
    if odd:
        raise InputError(f"cases must be named by texts; one name is {odd[0]!r}")
    place = None if folder is None else _made(folder)
    settings = options | {"seed": seed}
    tasks = [Task(what, name, given, settings, place) for name, given in cases.items()]
    with on_backend(backend):
        found = Parallel(n_jobs=workers)(delayed(do)(task) for task in tasks)
    return Many(tuple(row for rows in found for row in rows))


def _made(folder: str | os.PathLike[str]) -> str:
    place = Path(folder).absolute()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"folder must be one that can be made; {str(folder)!r}: {error.strerror}") from None
    return str(place)

"""What may be asked of an assessment, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters


@dataclass(frozen=True)
class Options:
    """The checked options; ``scaled`` are the hyperparameters for data in nats."""

    hyperparameters: Hyperparameters
    scale: float
    scaled: Hyperparameters
    seed: int
    chains: int
    target_ess: float
    max_seconds: float
    cores: int | None


def read_options(
    hyperparameters: str | Hyperparameters,
    scale: float,
    seed: int | None,
    chains: int,
    target_ess: float,
    max_seconds: float,
    cores: int | None,
) -> Options:
    """The options, checked; a seed left out is drawn from the system."""
    from nepers.hierarchy.arrays import positive, whole_number

    constants = named_hyperparameters(hyperparameters)
    unit = positive("scale", scale)
    return Options(
        hyperparameters=constants,
        scale=unit,
        scaled=constants if unit == 1.0 else constants.scaled(unit),
        seed=fresh_seed() if seed is None else whole_number("seed", seed, 0),
        chains=whole_number("chains", chains, 1),
        target_ess=positive("target_ess", target_ess),
        max_seconds=positive("max_seconds", max_seconds),
        cores=None if cores is None else whole_number("cores", cores, 1),
    )


def fresh_seed() -> int:
    """A seed from the system's entropy, short enough to be quoted."""
    return int(np.random.SeedSequence().generate_state(1)[0])


def named_hyperparameters(given: str | Hyperparameters) -> Hyperparameters:
    """The constants themselves, or the table of that name."""
    from nepers.hierarchy import Hyperparameters, calibrated, paper

    tables = {"calibrated": calibrated, "paper": paper}
    if isinstance(given, str) and given in tables:
        given = tables[given]()
    if not isinstance(given, Hyperparameters):
        names = ", ".join(repr(name) for name in tables)
        raise InputError(f"hyperparameters must be a Hyperparameters or one of {names}; it is {given!r}")
    if given.N != 1:
        raise InputError(f"hyperparameters must be for log ratios, with N = 1; N is {given.N}")
    if given.shape_type == 2 and given.m_lower < 0.5:
        raise InputError(
            "hyperparameters must have m_lower of at least 0.5 with shape_type 2, so that J exists; "
            f"m_lower is {given.m_lower}"
        )
    return given

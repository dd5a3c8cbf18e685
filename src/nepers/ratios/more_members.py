"""What the mean log Q of an ensemble would gain from more members.

Fewer members state a worse density. With L(m) the mean log Q of m members, to leading order

    L(m) = L(infinity) - c / m^e        e = 1 for "normal" and "counts", 4/5 for "kde"

The kernel estimate's e is that of the Kullback-Leibler divergence under a bandwidth of m^(-1/5), and so for
truths that are like the members; where they are not, e lies between 2/5 and 4/5 and the gain is larger than
said. Random halves of the members give L(m/2), so that

    L(infinity) - L(m) = (L(m) - L(m/2)) / (2^e - 1)

Quarters show whether the law holds: from a quarter to a half the gain is 2^e times that from a half to all.
Far from that, m is too small for the law, and the extrapolation is only a sign and a size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.ratios.members import Formula

Array = NDArray[np.float64]

_LEAST = 16
_EXPONENTS = {"kde": 0.8, "normal": 1.0, "counts": 1.0}


@dataclass(frozen=True)
class EnsembleBias:
    """The mean log Q of ``cases``, in nats, by a quarter, a half and all of the ``members``, and by more.

    ``change`` is the extrapolated L(infinity) - L(m), ``standard_error`` its standard error over the cases.
    """

    cases: int
    members: int
    method: str
    exponent: float
    quarter: float
    half: float
    all: float
    change: float
    standard_error: float

    def __str__(self) -> str:
        return (
            f"Mean log Q is {self.quarter:.4g} nats with a quarter of the {self.members:,} members, "
            f"{self.half:.4g} with half and {self.all:.4g} with all; infinitely many would change it by "
            f"about {self.change:+.2g} (standard error {self.standard_error:.1g} over {self.cases:,} "
            f"cases), if the loss falls as m^-{self.exponent:g}."
        )


def bias_of(x: Array, draws: Array, formula: Formula, repeats: int, rng: np.random.Generator) -> EnsembleBias:
    """Scores all members, and ``repeats`` times the halves and quarters of a random order of them."""
    members = draws.shape[1]
    _refuse_few(x, members, repeats)
    size = members // 4
    half, quarter = np.zeros(x.size), np.zeros(x.size)
    for _ in range(repeats):
        mixed = rng.permuted(draws, axis=1)
        quarter += sum(formula.score(x, mixed[:, i * size : (i + 1) * size]) for i in range(4)) / 4.0
        half += sum(formula.score(x, mixed[:, i * 2 * size : (i + 1) * 2 * size]) for i in range(2)) / 2.0
    scores = {"quarter": quarter / repeats, "half": half / repeats, "all": formula.score(x, draws)}
    for name, score in scores.items():
        _refuse_undefined(name, score)
    exponent = _EXPONENTS[formula.method]
    gain = (scores["all"] - scores["half"]) / ((members / (2 * size)) ** exponent - 1.0)
    return EnsembleBias(
        cases=x.size,
        members=members,
        method=formula.method,
        exponent=exponent,
        **{name: float(score.mean()) for name, score in scores.items()},
        change=float(gain.mean()),
        standard_error=float(gain.std(ddof=1) / np.sqrt(x.size)),
    )


def _refuse_few(x: Array, members: int, repeats: int) -> None:
    if x.size < 2:
        raise InputError(f"y_true must have at least two cases for a standard error; it has {x.size}")
    if members < _LEAST:
        raise InputError(f"draws must have at least {_LEAST} members to be quartered; it has {members}")
    if repeats < 1:
        raise InputError(f"repeats must be at least 1; it is {repeats}")


def _refuse_undefined(name: str, score: Array) -> None:
    undefined = ~np.isfinite(score)
    if undefined.any():
        why = (
            "the members agree too much to state a density"
            if np.isnan(score).any()
            else "the truth has probability zero, which pseudo_count mends"
        )
        of = "all" if name == "all" else f"a random {name}"
        raise InputError(
            f"draws must give a finite log Q with {of} of the members; in {np.count_nonzero(undefined):,} of "
            f"{score.size:,} cases {why}"
        )

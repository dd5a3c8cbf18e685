"""The border: what the user has becomes a clean array of log ratios, one for each case.

    j = log Q(x) - log P(x)

in nats: positive where the prediction Q gave the truth x more probability than the prior P did. Either j
itself is given, or both logarithms. Nothing is repaired in silence: what is no log ratio is an error that
names the argument, the row, the rule and the value. Minus infinity is a log ratio (Q gave the truth
probability zero) and is kept; plus infinity is not (P gave it probability zero: P is wrong).

Rows are named as the user names them: by the index of a pandas series, and otherwise by position from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nepers.atoms import Kinds, split
from nepers.columns import Column, column
from nepers.errors import InputError, InputWarning, warn
from nepers.rows import refuse, refuse_other_cases

Array = NDArray[np.float64]

# log Q - log P is rounded by 1e-16 of the larger one; 1e-12 leaves room for how they were computed.
RESOLUTION = 1e-12
_SUSPECT = 5  # so few values may lie between 0 and 1 by chance
_WORST = 20  # how many of the worst cases an answer names


class Case(NamedTuple):
    """A case by the user's own label (its position from 0 where there is none), and its log ratio in nats."""

    label: int | float | str
    nats: float


@dataclass(frozen=True, eq=False)
class LogRatios:
    """The log ratios of the cases, in nats, and how the user calls the cases.

    Values that differ by no more than ``resolution`` are the same as far as their rounding tells.
    """

    values: Array
    labels: NDArray[Any]
    name: str | None
    resolution: float

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.values.size)

    @property
    def infinite(self) -> tuple[int | float | str, ...]:
        """The labels of the cases at minus infinity, as plain values."""
        return tuple(plain(label) for label in self.labels[np.isneginf(self.values)])

    def kinds(self) -> Kinds:
        """The atoms and the rest; nothing where J is -inf for certain."""
        return split(self.values if not self.infinite else np.empty(0), self.resolution)

    @property
    def worst(self) -> tuple[Case, ...]:
        """The cases with the lowest log ratios, the lowest first."""
        order = np.argsort(self.values, kind="stable")[:_WORST]
        return tuple(Case(plain(self.labels[i]), float(self.values[i])) for i in order)


def log_ratios(j: Any = None, *, log_q: Any = None, log_p: Any = None) -> LogRatios:
    """The log ratios ``j``, or ``log_q - log_p``, checked.

    Each is a list, an array, or a column of any dataframe library that narwhals knows. ``log_q`` is the
    log of the probability or density that the prediction gave to what came true, ``log_p`` that of the prior.
    """
    if j is not None and log_q is None and log_p is None:
        given = column("j", j)
        refuse(given, np.isposinf(given.values), f"must be below +inf: {_PRIOR_ZERO}")
        return _finish(given, given.values, (given,))
    if j is None and log_q is not None and log_p is not None:
        return _difference(column("log_q", log_q), column("log_p", log_p))
    got = [name for name, value in (("j", j), ("log_q", log_q), ("log_p", log_p)) if value is not None]
    raise InputError(f"give either j, or both log_q and log_p; got {' and '.join(got) or 'none of them'}")


_PRIOR_ZERO = "there the prior gave the truth probability zero, so the prior is wrong, and to be replaced"
_DENSITY = "must be below +inf: no probability or finite density has such a logarithm"


def _difference(q: Column, p: Column) -> LogRatios:
    refuse_other_cases(q, p)
    for given in (q, p):
        refuse(given, np.isposinf(given.values), _DENSITY)
    for given in (q, p):
        _suspect_probabilities(given)
    no_q, no_p = np.isneginf(q.values), np.isneginf(p.values)
    undefined = "and log_q must not both be -inf: their ratio is zero over zero, which is undefined"
    refuse(p, no_q & no_p, undefined)
    refuse(p, no_p, f"must be above -inf: {_PRIOR_ZERO}")
    return _finish(q, q.values - p.values, (q, p))


def _suspect_probabilities(given: Column) -> None:
    """Log densities may all lie between 0 and 1, but hardly ever do; probabilities always do."""
    values = given.values
    if values.size >= _SUSPECT and (values > 0.0).all() and (values <= 1.0).all() and np.ptp(values) > 0.0:
        warn(
            f"{given.argument} should be logarithms; all {values.size:,} values lie between 0 and 1, as "
            "probabilities do: give np.log of them if that is what they are",
            InputWarning,
        )


def _finish(first: Column, values: Array, given: Sequence[Column]) -> LogRatios:
    labels = next((c.labels for c in given if c.labels is not None), None)
    sizes = [np.abs(c.values[np.isfinite(c.values)]).max(initial=0.0) for c in given]
    kept = np.array(values, dtype=np.float64)
    kept.setflags(write=False)
    return LogRatios(
        values=kept,
        labels=np.arange(kept.size) if labels is None else labels,
        name=first.name if len(given) == 1 else None,
        resolution=RESOLUTION * float(max(sizes)),
    )


def plain(label: Any) -> int | float | str:
    """A row label as a plain value, fit for a file: numbers and text stay, anything else becomes text."""
    value = label.item() if isinstance(label, np.generic) else label
    return value if isinstance(value, int | float | str) else str(value)

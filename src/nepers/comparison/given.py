"""The border of a comparison: several columns of log ratios on the same cases, checked.

Given are the log ratios to one prior, or the logs of what each algorithm and the prior gave to the truth.
Without a prior, one of the algorithms stands in its place, and the log ratios are to that one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.cases import Case, LogRatios, log_ratios, plain
from nepers.errors import InputError
from nepers.matrices import Matrix, matrix

Array = NDArray[np.float64]

PRIOR = "prior"
MOST = 20


@dataclass(frozen=True, eq=False)
class Given:
    """x (n, k): the log ratios, minus infinity where an algorithm gave the truth probability zero.

    ``stand_in`` is the number of the algorithm that they are relative to, where no prior was given.
    """

    x: Array
    names: tuple[str, ...]
    labels: NDArray[Any]
    reference: str
    stand_in: int | None

    def infinite_cases(self, algorithm: int) -> tuple[int | float | str, ...]:
        """The labels of the cases to which an algorithm gave probability zero."""
        return tuple(plain(label) for label in self.labels[np.isneginf(self.x[:, algorithm])])

    @property
    def worst_cases(self) -> tuple[tuple[Case, ...], ...]:
        """For each algorithm, the cases that cost it most."""
        return tuple(
            LogRatios(column, self.labels, None, 0.0).worst for column in np.ascontiguousarray(self.x.T)
        )


def read_given(j: Any, log_q: Any, log_p: Any, reference: str | None) -> Given:
    """The log ratios of every algorithm, each column checked as `nepers.assess` checks its own."""
    if (j is None) == (log_q is None):
        raise InputError("give either j or log_q, with a column for each algorithm")
    if j is not None and log_p is not None:
        raise InputError("give log_p with log_q only: j is relative to the prior already")
    table = matrix(*(("j", j) if log_q is None else ("log_q", log_q)))
    names = _names(table)
    needs_stand_in = log_q is not None and log_p is None
    chosen = _reference(reference, names, needs_stand_in)
    stand_in = names.index(chosen) if needs_stand_in else None
    columns = [table.column(i) for i in range(len(names))]
    if j is not None:
        read = [log_ratios(one) for one in columns]
    else:
        prior = log_p if stand_in is None else columns[stand_in]
        read = [log_ratios(log_q=one, log_p=prior) for one in columns]
    return Given(np.column_stack([one.values for one in read]), names, read[0].labels, chosen, stand_in)


def _names(table: Matrix) -> tuple[str, ...]:
    names = table.names or tuple(str(i) for i in range(table.values.shape[1]))
    if not 1 <= len(names) <= MOST:
        raise InputError(f"{table.argument} must have from 1 to {MOST} algorithms; it has {len(names)}")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{table.argument} must have a name for each algorithm; {twice!r} comes twice")
    if PRIOR in names:
        raise InputError(f"{table.argument} must not call an algorithm {PRIOR!r}: that is the prior's name")
    return names


def _reference(reference: str | None, names: tuple[str, ...], needs_stand_in: bool) -> str:
    if needs_stand_in:
        if reference not in names:
            raise InputError(
                f"log_p must be given, or reference be one of the algorithms ({', '.join(names)}) to stand "
                f"in its place; reference is {reference!r}"
            )
        return reference
    chosen = PRIOR if reference is None else reference
    if chosen not in (PRIOR, *names):
        raise InputError(f"reference must be {PRIOR!r} or one of {', '.join(names)}; it is {reference!r}")
    return chosen

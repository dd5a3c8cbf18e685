"""The cases by group: who belongs where, and what share of the new cases each group has.

A group is called by its label as a plain number or text. The groups stand in the order of their labels, so
that nothing depends on the order in which the cases name them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.cases import LogRatios, plain
from nepers.columns import index_labels
from nepers.errors import InputError
from nepers.outcomes import Outcomes, outcomes
from nepers.rows import refuse_other_labels

Array = NDArray[np.float64]
Label = int | float | str

_SHOWN = 5
_ROUNDING = 1e-9  # of shares that add up to 1


@dataclass(frozen=True, eq=False)
class Group:
    """The cases of one label and their places among all; or of several groups together, without a label."""

    label: Label | None
    cases: LogRatios
    rows: NDArray[np.intp]

    @property
    def name(self) -> str:
        """What messages call it."""
        return "all groups together" if self.label is None else f"group {self.label!r}"


def read_groups(cases: LogRatios, by: Any, given: tuple[Any, ...]) -> tuple[Group, ...]:
    """The cases by the labels ``by``; ``given`` are the user's columns of logs, with the same rows."""
    if by is None:
        raise InputError("by must be given: a column with the label of each case's group")
    found = outcomes("by", by)
    _refuse_other_cases(cases, found, given)
    rows: dict[Label, list[int]] = {}
    for row, label in enumerate(_values(found)):
        rows.setdefault(plain(label), []).append(row)
    return tuple(_group(label, cases, np.array(rows[label])) for label in sorted(rows, key=_order))


def together(groups: Sequence[Group], cases: LogRatios) -> Group:
    """The cases of these groups as one, in their own order among all ``cases``."""
    return _group(None, cases, np.sort(np.concatenate([group.rows for group in groups])))


def known_shares(weights: Any, labels: Sequence[Label]) -> Array:
    """The shares given for the groups of these labels, in their order."""
    if not isinstance(weights, Mapping):
        raise InputError(
            f"weights must be a mapping from each group's label to its share; it is {type(weights).__name__}"
        )
    shares = {plain(label): _share(label, value) for label, value in weights.items()}
    without, unknown = [x for x in labels if x not in shares], [x for x in shares if x not in labels]
    _refuse_labels(without, "must have a share for every group; there is none for")
    _refuse_labels(unknown, "must be shares of groups that have cases; there are no cases in")
    total = math.fsum(shares.values())
    if abs(total - 1.0) > _ROUNDING:
        raise InputError(f"weights must add up to 1; they add up to {total:.12g}")
    return np.array([shares[label] for label in labels]) / total


def _refuse_other_cases(cases: LogRatios, by: Outcomes, given: tuple[Any, ...]) -> None:
    if by.values.size != cases.n:
        raise InputError(f"by must have a label for each case; it has {by.values.size} for {cases.n} cases")
    if cases.n == 0:
        raise InputError("by must have at least one case; it is empty")
    for name, column in zip(("j", "log_q", "log_p"), given, strict=True):
        refuse_other_labels(name, index_labels(column), "by", by.labels)


def _values(found: Outcomes) -> list[Any]:
    # numpy would make whole numbers of nanoseconds out of dates
    dates = found.values.dtype.kind in "mM"
    return list((found.values.astype(str) if dates else found.values).tolist())


def _group(label: Label | None, cases: LogRatios, rows: NDArray[np.intp]) -> Group:
    return Group(label, replace(cases, values=cases.values[rows], labels=cases.labels[rows]), rows)


def _order(label: Label) -> tuple[bool, float, str]:
    """Numbers by size, and then the texts."""
    return (True, 0.0, label) if isinstance(label, str) else (False, float(label), "")


def _share(label: Any, value: Any) -> float:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not 0.0 <= float(value) <= 1.0:
        raise InputError(f"weights must be numbers from 0 to 1; that of {label!r} is {value!r}")
    return float(value)


def _refuse_labels(wrong: list[Label], rule: str) -> None:
    if wrong:
        more = f" and {len(wrong) - _SHOWN:,} more" if len(wrong) > _SHOWN else ""
        raise InputError(f"weights {rule} {', '.join(map(repr, wrong[:_SHOWN]))}{more}")

"""From a table of covariates to coordinates: the treatment of each column, and which are of use."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError, InputWarning
from nepers.survival.covariates import Covariates
from nepers.survival.treatments import Treatment, treatment

Array = NDArray[np.float64]

_ALIKE = 1.0 - 1e-9  # a correlation


@dataclass(frozen=True)
class Design:
    """The treatments in the order of the columns, and which of all their coordinates are used."""

    treatments: tuple[Treatment, ...]
    used: tuple[int, ...]
    named: bool

    @property
    def names(self) -> list[str]:
        """The covariates' names."""
        return [one.name for one in self.treatments]

    @property
    def coordinates(self) -> list[str]:
        """The names of the coordinates in use."""
        every = [name for one in self.treatments for name in one.coordinates]
        return [every[i] for i in self.used]

    def apply(self, given: Covariates) -> Array:
        """(n, p) coordinates of these patients, NaN where unknown."""
        self._refuse_other_columns(given)
        return _side_by_side(self.treatments, given)[:, list(self.used)]

    def to_dict(self) -> dict[str, Any]:
        """Fit for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Design:
        """The inverse of ``to_dict``."""
        treatments = tuple(Treatment(**_with_tuples(one)) for one in values["treatments"])
        return cls(treatments, tuple(values["used"]), values["named"])

    def _refuse_other_columns(self, given: Covariates) -> None:
        if len(given.columns) != len(self.treatments) and not (self.named and given.named):
            raise InputError(
                f"X has {len(given.columns)} features, but SkewStudentSurvival is expecting "
                f"{len(self.treatments)} features as input, the columns of its training data"
            )
        if self.named and given.named and given.names != self.names:
            how = _unlike(self.names, given.names)
            raise InputError(f"X must have the columns of the training data; {how}")


def _unlike(known: list[str], given: list[str]) -> str:
    """How the names differ."""

    def listed(names: list[str]) -> str:
        return ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")

    new = [name for name in given if name not in known]
    gone = [name for name in known if name not in given]
    if new:
        return f"it has some unseen in fit: {listed(new)}"
    if gone:
        return f"it has not: {listed(gone)}"
    return f"it has them in another order: {listed(given)} in the place of {listed(known)}"


def design(given: Covariates, asked: Mapping[str, Any] | None) -> Design:
    """The design for training patients; ``asked`` has the treatment of covariates, "auto" of the others.

    Coordinates without variation, and such that repeat another, are left out with a warning.
    """
    wishes = dict(asked or {})
    unknown = [name for name in wishes if name not in given.names]
    if unknown:
        raise InputError(
            f"covariates must name columns of X; {unknown[0]!r} is none of {', '.join(given.names)}"
        )
    _refuse_same_names(given.names)
    treatments = tuple(_treatment(column, wishes.get(column.name, "auto")) for column in given.columns)
    used, left_out = _of_use(treatments, given)
    for name, why in left_out:
        warnings.warn(f"X[{name!r}] is left out: {why}", InputWarning, stacklevel=4)
    return Design(treatments, tuple(used), given.named)


def _treatment(column: Any, asked: Any) -> Treatment:
    if column.missing.all():  # nothing known: no coordinate of any use, whatever the treatment
        return Treatment(column.name, "linear", (0.0,), (0.0,))
    return treatment(column, asked)


def _of_use(treatments: tuple[Treatment, ...], given: Covariates) -> tuple[list[int], list[tuple[str, str]]]:
    names = [name for one in treatments for name in one.coordinates]
    units = [unit for one in treatments for unit in one.unit]
    used: list[int] = []
    left_out = [
        (one.name, "it has the same value in every patient, or none")
        for one in treatments
        if not any(one.unit)
    ]
    values = _side_by_side(treatments, given)
    for i, unit in enumerate(units):
        if unit == 0.0:
            continue
        same = next((k for k in used if _repeats(values[:, i], values[:, k])), None)
        if same is None:
            used.append(i)
        else:
            left_out.append((names[i], f"it says the same as {names[same]!r}"))
    return used, left_out


def _repeats(a: Array, b: Array) -> bool:
    both = np.isfinite(a) & np.isfinite(b)
    if both.sum() < 3 or (np.isfinite(a) & ~both).any():
        return False  # what is known where the other is not, is of use
    x, y = a[both] - a[both].mean(), b[both] - b[both].mean()
    return bool(abs(x @ y) >= _ALIKE * np.sqrt((x @ x) * (y @ y)))


def _side_by_side(treatments: tuple[Treatment, ...], given: Covariates) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):  # those without variation have a unit of 0
        parts = [one.apply(column) for one, column in zip(treatments, given.columns, strict=True)]
    return np.column_stack(parts) if parts else np.empty((given.n, 0))


def _refuse_same_names(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"X must have columns of different names; {name!r} comes more than once")


def _with_tuples(values: dict[str, Any]) -> dict[str, Any]:
    """JSON has lists only."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}

"""Who plays: the log ratios of one player or of several on the same cases, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import as_chunked, column
from nepers.errors import InputError
from nepers.matrices import matrix, stacked
from nepers.rows import name_rows

Array = NDArray[np.float64]

_UNNAMED = "prediction"


@dataclass(frozen=True, eq=False)
class Players:
    """(n, players) log ratios as given, the names, what an error calls each, the user's row labels if any."""

    values: Array
    names: tuple[str, ...]
    arguments: tuple[str, ...]
    labels: NDArray[Any] | None

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.values.shape[0])

    def refuse(self, wrong: NDArray[np.bool_], rule: str) -> None:
        """An error for the first player with a case in ``wrong`` (n, players), if there is one."""
        for number in np.flatnonzero(wrong.any(axis=0)):
            chosen = wrong[:, number]
            value = self.values[np.flatnonzero(chosen)[0], number]
            raise InputError(f"{self.arguments[number]} {rule}; {value} in {name_rows(chosen, self.labels)}")


def players(j: Any) -> Players:
    """``j`` as log ratios below +inf, of at least one case."""
    found = _several(j) if isinstance(j, Mapping) or _is_table(j) else _one(j)
    if len(set(found.names)) < len(found.names):
        raise InputError(f"j must have a different name for each player; the names are {list(found.names)}")
    if found.n == 0:
        raise InputError("j must have at least one case: without a bet there is no game")
    found.refuse(
        np.isposinf(found.values),
        "must be below +inf: there the prior gave the truth probability zero, so it is wrong",
    )
    return found


def _one(j: Any) -> Players:
    given = column("j", j)
    return Players(given.values[:, None], (given.name or _UNNAMED,), ("j",), given.labels)


def _several(j: Any) -> Players:
    given = stacked("j", j) if isinstance(j, Mapping) else matrix("j", j)
    names = given.names or ()
    return Players(given.values, names, tuple(f"j[{name!r}]" for name in names), given.labels)


def _is_table(data: Any) -> bool:
    if isinstance(data, np.ndarray | list | tuple | str | int | float):
        return False
    import narwhals as nw

    found: Any = nw.from_native(as_chunked(data), allow_series=True, pass_through=True)
    return isinstance(found, nw.DataFrame | nw.LazyFrame)

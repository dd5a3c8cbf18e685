"""PITs, read: the probability that the prediction gave to what lies at or below the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column, as_chunked, column
from nepers.errors import InputError
from nepers.matrices import Matrix, matrix
from nepers.rows import refuse

Array = NDArray[np.float64]
_LEAST = 2.0**-53  # the distance from 1 to the float below it, and how well 1 - u is known near 1


@dataclass(frozen=True, eq=False)
class Pit:
    """Both ends of what is known of each PIT, equal where known exactly; the user's row labels, if any."""

    low: Array
    high: Array
    labels: NDArray[Any] | None
    argument: str = "pit"

    @property
    def values(self) -> Array:
        """A row for each case."""
        return self.low


def read_pit(pit: Any) -> Pit:
    """``pit`` in one dimension, or the two ends in two columns."""
    given = _read(pit)
    outside = (given.values < 0.0) | (given.values > 1.0)
    rule = "must hold probabilities, from 0 to 1"
    if isinstance(given, Matrix):
        given.refuse(outside, rule)
        low, high = _ends(given)
    else:
        refuse(given, outside, rule)
        low = high = given.values
    exact = low == high
    low = np.where(exact & (low == 1.0), 1.0 - _LEAST, low)
    high = np.where(exact & (high == 0.0), _LEAST, high)
    return Pit(low, high, given.labels)


def _read(pit: Any) -> Matrix | Column:
    if not isinstance(pit, np.ndarray | list | tuple):
        import narwhals as nw

        found: Any = nw.from_native(as_chunked(pit), allow_series=True, pass_through=True)
        if isinstance(found, nw.DataFrame | nw.LazyFrame) or isinstance(pit, dict):
            return matrix("pit", pit)
        return column("pit", pit)
    try:
        flat = np.ndim(pit) < 2
    except ValueError:  # rows of different lengths
        flat = False
    return column("pit", pit) if flat else matrix("pit", pit)


def _ends(given: Matrix) -> tuple[Array, Array]:
    if given.values.shape[1] != 2:
        raise InputError(
            "pit must have one dimension, or two columns, the ends of intervals; "
            f"it has {given.values.shape[1]}"
        )
    low, high = given.values.T
    given.refuse(np.column_stack([low > high, low > high]), "must have its lower ends first")
    return np.ascontiguousarray(low), np.ascontiguousarray(high)

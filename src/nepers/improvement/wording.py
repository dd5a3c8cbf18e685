"""Words that the answers of this room share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.words import decimals

Array = NDArray[np.float64]
_SHOWN = 5


def count(number: int, noun: str) -> str:
    """A number and its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def rows(labels: Sequence[Any]) -> str:
    """The first few rows by their labels."""
    shown = ", ".join(str(label) for label in labels[:_SHOWN])
    more = f" and {len(labels) - _SHOWN:,} more" if len(labels) > _SHOWN else ""
    return f"{'row' if len(labels) == 1 else 'rows'} {shown}{more}"


def plain_mean(values: Array) -> str:
    """The mean with its standard error, to two figures of the error."""
    mean, error = float(values.mean()), standard_error(values)
    digits = decimals(error)
    return f"{mean:z.{digits}f} (standard error {error:.{digits}f})"


def standard_error(values: Array) -> float:
    """Of the mean; NaN for fewer than two values."""
    return float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else float("nan")

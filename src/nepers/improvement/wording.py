"""Words that the answers of this room share."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nepers.words import decimals

Array = NDArray[np.float64]


def plain_mean(values: Array) -> str:
    """The mean with its standard error, to two figures of the error."""
    mean, error = float(values.mean()), standard_error(values)
    digits = decimals(error)
    return f"{mean:z.{digits}f} (standard error {error:.{digits}f})"


def standard_error(values: Array) -> float:
    """Of the mean; NaN for fewer than two values."""
    return float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else float("nan")

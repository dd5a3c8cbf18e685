"""What a prediction gave to the truth, already picked out, to its logarithm.

    log_probability(q) = log q      q in [0, 1]: the probability of what came true, where that is discrete
    log_density(q)     = log q      q >= 0: the density at what came true, where that is real

Zero gives minus infinity. A density may be above one and depends on the unit of x; a probability does
neither. Both predictions of a log ratio must be of the same kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column, column
from nepers.errors import InputError
from nepers.rows import refuse

Array = NDArray[np.float64]

_LOGARITHMS = "must not be negative (a logarithm is given to assess as it is, as log_q or log_p)"


def log_probability(values: Any) -> Array:
    """The logs of ``values``: for each case the probability that the prediction gave to what came true."""
    given = column("values", values)
    _refuse_negative(given)
    refuse(
        given,
        given.values > 1.0,
        "must be at most one, being probabilities (for densities there is log_density; percentages are to be "
        "divided by 100)",
    )
    return _log(given.values)


def log_density(values: Any) -> Array:
    """The logs of ``values``: for each case the density that the prediction gave to what came true."""
    given = column("values", values)
    _refuse_negative(given)
    refuse(given, np.isposinf(given.values), "must be finite, being densities")
    return _log(given.values)


def _refuse_negative(given: Column) -> None:
    values = given.values
    if values.size and values.max() <= 0.0 and values.min() < 0.0:
        raise InputError(
            f"{given.argument} must not be negative; all are from {values.min():.6g} to {values.max():.6g}: "
            "these look like logarithms already: give them as log_q"
        )
    refuse(given, values < 0.0, _LOGARITHMS)


def _log(values: Array) -> Array:
    with np.errstate(divide="ignore"):  # the log of zero is minus infinity
        return np.asarray(np.log(values))

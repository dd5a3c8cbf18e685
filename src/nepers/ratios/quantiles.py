"""Predictions that are quantiles at a few levels, to log Q(x).

Quantiles q_1 < ... < q_k at levels p_1 < ... < p_k say how much probability lies between them and not where.
The density they are taken to state is part of the prediction that is assessed:

    q_i < x < q_(i+1)    D_i = (p_(i+1) - p_i) / (q_(i+1) - q_i)            spread evenly
    x <= q_1             D_1 exp(-(q_1 - x) D_1 / p_1)                      an exponential tail of mass p_1
    x >= q_k             D_(k-1) exp(-(x - q_k) D_(k-1) / (1 - p_k))        and one of mass 1 - p_k

The tails go on from the density beside them, which fixes their rates. At an inner quantile the density jumps,
and a truth exactly there has the mean of both sides, so that the mirror image of a forecast has the mirror
image of its density.

A few levels say little of a peak or a tail, and it is the density above that is assessed, not what was
meant. Of a normal distribution the levels 10%, 20%, ..., 90% lose 0.005 nats and 5%, 50%, 95% lose 0.11; of
Student's t with 3 degrees of freedom they lose 0.07 and 0.46. If there are more, or a density, give those.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.matrices import Matrix
from nepers.ratios.truths import real_truths, table_of_cases
from nepers.rows import name_rows

Array = NDArray[np.float64]


def log_quantiles(y_true: Any, quantiles: Any, levels: Any) -> Array:
    """The log density that the quantiles give to the truth.

    y_true: a number for each case.
    quantiles: a row for each case and a column for each level, (n, k); or k quantiles that are those of
        every case. Rising along each row.
    levels: k probabilities, at least 3, rising between 0 and 1.
    """
    truths = real_truths(y_true)
    p = _levels(levels)
    q = table_of_cases("quantiles", quantiles, truths)
    if q.values.shape[1] != p.size:
        raise InputError(
            f"quantiles must have a column for each level; it has {q.values.shape[1]}, and levels {p.size}"
        )
    _refuse_crossing(q)
    return _log_density(truths.values, np.broadcast_to(q.values, (truths.values.size, p.size)), p)


def _log_density(x: Array, q: Array, p: Array) -> Array:
    density = np.diff(p) / np.diff(q, axis=1)
    left, right = np.count_nonzero(q < x[:, None], axis=1), np.count_nonzero(q <= x[:, None], axis=1)
    rows, last = np.arange(x.size), p.size - 2
    # the intervals on both sides of x: the same one unless x is a quantile
    sides = [density[rows, np.clip(side - 1, 0, last)] for side in (left, right)]
    below, above = np.maximum(q[:, 0] - x, 0.0), np.maximum(x - q[:, -1], 0.0)
    tails = below * density[:, 0] / p[0] + above * density[:, last] / (1.0 - p[-1])
    return np.asarray(np.log(0.5 * (sides[0] + sides[1])) - tails)


def _levels(levels: Any) -> Array:
    p = real_truths(levels, "levels").values
    if p.size < 3:
        raise InputError(f"levels must be at least 3; there are {p.size}")
    if 1.0 < p.max() < 100.0 and p.min() > 0.0:
        raise InputError(
            f"levels must lie between 0 and 1; the largest is {p.max():g}: divide percentages by 100"
        )
    outside = (p <= 0.0) | (p >= 1.0)
    if outside.any():
        raise InputError(f"levels must lie between 0 and 1; {p[outside][0]:g} does not")
    if not (np.diff(p) > 0.0).all():
        raise InputError(f"levels must rise; they are {', '.join(f'{level:g}' for level in p)}")
    return p


def _refuse_crossing(q: Matrix) -> None:
    steps = np.diff(q.values, axis=1)
    for wrong, what in ((steps < 0.0, "rise along each row"), (steps == 0.0, "differ")):
        rows = np.asarray(wrong.any(axis=1))
        if rows.any():
            row = int(np.flatnonzero(rows)[0])
            i = int(np.flatnonzero(wrong[row])[0])
            why = ": a value with a probability of its own has no density, and needs log_mixed"
            raise InputError(
                f"quantiles must {what}; {q.values[row, i]:g} in {q.name_column(i)} and "
                f"{q.values[row, i + 1]:g} in {q.name_column(i + 1)} of the first of "
                f"{name_rows(rows, q.labels)}{why if what == 'differ' else ''}"
            )

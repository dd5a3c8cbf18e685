"""The compiled loop over rows: j, its bin, and what the bin keeps."""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import kernel

# the columns of a bin; eight numbers of 8 bytes lie together in memory, so that a case touches one place only
NUMBER, TOTAL, SQUARE, LEAST, GREATEST = range(5)
WIDTH = 8
_BLOCK = 1024
_SMALLEST = 2.2250738585072014e-308  # below this a logarithm would be wrong


@kernel
def count_rows(first, second, logs, per_unit, steps, largest, cells):  # type: ignore[no-untyped-def]
    """Count the j of every row: first - second, or log first - log second; `second` may be one number.

    Returns how many rows have a j that is not finite or beyond the largest key; these are left out.
    """
    each = second.size > 1 or first.size == 1
    js = np.zeros(_BLOCK)
    keys = np.zeros(_BLOCK)
    odd = 0
    for start in range(0, first.size, _BLOCK):
        size = min(_BLOCK, first.size - start)
        if logs:
            for i in range(size):
                q = first[start + i]
                p = second[start + i if each else 0]
                ratio = q / p
                plain = q >= _SMALLEST and p >= _SMALLEST and ratio >= _SMALLEST and ratio < math.inf
                odd += 0 if plain else 1
                js[i] = vector_math.log(ratio if plain else 1.0)
        else:
            for i in range(size):
                js[i] = first[start + i] - second[start + i if each else 0]
        for i in range(size):
            x = abs(js[i]) * per_unit
            key = vector_math.log(x + math.sqrt(x * x + 1.0)) * steps
            keys[i] = math.floor(key if js[i] >= 0.0 else -key)
        for i in range(size):
            j = js[i]
            # so written, what is not a number is odd
            if not (abs(j) < math.inf and abs(keys[i]) <= largest):
                odd += 1
                continue
            cell = cells[int(keys[i]) + largest]
            cell[NUMBER] += 1.0
            cell[TOTAL] += j
            cell[SQUARE] += j * j
            if j < cell[LEAST]:
                cell[LEAST] = j
            if j > cell[GREATEST]:
                cell[GREATEST] = j
    return odd

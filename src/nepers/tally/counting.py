"""The compiled loop over rows: j, its bin, and what the bin keeps."""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import kernel

_BLOCK = 1024
_SMALLEST = 2.2250738585072014e-308  # below this a logarithm would be wrong


@kernel
def count_rows(first, second, logs, per_unit, steps, largest, counts):  # type: ignore[no-untyped-def]
    """Count the j of every row: first - second, or log first - log second; `second` may be one number.

    A row whose j is not finite, or beyond the largest key, is counted as odd and else left out.
    """
    each = second.size > 1 or first.size == 1
    js = np.zeros(_BLOCK)
    keys = np.zeros(_BLOCK)
    for start in range(0, first.size, _BLOCK):
        size = min(_BLOCK, first.size - start)
        if logs:
            odd = 0
            for i in range(size):
                q = first[start + i]
                p = second[start + i if each else 0]
                odd += 0 if q >= _SMALLEST and p >= _SMALLEST and q < math.inf and p < math.inf else 1
                q = q if q >= _SMALLEST else 1.0
                p = p if p >= _SMALLEST else 1.0
                js[i] = vector_math.log(q) - vector_math.log(p)
            counts.odd[0] += odd
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
                counts.odd[0] += 1
                continue
            k = int(keys[i]) + largest
            counts.number[k] += 1
            counts.total[k] += j
            counts.square[k] += j * j
            counts.least[k] = min(counts.least[k], j)
            counts.greatest[k] = max(counts.greatest[k], j)

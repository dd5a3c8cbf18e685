"""The compiled loop over rows: j, its bin, and what the bin keeps."""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import inner, kernel, step

# the columns of a bin; eight numbers of 8 bytes lie together in memory, so that a case touches one place only
NUMBER, TOTAL, SQUARE, LEAST, GREATEST = range(5)
WIDTH = 8
_BLOCK = 1024
_SMALLEST = 2.2250738585072014e-308  # below this a logarithm would be wrong


@inner
def _log_ratio(q, p):
    """log q - log p, and 1 if that is not finite or too near to it to be told, else 0."""
    ratio = q / p
    plain = q >= _SMALLEST and p >= _SMALLEST and ratio >= _SMALLEST and ratio < math.inf
    return vector_math.log(ratio if plain else 1.0), 0 if plain else 1


@step
def _log_ratios(first, second, each, start, js):
    """log first - log second; returns how many are odd."""
    odd = 0
    if each:
        for i in range(js.size):
            js[i], wrong = _log_ratio(first[start + i], second[start + i])
            odd += wrong
    else:
        for i in range(js.size):
            js[i], wrong = _log_ratio(first[start + i], second[0])
            odd += wrong
    return odd


@step
def _differences(first, second, each, start, js):
    """first - second."""
    if each:
        for i in range(js.size):
            js[i] = first[start + i] - second[start + i]
    else:
        for i in range(js.size):
            js[i] = first[start + i] - second[0]


@step
def _find_places(js, per_unit, steps, largest, places):
    """Where the cell of each j begins; returns how many j have none: theirs is the one after the last."""
    odd = 0
    for i in range(js.size):
        x = abs(js[i]) * per_unit
        key = vector_math.log(x + math.sqrt(x * x + 1.0)) * steps
        key = math.floor(key if js[i] >= 0.0 else -key)
        # so written, what is not a number is odd
        good = abs(js[i]) < math.inf and abs(key) <= largest
        odd += 0 if good else 1
        places[i] = np.uint64(WIDTH * (largest + (int(key) if good else largest + 1)))
    return odd


@step
def _add(js, places, cells):
    for i in range(js.size):
        j = js[i]
        # of an unsigned place numba does not ask whether it counts from the end
        at = places[i]
        cells[at + np.uint64(NUMBER)] += 1.0
        cells[at + np.uint64(TOTAL)] += j
        cells[at + np.uint64(SQUARE)] += j * j
        if j < cells[at + np.uint64(LEAST)]:
            cells[at + np.uint64(LEAST)] = j
        if j > cells[at + np.uint64(GREATEST)]:
            cells[at + np.uint64(GREATEST)] = j


@kernel
def count_rows(first, second, logs, per_unit, steps, largest, cells):
    """Count the j of every row: first - second, or log first - log second; `second` may be one number.

    Returns how many rows have a j that is not finite or beyond the largest key; these are left out. `cells`
    are flat, with a cell for every key and one more for these rows.
    """
    each = second.size > 1 or first.size == 1
    room = np.zeros(_BLOCK)
    places = np.zeros(_BLOCK, np.uint64)
    odd = 0
    # every step is a loop of its own, which becomes vector instructions, but for the last
    for start in range(0, first.size, _BLOCK):
        js = room[: min(_BLOCK, first.size - start)]
        if logs:
            odd += _log_ratios(first, second, each, start, js)
        else:
            _differences(first, second, each, start, js)
        odd += _find_places(js, per_unit, steps, largest, places)
        _add(js, places, cells)
    return odd

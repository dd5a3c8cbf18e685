"""The log of the proGamma kernel, written so that its large terms cancel on paper and not in the machine.

With h = (N-1)/2 and j = 0 .. N-1, the paper's kernel is

    -(a + N b) m + N b (m + h) log(base) - b sum_j log Gamma(m + j/2),       base = 1, m - 1, m + h

for types 0, 1, 2. By ``log Gamma(x) = x log x - x - gap(x)``, types 1 and 2 are

    -a m + b sum_j [(m + j/2) log(base / (m + j/2)) + gap(m + j/2)] + b N (N-1)/4 (1 + log base).
"""

import numpy as np

from nepers.hierarchy.arrays import Array
from nepers.hierarchy.gamma_functions import digamma, log_gamma, stirling_gap


def log_kernel(m: Array, a: float, b: float, N: int, type: int) -> Array:
    """The log kernel at m inside the support."""
    shapes = m[..., None] + np.arange(N) / 2
    if type == 0:
        return np.asarray(-(a + N * b) * m - b * log_gamma(shapes).sum(axis=-1))
    base = _base(m, N, type)
    with np.errstate(divide="ignore"):
        log_base = np.log(base)
    terms = shapes * _log_quotient(base[..., None], shapes) + stirling_gap(shapes)
    rest = N * (N - 1) / 4 * (1.0 + log_base) if N > 1 else 0.0
    return np.asarray(-a * m + b * (terms.sum(axis=-1) + rest))


def slope(m: Array, a: float, b: float, N: int, type: int) -> Array:
    """The derivative of the log kernel with respect to m."""
    shapes = m[..., None] + np.arange(N) / 2
    if type == 0:
        return np.asarray(-(a + N * b) - b * digamma(shapes).sum(axis=-1))
    base = _base(m, N, type)
    gap = np.log(base)[..., None] - digamma(shapes)
    return np.asarray(-a + b * gap.sum(axis=-1) + N * b * ((m + (N - 1) / 2) / base - 1.0))


def _base(m: Array, N: int, type: int) -> Array:
    return m - 1.0 if type == 1 else m + (N - 1) / 2


def _log_quotient(x: Array, y: Array) -> Array:
    """log(x / y), exact where x and y are close."""
    change = (x - y) / y
    near = np.abs(change) < 0.5
    with np.errstate(divide="ignore"):
        return np.where(near, np.log1p(np.where(near, change, 0.0)), np.log(x / y))

"""What the hierarchy needs of the Gamma function, in forms that do not cancel for large arguments.

scipy is imported inside the functions, so that importing the hierarchy needs numpy only.
"""

import numpy as np
from numpy.typing import ArrayLike

from nepers.hierarchy.arrays import Array

# Above this argument the asymptotic series below are exact in double precision.
_SERIES_FROM = 16.0
# log Gamma(x) = (x - 1/2) log x - x + log(2 pi)/2 + sum_k _STIRLING[k] / x^(2k+1)
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
# log(Gamma(w + 3/4) / Gamma(w + 1/4)) = log(w)/2 + sum_k _HALF_STEP[k] / w^(2k+2);
# the numerators are Euler's numbers: -E_2j / (j 4^(2j+1)).
_HALF_STEP = (1 / 64, -5 / 2048, 61 / 49152, -1385 / 1048576, 50521 / 20971520, -2702765 / 402653184)


def log_gamma(x: ArrayLike) -> Array:
    """log Gamma(x) for x > 0."""
    from scipy import special

    return np.asarray(special.gammaln(x), dtype=np.float64)


def digamma(x: ArrayLike) -> Array:
    """The derivative of log Gamma(x)."""
    from scipy import special

    return np.asarray(special.psi(x), dtype=np.float64)


def stirling_gap(x: ArrayLike) -> Array:
    """``x log x - x - log Gamma(x)``, which grows only as ``log(x / 2 pi) / 2``."""
    x = np.asarray(x, dtype=np.float64)
    small, large = np.minimum(x, _SERIES_FROM), np.maximum(x, _SERIES_FROM)
    direct = small * np.log(small) - small - log_gamma(small)
    series = 0.5 * np.log(large / (2 * np.pi)) - _even_series(_STIRLING, large) * large
    return np.asarray(np.where(x < _SERIES_FROM, direct, series), dtype=np.float64)


def half_step_ratio(m: ArrayLike) -> Array:
    """``Gamma(m - 1/2) / Gamma(m)``, the mean of ``alpha^(-1/2)`` under Gamma(m, 1); NaN unless m > 1/2."""
    m = np.asarray(m, dtype=np.float64)
    small, large = np.clip(m, 0.5, _SERIES_FROM), np.maximum(m, _SERIES_FROM)
    with np.errstate(divide="ignore"):
        direct = np.exp(log_gamma(small - 0.5) - log_gamma(small))
    w = large - 0.75
    series = np.exp(-_even_series(_HALF_STEP, w)) / np.sqrt(w)
    value = np.where(m < _SERIES_FROM, direct, series)
    return np.asarray(np.where(m > 0.5, value, np.nan), dtype=np.float64)


def inverse_root_variance(m: ArrayLike) -> Array:
    """``1/(m-1) - (Gamma(m-1/2)/Gamma(m))^2``, the variance of ``alpha^(-1/2)`` under Gamma(m, 1).

    It is infinite for 1/2 < m <= 1 and NaN below. The two terms agree to about 1/(4m) of themselves,
    so for large m their log ratio is summed as a series.
    """
    m = np.asarray(m, dtype=np.float64)
    small, large = np.clip(m, 1.0, _SERIES_FROM), np.maximum(m, _SERIES_FROM)
    with np.errstate(divide="ignore"):
        direct = 1.0 / (small - 1.0) - half_step_ratio(small) ** 2
    w = large - 0.75
    log_ratio = np.log1p(-0.25 / w) - 2.0 * _even_series(_HALF_STEP, w)
    series = -np.expm1(log_ratio) / (large - 1.0)
    value = np.where(m < _SERIES_FROM, direct, series)
    return np.asarray(np.where(m > 1.0, value, np.where(m > 0.5, np.inf, np.nan)), dtype=np.float64)


def _even_series(coefficients: tuple[float, ...], x: Array) -> Array:
    """``sum_k coefficients[k] / x^(2k+2)``."""
    inverse = 1.0 / np.square(x)
    total = np.zeros_like(x)
    for coefficient in reversed(coefficients):
        total = (total + coefficient) * inverse
    return total

"""log Gamma and its first two derivatives, together, for positive arguments."""

from __future__ import annotations

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import inner, step

_HALF_LOG_2PI = 0.9189385332046727
# Stirling's series is used above this; with the terms below its error is under 1e-15.
_LARGE = 12.0


@inner
def _stirling_tail(x):
    """log Gamma(x) - [(x - 1/2) log x - x + log(2 pi)/2] for large x."""
    i = 1.0 / x
    s = i * i
    p = s * (-691.0 / 360360.0) + 1.0 / 1188.0
    p = p * s - 1.0 / 1680.0
    p = p * s + 1.0 / 1260.0
    p = p * s - 1.0 / 360.0
    p = p * s + 1.0 / 12.0
    return p * i


@step
def log_gamma_function(x):
    product = 1.0
    while x < _LARGE:
        product *= x
        x += 1.0
    log_x = vector_math.log(x)
    return (x - 0.5) * log_x - x + _HALF_LOG_2PI + _stirling_tail(x) - vector_math.log(product)


@step
def digamma_trigamma(x):
    """The first and second derivatives of log Gamma."""
    first = 0.0
    second = 0.0
    while x < _LARGE:
        i = 1.0 / x
        first -= i
        second += i * i
        x += 1.0
    i = 1.0 / x
    s = i * i
    p = s * (691.0 / 32760.0) - 1.0 / 132.0
    p = p * s + 1.0 / 240.0
    p = p * s - 1.0 / 252.0
    p = p * s + 1.0 / 120.0
    p = p * s - 1.0 / 12.0
    q = s * (-691.0 / 2730.0) + 5.0 / 66.0
    q = q * s - 1.0 / 30.0
    q = q * s + 1.0 / 42.0
    q = q * s - 1.0 / 30.0
    q = q * s + 1.0 / 6.0
    first += vector_math.log(x) - 0.5 * i + p * s
    second += i + 0.5 * s + q * s * i
    return first, second

"""exp and log without calls or branches, so that loops over cases become vector instructions.

Both are accurate to about one unit in the last place over the ranges stated.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from nepers.gibbs.compiled import inner

_LOG2_E = 1.4426950408889634
_LN2_HIGH = 0.693147180369123816490
_LN2_LOW = 1.90821492927058770002e-10
# Added to a small number, leaves its nearest integer in the lowest bits.
_ROUND = 6755399441055744.0
_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD


def _bits_of(typing_context: Any, number: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), emit


def _number_of(typing_context: Any, bits: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), emit


_bits: Any = intrinsic(_bits_of)
_number: Any = intrinsic(_number_of)


@inner
def exp(x):
    """e^x for x <= 709; values below -708 give e^-708."""
    x = x if x > -708.0 else -708.0
    x = x if x < 709.0 else 709.0
    shifted = x * _LOG2_E + _ROUND
    k = shifted - _ROUND
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    p = 1.6059043836821613e-10
    p = p * r + 2.08767569878681e-9
    p = p * r + 2.505210838544172e-8
    p = p * r + 2.755731922398589e-7
    p = p * r + 2.7557319223985893e-6
    p = p * r + 2.48015873015873e-5
    p = p * r + 1.984126984126984e-4
    p = p * r + 1.388888888888889e-3
    p = p * r + 8.333333333333333e-3
    p = p * r + 4.1666666666666664e-2
    p = p * r + 0.16666666666666666
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    return _number(_bits(p) + (_bits(shifted) << 52))


@inner
def log(x):
    """The natural logarithm of a positive, normal number."""
    bits = _bits(x)
    # the exponent e for which x / 2^e lies in [sqrt(1/2), sqrt(2))
    e = (bits - _SQRT_HALF_BITS) >> 52
    m = _number(bits - (e << 52))
    f = (m - 1.0) / (m + 1.0)
    s = f * f
    p = 1.0 / 21.0
    p = p * s + 1.0 / 19.0
    p = p * s + 1.0 / 17.0
    p = p * s + 1.0 / 15.0
    p = p * s + 1.0 / 13.0
    p = p * s + 1.0 / 11.0
    p = p * s + 1.0 / 9.0
    p = p * s + 1.0 / 7.0
    p = p * s + 1.0 / 5.0
    p = p * s + 1.0 / 3.0
    k = _number(_bits(_ROUND) + e) - _ROUND
    return k * _LN2_HIGH + (2.0 * f + (2.0 * f * s * p + k * _LN2_LOW))

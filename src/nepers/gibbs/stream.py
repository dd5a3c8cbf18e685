"""Random numbers for one chain.

The generator is xoshiro256+ (Blackman and Vigna 2021) in parallel lanes, so that a whole buffer of
uniforms is made by vector instructions; everything else is made from those uniforms by exact methods.
A stream is seeded from a `numpy.random.SeedSequence`, one spawned for each chain.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.gibbs import vector_math
from nepers.gibbs.compiled import inner, step

_LANES = 16
_ROUNDS = 64
_BUFFER = _LANES * _ROUNDS
_STEP = 2.0**-52
_HALF_STEP = 2.0**-53

_TYPE = np.dtype([("lanes", "u8", (4 * _LANES,)), ("buffer", "f8", (_BUFFER,)), ("place", "i8")], align=True)


def make_stream(seed: np.random.SeedSequence) -> NDArray[Any]:
    """One record: the lanes, a buffer of uniforms in (0, 1), and the place in it."""
    stream = np.zeros(1, _TYPE)
    stream["lanes"] = seed.generate_state(4 * _LANES, np.uint64)
    stream["place"] = _BUFFER
    return stream


@step
def _refill(stream):
    s = stream.lanes
    out = stream.buffer
    for i in range(_ROUNDS):
        for lane in range(_LANES):
            s0 = s[lane]
            s1 = s[_LANES + lane]
            s3 = s[3 * _LANES + lane]
            out[i * _LANES + lane] = np.int64((s0 + s3) >> np.uint64(12)) * _STEP + _HALF_STEP
            s2 = s[2 * _LANES + lane] ^ s0
            s3 ^= s1
            s[lane] = s0 ^ s3
            s[_LANES + lane] = s1 ^ s2
            s[2 * _LANES + lane] = s2 ^ (s1 << np.uint64(17))
            s[3 * _LANES + lane] = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    stream.place = 0


@inner
def uniform(stream):
    """One uniform in (0, 1), never 0 and never 1."""
    if stream.place >= _BUFFER:
        _refill(stream)
    u = stream.buffer[stream.place]
    stream.place += 1
    return u


@step
def uniforms(stream, out, count):
    """Fill out[:count] with uniforms."""
    done = 0
    while done < count:
        if stream.place >= _BUFFER:
            _refill(stream)
        start = stream.place
        take = min(count - done, _BUFFER - start)
        for i in range(take):
            out[done + i] = stream.buffer[start + i]
        stream.place = start + take
        done += take


@step
def normal(stream):
    """A standard normal by the polar method of Marsaglia and Bray."""
    while True:
        v = 2.0 * uniform(stream) - 1.0
        w = 2.0 * uniform(stream) - 1.0
        s = v * v + w * w
        if 0.0 < s < 1.0:
            return v * math.sqrt(-2.0 * vector_math.log(s) / s)


@step
def log_gamma(stream, shape):
    """The log of a Gamma(shape, 1) draw; the log, because small shapes underflow.

    Marsaglia and Tsang (2000); below shape 1, Gamma(shape) = Gamma(shape + 1) * U^(1/shape).
    """
    boost = 0.0
    if shape < 1.0:
        boost = vector_math.log(uniform(stream)) / shape
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = normal(stream)
        v = 1.0 + c * x
        if v <= 0.0:
            continue
        v = v * v * v
        log_v = vector_math.log(v)
        # so written, what is not a number is returned, and found by who runs the chains
        if vector_math.log(uniform(stream)) >= 0.5 * x * x + d - d * v + d * log_v:
            continue
        return vector_math.log(d) + log_v + boost

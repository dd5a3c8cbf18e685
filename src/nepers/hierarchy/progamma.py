"""The proGamma distributions: the conjugate priors of the shape m of a Gamma or Wishart.

Each is ``exp(-a m)`` times the b-th power of a Wishart's dependence on its own shape m, in one of three
parameterisations (N = 1 is the Gamma):

    type 0   R fixed                                m > 0
    type 1   R = (m - 1) T, which fixes E[S^-1]     m > 1
    type 2   R = (m + (N-1)/2) T, which fixes E[S]  m > 0

All three are log-concave, so drawing by rejection from tangents is exact. Their constants have no known
closed form: they are integrated once for each set of parameters, to double precision.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nepers.errors import InputError
from nepers.hierarchy import progamma_kernel
from nepers.hierarchy.arrays import Array, Size, as_shape, number, positive, whole_number
from nepers.hierarchy.tangent_envelope import TangentEnvelope

# How far the log density has fallen, from its mode, where the tangents of the envelope are taken.
_FALLS = (0.1, 0.5, 1.2, 2.5, 5.0)


@dataclass(frozen=True, init=False)
class ProGamma:
    """``a`` and ``b`` > 0, dimension ``N`` of the Wishart, ``type`` 0, 1 or 2; support from ``lower``.

    ``lower`` is 1 for type 1 and 0 for the others, unless a higher cut is given. Large a favours small m;
    b counts the Wisharts the prior is worth.
    """

    a: float
    b: float
    N: int
    type: int
    lower: float

    def __init__(self, a: float, b: float, N: int = 1, type: int = 1, lower: float | None = None) -> None:
        if type not in (0, 1, 2):
            raise InputError(f"type must be 0, 1 or 2; it is {type!r}")
        end = 1.0 if type == 1 else 0.0
        cut = end if lower is None else number("lower", lower)
        if cut < end:
            raise InputError(f"lower must be at least {end:g} for type {type}; it is {cut}")
        fields = {"a": positive("a", a), "b": positive("b", b), "N": whole_number("N", N, 1)}
        for name, value in {**fields, "type": int(type), "lower": cut}.items():
            object.__setattr__(self, name, value)

    def log_kernel(self, m: ArrayLike) -> Array:
        """The log of the paper's expression, not normalised; minus infinity outside the support."""
        m = np.asarray(m, dtype=np.float64)
        inside = (m >= self.lower) & (m > (1.0 if self.type == 1 else 0.0)) & np.isfinite(m)
        safe = np.where(inside, m, self.lower + 1.0)
        value = progamma_kernel.log_kernel(safe, self.a, self.b, self.N, self.type)
        return np.where(inside, value, np.where(np.isnan(m), np.nan, -np.inf))

    def slope(self, m: ArrayLike) -> Array:
        """The derivative of the log kernel, for m inside the support."""
        return progamma_kernel.slope(np.asarray(m, dtype=np.float64), self.a, self.b, self.N, self.type)

    def logpdf(self, m: ArrayLike) -> Array:
        """Log density at m."""
        return self.log_kernel(m) - _integrals(self).log_normaliser

    def pdf(self, m: ArrayLike) -> Array:
        """Density at m."""
        return np.exp(self.logpdf(m))

    def mean(self) -> float:
        """E[m]."""
        return _integrals(self).mean

    def var(self) -> float:
        """Var[m]."""
        return _integrals(self).var

    def mode(self) -> float:
        """Where the density is highest: ``lower`` where it falls from there on."""
        w = _root(lambda w: float(self.slope(self.lower + math.exp(w))), *_log_range(self))
        return self.lower if w is None else self.lower + math.exp(w)

    def rvs(self, size: Size = None, *, rng: np.random.Generator) -> Array:
        """Independent draws."""
        shape = as_shape(size)
        return _envelope(self).draws(self.log_kernel, math.prod(shape), rng).reshape(shape)


class _Integrals(NamedTuple):
    log_normaliser: float
    mean: float
    var: float


@lru_cache(maxsize=256)
def _integrals(d: ProGamma) -> _Integrals:
    """Trapezoid sums in ``w = log(m - lower)``, refined until they stand still.

    The integrand is analytic and falls at least as fast as e^w on the left, so they converge
    exponentially whether the density vanishes at ``lower`` or is cut there.
    """

    def height(w: float) -> float:
        return float(d.log_kernel(d.lower + math.exp(w))) + w

    low, high = _log_range(d)
    middle = _root(lambda w: 1.0 + math.exp(w) * float(d.slope(d.lower + math.exp(w))), low, high)
    middle = low if middle is None else middle
    left = max(_fallen(height, middle, -1.0), low)
    right = _fallen(height, middle, 1.0)
    before = math.nan
    for power in range(6, 16):
        w, step = np.linspace(left, right, 2**power + 1, retstep=True)
        m = d.lower + np.exp(w)
        weight = np.exp(d.log_kernel(m) + w - height(middle))
        log_normaliser = height(middle) + math.log(weight.sum() * step)
        if abs(log_normaliser - before) < 1e-14 * max(1.0, abs(before)):
            break
        before = log_normaliser
    weight /= weight.sum()
    mean = float(weight @ m)
    return _Integrals(log_normaliser, mean, float(weight @ np.square(m - mean)))


@lru_cache(maxsize=256)
def _envelope(d: ProGamma) -> TangentEnvelope:
    mode = d.mode()
    top = float(d.log_kernel(mode))
    low, high = _log_range(d)
    at_mode = low if mode == d.lower else math.log(mode - d.lower)
    points = [mode]
    for fall in _FALLS:

        def above(w: float, fall: float = fall) -> float:
            return float(d.log_kernel(d.lower + math.exp(w))) - top + fall

        left = _root(lambda w: -above(w), low, at_mode)
        right = _root(above, at_mode, high)
        points += [d.lower + math.exp(w) for w in (left, right) if w is not None]
    ordered = np.unique(points)
    return TangentEnvelope(ordered, d.log_kernel(ordered), d.slope(ordered), d.lower)


def _log_range(d: ProGamma) -> tuple[float, float]:
    """The range of ``log(m - lower)`` searched: from where m is barely above ``lower`` to 1e40."""
    return math.log(max(d.lower, 1e-60)) - 34.0, 92.0


def _fallen(height: Callable[[float], float], start: float, direction: float) -> float:
    """A place on that side of the peak at ``start`` where ``height`` is at least 40 lower."""
    step = 1e-3
    while height(start + direction * step) > height(start) - 40.0:
        step *= 1.5
    return start + direction * step


def _root(function: Callable[[float], float], low: float, high: float) -> float | None:
    """Where a function changes from positive to negative, by bisection; None where it starts negative."""
    if function(low) <= 0.0:
        return None
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        if function(middle) > 0.0:
            low = middle
        else:
            high = middle

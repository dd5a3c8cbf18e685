"""A group's own posterior in the Gaussian score z, as a mixture of Gaussians.

    p_g(z) = sum_i v_i Gaussian(z; z_i, h_i^2)       L_g(z) = p_g(z) / Gaussian(z; 0, 1)

Sorted draws are gathered into bins that are narrow in the tails: the outermost draws stand alone. Each bin
gives a kernel, as wide as Silverman's rule says for the number of independent draws. Where the density is
below a twentieth of what it is for the most, kernels are wider, by its inverse square root (Abramson), so
that heavy tails are neither cut off nor spiky; but never wide beside the prior, as that would make L_g grow
without bound. The centres are drawn in a little, so that mean and variance are those of the draws.

Because the family's density over pi0's is itself a Gaussian in z, up to a factor,

    Gaussian(z; a m, tau^2) / Gaussian(z; 0, 1) = c Gaussian(z; m / a, (tau / a)^2)        a^2 = 1 - tau^2
    c = sqrt(2 pi) exp(m^2 / 2) / a

the family's evidence A_g, and z_g given the family, are sums over kernels of products of two Gaussians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_BINS = 128
_RARE = 0.05  # the density, over its geometric mean, from which on kernels are wider
_WIDEST = 10.0  # times Silverman's rule
_WIDEST_Z = 0.25  # the prior's standard deviation being 1
_EDGE = 3.5  # where the outermost bins are, in Gaussian scores of the ranks


@dataclass(frozen=True, eq=False)
class Kernels:
    """Weights v_i, which add up to 1, centres z_i and variances h_i^2."""

    weights: Array
    centres: Array
    variances: Array

    @property
    def mean(self) -> float:
        """The mean of z."""
        return float(self.weights @ self.centres)

    @property
    def sd(self) -> float:
        """The standard deviation of z."""
        about = (self.centres - self.mean) ** 2
        return math.sqrt(float(self.weights @ (self.variances + about)))


def fit(z: Array, independent: float) -> Kernels:
    """The mixture for draws z that are worth so many ``independent`` ones."""
    weights, centres, within = _bins(np.sort(z))
    total = float(weights @ (within + (centres - weights @ centres) ** 2))
    rule = 0.9 * _width(z) * min(independent, float(z.size)) ** -0.2
    wider = np.minimum(rule * _local(weights, centres, within + rule**2), max(rule, _WIDEST_Z))
    variances = within + wider**2
    about = centres - weights @ centres
    drawn_in = max(total - float(weights @ variances), 0.0) / max(float(weights @ about**2), 1e-300)
    return Kernels(weights, weights @ centres + math.sqrt(drawn_in) * about, variances)


def over_prior(m: Array, tau: Array) -> tuple[Array, Array, Array]:
    """The family's density over the prior's as a Gaussian: its centre, its variance, and the log of c."""
    a2 = 1.0 - tau**2
    return m / np.sqrt(a2), tau**2 / a2, 0.5 * (math.log(2.0 * math.pi) + m**2 - np.log(a2))


def log_evidence(kernels: Kernels, m: Array, tau: Array) -> Array:
    """log A_g, for every m and tau that go together."""
    from nepers.segments.likelihood import sums_over_kernels

    shape = np.broadcast_shapes(m.shape, tau.shape)
    result = np.empty(math.prod(shape))
    centre, variance, log_c = (np.broadcast_to(x, shape).ravel() for x in over_prior(m, tau))
    sums_over_kernels(kernels.weights, kernels.centres, kernels.variances, centre, variance, result)
    return np.asarray((log_c + np.log(result)).reshape(shape))


def draw(kernels: Kernels, m: Array, tau: Array, rng: np.random.Generator) -> Array:
    """z_g of the family, one for each m and tau: a kernel by its part in the evidence, and z within it."""
    from nepers.segments.likelihood import choose_kernels

    centre, variance, _ = over_prior(m, tau)
    at = np.empty(m.size, dtype=np.int64)
    uniform = rng.random(m.size)
    choose_kernels(kernels.weights, kernels.centres, kernels.variances, centre, variance, uniform, at)
    own, width = kernels.centres[at], kernels.variances[at]
    mean = (own * variance + centre * width) / (width + variance)
    sd = np.sqrt(width * variance / (width + variance))
    return np.asarray(mean + sd * rng.standard_normal(m.size))


def _each(kernels: Kernels, centre: Array, variance: Array) -> Array:
    """v_i Gaussian(z_i; centre, h_i^2 + variance): a row for each centre, a column for each kernel."""
    total = kernels.variances + variance[:, None]
    far = (kernels.centres - centre[:, None]) ** 2 / total
    return np.asarray(kernels.weights * np.exp(-0.5 * far) / np.sqrt(2.0 * math.pi * total))


def _bins(ordered: Array) -> tuple[Array, Array, Array]:
    """The share of the draws, their mean and their variance, in each bin."""
    from scipy.special import ndtr

    inner = ordered.size * ndtr(np.linspace(-_EDGE, _EDGE, _BINS - 1))
    edges = np.unique(np.concatenate([[0], np.round(inner), [ordered.size]]).astype(np.intp))
    counts = np.diff(edges)
    centres = np.add.reduceat(ordered, edges[:-1]) / counts
    about = (ordered - np.repeat(centres, counts)) ** 2
    return counts / ordered.size, centres, np.add.reduceat(about, edges[:-1]) / counts


def _width(z: Array) -> float:
    """The standard deviation, or what the quartiles make of it where the tails are heavy."""
    lower, upper = np.quantile(z, [0.25, 0.75])
    sizes = [size for size in (float(z.std()), float(upper - lower) / 1.349) if size > 0.0]
    return min(sizes, default=1e-9)


def _local(weights: Array, centres: Array, variances: Array) -> Array:
    """How much wider a kernel is than the rule says."""
    density = _each(Kernels(weights, centres, variances), centres, np.zeros(centres.size)).sum(axis=1)
    rarer = 0.5 * (math.log(_RARE) + weights @ np.log(density) - np.log(density))
    return np.asarray(np.clip(np.exp(rarer), 1.0, _WIDEST))

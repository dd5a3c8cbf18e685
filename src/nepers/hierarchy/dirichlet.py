"""The symmetric Dirichlet distribution of the component weights.

    density(p) = Gamma(C eta) / Gamma(eta)^C prod_c p_c^(eta - 1),      sum_c p_c = 1

This is the ordinary density, on the first C - 1 coordinates. The paper divides it by sqrt(C), which is
the surface measure of the simplex seen in C dimensions: both say the same distribution, and the factor
adds no weight to the prior on C.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array, Size, as_shape, positive, whole_number
from nepers.hierarchy.gamma_functions import log_gamma


@dataclass(frozen=True)
class SymmetricDirichlet:
    """C weights, each with parameter ``eta`` (in the hierarchy eta = kappa_eta / C)."""

    eta: float
    C: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "eta", positive("eta", self.eta))
        object.__setattr__(self, "C", whole_number("C", self.C, 1))

    def logpdf(self, p: ArrayLike) -> Array:
        """Log density at weights p (..., C); minus infinity where they are negative or do not sum to 1."""
        p = np.asarray(p, dtype=np.float64)
        if p.ndim == 0 or p.shape[-1] != self.C:
            raise InputError(f"p must have {self.C} weights along its last axis; its shape is {p.shape}")
        inside = (p >= 0.0).all(axis=-1) & (np.abs(p.sum(axis=-1) - 1.0) < 1e-9)
        normaliser = log_gamma(self.C * self.eta) - self.C * log_gamma(self.eta)
        if self.eta == 1.0 or self.C == 1:
            return np.where(inside, normaliser, -np.inf)
        with np.errstate(divide="ignore"):
            logs = np.log(np.where(inside[..., None], p, 1.0)).sum(axis=-1)
        return np.where(inside, normaliser + (self.eta - 1.0) * logs, -np.inf)

    def rvs(self, size: Size = None, *, rng: np.random.Generator) -> Array:
        """Independent draws, of shape ``size + (C,)``."""
        return np.exp(self.log_rvs(size, rng=rng))

    def log_rvs(self, size: Size = None, *, rng: np.random.Generator) -> Array:
        """Logs of independent draws: finite even where eta is so small that the weights underflow."""
        logs = log_gamma_draws(np.full((*as_shape(size), self.C), self.eta), rng)
        logs -= logs.max(axis=-1, keepdims=True)
        return np.asarray(logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True)))


def log_gamma_draws(shape: Array, rng: np.random.Generator) -> Array:
    """The log of one Gamma(shape, 1) draw for each shape: ``Gamma(a) = Gamma(a + 1) U^(1/a)``."""
    return np.log(rng.standard_gamma(shape + 1.0)) - rng.standard_exponential(shape.shape) / shape

"""The Wishart distribution in the paper's form.

    density(S) = det(R)^(m + (N-1)/2) / (pi^(N(N-1)/4) prod_j Gamma(m + j/2)) det(S)^(m-1) exp(-tr(R S)),
    j = 0 .. N-1

over symmetric positive definite S, with respect to its entries on and below the diagonal. It is the
textbook Wishart with ``df = 2m + N - 1`` and scale ``(2R)^-1``; N = 1 is the Gamma with shape m, rate R.

The paper has 2 pi for pi. That is the same distribution seen as a surface in all N^2 entries, where each
pair of equal entries stretches lengths by sqrt(2); like its 1/sqrt(C) for the Dirichlet, the factor
belongs to the measure and adds no weight to the prior on C.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array, Size, as_shape, positive, precision_matrix
from nepers.hierarchy.gamma_functions import log_gamma


@dataclass(frozen=True, init=False, eq=False)
class Wishart:
    """Shape ``m`` > 0 and rate matrix ``R`` (N, N); larger R means smaller S."""

    m: float
    R: Array

    def __init__(self, m: float, R: ArrayLike) -> None:
        object.__setattr__(self, "m", positive("m", m))
        size = np.asarray(R).shape[0] if np.ndim(R) else 1
        object.__setattr__(self, "R", precision_matrix("R", R, size))

    @property
    def N(self) -> int:
        """The dimension."""
        return int(self.R.shape[0])

    def logpdf(self, S: ArrayLike) -> Array:
        """Log density at one matrix or a stack of them; minus infinity unless S is positive definite."""
        S = self._matrices(S)
        N, j = self.N, np.arange(self.N)
        normaliser = (
            (self.m + (N - 1) / 2) * np.linalg.slogdet(self.R)[1]
            - N * (N - 1) / 4 * math.log(math.pi)
            - log_gamma(self.m + j / 2).sum()
        )
        inside = np.linalg.eigvalsh(S)[..., 0] > 0.0
        log_det = np.linalg.slogdet(np.where(inside[..., None, None], S, np.eye(N)))[1]
        trace = np.einsum("ij,...ji->...", self.R, S)
        return np.where(inside, normaliser + (self.m - 1.0) * log_det - trace, -np.inf)

    def pdf(self, S: ArrayLike) -> Array:
        """Density at one matrix or a stack of them."""
        return np.exp(self.logpdf(S))

    def mean(self) -> Array:
        """``E[S] = (m + (N-1)/2) R^-1``."""
        return np.asarray((self.m + (self.N - 1) / 2) * np.linalg.inv(self.R), dtype=np.float64)

    def mean_inverse(self) -> Array:
        """``E[S^-1] = R / (m - 1)``; NaN unless m > 1."""
        return self.R / (self.m - 1.0) if self.m > 1.0 else np.full_like(self.R, np.nan)

    def rvs(self, size: Size = None, *, rng: np.random.Generator) -> Array:
        """Independent draws, of shape ``size + (N, N)``."""
        return wishart_draws(np.full(as_shape(size), self.m), self.R, rng)

    def _matrices(self, S: ArrayLike) -> Array:
        S = np.asarray(S, dtype=np.float64)
        if self.N == 1 and (S.ndim < 2 or S.shape[-2:] != (1, 1)):
            S = S[..., None, None]
        if S.shape[-2:] != (self.N, self.N):
            raise InputError(f"S must end in {self.N} x {self.N} matrices; its shape is {S.shape}")
        return S


def wishart_draws(m: Array, R: Array, rng: np.random.Generator) -> Array:
    """One draw for each shape in ``m``; R is one matrix, or one for each (Bartlett's decomposition)."""
    N = R.shape[-1]
    factor = np.zeros((*m.shape, N, N))
    below = np.tril_indices(N, -1)
    factor[..., below[0], below[1]] = rng.standard_normal((*m.shape, below[0].size))
    for i in range(N):
        # a chi-square with 2m + N - 1 - i degrees of freedom is twice a Gamma of half that shape
        factor[..., i, i] = np.sqrt(2.0 * rng.standard_gamma(m + (N - 1 - i) / 2))
    # any square root of the scale (2R)^-1 serves: with R = K K', K'^-1 / sqrt(2) is one
    root = np.swapaxes(np.linalg.inv(np.linalg.cholesky(R)), -1, -2) @ factor
    return np.asarray(0.5 * root @ np.swapaxes(root, -1, -2))

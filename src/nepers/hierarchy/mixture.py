"""The mixture of skew-Student components: the distribution of one data point given all parameters."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array, Size, as_shape, read_only
from nepers.hierarchy.gamma_functions import half_step_ratio
from nepers.hierarchy.skew_student import SkewStudent, as_rows, log_density, lower_root


@dataclass(frozen=True, eq=False)
class Mixture:
    """Weights ``p`` (C,); ``mu`` and ``nu`` (C, N); ``S`` (C, N, N); ``m`` and ``r`` (C,).

    Points and results have the shapes that ``SkewStudent`` gives them. Its components are checked when
    they are first used as ``components``, not here, so that many mixtures are cheap to make.
    """

    p: Array
    mu: Array
    nu: Array
    S: Array
    m: Array
    r: Array

    def __post_init__(self) -> None:
        for name in ("p", "mu", "nu", "S", "m", "r"):
            object.__setattr__(self, name, read_only(getattr(self, name)))
        C, N = self.mu.shape if self.mu.ndim == 2 else (0, 0)
        shapes = {"p": (C,), "mu": (C, N), "nu": (C, N), "S": (C, N, N), "m": (C,), "r": (C,)}
        for name, shape in shapes.items():
            if C * N == 0 or getattr(self, name).shape != shape:
                raise InputError(
                    f"{name} must have the shape of {'C components' if C * N == 0 else shape}; "
                    f"its shape is {getattr(self, name).shape}"
                )

    @property
    def C(self) -> int:
        """The number of components."""
        return int(self.mu.shape[0])

    @property
    def N(self) -> int:
        """The dimension."""
        return int(self.mu.shape[1])

    @property
    def components(self) -> list[SkewStudent]:
        """The components, without their weights."""
        return [SkewStudent(*values) for values in zip(self.mu, self.nu, self.S, self.m, self.r, strict=True)]

    def logpdf(self, x: ArrayLike) -> Array:
        """Log density at x; minus infinity at infinite x, NaN at NaN."""
        points, shape = as_rows(x, self.N)
        result = np.where(np.isnan(points).any(axis=1), np.nan, -np.inf)
        finite = np.isfinite(points).all(axis=1)
        rows = points[finite]
        total = np.full(rows.shape[0], -np.inf)
        for c in np.flatnonzero(self.p > 0.0):
            L = lower_root(self.S[c])
            one = log_density(rows, self.mu[c], self.nu[c], L, float(self.m[c]), float(self.r[c]))
            total = np.logaddexp(total, math.log(self.p[c]) + one)
        result[finite] = total
        return result.reshape(shape)

    def pdf(self, x: ArrayLike) -> Array:
        """Density at x."""
        return np.exp(self.logpdf(x))

    def cdf(self, x: ArrayLike) -> Array:
        """Probability of a value at or below x; for N = 1 only."""
        parts = [p * component.cdf(x) for p, component in zip(self.p, self.components, strict=True)]
        return np.asarray(np.clip(sum(parts), 0.0, 1.0), dtype=np.float64)

    def mean(self) -> Array:
        """The mean, shape (N,); NaN where a component of positive weight has none."""
        used = self.p > 0.0
        return np.asarray(self.p[used] @ self._component_means()[used])

    def cov(self) -> Array:
        """The covariance, shape (N, N): the components' own, and the spread of their means."""
        used = self.p > 0.0
        apart = self._component_means()[used] - self.mean()
        own = np.stack([c.cov() for c, keep in zip(self.components, used, strict=True) if keep])
        return np.asarray(np.einsum("c,cij->ij", self.p[used], own + apart[:, :, None] * apart[:, None, :]))

    def rvs(self, size: Size = None, *, rng: np.random.Generator) -> Array:
        """Independent draws, of shape ``size`` for N = 1 and ``size + (N,)`` otherwise."""
        shape = as_shape(size)
        chosen = rng.choice(self.C, size=math.prod(shape), p=self.p / self.p.sum())
        draws = np.empty((chosen.size, self.N))
        for c, component in enumerate(self.components):
            mine = np.flatnonzero(chosen == c)
            draws[mine] = component.rvs(mine.size, rng=rng).reshape(mine.size, self.N)
        return draws.reshape(shape if self.N == 1 else (*shape, self.N))

    def _component_means(self) -> Array:
        return self.mu + self.nu * (np.sqrt(self.r) * half_step_ratio(self.m))[:, None]

"""The skew-Student distribution in N dimensions.

    alpha ~ Gamma(shape m, rate r),      x | alpha ~ Gaussian(mu + nu / sqrt(alpha), precision alpha S)

With y = x - mu, beta = sqrt(alpha) and A = 2m + N, its density is an integral over the half line,

    f(x) = 2 r^m / Gamma(m) sqrt(det(S / 2 pi))
           integral_0^inf beta^(A-1) exp(-r beta^2 - |beta y - nu|_S^2 / 2) dbeta

where ``|v|_S^2 = v' S v``. The paper writes it with two 1F1 functions, which cancel for negative skewness.
Here it is measured from the integrand's peak in log(beta): with beta at that peak and ``rho = r beta^2 / m``,

    log f = log 2 + log det(S / 2 pi) / 2 + (m log m - m - log Gamma(m)) + N log(beta)
            + m (log rho - rho + 1) - |beta y - nu|_S^2 / 2 + log I(A, s^2)

where ``s = beta sqrt(2r + y'Sy)`` and I is the integral of ``half_line_integral``. The two large terms,
the second line's first two, are both negative: nothing cancels, at any skewness and any distance.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array, Size, as_shape, positive, precision_matrix, vector
from nepers.hierarchy.gamma_functions import half_step_ratio, inverse_root_variance, stirling_gap
from nepers.hierarchy.half_line_integral import log_peak_integral, peak_position
from nepers.hierarchy.skew_student_cdf import standard_cdf

# Points beyond this are brought near 1 by a power of two first, so that their squares stay finite.
_FAR = 1e100


@dataclass(frozen=True, init=False, eq=False)
class SkewStudent:
    """Location ``mu`` (N,), skewness ``nu`` (N,), precision ``S`` (N, N), shape ``m``, rate ``r``.

    For N = 1 plain numbers are taken for mu, nu and S; points are then any array of numbers and results
    have its shape. For N > 1 the last axis of the points is the N coordinates. Tails fall as
    ``|x|^-(2m+N)``; the mean exists for m > 1/2 and the covariance for m > 1.
    """

    mu: Array
    nu: Array
    S: Array
    m: float
    r: float

    def __init__(self, mu: ArrayLike, nu: ArrayLike, S: ArrayLike, m: float, r: float) -> None:
        location = vector("mu", mu)
        fields = {
            "mu": location,
            "nu": vector("nu", nu, location.size),
            "S": precision_matrix("S", S, location.size),
            "m": positive("m", m),
            "r": positive("r", r),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def N(self) -> int:
        """The dimension."""
        return int(self.mu.size)

    def logpdf(self, x: ArrayLike) -> Array:
        """Log density at x; minus infinity at infinite x, NaN at NaN."""
        points, shape = as_rows(x, self.N)
        finite = np.isfinite(points).all(axis=1)
        result = np.where(np.isnan(points).any(axis=1), np.nan, -np.inf)
        result[finite] = log_density(points[finite], self.mu, self.nu, lower_root(self.S), self.m, self.r)
        return result.reshape(shape)

    def pdf(self, x: ArrayLike) -> Array:
        """Density at x."""
        return np.exp(self.logpdf(x))

    def cdf(self, x: ArrayLike) -> Array:
        """Probability of a value at or below x; for N = 1 only."""
        if self.N != 1:
            raise InputError(f"cdf is for N = 1; this distribution has N = {self.N}")
        root = math.sqrt(self.S[0, 0])
        with np.errstate(over="ignore"):
            q = root * (np.asarray(x, dtype=np.float64) - self.mu[0])
        return standard_cdf(q, root * float(self.nu[0]), self.m, self.r)

    def mean(self) -> Array:
        """``mu + nu sqrt(r) Gamma(m - 1/2) / Gamma(m)``, shape (N,); NaN unless m > 1/2."""
        return self.mu + self.nu * (math.sqrt(self.r) * half_step_ratio(self.m))

    def cov(self) -> Array:
        """``S^-1 r/(m-1) + nu nu' r (1/(m-1) - (Gamma(m-1/2)/Gamma(m))^2)``, shape (N, N).

        For m <= 1 it does not exist: the variances are infinite (NaN for m <= 1/2), the rest NaN.
        """
        if self.m <= 1.0:
            return np.where(np.eye(self.N) > 0, np.inf if self.m > 0.5 else np.nan, np.nan)
        scatter = np.linalg.inv(self.S) * (self.r / (self.m - 1.0))
        return scatter + np.outer(self.nu, self.nu) * (self.r * inverse_root_variance(self.m))

    def rvs(self, size: Size = None, *, rng: np.random.Generator) -> Array:
        """Independent draws, of shape ``size`` for N = 1 and ``size + (N,)`` otherwise."""
        shape = as_shape(size)
        spread = 1.0 / np.sqrt(rng.standard_gamma(self.m, shape) / self.r)[..., None]
        noise = rng.standard_normal((*shape, self.N)) @ np.linalg.inv(lower_root(self.S))
        draws = self.mu + spread * (self.nu + noise)
        return draws[..., 0] if self.N == 1 else draws


def as_rows(x: ArrayLike, N: int) -> tuple[Array, tuple[int, ...]]:
    """Points as rows of N coordinates, and the shape their results take."""
    points = np.asarray(x, dtype=np.float64)
    if N == 1:
        return points.reshape(-1, 1), points.shape
    if points.ndim == 0 or points.shape[-1] != N:
        raise InputError(f"x must have {N} coordinates along its last axis; its shape is {points.shape}")
    return points.reshape(-1, N), points.shape[:-1]


def lower_root(S: Array) -> Array:
    """The lower triangular L with ``S = L L'``."""
    return np.asarray(np.linalg.cholesky(S), dtype=np.float64)


def log_density(x: Array, mu: Array, nu: Array, L: Array, m: float, r: float) -> Array:
    """The log density of this page at finite rows x (n, N), where ``S = L L'``."""
    N = mu.size
    A = 2.0 * m + N
    size = np.abs(x).max(axis=1)
    far = np.ldexp(1.0, np.where(size > _FAR, np.frexp(size)[1] - 1, 0))
    y = x / far[:, None] - mu / far[:, None]
    w = y @ L
    # everything with a distance in it is in units of `far` until log(beta) puts it back
    norm = np.hypot(math.sqrt(2.0 * r) / far, np.sqrt(np.square(w).sum(axis=1)))
    peak = peak_position(A, (w / norm[:, None]) @ (nu @ L))
    beta = peak / norm
    log_beta = np.log(beta) - np.log(far)
    miss = (beta[:, None] * y - nu) @ L
    return np.asarray(
        math.log(2.0)
        + float(np.log(np.diag(L)).sum() - 0.5 * N * math.log(2.0 * math.pi) + stirling_gap(m))
        + N * log_beta
        + m * _log_minus_rise(r / m * np.square(beta / far), math.log(r / m) + 2.0 * log_beta)
        - 0.5 * np.square(miss).sum(axis=1)
        + log_peak_integral(A, np.square(peak))
    )


def _log_minus_rise(rho: Array, log_rho: Array) -> Array:
    """``log rho - rho + 1``, exact near its zero at rho = 1 and where rho itself underflows."""
    near = np.abs(rho - 1.0) < 0.5
    return np.where(near, np.log1p(np.where(near, rho - 1.0, 0.0)), log_rho) - (rho - 1.0)

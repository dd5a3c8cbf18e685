"""The prior of all parameters: draws from it, and its log density.

``log_prior`` is the definition spelled out, one line for each line of the hierarchy; faster code elsewhere
is judged by it.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from nepers.hierarchy.arrays import Array
from nepers.hierarchy.counts import GeometricCount
from nepers.hierarchy.dirichlet import SymmetricDirichlet, log_gamma_draws
from nepers.hierarchy.gamma_functions import half_step_ratio
from nepers.hierarchy.hyperparameters import Hyperparameters
from nepers.hierarchy.mixture import Mixture
from nepers.hierarchy.progamma import ProGamma
from nepers.hierarchy.wishart import Wishart, wishart_draws

Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Parameters:
    """Everything the hierarchy draws above the data: the mixture, and what its components share."""

    mixture: Mixture
    mu_mu: Array
    S_mu: Array
    R_S_mu: Array
    m_S: float
    R_S: Array


@dataclass(frozen=True, eq=False)
class PriorRows:
    """Many draws: the components of all in one row, with their owners, then what a draw has once."""

    C: Counts
    owner: Counts
    p: Array
    mu: Array
    nu: Array
    S: Array
    m: Array
    r: Array
    mu_mu: Array
    S_mu: Array
    R_S_mu: Array
    m_S: Array
    R_S: Array

    def J(self) -> Array:
        """The mean of each draw's mixture, of N = 1, as its location and what skewness adds: (2, draws)."""
        skew = self.nu[:, 0] * np.sqrt(self.r) * half_step_ratio(self.m)
        return np.stack([np.bincount(self.owner, self.p * part) for part in (self.mu[:, 0], skew)])


def component_shape_prior(h: Hyperparameters) -> ProGamma:
    """The prior of m_c."""
    return ProGamma(h.a_m, h.b_m, h.N_m, h.shape_type, h.m_lower)


def precision_shape_prior(h: Hyperparameters) -> ProGamma:
    """The prior of m_S, of type 1 in the data's own dimension in both of the paper's tables."""
    return ProGamma(h.a_m_S, h.b_m_S, h.N, 1)


def rate_of_shape(m: Array, h: Hyperparameters) -> Array:
    """r_c: ``m_c - 1`` for shape type 1, ``m_c`` for type 2."""
    return m - 1.0 if h.shape_type == 1 else np.array(m)


def log_prior(parameters: Parameters, hyperparameters: Hyperparameters) -> float:
    """The log density of all parameters, complete with every constant.

    The measure is counting for C, the first C - 1 weights, the entries on and below the diagonal of
    symmetric matrices, and plain coordinates otherwise; the components keep their labels.
    """
    h, q, mix = hyperparameters, parameters, parameters.mixture
    if h.C is not None and h.C != mix.C:
        return -math.inf
    if not np.allclose(mix.r, rate_of_shape(mix.m, h), rtol=1e-12, atol=1e-300):
        return -math.inf
    total = 0.0 if h.C is not None else float(GeometricCount(h.kappa_C).logpmf(mix.C))
    total += float(SymmetricDirichlet(h.kappa_eta / mix.C, mix.C).logpdf(mix.p))
    total += float(Wishart(h.m_R_S_mu, h.R_R_S_mu).logpdf(q.R_S_mu))
    total += float(Wishart(h.m_S_mu, q.R_S_mu).logpdf(q.S_mu))
    total += log_gaussian(q.mu_mu, h.mu_mu_mu, h.S_mu_mu)
    total += float(precision_shape_prior(h).logpdf(q.m_S))
    total += float(Wishart(h.m_R_S, h.R_R_S).logpdf(q.R_S))
    for c in range(mix.C):
        total += float(Wishart(q.m_S, (q.m_S - 1.0) * q.R_S).logpdf(mix.S[c]))
        total += float(component_shape_prior(h).logpdf(mix.m[c]))
        total += log_gaussian(mix.nu[c], np.zeros(h.N), mix.S[c] / h.kappa_nu)
        total += log_gaussian(mix.mu[c], q.mu_mu, q.S_mu)
    return total


def log_gaussian(x: Array, mean: Array, precision: Array) -> float:
    """Log density of a Gaussian by mean and precision."""
    _sign, log_det = np.linalg.slogdet(precision / (2.0 * math.pi))
    return float(0.5 * log_det - 0.5 * (x - mean) @ precision @ (x - mean))


@overload
def sample_prior(
    hyperparameters: Hyperparameters, size: None = None, *, rng: np.random.Generator
) -> Parameters: ...
@overload
def sample_prior(
    hyperparameters: Hyperparameters, size: int, *, rng: np.random.Generator
) -> list[Parameters]: ...
def sample_prior(
    hyperparameters: Hyperparameters, size: int | None = None, *, rng: np.random.Generator
) -> Parameters | list[Parameters]:
    """One draw of all parameters from the prior, or a list of ``size`` independent draws."""
    q = prior_rows(hyperparameters, 1 if size is None else size, rng)
    ends = np.cumsum(q.C)
    draws = []
    for k, (start, end) in enumerate(zip(ends - q.C, ends, strict=True)):
        own = slice(start, end)
        mixture = Mixture(p=q.p[own], mu=q.mu[own], nu=q.nu[own], S=q.S[own], m=q.m[own], r=q.r[own])
        draws.append(Parameters(mixture, q.mu_mu[k], q.S_mu[k], q.R_S_mu[k], float(q.m_S[k]), q.R_S[k]))
    return draws[0] if size is None else draws


def prior_rows(hyperparameters: Hyperparameters, n: int, rng: np.random.Generator) -> PriorRows:
    """``n`` independent draws as arrays."""
    h = hyperparameters
    R_S_mu = wishart_draws(np.full(n, h.m_R_S_mu), h.R_R_S_mu, rng)
    S_mu = wishart_draws(np.full(n, h.m_S_mu), R_S_mu, rng)
    mu_mu = gaussian_draws(np.tile(h.mu_mu_mu, (n, 1)), h.S_mu_mu, rng)
    m_S = precision_shape_prior(h).rvs(n, rng=rng)
    R_S = wishart_draws(np.full(n, h.m_R_S), h.R_R_S, rng)
    C = GeometricCount(h.kappa_C).rvs(n, rng=rng) if h.C is None else np.full(n, h.C, dtype=np.int64)

    # the components of all draws lie in one row; `owner` is the draw that each belongs to
    owner = np.repeat(np.arange(n, dtype=np.int64), C)
    p = _weights(C, owner, h.kappa_eta, rng)
    S = wishart_draws(m_S[owner], (m_S[owner, None, None] - 1.0) * R_S[owner], rng)
    m = component_shape_prior(h).rvs(owner.size, rng=rng)
    nu = gaussian_draws(np.zeros((owner.size, h.N)), S / h.kappa_nu, rng)
    mu = gaussian_draws(mu_mu[owner], S_mu[owner], rng)
    return PriorRows(C, owner, p, mu, nu, S, m, rate_of_shape(m, h), mu_mu, S_mu, R_S_mu, m_S, R_S)


def cases_of_each(rows: PriorRows, n: int, rng: np.random.Generator) -> Array:
    """``n`` data points of N = 1 from the mixture of each draw, (draws, n)."""
    # the weights of each draw add up to one, so its components end between two whole numbers
    ends = np.cumsum(rows.p)
    place = np.arange(rows.C.size)[:, None] + rng.random((rows.C.size, n))
    c = np.minimum(np.searchsorted(ends, place), ends.size - 1)
    alpha = rng.standard_gamma(rows.m[c]) / rows.r[c]
    spread = rng.standard_normal(c.shape) / np.sqrt(rows.S[c, 0, 0])
    return np.asarray(rows.mu[c, 0] + (rows.nu[c, 0] + spread) / np.sqrt(alpha))


def gaussian_draws(mean: Array, precision: Array, rng: np.random.Generator) -> Array:
    """One draw for each row of ``mean``; the precision is one matrix, or one for each."""
    # with precision = L L', L'^-1 times white noise has covariance precision^-1
    root = np.swapaxes(np.linalg.inv(np.linalg.cholesky(precision)), -1, -2)
    return np.asarray(mean + (root @ rng.standard_normal(mean.shape)[..., None])[..., 0])


def _weights(C: Counts, owner: Counts, kappa_eta: float, rng: np.random.Generator) -> Array:
    """Dirichlet weights of every draw in one row, each draw's own adding up to 1."""
    logs = log_gamma_draws(kappa_eta / C[owner], rng)
    starts = np.cumsum(C) - C
    weights = np.exp(logs - np.maximum.reduceat(logs, starts)[owner])
    return np.asarray(weights / np.add.reduceat(weights, starts)[owner])

"""The joint density of everything, written out, and what is derived from it alone: the referee of every
block."""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import integrate, stats

from nepers.hierarchy import Hyperparameters, Mixture, Parameters, log_prior


@dataclass(frozen=True)
class State:
    """Parameters, the component and the alpha of every case, and the cases x (n, N)."""

    h: Hyperparameters
    parameters: Parameters
    z: np.ndarray
    alpha: np.ndarray
    x: np.ndarray


def change(state, **values):
    """A copy with some of: p, mu, nu, S, m (of all components), mu_mu, S_mu, R_S_mu, m_S, R_S, alpha, z."""
    mixture, upper, rest = {}, {}, {}
    for name, value in values.items():
        place = mixture if name in ("p", "mu", "nu", "S", "m") else rest if name in ("alpha", "z") else upper
        place[name] = value
    old = state.parameters.mixture
    if "m" in mixture:
        mixture["r"] = mixture["m"] - (2 - state.h.shape_type)
    new = Mixture(
        **{name: mixture.get(name, getattr(old, name)) for name in ("p", "mu", "nu", "S", "m", "r")}
    )
    return replace(state, parameters=replace(state.parameters, mixture=new, **upper), **rest)


def change_one(state, c, **values):
    """A copy in which component c has other values."""
    new = {}
    for name, value in values.items():
        whole = np.array(getattr(state.parameters.mixture, name))
        whole[c] = value
        new[name] = whole
    return change(state, **new)


def log_joint(state):
    """log p(parameters, z, alpha, x)."""
    total = log_prior(state.parameters, state.h)
    for x, c, alpha in zip(state.x, state.z, state.alpha, strict=True):
        total += log_case(state.parameters.mixture, c, alpha, x)
    return total


def log_case(mix, c, alpha, x):
    """log p(c, alpha, x) of one case, given the mixture."""
    m, r = mix.m[c], mix.r[c]
    total = math.log(mix.p[c]) if mix.p[c] > 0 else 0.0
    total += m * math.log(r) - math.lgamma(m) + (m - 1.0) * math.log(alpha) - r * alpha
    gap = x - mix.mu[c] - mix.nu[c] / math.sqrt(alpha)
    total += 0.5 * (np.linalg.slogdet(alpha * mix.S[c])[1] - x.size * math.log(2.0 * math.pi))
    return total - 0.5 * alpha * gap @ mix.S[c] @ gap


def quadratic(f, size):
    """Mean and precision of the Gaussian whose log density f is, exactly, by its differences."""
    e = np.eye(size)
    zero = f(np.zeros(size))
    one = np.array([f(e[i]) for i in range(size)])
    minus = np.array([f(-e[i]) for i in range(size)])
    slope = 0.5 * (one - minus)
    P = np.zeros((size, size))
    for i in range(size):
        P[i, i] = 2.0 * zero - one[i] - minus[i]
        for j in range(i):
            P[i, j] = P[j, i] = -(f(e[i] + e[j]) - one[i] - one[j] + zero)
    return np.linalg.solve(P, slope), P


def wishart_of(f, N, rng):
    """m and R of the Wishart whose log density f is, solved from its values; other values must agree."""
    pairs = [(i, j) for i in range(N) for j in range(i, N)]
    rows, values = [], []
    for _ in range(len(pairs) + 5):
        root = rng.standard_normal((N, N + 2))
        S = root @ root.T
        rows.append([1.0, np.linalg.slogdet(S)[1]] + [-S[i, j] * (1.0 if i == j else 2.0) for i, j in pairs])
        values.append(f(S))
    solution, *_ = np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)
    assert np.allclose(np.array(rows) @ solution, values, rtol=1e-9, atol=1e-7), "not a Wishart"
    R = np.zeros((N, N))
    for (i, j), value in zip(pairs, solution[2:], strict=True):
        R[i, j] = R[j, i] = value
    return solution[1] + 1.0, R


def dirichlet_of(f, C, rng):
    """The parameters of the Dirichlet whose log density f is."""
    p = rng.dirichlet(np.full(C, 2.0), C + 4)
    rows = np.column_stack([np.ones(C + 4), np.log(p)])
    values = np.array([f(one) for one in p])
    solution, *_ = np.linalg.lstsq(rows, values, rcond=None)
    assert np.allclose(rows @ solution, values, rtol=1e-9, atol=1e-7), "not a Dirichlet"
    return solution[1:] + 1.0


def numerical_cdf(f, draws, lower=-math.inf):
    """The distribution function at the draws of the density exp(f), by Simpson's rule over their range and
    beyond."""
    position = np.log(draws - lower) if math.isfinite(lower) else np.asarray(draws)
    low, high = position.min(), position.max()
    spread = high - low
    grid = np.linspace(low - 0.5 * spread, high + 0.5 * spread, 401)
    with np.errstate(over="ignore"):
        heights = np.array([f(lower + math.exp(w)) + w if math.isfinite(lower) else f(w) for w in grid])
    density = np.exp(heights - heights.max())
    cdf = np.append(0.0, integrate.cumulative_simpson(density, x=grid))
    return np.interp(position, grid, cdf / cdf[-1])


def whitened(draws, mean, P):
    """Draws of the Gaussian with this mean and precision become independent standard normals."""
    return (draws - mean) @ np.linalg.cholesky(P)


def bartlett(S, m, R):
    """Uniforms, independent of one another, from draws S (n, N, N) of Wishart(m, R)."""
    N = R.shape[0]
    L = np.linalg.cholesky(R)
    T = np.linalg.cholesky(np.einsum("ji,njk,kl->nil", L, S, L))
    columns = []
    for i in range(N):
        columns.append(stats.gamma.cdf(T[:, i, i] ** 2, m + 0.5 * (N - 1 - i)))
        columns += [stats.norm.cdf(T[:, i, j], scale=np.sqrt(0.5)) for j in range(i)]
    return columns

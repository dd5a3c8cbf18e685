"""The peer on incomplete data: the same posterior at a fixed C by NumPyro's No-U-Turn sampler.

The hierarchy is that of `nepers.hierarchy` with shapes of type 2, in N dimensions, without noise, in the form
that suits NUTS best. Allocations, alpha, R_S and R_S_mu are integrated out. Cases are in units of the
constants' R_R_S. With U'U the precision of a component (U upper triangular), w = U nu is white and apart from
U in the prior; mu + nu, which is near the component's mean, stands for mu; missing values are counted from
their mean given what is known, by the Gaussian of the data; censored times by the log of what they are above
their cut.

It runs in an environment of its own, with numpyro:

    python benchmarks/incomplete_peer.py given.npz out.npz --chains 4 --tune 500 --draws 500 --seed 1
"""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import NamedTuple

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
from jax.flatten_util import ravel_pytree
from jax.scipy.special import gammaln, logsumexp
from numpyro.infer import MCMC, NUTS

jax.config.update("jax_enable_x64", True)

_NODES = 16  # of the interpolation of the skewness term; the error is below 1e-9 for skewness up to 4
_STEPS = 48  # of the integral at each node


class Data(NamedTuple):
    """Cases in units in which R_R_S is a multiple of 1."""

    known: np.ndarray  # (n, N), zero where not known, in the given units
    rows: np.ndarray  # (missing,): where values are missing
    columns: np.ndarray  # (missing,)
    cut: np.ndarray  # (censored,)
    censored: np.ndarray  # (censored,): whose
    fill: np.ndarray  # (n, N, N): what known values say of missing ones
    spread: np.ndarray  # (n, N, N): of missing ones beside that
    mean: np.ndarray  # (N,)
    root: np.ndarray  # (N, N): x in the model's units is root (x - mean)


def read(given):
    """The data, and the constants in the same units."""
    h = json.loads(str(given["constants"]))
    known, lower, upper = given["known"], given["lower"], given["upper"]
    mean, root = np.array(h["mu_mu_mu"]), np.linalg.cholesky(np.array(h["R_R_S"])).T
    covariance = np.linalg.inv(root.T @ root)
    censored = np.flatnonzero(np.isfinite(lower) & np.isinf(upper))
    gone = np.isnan(known)
    gone[censored, 0] = False
    n, N = known.shape
    fill, spread = np.zeros((n, N, N)), np.zeros((n, N, N))
    for k in range(n):
        m, o = np.flatnonzero(gone[k]), np.flatnonzero(~gone[k])
        if m.size:
            slope = covariance[np.ix_(m, o)] @ np.linalg.inv(covariance[np.ix_(o, o)])
            left = covariance[np.ix_(m, m)] - slope @ covariance[np.ix_(o, m)]
            fill[k][np.ix_(m, o)] = slope
            spread[k][np.ix_(m, m)] = np.linalg.cholesky(left)
    known = np.where(np.isnan(known), 0.0, known)
    known[gone] = np.broadcast_to(mean, known.shape)[gone]
    scale = np.linalg.inv(root)
    for name in ("R_R_S", "R_R_S_mu", "S_mu_mu"):
        h[name] = scale.T @ np.array(h[name]) @ scale
    return Data(known, *np.nonzero(gone), lower[censored], censored, fill, spread, mean, root), h


def triangle(q, N):
    """U, from the logs of its diagonal and what is above it, and the log of dS/dq where S = U'U."""
    above = jnp.zeros((N, N)).at[jnp.triu_indices(N, 1)].set(q[N:])
    jacobian = N * jnp.log(2.0) + jnp.sum((N + 1.0 - np.arange(N)) * q[:N])
    return above + jnp.diag(jnp.exp(q[:N])), jacobian


def log_gamma_N(m, N):
    """log of prod_j Gamma(m + j/2)."""
    return gammaln(m + 0.5 * np.arange(N)).sum()


def log_det(A):
    """Of a positive definite matrix."""
    return 2.0 * jnp.log(jnp.diagonal(jnp.linalg.cholesky(A))).sum()


def skew_term(A, t):
    """log of the integral over s > 0 of s^(A - 1) exp(-s^2/2 + t s), by the trapezoidal rule at its peak."""
    peak = 0.5 * (t + jnp.sqrt(t * t + 4.0 * A))
    width = jax.lax.stop_gradient(1.0 / jnp.sqrt(peak * peak + A))
    v = jnp.linspace(-14.0, 6.0, _STEPS)
    grow = width[..., None] * v
    s = peak[..., None] * jnp.exp(grow)
    terms = A * grow - 0.5 * s * s + t[..., None] * s
    return A * jnp.log(peak) + logsumexp(terms, axis=-1) + jnp.log(width * (v[1] - v[0]))


def interpolated(A, size, c):
    """`skew_term` at t = size c, by Chebyshev's polynomials on [-size, size]."""
    k = np.arange(_NODES)
    angle = np.pi * (k + 0.5) / _NODES
    to_series = np.cos(np.outer(k, angle)) * (2.0 / _NODES)
    to_series[0] *= 0.5
    series = to_series @ skew_term(A, size * np.cos(angle))
    one, two = jnp.zeros_like(c), jnp.zeros_like(c)
    for i in range(_NODES - 1, 0, -1):
        one, two = series[i] + 2.0 * c * one - two, one
    return series[0] + c * one - two


def log_density(x, mu, U, w, m):
    """Of every case under one component with r = m."""
    N = mu.size
    y = (x - mu) @ U.T
    b = 2.0 * m + (y * y).sum(axis=1)
    size = jnp.sqrt(w @ w)
    skewed = interpolated(2.0 * m + N, size, y @ w / (size * jnp.sqrt(b)))
    constant = jnp.log(2.0) + m * jnp.log(m) - gammaln(m) - 0.5 * N * jnp.log(2.0 * jnp.pi)
    return constant + jnp.log(jnp.diagonal(U)).sum() - 0.5 * w @ w - (m + 0.5 * N) * jnp.log(b) + skewed


def completed(q, data):
    """Every case, in the model's units."""
    time = data.cut + jnp.exp(q["above"])
    x = jnp.asarray(data.known).at[data.censored, 0].set(time)
    apart = x - data.mean
    more = jnp.zeros_like(x).at[data.rows, data.columns].set(q["missing"])
    x = x + jnp.einsum("kij,kj->ki", data.fill, apart) + jnp.einsum("kij,kj->ki", data.spread, more)
    return (x - data.mean) @ data.root.T


def components(q, N):
    """log p, mu, U, w, m of all components, and the Jacobian of the S."""
    U, jacobian = jax.vmap(lambda one: triangle(one, N))(q["S"])
    nu = jax.vmap(jnp.linalg.solve)(U, q["w"])
    log_p = jax.nn.log_softmax(jnp.append(q["p"], 0.0))
    return log_p, q["centre"] - nu, U, q["w"], jnp.exp(q["m"]), jacobian.sum()


def log_prior(q, h):
    """Of everything but the cases, up to a constant, with the Jacobians."""
    N, C = h["N"], h["C"]
    log_p, mu, U, w, m, jacobian = components(q, N)
    total = h["kappa_eta"] / C * log_p.sum() + jacobian - 0.5 * h["kappa_nu"] ** -1 * (w * w).sum()
    # S_mu with R_S_mu integrated out, mu_mu, mu
    V, more = triangle(q["S_mu"], N)
    shape = h["m_S_mu"] + h["m_R_S_mu"] + N - 1.0
    total += more + (h["m_S_mu"] - 1.0 + 0.5 * C) * 2.0 * jnp.log(jnp.diagonal(V)).sum()
    total -= shape * log_det(V.T @ V + h["R_R_S_mu"])
    total -= 0.5 * q["mu_mu"] @ h["S_mu_mu"] @ q["mu_mu"]
    total -= 0.5 * (((mu - q["mu_mu"]) @ V.T) ** 2).sum()
    # S with R_S integrated out, m_S
    r_S = jnp.exp(q["m_S"])
    m_S, half = 1.0 + r_S, 0.5 * (N - 1.0)
    S = jnp.einsum("cij,cik->cjk", U, U)
    total += (m_S - 1.0) * 2.0 * jnp.log(jnp.diagonal(U, axis1=1, axis2=2)).sum()
    shape = h["m_R_S"] + C * (m_S + half)
    total += C * N * (m_S + half) * q["m_S"] - C * log_gamma_N(m_S, N) + log_gamma_N(shape, N)
    total -= (shape + half) * log_det(h["R_R_S"] + r_S * S.sum(axis=0))
    total += q["m_S"] - (h["a_m_S"] + N * h["b_m_S"]) * m_S
    total += h["b_m_S"] * (N * (m_S + half) * q["m_S"] - log_gamma_N(m_S, N))
    # m, of type 2
    total += (q["m"] - (h["a_m"] + h["b_m"]) * m + h["b_m"] * (m * jnp.log(m) - gammaln(m))).sum()
    return total


def log_posterior(q, data, h):
    """Up to a constant."""
    log_p, mu, U, w, m, _ = components(q, h["N"])
    x = completed(q, data)
    each = jax.vmap(lambda *one: log_density(x, *one))(mu, U, w, m)
    likelihood = logsumexp(each + log_p[:, None], axis=0).sum()
    return log_prior(q, h) + likelihood + q["above"].sum()


def start(key, data, h):
    """Where a chain begins: both components much like the whole, at places apart."""
    N, C = h["N"], h["C"]
    rng = np.random.default_rng(key)
    half = N * (N + 1) // 2
    return {
        "p": np.zeros(C - 1),
        "centre": rng.standard_normal((C, N)),
        "S": np.zeros((C, half)),
        "w": 0.1 * rng.standard_normal((C, N)),
        "m": np.full(C, 1.0),
        "mu_mu": np.zeros(N),
        "S_mu": np.zeros(half),
        "m_S": np.array(3.0),
        "above": np.full(data.cut.size, -1.0),
        "missing": np.zeros(data.rows.size),
    }


def reported(q, data, h):
    """The mixture and what is above it, in the given units."""
    log_p, mu, U, w, m, _ = components(q, h["N"])
    back = jnp.linalg.inv(data.root)
    nu = jax.vmap(jnp.linalg.solve)(U, w)
    V, _ = triangle(q["S_mu"], h["N"])
    return {
        "p": jnp.exp(log_p),
        "mu": data.mean + mu @ back.T,
        "nu": nu @ back.T,
        "S": jnp.einsum("ai,cka,ckb,bj->cij", data.root, U, U, data.root),
        "m": m,
        "mu_mu": data.mean + back @ q["mu_mu"],
        "S_mu": data.root.T @ V.T @ V @ data.root,
        "m_S": 1.0 + jnp.exp(q["m_S"]),
    }


def one_chain(potential, place, asked, i, said):
    """Draws of one chain; counts what they cost. Compilation counts as tuning."""
    kernel = NUTS(potential_fn=potential)
    sampler = MCMC(kernel, num_warmup=asked.tune, num_samples=asked.draws, progress_bar=False)
    fields = ("num_steps", "diverging")
    began = time.process_time()
    sampler.warmup(jax.random.PRNGKey(1000 * asked.seed + i), init_params=place, extra_fields=fields)
    said["tuning"] += time.process_time() - began
    began = time.process_time()
    sampler.run(sampler.post_warmup_state.rng_key, extra_fields=fields)
    found = sampler.get_extra_fields()
    said["gradients"] += int(found["num_steps"].sum())
    said["sampling"] += time.process_time() - began
    said["divergent"] += int(found["diverging"].sum())
    return sampler.get_samples()


def main() -> None:
    parser = argparse.ArgumentParser(description="The same posterior by NumPyro's NUTS.")
    parser.add_argument("given")
    parser.add_argument("out")
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--tune", type=int, default=500)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    data, h = read(np.load(asked.given))

    def potential(q):
        return -log_posterior(q, data, h)

    first = [start([asked.seed, i], data, h) for i in range(asked.chains)]
    said = {"tuning": 0.0, "sampling": 0.0, "gradients": 0, "divergent": 0}
    kept = [one_chain(potential, place, asked, i, said) for i, place in enumerate(first)]
    looked = [jax.lax.map(lambda q: reported(q, data, h), one) for one in kept]
    np.savez(asked.out, **{k: np.stack([np.asarray(one[k]) for one in looked]) for k in looked[0]})
    said["versions"] = f"numpyro {numpyro.__version__}, jax {jax.__version__}"
    said["size"] = int(ravel_pytree(first[0])[0].size)
    print(json.dumps(said))


if __name__ == "__main__":
    main()

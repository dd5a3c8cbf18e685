"""The peer: the same posterior at a fixed C, by the No-U-Turn sampler of nutpie with gradients from JAX.

The allocations and alpha are integrated out, as NUTS needs; everything else is the hierarchy of
`nepers.hierarchy` with the paper's constants, for N = 1, in coordinates without bounds:

    mu_mu, log R_S_mu, log S_mu, log R_S, log (m_S - 1)
    for each component mu, z = nu sqrt(S), log S, log (m - 1)
    C - 1 logs of weights relative to the last one

It runs in an environment of its own, which `benchmarks/speed.py` makes:

    python benchmarks/peer.py cases.csv out.npz --components 6 --chains 4 --tune 1000 --draws 1000 --seed 1
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
import nutpie
from jax.scipy.special import gammaln, logsumexp
from nutpie.compiled_pyfunc import from_pyfunc

jax.config.update("jax_enable_x64", True)

KAPPA_ETA = 10.0
_NODES = 25  # of the interpolation of the skewness term in c; the error is below 1e-7 for |z| < 6
_STEPS = 48  # of the integral at each node
_SHARED = 5


class State(NamedTuple):
    """The parameters of one draw."""

    mu_mu: jax.Array
    R_S_mu: jax.Array
    S_mu: jax.Array
    R_S: jax.Array
    m_S: jax.Array
    mu: jax.Array
    z: jax.Array
    S: jax.Array
    r: jax.Array
    log_p: jax.Array


def unpack(q, C):
    """The parameters at a point, and the log of the Jacobian but for the weights'."""
    shared, rest = q[:_SHARED], q[_SHARED:]
    mu, z, log_S, log_r = rest[: 4 * C].reshape(4, C)
    log_p = jax.nn.log_softmax(jnp.append(rest[4 * C :], 0.0))
    e = jnp.exp(shared[1:])
    state = State(shared[0], e[0], e[1], e[2], 1.0 + e[3], mu, z, jnp.exp(log_S), jnp.exp(log_r), log_p)
    return state, shared[1:].sum() + log_S.sum() + log_r.sum()


def log_gamma_density(x, m, rate):
    """Gamma(m, rate)."""
    return m * jnp.log(rate) - gammaln(m) + (m - 1.0) * jnp.log(x) - rate * x


def log_progamma(r, a, b):
    """The proGamma of type 1 at m = 1 + r."""
    m = 1.0 + r
    return -(a + b) * m + b * m * jnp.log(r) - b * gammaln(m)


def log_prior(s):
    """Up to a constant; the weights' Jacobian, the product of the weights, is in it."""
    normal = 0.5 * jnp.log(s.S_mu) - 0.5 * s.S_mu * jnp.square(s.mu - s.mu_mu)
    return (
        -0.5 * jnp.square(s.mu_mu)
        + log_gamma_density(s.R_S_mu, 2.0, 2.8)
        + log_gamma_density(s.S_mu, 1.1, s.R_S_mu)
        + log_gamma_density(s.R_S, 2.0, 200.0)
        + log_progamma(s.m_S - 1.0, 1.0, 2.0)
        + log_progamma(s.r, 1.0, 3.0).sum()
        + log_gamma_density(s.S, s.m_S, (s.m_S - 1.0) * s.R_S).sum()
        + normal.sum()
        - 0.5 * jnp.square(s.z).sum()
        + KAPPA_ETA / s.mu.size * s.log_p.sum()
    )


def skew_term(m, t):
    """log of the integral over s > 0 of s^(2m) exp(-s^2/2 + t s), by the trapezoidal rule around its peak."""
    A = 2.0 * m + 1.0
    peak = 0.5 * (t + jnp.sqrt(t * t + 4.0 * A))
    width = jax.lax.stop_gradient(1.0 / jnp.sqrt(peak * peak + A))
    v = jnp.linspace(-14.0, 6.0, _STEPS)
    w = width[..., None] * v
    s = peak[..., None] * jnp.exp(w)
    terms = A[..., None] * w - 0.5 * s * s + t[..., None] * s
    return A * jnp.log(peak) + logsumexp(terms, axis=-1) + jnp.log(width * (v[1] - v[0]))


def log_densities(x, s):
    """Of every case under every component, (n, C)."""
    m, k = 1.0 + s.r, np.arange(_NODES)
    angle = np.pi * (k + 0.5) / _NODES
    nodes = np.cos(angle)[:, None]
    to_series = np.cos(np.outer(k, angle)) * (2.0 / _NODES)
    to_series[0] *= 0.5
    series = to_series @ skew_term(jnp.broadcast_to(m, (_NODES, m.size)), s.z * nodes)
    q = jnp.sqrt(s.S) * (x[:, None] - s.mu)
    b = 2.0 * s.r + q * q
    c = q / jnp.sqrt(b)
    one, two = jnp.zeros_like(c), jnp.zeros_like(c)
    for i in range(_NODES - 1, 0, -1):
        one, two = series[i] + 2.0 * c * one - two, one
    skewed = series[0] + c * one - two
    constant = jnp.log(2.0) + m * jnp.log(s.r) - gammaln(m) + 0.5 * jnp.log(s.S / (2.0 * jnp.pi))
    return constant - 0.5 * s.z * s.z - (m + 0.5) * jnp.log(b) + skewed


def log_likelihood(x, s):
    """Of all cases."""
    return logsumexp(log_densities(x, s) + s.log_p, axis=1).sum()


def reported(x, q, C):
    """What is compared: J, the log likelihood, and what the components share."""
    s, _ = unpack(q, C)
    m = 1.0 + s.r
    mean = s.mu + s.z / jnp.sqrt(s.S) * jnp.sqrt(s.r) * jnp.exp(gammaln(m - 0.5) - gammaln(m))
    shared = {name: getattr(s, name) for name in ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S")}
    return {"J": (jnp.exp(s.log_p) * mean).sum(), "log_likelihood": log_likelihood(x, s), **shared}


def compile_posterior(x, C):
    """The log posterior with its gradient, and a model for nutpie."""
    size = _SHARED + 5 * C - 1

    def log_posterior(q):
        s, jacobian = unpack(q, C)
        return log_prior(s) + log_likelihood(x, s) + jacobian

    both = jax.jit(jax.value_and_grad(log_posterior))

    def make_density():
        def density(q):
            value, gradient = both(q)
            return float(value), np.asarray(gradient)

        return density

    model = from_pyfunc(
        size,
        make_density,
        lambda *_: lambda q: {"q": np.array(q)},
        [np.dtype("float64")],
        [(size,)],
        ["q"],
        make_initial_point_fn=lambda seed: np.random.default_rng(seed).uniform(-1.0, 1.0, size),
    )
    jax.block_until_ready(both(np.zeros(size)))
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description="The same posterior by nutpie and JAX.")
    parser.add_argument("cases")
    parser.add_argument("out")
    parser.add_argument("--components", type=int, default=6)
    parser.add_argument("--chains", type=int, default=4)
    parser.add_argument("--tune", type=int, default=1000)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    x = jnp.asarray(np.loadtxt(given.cases, skiprows=1))
    began = time.process_time()
    model = compile_posterior(x, given.components)
    compiled = time.process_time() - began
    began = time.process_time()
    trace = nutpie.sample(
        model,
        draws=given.draws,
        tune=given.tune,
        chains=given.chains,
        cores=1,
        seed=given.seed,
        progress_bar=False,
    )
    spent = time.process_time() - began
    q = np.asarray(trace.posterior["q"])
    steps = int(np.asarray(trace.sample_stats["n_steps"]).sum())
    tuning = int(np.asarray(trace.warmup_sample_stats["n_steps"]).sum())
    look = jax.jit(jax.vmap(lambda one: reported(x, one, given.components)))
    draws = {k: np.asarray(v).reshape(q.shape[:2]) for k, v in look(q.reshape(-1, q.shape[-1])).items()}
    said = {
        "compile": compiled,
        "sampling": spent * steps / (steps + tuning),
        "with_tuning": spent,
        "gradients": steps,
        "divergent": int(np.asarray(trace.sample_stats["diverging"]).sum()),
        "versions": f"nutpie {nutpie.__version__}, jax {jax.__version__}",
    }
    np.savez(given.out, **draws)
    print(json.dumps(said))


if __name__ == "__main__":
    main()

"""The pass over the cases: allocations, alpha, the sums, and the densities.

The component of a case and its alpha, given the parameters, are judged against p_c f_c(x) of the hierarchy
and
the numerically normalised density of alpha; the sums over many cases against their exact expectations.
"""

import math

import numpy as np
import pytest
from exactness import drivers
from exactness.checks import caught, counts_p, mean_p, right, uniform_p
from exactness.test_blocks import hyperparameters
from scipy import integrate

from nepers.gibbs.records import make_components, sums_type
from nepers.gibbs.tilt import tilt_table
from nepers.hierarchy import sample_prior


def setting(N, shape_type, C=4):
    rng = np.random.default_rng(7 * N + shape_type)
    parameters = sample_prior(hyperparameters(N, shape_type).replace(C=C), rng=rng)
    components = make_components(parameters, C)
    components["nu"][0] *= 4.0  # strongly skew
    mixture = parameters.mixture
    return (
        type(mixture)(mixture.p, mixture.mu, components["nu"], mixture.S, mixture.m, mixture.r),
        components,
        rng,
    )


def passes(x, components, shape_type, count, seed=3):
    N = x.shape[1]
    out = np.zeros((count, components.size), sums_type(N))
    cases = np.ascontiguousarray(x.T)
    total, each = drivers.passes(
        drivers.stream(seed), cases, components, components.size, shape_type, tilt_table(), out
    )
    return out, total, each


def alpha_density(mixture, c, x):
    """On a grid of log alpha: positions and weights that add up to 1."""
    w = np.linspace(-30.0, 12.0, 8001)
    alpha = np.exp(w)
    m, r = mixture.m[c], mixture.r[c]
    gap = x - mixture.mu[c] - mixture.nu[c] / np.sqrt(alpha)[:, None]
    f = m * w - r * alpha + 0.5 * x.size * w - 0.5 * alpha * np.einsum("ki,ij,kj->k", gap, mixture.S[c], gap)
    weight = np.exp(f - f.max())
    return w, weight / weight.sum()


def one_case_p(N, shape_type, x, mistake=None, draws=40_000):
    mixture, components, _ = setting(N, shape_type)
    if mistake is not None:
        mistake(components)
    out, _, _ = passes(x[None, :], components, shape_type, draws)
    z = out["count"].argmax(axis=1)
    assert (out["count"].sum(axis=1) == 1.0).all()
    f = np.array(
        [p * one.pdf(x[0] if N == 1 else x) for p, one in zip(mixture.p, mixture.components, strict=True)]
    )
    p = {"component": counts_p(np.bincount(z, minlength=f.size).astype(float), f / f.sum())}
    for c in range(f.size):
        alpha = out["alpha"][z == c, c]
        if alpha.size < 200:
            continue
        w, weight = alpha_density(mixture, c, x)
        cdf = integrate.cumulative_trapezoid(weight, w, initial=0.0)
        p[f"alpha {c}"] = uniform_p(np.interp(np.log(alpha), w, cdf / cdf[-1]))
    return p


@pytest.mark.parametrize("x", [-3.0, 0.2, 1.5])
@pytest.mark.parametrize("shape_type", [1, 2])
@pytest.mark.parametrize("N", [1, 2])
def test_component_and_alpha_of_one_case(N, shape_type, x):
    """Red if the weights are left out, the skewness has the wrong sign, or the envelope of alpha is no
    envelope."""
    right(one_case_p(N, shape_type, np.array([x, -0.4])[:N]))


@pytest.mark.parametrize(
    "mistake",
    [
        lambda components: components["nu"].__imul__(-1.0),
        lambda components: components["log_p"].__imul__(0.5),
        lambda components: components["m"].__iadd__(1.0),
        lambda components: components["S"].__imul__(1.1),
    ],
    ids=["sign of nu", "weights", "m", "S"],
)
@pytest.mark.parametrize("N", [1, 2])
def test_wrong_cases_are_caught(N, mistake):
    """Red if the test above could not fail."""
    caught(one_case_p(N, 1, np.array([1.5, -0.4])[:N], mistake))


def sums_p(N, n, draws=400, mistake=None):
    """Means of every sum over n cases, against the expectations case by case."""
    shape_type = 1
    mixture, components, rng = setting(N, shape_type)
    x = mixture.rvs(n, rng=rng).reshape(n, N) * 1.5
    if mistake is not None:
        mistake(components)
    out, total, each = passes(x, components, shape_type, draws)
    if mistake is None:
        assert np.abs(each - mixture.logpdf(x[:, 0] if N == 1 else x)).max() < 1e-8
        assert total == pytest.approx(each.sum(), rel=1e-12)
        assert (out["count"].sum(axis=1) == n).all()
    logs = np.column_stack(
        [
            math.log(p) + one.logpdf(x[:, 0] if N == 1 else x)
            for p, one in zip(mixture.p, mixture.components, strict=True)
        ]
    )
    chance = np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, None])
    truth = {name: np.zeros(out[name].shape[1:]) for name in out.dtype.names if name != "origin"}
    for k in range(n):
        for c in range(mixture.C):
            if chance[k, c] < 1e-12:
                continue
            w, weight = alpha_density(mixture, c, x[k])
            alpha, root, log = weight @ np.exp(w), weight @ np.exp(0.5 * w), weight @ w
            d = x[k] - out["origin"][0, c]
            values = {
                "count": 1.0, "alpha": alpha, "root": root, "log": log, "alpha_x": alpha * d,
                "root_x": root * d, "alpha_xx": alpha * np.triu(np.outer(d, d)),
            }  # fmt: skip
            for name, value in values.items():
                truth[name][c] += chance[k, c] * value
    p = {}
    for name in truth:
        flat, exact = out[name].reshape(draws, -1), truth[name].reshape(-1)
        for i in range(exact.size):
            if flat[:, i].std() > 1e-12 * max(abs(exact[i]), 1e-300) and exact[i] != 0.0:
                p[f"{name} {i}"] = mean_p(flat[:, i], exact[i])
    return p


@pytest.mark.parametrize(("N", "n"), [(1, 1), (1, 31), (1, 511), (1, 513), (2, 700)])
def test_sums_over_many_cases(N, n):
    """Red if a case is mixed up with another: in the lanes, where refused ones wait, or between blocks."""
    right(sums_p(N, n))


def test_wrong_sums_are_caught():
    """Red if the test above could not fail: S is a tenth too great."""
    caught(sums_p(1, 513, mistake=lambda components: components["S"].__imul__(1.1)))


def test_alphas_of_a_block_keep_their_places():
    """Red if a case that waits for its alpha is given another's; every case has its own a and t."""
    rng = np.random.default_rng(5)
    a, t = 10.0 ** rng.uniform(-0.9, 4, 77), rng.normal(0, 6, 77)
    out = np.zeros((20_000, 77))
    drivers.roots(drivers.stream(9), a, t, out)

    def p(k, shift):
        s = out[:, k]
        j = (k + shift) % 77
        grid = np.linspace(0.0, s.max() + 3.0 * s.std(), 10_001)[1:]
        f = a[j] * np.log(grid) - 0.5 * grid**2 + t[j] * grid
        cdf = integrate.cumulative_trapezoid(np.exp(f - f.max()), grid, initial=0.0)
        return uniform_p(np.interp(s, grid, cdf / cdf[-1]))

    right({f"case {k}": p(k, 0) for k in range(77)})
    assert max(p(k, 1) for k in range(77)) < 1e-7

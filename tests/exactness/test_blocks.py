"""Each Gibbs block draws from its conditional, as the naive joint density alone implies it.

The conditional is not written down again: it is extracted from differences of `naive.log_joint`, which knows
the paper's lines only. Where a block leaves nu out, nu is integrated out of that joint, in which it is
Gaussian.
Every block is given an asymmetric state, for N = 1 and N = 2. A wrong sampler is the same block given a
record
in which one number is wrong, as it would be had the formula been mistaken.
"""

import math
from functools import cache

import numpy as np
import pytest
from exactness import drivers
from exactness.checks import caught, counts_p, normal_p, right, uniform_p
from exactness.naive import (
    State,
    bartlett,
    change,
    change_one,
    dirichlet_of,
    log_joint,
    numerical_cdf,
    quadratic,
    whitened,
    wishart_of,
)
from scipy import special, stats

from nepers.gibbs.records import (
    component_type,
    desk_type,
    make_components,
    make_constants,
    make_upper,
    sums_type,
    upper_type,
)
from nepers.hierarchy import Hyperparameters, paper, sample_prior

DRAWS = 20_000


def hyperparameters(N, shape_type=1):
    """Asymmetric constants; for type 2 with the cut."""
    rng = np.random.default_rng(N)

    def matrix(scale):
        root = rng.standard_normal((N, N + 3))
        return scale * root @ root.T / (N + 3)

    return Hyperparameters(
        N=N,
        kappa_nu=0.7,
        kappa_eta=3.0,
        kappa_C=0.8,
        mu_mu_mu=rng.standard_normal(N),
        S_mu_mu=matrix(0.6),
        m_S_mu=1.3,
        m_R_S_mu=1.7,
        R_R_S_mu=matrix(1.5),
        a_m=0.8,
        b_m=2.2,
        m_R_S=2.4,
        R_R_S=matrix(3.0),
        a_m_S=0.6,
        b_m_S=1.4,
        shape_type=shape_type,
        m_lower=1.0 if shape_type == 1 else 0.55,
    )


@cache
def state(N, shape_type=1, C=3, n=11):
    """Some state: the parameters from the prior, every component filled, and data that do not fit too
    well."""
    rng = np.random.default_rng(100 * N + shape_type)
    h = hyperparameters(N, shape_type)
    parameters = sample_prior(h.replace(C=C), rng=rng)
    z = np.array([0] * 5 + [1] * 1 + [2] * (n - 6))
    mix = parameters.mixture
    alpha = rng.gamma(2.0, 0.7, n)
    x = np.stack([rng.multivariate_normal(mix.mu[c] + 1.5 * mix.nu[c], np.linalg.inv(mix.S[c])) for c in z])
    return State(h, parameters, z, alpha, x + 0.3)


def records(at):
    """The state as the sampler holds it; its sums written naively."""
    N = at.h.N
    C = at.parameters.mixture.C
    sums = np.zeros(C, sums_type(N))
    sums["origin"] = np.random.default_rng(4).standard_normal((C, N))
    for x, c, alpha in zip(at.x, at.z, at.alpha, strict=True):
        root = math.sqrt(alpha)
        x = x - sums["origin"][c]
        for name, value in {
            "count": 1.0, "alpha": alpha, "root": root, "log": math.log(alpha), "alpha_x": alpha * x,
            "root_x": root * x, "alpha_xx": alpha * np.triu(np.outer(x, x)),
        }.items():  # fmt: skip
            sums[name][c] += value
    components = make_components(at.parameters, C)
    components["r"] = at.parameters.mixture.r
    return make_constants(at.h), make_upper(at.parameters), components, sums


def spoil(record, field, by):
    """Make one number wrong."""
    record[field] = by(record[field])
    if field == "m_S":
        record["r_S"] = record["m_S"] - 1.0


# --------------------------------------------------------------------------- a component's own blocks


def log_joint_without_nu(at, c):
    """log of the joint integrated over nu of one component."""
    N = at.h.N

    def along(v):
        return log_joint(change_one(at, c, nu=v))

    mean, P = quadratic(along, N)
    return along(mean) + 0.5 * (N * math.log(2.0 * math.pi) - np.linalg.slogdet(P)[1])


def draw_component(at, c, mistake=None):
    constants, upper, components, sums = records(at)
    component, own = components[c : c + 1].copy(), sums[c : c + 1].copy()
    if mistake is not None:
        mistake(constants, upper, own)
    out = np.zeros(DRAWS, component_type(at.h.N))
    drivers.component_blocks(
        drivers.stream(17), constants, upper, component, own, out, np.zeros(1, desk_type(at.h.N))
    )
    return out


@cache
def component_truths(N, shape_type, c):
    at = state(N, shape_type)
    both = quadratic(lambda v: log_joint(change_one(at, c, mu=v[:N], nu=v[N:])), 2 * N)
    S = wishart_of(lambda S: log_joint_without_nu(change_one(at, c, S=S), c), N, np.random.default_rng(1))
    return both, S


def location_p(at, c, draws):
    """mu with nu integrated out, and then nu given mu."""
    N = at.h.N
    (mean, P), _ = component_truths(N, at.h.shape_type, c)
    cov = np.linalg.inv(P)
    z = whitened(draws["mu"], mean[:N], np.linalg.inv(cov[:N, :N]))
    # nu given mu has the precision P22 and the mean that follows from P12
    nu_mean = mean[N:] - (draws["mu"] - mean[:N]) @ np.linalg.solve(P[N:, N:], P[N:, :N]).T
    w = (draws["nu"] - nu_mean) @ np.linalg.cholesky(P[N:, N:])
    p = {f"mu {i}": normal_p(z[:, i]) for i in range(N)} | {f"nu {i}": normal_p(w[:, i]) for i in range(N)}
    p["together"] = uniform_p(stats.chi2.cdf((z**2).sum(1) + (w**2).sum(1), 2 * N))
    p["apart"] = normal_p((z.sum(1) + w.sum(1)) / math.sqrt(2 * N))
    return p


def precision_p(at, c, draws):
    _, (m, R) = component_truths(at.h.N, at.h.shape_type, c)
    return {f"factor {i}": uniform_p(u) for i, u in enumerate(bartlett(draws["U"], m, R))}


def shape_p(at, c, draws):
    def along(m):
        return log_joint(change_one(at, c, m=m))

    return {"m": uniform_p(numerical_cdf(along, draws["m"], at.h.m_lower))}


@pytest.mark.parametrize("c", [0, 1, 2])
@pytest.mark.parametrize("N", [1, 2])
def test_location_and_skewness(N, c):
    """Red if nu is not integrated out of mu, or its prior is not S/kappa_nu, or the sign of sqrt(alpha) x
    is lost."""
    at = state(N)
    right(location_p(at, c, draw_component(at, c)))


@pytest.mark.parametrize(
    "mistake",
    [
        lambda constants, upper, sums: spoil(constants, "kappa_nu", lambda v: 1.0 / v),
        lambda constants, upper, sums: spoil(constants, "kappa_nu", lambda v: 1e-9 * v),
        lambda constants, upper, sums: spoil(sums, "count", lambda v: v - 1.0),
        lambda constants, upper, sums: spoil(sums, "root", np.negative),
        lambda constants, upper, sums: spoil(upper, "S_mu", lambda v: 2.0 * v),
        lambda constants, upper, sums: spoil(sums, "alpha", lambda v: 2.0 * v),
    ],
    ids=[
        "kappa_nu inverted",
        "nu not integrated out",
        "one case short",
        "sign of nu",
        "S_mu doubled",
        "alpha doubled",
    ],
)
@pytest.mark.parametrize("N", [1, 2])
def test_wrong_location_and_skewness_are_caught(N, mistake):
    """Red if the test above could not fail."""
    at = state(N)
    caught(location_p(at, 0, draw_component(at, 0, mistake)))


@pytest.mark.parametrize("c", [0, 1, 2])
@pytest.mark.parametrize("N", [1, 2])
def test_precision(N, c):
    """Red if a half is missing, the shape is off by 1/2 or N/2, or nu is not integrated out."""
    at = state(N)
    right(precision_p(at, c, draw_component(at, c)))


@pytest.mark.parametrize(
    "mistake",
    [
        lambda constants, upper, sums: spoil(sums, "count", lambda v: v - 1.0),
        lambda constants, upper, sums: spoil(upper, "R_S", lambda v: 1.1 * v),
        lambda constants, upper, sums: spoil(constants, "kappa_nu", lambda v: 1e-9 * v),
        lambda constants, upper, sums: [spoil(sums, f, lambda v: 2 * v) for f in ("alpha_xx", "alpha_x",
        "alpha")],
        lambda constants, upper, sums: [spoil(upper, "R_S", lambda v: v * (upper["m_S"] - 1) / (upper["m_S"]
        - 0.5)),
                                        spoil(upper, "m_S", lambda v: v + 0.5)],
    ],
    ids=["one case short", "R_S a tenth greater", "nu not integrated out", "no half", "shape 1/2 greater"],
)  # fmt: skip
@pytest.mark.parametrize("N", [1, 2])
def test_wrong_precision_is_caught(N, mistake):
    """Red if the test above could not fail."""
    at = state(N)
    caught(precision_p(at, 0, draw_component(at, 0, mistake)))


@pytest.mark.parametrize("shape_type", [1, 2])
@pytest.mark.parametrize("c", [0, 1, 2])
def test_shape(shape_type, c):
    """Red if r does not follow m, the count is not added, or type 2 is not cut."""
    at = state(1, shape_type)
    draws = draw_component(at, c)
    assert draws["m"].min() > at.h.m_lower
    right(shape_p(at, c, draws))


@pytest.mark.parametrize(
    "mistake",
    [
        lambda constants, upper, sums: spoil(constants, "b_m", lambda v: v + 1.0),
        lambda constants, upper, sums: spoil(constants, "a_m", lambda v: v + 0.5),
        lambda constants, upper, sums: spoil(sums, "log", np.negative),
        lambda constants, upper, sums: spoil(constants, "shape_type", lambda v: 3 - v),
        lambda constants, upper, sums: spoil(constants, "m_lower", lambda v: v + 1.0),
    ],
    ids=["b", "a", "sign of the logs", "type", "cut"],
)
@pytest.mark.parametrize("shape_type", [1, 2])
def test_wrong_shape_is_caught(shape_type, mistake):
    """Red if the test above could not fail."""
    at = state(1, shape_type)
    caught(shape_p(at, 0, draw_component(at, 0, mistake)))


# --------------------------------------------------------------------------- the orbit of scales


def scale_p(at, c, mistake=None):
    """y = log g of the move alpha g, S / g, nu sqrt(g), from the joint along the orbit and its Jacobian."""
    _, upper, components, sums = records(at)
    component, own = components[c : c + 1].copy(), sums[c : c + 1].copy()
    if mistake is not None:
        mistake(upper, component, own)
    N = at.h.N
    out, out_sums = np.zeros(DRAWS, component_type(N)), np.zeros(DRAWS, sums_type(N))
    drivers.scale_block(drivers.stream(23), upper, component, own, out, out_sums)
    y = np.log(component["S"][0, 0, 0] / out["S"][:, 0, 0])
    g = np.exp(y)
    assert np.allclose(out["S"] * g[:, None, None], component["S"], rtol=1e-12)
    assert np.allclose(out["nu"] / np.sqrt(g)[:, None], component["nu"], rtol=1e-12)
    for name, power in {"alpha": 1.0, "root": 0.5, "alpha_x": 1.0, "root_x": 0.5, "alpha_xx": 1.0}.items():
        factor = (g**power).reshape((-1,) + (1,) * own[name][0].ndim)
        assert np.allclose(out_sums[name], own[name] * factor, rtol=1e-12), name
    assert np.allclose(out_sums["log"] - own["count"] * y, own["log"], rtol=1e-10, atol=1e-10)
    mix = at.parameters.mixture
    mine = at.z == c

    def along(y):
        g = math.exp(y)
        there = change_one(at, c, S=mix.S[c] / g, nu=mix.nu[c] * math.sqrt(g))
        jacobian = mine.sum() * y - 0.5 * N * (N + 1) * y + 0.5 * N * y
        return log_joint(change(there, alpha=np.where(mine, at.alpha * g, at.alpha))) + jacobian

    return {"scale": uniform_p(numerical_cdf(along, y))}


@pytest.mark.parametrize("shape_type", [1, 2])
@pytest.mark.parametrize("c", [0, 1, 2])
@pytest.mark.parametrize("N", [1, 2])
def test_scale(N, c, shape_type):
    """Red if the power of g lacks a piece of the Jacobian, or a sum is not moved along."""
    right(scale_p(state(N, shape_type), c))


@pytest.mark.parametrize(
    "mistake",
    [
        lambda upper, component, sums: spoil(upper, "m_S", lambda v: v + 0.5),
        lambda upper, component, sums: spoil(component, "m", lambda v: v + 0.1),
        lambda upper, component, sums: spoil(component, "r", lambda v: v + 0.5),
    ],
    ids=["Jacobian of S", "power of alpha", "rate"],
)
def test_wrong_scale_is_caught(mistake):
    """Red if the test above could not fail."""
    caught(scale_p(state(2), 0, mistake))


# --------------------------------------------------------------------------- the levels above


def draw_upper(at, mistake=None):
    constants, upper, components, _ = records(at)
    if mistake is not None:
        mistake(constants, upper)
    out = np.zeros(DRAWS, upper_type(at.h.N))
    filled = at.parameters.mixture.C
    drivers.upper_blocks(
        drivers.stream(29), constants, upper, components, filled, out, np.zeros(1, desk_type(at.h.N))
    )
    return out


@cache
def upper_truths(N):
    at = state(N)
    rng = np.random.default_rng(2)
    wisharts = {
        name: wishart_of(lambda S, name=name: log_joint(change(at, **{name: S})), N, rng)
        for name in ("S_mu", "R_S_mu", "R_S")
    }
    return quadratic(lambda v: log_joint(change(at, mu_mu=v)), N), wisharts


def upper_p(at, draws, only=None):
    N = at.h.N
    (mean, P), wisharts = upper_truths(N)
    p = {}
    z = whitened(draws["mu_mu"], mean, P)
    p |= {f"mu_mu {i}": normal_p(z[:, i]) for i in range(N)}
    p["mu_mu"] = normal_p(z.sum(1) / math.sqrt(N))
    for name, (m, R) in wisharts.items():
        p |= {f"{name} {i}": uniform_p(u) for i, u in enumerate(bartlett(draws[name], m, R))}
    p["m_S"] = uniform_p(numerical_cdf(lambda m: log_joint(change(at, m_S=m)), draws["m_S"], 1.0))
    return p if only is None else {name: value for name, value in p.items() if name.split()[0] == only}


@pytest.mark.parametrize("N", [1, 2])
def test_levels_above(N):
    """Red if one of the five conditionals has a wrong shape, rate, mean or count of components."""
    at = state(N)
    right(upper_p(at, draw_upper(at)))


@pytest.mark.parametrize(
    ("block", "mistake"),
    [
        ("mu_mu", lambda constants, upper: spoil(constants, "mu_mu_mu", np.negative)),
        ("mu_mu", lambda constants, upper: spoil(constants, "S_mu_mu", lambda v: 2.0 * v)),
        ("S_mu", lambda constants, upper: spoil(constants, "m_S_mu", lambda v: v + 0.5)),
        ("S_mu", lambda constants, upper: spoil(upper, "R_S_mu", lambda v: 0.5 * v)),
        ("R_S_mu", lambda constants, upper: spoil(constants, "m_S_mu", lambda v: v - 0.25)),
        ("R_S_mu", lambda constants, upper: spoil(upper, "S_mu", lambda v: 0.5 * v)),
        ("m_S", lambda constants, upper: spoil(constants, "b_m_S", lambda v: v + 1.0)),
        ("m_S", lambda constants, upper: spoil(constants, "a_m_S", lambda v: v + 0.5)),
        ("m_S", lambda constants, upper: spoil(constants, "m_S_type", lambda v: 2)),
        ("R_S", lambda constants, upper: spoil(constants, "m_R_S", lambda v: v + 0.5)),
        ("R_S", lambda constants, upper: spoil(upper, "m_S", lambda v: v + 1.0)),
    ],
)
@pytest.mark.parametrize("N", [1, 2])
def test_wrong_levels_above_are_caught(N, block, mistake):
    """Red if the test above could not fail."""
    at = state(N)
    caught(upper_p(at, draw_upper(at, mistake), block))


# --------------------------------------------------------------------------- weights, and how many components


def weights_p(mistake=None):
    at = state(1)
    constants, _, components, sums = records(at)
    if mistake is not None:
        mistake(constants, sums)
    C = components.size
    logs = np.zeros((DRAWS, C))
    drivers.weights_block(drivers.stream(31), constants, components, sums, logs)
    a = dirichlet_of(lambda p: log_joint(change(at, p=p)), C, np.random.default_rng(3))
    p = np.exp(logs)
    assert np.allclose(p.sum(1), 1.0, rtol=1e-14)
    left = 1.0 - np.column_stack([np.zeros(DRAWS), np.cumsum(p, axis=1)])
    share = p[:, : C - 1] / left[:, : C - 1]
    return {
        f"share {c}": uniform_p(stats.beta.cdf(share[:, c], a[c], a[c + 1 :].sum())) for c in range(C - 1)
    }


def test_weights():
    """Red if eta is not kappa_eta / C, or the weights are not in the components' order."""
    right(weights_p())


@pytest.mark.parametrize(
    "mistake",
    [
        lambda constants, sums: spoil(constants, "kappa_eta", lambda v: 3 * v),
        lambda constants, sums: spoil(sums, "count", lambda v: np.roll(v, 1)),
        lambda constants, sums: spoil(constants, "kappa_eta", lambda v: 1e-6),
    ],
    ids=["eta not divided by C", "order", "no eta"],
)
def test_wrong_weights_are_caught(mistake):
    """Red if the test above could not fail."""
    caught(weights_p(mistake))


def count_p(sizes, kappa_C, kappa_eta, shift=0.0, mistaken_eta=1.0, draws=50_000):
    """C against the enumerated p(C) p(partition | C), the latter by the urn of Polya, case by case."""
    h = paper().replace(kappa_C=kappa_C, kappa_eta=kappa_eta)
    sums = np.zeros(max(len(sizes), 1), sums_type(1))
    sums["count"][: len(sizes)] = sizes
    constants = make_constants(h)
    constants["kappa_C"] += shift
    constants["kappa_eta"] *= mistaken_eta
    out = np.zeros(draws, np.int64)
    drivers.count_block(drivers.stream(37), constants, sums, len(sizes), out)
    C = np.arange(1, 60_001)
    logs = (C - 1) * math.log(kappa_C)
    eta = kappa_eta / C
    done = 0
    for j, size in enumerate(sizes):
        # which of the C - j empty labels it is; then its cases one by one
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = logs + np.where(j < C, np.log(np.maximum(C - j, 0)), -np.inf)
        for i in range(size):
            logs = logs + np.log((eta + i) / (kappa_eta + done))
            done += 1
    probability = np.exp(logs - special.logsumexp(logs))
    assert out.min() >= max(1, len(sizes))
    observed = np.bincount(out, minlength=C.size + 1)[1:].astype(float)
    assert observed.size == C.size
    return {"C": counts_p(observed, probability)}


@pytest.mark.parametrize(
    ("sizes", "kappa_C", "kappa_eta"),
    [
        ([], 0.9, 10.0),
        ([3], 0.9, 10.0),
        ([1, 1, 1], 0.9, 10.0),
        ([40, 3, 1, 7], 0.5, 1.0),
        ([1] * 15, 0.9, 30.0),
        ([2, 1], 0.999, 10.0),
        ([2, 1, 1], 0.9985, 200.0),
        ([300, 100, 18], 0.9, 10.0),
    ],
)
def test_count(sizes, kappa_C, kappa_eta):
    """Red if a factorial, a Gamma function, or the stopping rule of the telescoping step is wrong; C up to
    thousands."""
    right(count_p(sizes, kappa_C, kappa_eta, draws=2_000 if kappa_C > 0.99 else 20_000))


def test_wrong_counts_are_caught():
    """Red if the test above could not fail: kappa_C, or eta, off by a tenth; the places left out."""
    caught(count_p([2, 1], 0.9, 10.0, shift=0.01))
    caught(count_p([5, 2, 1], 0.9, 10.0, mistaken_eta=1.2))
    caught(count_p([1] * 10, 0.9, 30.0, shift=-0.9 / 20))


def test_filled_components_come_first():
    """Red if the records and the sums part when empty components are removed."""
    components, sums = np.zeros(6, component_type(1)), np.zeros(6, sums_type(1))
    components["m"] = np.arange(6)
    sums["count"] = [0, 2, 0, 1, 5, 0]
    sums["alpha"] = [0, 20, 0, 10, 50, 0]
    assert drivers.gathered(components, 6, sums) == 3
    assert components["m"][:3].tolist() == [1, 3, 4]
    assert sums["count"].tolist() == [2, 1, 5, 0, 0, 0]
    assert sums["alpha"].tolist() == [20, 10, 50, 0, 0, 0]

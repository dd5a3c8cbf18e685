"""The numbers everything else is made of: elementary functions, random numbers, densities."""

import math

import mpmath
import numpy as np
import pytest
from exactness import drivers
from exactness.checks import caught, mean_p, normal_p, right, uniform_p
from exactness.naive import bartlett
from scipy import integrate, special, stats

from nepers.gibbs.records import component_type, desk_type
from nepers.gibbs.tilt import tilt_table
from nepers.hierarchy import ProGamma, SkewStudent, Wishart


def test_exp_and_log_are_numpys():
    """Red if a coefficient of either polynomial is wrong, or a sign or rounding of the exponent is lost."""
    rng = np.random.default_rng(1)
    x = np.concatenate(
        [rng.uniform(-700, 700, 50_000), rng.normal(size=50_000), 10.0 ** rng.uniform(-300, 2, 50_000)]
    )
    x = np.concatenate([x, [1.0, 1 + 2**-52, 1 - 2**-53, math.sqrt(0.5), math.sqrt(2), -708.0, 2.0**-1022]])
    out = np.zeros((2, x.size))
    drivers.exp_and_log(x, out)
    assert np.abs(out[0] / np.exp(x) - 1).max() < 1e-15
    logs = np.log(np.abs(x))
    assert np.abs(out[1] - logs).max() < 1e-15 * np.abs(logs).max()
    away = np.abs(logs) > 1e-300
    assert np.abs(out[1][away] / logs[away] - 1).max() < 1e-15


def test_exp_outside_its_range_is_still_a_number():
    """Red if the exponent wraps: a density far from all cases would become huge, or NaN."""
    x = np.array([-709.0, -1e4, -1e300, 710.0])
    out = np.zeros((2, x.size))
    drivers.exp_and_log(x, out)
    assert (out[0, :3] > 0).all()
    assert (out[0, :3] < 1e-300).all()
    assert out[0, 3] > 1e300


def test_log_gamma_and_its_derivatives():
    """Red if a Bernoulli number is wrong, or the recursion below 12 drops a step."""
    x = np.concatenate([np.geomspace(1e-6, 1e8, 3000), [0.5, 1.0, 2.0, 11.999, 12.0, 12.001]])
    out = np.zeros((3, x.size))
    drivers.gamma_functions(x, out)
    for mine, truth in zip(out, (special.gammaln(x), special.psi(x), special.polygamma(1, x)), strict=True):
        assert (np.abs(mine - truth) < 1e-14 * np.maximum(np.abs(truth), 1.0)).all()


class Xoshiro:
    """xoshiro256+ in Python's own integers, from the published algorithm."""

    def __init__(self, s):
        self.s = [int(v) for v in s]

    def next(self):
        mask = (1 << 64) - 1
        s = self.s
        result = (s[0] + s[3]) & mask
        t = (s[1] << 17) & mask
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = ((s[3] << 45) | (s[3] >> 19)) & mask
        return result


def test_uniforms_are_xoshiros():
    """Red if a shift, a rotation, a lane's order, or the joint of two buffers is wrong."""
    stream = drivers.stream(5)
    lanes = stream["lanes"][0].reshape(4, -1)
    referees = [Xoshiro(lanes[:, i]) for i in range(lanes.shape[1])]
    out = np.zeros(10_000)
    drivers.many_uniforms(stream, out, 333)
    truth = [((referees[i % len(referees)].next() >> 12) + 0.5) * 2.0**-52 for i in range(out.size)]
    assert (out == np.array(truth)).all()


@pytest.mark.parametrize("shape", [0.01, 0.3, 0.999, 1.0, 2.5, 30.0, 1e4])
def test_normals_and_log_gammas(shape):
    """Red if the squeeze of Marsaglia and Tsang, the boost below 1, or the polar method is wrong.

    A sampler without the boost, or of a shape 2% off, is caught.
    """
    normals, logs = np.zeros(100_000), np.zeros(100_000)
    drivers.normals_and_log_gammas(drivers.stream(6), shape, normals, logs)

    # below exp(-600) a draw is known by its log only: the distribution function is x^shape/Gamma(shape+1)

    def cdf(logs, shape):
        with np.errstate(under="ignore"):
            direct = stats.gamma.cdf(np.exp(logs), shape)
        return np.where(
            logs < -600.0, np.exp(np.minimum(shape * logs, 0.0) - special.gammaln(shape + 1.0)), direct
        )

    right({"normal": normal_p(normals), "its square": uniform_p(stats.chi2.cdf(normals**2, 1))})
    right({"log gamma": uniform_p(cdf(logs, shape))})
    right({"pairs": normal_p((normals[1:] + normals[:-1])[::2] / math.sqrt(2.0))})
    caught(
        {
            "shape off": uniform_p(
                cdf(logs, shape * (1.02 if shape < 1e3 else 1.0005) + (0.02 if shape < 1 else 0))
            )
        }
    )


# (a, b, N, type, lower): the priors of both tables, the cut, and posteriors of few and of many cases
PROGAMMAS = [
    (1.0, 3.0, 1, 1, None),
    (1.0, 2.0, 1, 1, None),
    (1.0, 20.0, 1, 2, None),
    (1.0, 0.01, 14, 1, None),
    (1.0, 3.0, 1, 2, 0.55),
    (400.0, 100003.0, 1, 1, None),
    (90000.0, 100003.0, 1, 2, 0.55),
    (1e6, 100003.0, 1, 1, None),
    (2.0, 0.05, 3, 1, 1.0),
    (0.01, 50.0, 1, 2, 40.0),
    (1e-3, 3.0, 1, 1, None),
    (500.0, 3.0, 1, 2, 0.55),
]


@pytest.mark.parametrize("guess", [1e-4, 5.0, 1e6])
@pytest.mark.parametrize("case", PROGAMMAS)
def test_progamma_draws(case, guess):
    """Red if a tangent piece gets the wrong mass, the cut is ignored, or the search for the mode is lost.

    The distribution function is the integral of the density of `hierarchy.ProGamma`; draws of a neighbour,
    with
    b a tenth greater, or a, where b does not matter, are caught.
    """
    a, b, N, kind, lower = case
    d = ProGamma(a, b, N, kind, lower)
    out = np.zeros(20_000)
    desk = np.zeros(1, desk_type(1))
    drivers.progammas(drivers.stream(PROGAMMAS.index(case)), a, b, N, kind, d.lower, guess, desk, out)
    assert out.min() > 0.0

    def p(d):
        w = np.log(out)
        grid = np.linspace(w.min() - 12.0, w.max() + 3.0, 40_001)
        m = d.lower + np.exp(grid)
        density = np.exp(d.logpdf(m) + grid)
        cdf = integrate.cumulative_trapezoid(density, grid, initial=0.0)
        assert abs(cdf[-1] - 1) < 1e-3
        return uniform_p(np.interp(w, grid, cdf / cdf[-1]))

    right({"draws": p(d)})
    caught({"a neighbour": p(ProGamma(a * 1.15, b * 1.1, N, kind, lower))})


@pytest.mark.parametrize("m", [0.6, 3.0])
def test_wishart_draws(m):
    """Red if Bartlett's factor is transposed, or its degrees of freedom run the wrong way, as they do easily.

    N = 3: against the marginals, and the mean of scipy's Wishart; a shape off by N/2 - 1, and the transposed
    order of degrees of freedom, are caught.
    """
    R = np.array([[2.0, 0.5, -0.3], [0.5, 1.0, 0.2], [-0.3, 0.2, 3.0]])
    out = np.zeros((40_000, 3, 3))
    drivers.wisharts(drivers.stream(8), m, R, out, np.zeros(1, desk_type(3)))
    truth = stats.wishart(df=2.0 * m + 2.0, scale=np.linalg.inv(2.0 * R))
    uniforms = bartlett(out, m, R)
    p = {f"factor {i}": uniform_p(u) for i, u in enumerate(uniforms)}
    p |= {f"mean {i}{j}": mean_p(out[:, i, j], truth.mean()[i, j]) for i in range(3) for j in range(i + 1)}
    scale = np.linalg.inv(2.0 * R)
    p |= {f"diagonal {i}": uniform_p(stats.chi2.cdf(out[:, i, i] / scale[i, i], 2 * m + 2)) for i in range(3)}
    right(p)
    caught({f"shape {i}": uniform_p(u) for i, u in enumerate(bartlett(out, m + 0.5, R))})
    flipped = Wishart(m, R).rvs(40_000, rng=np.random.default_rng(1))[:, ::-1, ::-1]
    caught({f"order {i}": uniform_p(u) for i, u in enumerate(bartlett(flipped, m, R))})


SHAPES = {1: [1.0 + 1e-6, 1.01, 1.3, 2.7, 20.0, 700.0, 3e4, 1e6], 2: [0.03, 0.5, 0.551, 0.9, 4.0, 1e3, 1e5]}


@pytest.mark.parametrize("N", [1, 3])
@pytest.mark.parametrize("shape_type", [1, 2])
def test_density_is_the_hierarchys(N, shape_type):
    """Red if the table of polynomials, its ranges, or the way round it, is wrong anywhere; to 1e-8 in the
    log."""
    rng = np.random.default_rng(10 * N + shape_type)
    cases = [
        (m, z) for m in SHAPES[shape_type] for z in (0.0, 0.3, 0.999, 1.001, 1.9, 3.4, 5.9, 6.1, 15.0, 60.0)
    ]
    components = np.zeros(len(cases), component_type(N))
    truths = []
    for one, (m, z) in zip(components, cases, strict=True):
        root = rng.standard_normal((N, N + 2))
        S = root @ root.T
        direction = rng.standard_normal(N)
        nu = z * direction / math.sqrt(direction @ S @ direction)
        mu = rng.standard_normal(N)
        one["mu"], one["nu"], one["S"], one["m"] = mu, nu, S, m
        truths.append(SkewStudent(mu, nu, S, m, m - 1.0 if shape_type == 1 else m))
    x = rng.standard_normal((300, N)) * 10.0 ** rng.uniform(-3, 3, (300, 1))
    out = np.zeros((len(cases), 300))
    drivers.densities(np.ascontiguousarray(x.T), components, shape_type, tilt_table(), out)
    for mine, truth in zip(out, truths, strict=True):
        expected = truth.logpdf(x[:, 0] if N == 1 else x)
        assert (np.abs(mine - expected) < 1e-8 * np.maximum(1.0, 1e-3 * np.abs(expected))).all(), (
            truth.m,
            truth.nu,
        )


def test_the_referee_of_the_density():
    """Red if `SkewStudent` and the paper's 1F1 formula part; here once, at a strong skewness of either
    sign."""
    mpmath.mp.dps = 60
    mu, nu, S, m, r = 0.3, -1.7, 2.2, 1.4, 0.4
    for x in (-4.0, 0.1, 5.0):
        y, half = mpmath.mpf(x - mu), mpmath.mpf("0.5")
        u = r + S * y * y / 2
        t = y * S * nu
        sum_ = mpmath.gamma(m + half) * mpmath.hyp1f1(m + half, half, t * t / (4 * u))
        sum_ += t / mpmath.sqrt(u) * mpmath.gamma(m + 1) * mpmath.hyp1f1(m + 1, 3 * half, t * t / (4 * u))
        f = mpmath.mpf(r) ** m / mpmath.gamma(m) * mpmath.sqrt(S / (2 * mpmath.pi)) / u ** (m + half)
        f *= mpmath.exp(-S * nu * nu / 2) * sum_
        assert float(SkewStudent(mu, nu, S, m, r).logpdf(x)) == pytest.approx(float(mpmath.log(f)), abs=1e-10)


@pytest.mark.parametrize("guess", [1e-12, 1e-5, 1e-3])
def test_progamma_draws_from_a_guess_just_above_the_cut(guess):
    """Red if the search for the mode stops where it began, for its steps being small beside the width: the
    draws then never end. The mode is at m = 1.7, a thousand cases above a cut at 0.7.
    """
    d = ProGamma(330.0, 1003.0, 1, 2, 0.7)
    out = np.zeros(2000)
    desk = np.zeros(1, desk_type(1))
    drivers.progammas(drivers.stream(1), 330.0, 1003.0, 1, 2, 0.7, guess, desk, out)
    assert out.mean() + 0.7 == pytest.approx(d.mean(), abs=5 * (d.var() / 2000) ** 0.5)


@pytest.mark.parametrize("guess", [1e-3, 2.5, 30.0, 1e4])
def test_progamma_of_a_million_cases_is_a_number(guess):
    """Red if the mass of a steep tangent piece is 0 times infinity."""
    desk = np.zeros(1, desk_type(1))
    out = np.zeros(20)
    for a in np.geomspace(1e2, 1e7, 11):
        drivers.progammas(drivers.stream(1), a, 1e6 + 3.0, 1, 1, 1.0, guess, desk, out)
        assert np.isfinite(out).all()
        assert (out > 0.0).all()

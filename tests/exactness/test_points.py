"""A pass over points that stand for many cases: binomials, moments, and sums like those of the cases."""

import numpy as np
import pytest
from exactness import drivers, point_drivers
from exactness.checks import caught, counts_p, right
from exactness.test_cases import passes, setting
from scipy import integrate, stats

from nepers.gibbs.points import ONE_BY_ONE
from nepers.gibbs.records import sums_type
from nepers.gibbs.tilt import tilt_table


def binomial_p(n, p, true_p=None, draws=100_000):
    out = np.zeros(draws)
    point_drivers.binomials(drivers.stream(5), float(n), p, out)
    assert ((out >= 0) & (out <= n) & (out == np.round(out))).all()
    truth = stats.binom(n, true_p or p)
    edges = np.unique(truth.ppf(np.linspace(0.01, 0.99, 25)))
    chance = np.diff(truth.cdf(edges), prepend=0.0, append=1.0)
    found = np.bincount(np.searchsorted(edges, out), minlength=chance.size)
    return {f"{n}, {p}": counts_p(found.astype(float), chance)}


@pytest.mark.parametrize(
    ("n", "p"),
    [(1, 0.3), (7, 0.9), (40, 0.2), (40, 0.3), (1000, 0.6), (10**6, 0.99), (10**9, 3e-9), (10**9, 0.4)],
)
def test_binomials(n, p):
    """Red if the envelope is too low somewhere, or what is common is not what remains of the rare."""
    right(binomial_p(n, p))


@pytest.mark.parametrize(("n", "p", "true_p"), [(40, 0.2, 0.205), (40, 0.3, 0.305), (10**9, 0.4, 0.400003)])
def test_wrong_binomials_are_caught(n, p, true_p):
    """Red if the test above could not fail."""
    caught(binomial_p(n, p, true_p))


@pytest.mark.parametrize("a", [0.2, 1.1, 9.0, 3e4])
@pytest.mark.parametrize("z", [1e-9, 0.7, 5.0, 30.0])
def test_moments_of_the_root(a, z):
    """Red if a moment is taken about the wrong point, or the series is cut too early."""
    t = np.linspace(-z, z, 9)
    out = np.zeros((2, 5, t.size))
    point_drivers.moments(a, z, t, out)
    scale = np.abs(out[1]).max(axis=1, keepdims=True)
    assert (np.abs(out[0] - out[1]) < 2e-6 * scale).all()
    for k in (0, 4, 8):
        mode = 0.5 * (t[k] + np.sqrt(t[k] ** 2 + 4.0 * a))

        def mean(g, t=t[k], mode=mode):
            def f(w, t=t, mode=mode):
                s = mode * np.exp(w)
                return g(s) * np.exp((a + 1.0) * w - 0.5 * (s - mode) * (s + mode - 2.0 * t))

            near = 3.0 / np.sqrt(a + 1.0 + mode**2)
            return integrate.quad(
                f, -60.0 * near, 20.0 * near, points=[-near, 0.0, near], limit=400, epsabs=0.0, epsrel=1e-11
            )[0]

        one = mean(lambda s: 1.0)
        m, ml = mean(lambda s: s) / one, mean(np.log) / one
        exact = [
            m,
            mean(lambda s, m=m: (s - m) ** 2) / one,
            ml,
            mean(lambda s, m=m, ml=ml: (s - m) * (np.log(s) - ml)) / one,
            mean(lambda s, ml=ml: (np.log(s) - ml) ** 2) / one,
        ]
        assert out[1, :, k] == pytest.approx(exact, rel=1e-6, abs=1e-12)


def point_sums(weight, mistake=None, draws=400):
    """Rows of sums from points with weights, and from their cases one by one."""
    mixture, components, rng = setting(1, 1, 3)
    x = np.sort(mixture.rvs(weight.size, rng=rng).ravel())
    every, _, _ = passes(np.repeat(x, weight)[:, None], components, 1, draws)
    if mistake is not None:
        mistake(components)
    out = np.zeros((draws, 3), sums_type(1))
    total = point_drivers.point_passes(
        drivers.stream(8), x[None, :], weight.astype(float), components, 3, 1, tilt_table(), out
    )
    return out, every, total


def sums_p(weight, mistake=None):
    out, every, _ = point_sums(weight, mistake)
    p = {}
    for name in ("count", "alpha", "root", "log", "root_x", "alpha_x", "alpha_xx"):
        ours, theirs = (found[name].reshape(len(found), -1) for found in (out, every))
        for c in range(ours.shape[1]):
            if theirs[:, c].std() < 1e-12:
                continue
            p[f"mean {name} {c}"] = stats.ttest_ind(ours[:, c], theirs[:, c], equal_var=False).pvalue
            p[f"distribution {name} {c}"] = stats.ks_2samp(ours[:, c], theirs[:, c]).pvalue
            for other in ("alpha", "log"):
                a, b = (
                    found[name].reshape(len(found), -1)[:, c] * found[other][:, c] for found in (out, every)
                )
                a, b = a - a.mean(), b - b.mean()
                p[f"{name} {c} with {other}"] = stats.ttest_ind(a**2, b**2, equal_var=False).pvalue
    return p


@pytest.mark.parametrize(("points", "weight"), [(60, 20), (60, 1), (15, 1_000)])
def test_sums_of_points_are_those_of_their_cases(points, weight):
    """Red if a power of d or an element of the covariance is wrong, or a case is given another's alpha."""
    right(sums_p(np.full(points, weight) + np.arange(points) % 3))


def test_the_larger_ones_are_drawn_together():
    """Red if the test above only saw components whose cases are drawn one by one, or only the others."""
    out, _, _ = point_sums(np.full(15, 1_000), draws=2)
    assert (out["count"] > ONE_BY_ONE).any()
    out, _, _ = point_sums(np.full(60, 20), draws=2)
    assert (out["count"] <= ONE_BY_ONE).all()


@pytest.mark.parametrize(
    "mistake",
    [lambda components: components["S"].__imul__(1.03), lambda components: components["m"].__iadd__(0.05)],
)
def test_wrong_sums_of_points_are_caught(mistake):
    """Red if the test could not fail: a parameter some percent off."""
    caught(sums_p(np.full(15, 1_000), mistake))


def test_the_likelihood_counts_the_cases():
    """Red if a point counts once."""
    mixture, _, _ = setting(1, 1, 3)
    weight = np.full(40, 7)
    _, _, total = point_sums(weight, draws=1)
    x = np.sort(setting(1, 1, 3)[0].rvs(40, rng=setting(1, 1, 3)[2]).ravel())
    assert total == pytest.approx(7 * mixture.logpdf(x).sum(), rel=1e-9)

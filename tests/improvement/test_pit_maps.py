"""The parts of the recalibration of real outcomes: likelihoods, their gradients, and normal tails."""

import mpmath
import numpy as np
import pytest
from scipy import integrate, stats

from nepers.improvement import location_scale, pit_density
from nepers.improvement.location_scale import log_interval
from nepers.improvement.pit_density import PitDensity, polynomials


def slopes(function, x):
    """By differences."""
    steps = 1e-6 * np.eye(x.size)
    return [(function(x + step)[0] - function(x - step)[0]) / 2e-6 for step in steps]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (-1, 2),
        (10, 11),
        (-11, -10),
        (30, np.inf),
        (-np.inf, -35),
        (-np.inf, np.inf),
        (0.5, 0.5 + 1e-13),
        (-20, 20),
    ],
)
def test_the_probability_of_an_interval(a, b):
    # red if: the upper tail is one minus something near one, or a narrow interval a difference of equals
    mpmath.mp.dps = 400
    exact = mpmath.log(mpmath.ncdf(mpmath.mpf(b)) - mpmath.ncdf(mpmath.mpf(a)))
    assert log_interval(np.array([a], dtype=float), np.array([b], dtype=float))[0] == pytest.approx(
        float(exact), rel=1e-8, abs=1e-12
    )


LOW = np.array([-np.inf, -0.4, 1.2, -2.0, -np.inf])
HIGH = np.array([0.3, 0.1, np.inf, -1.9, np.inf])


def test_the_likelihood_of_a_shift_and_a_change_of_scale():
    # red if: a term of the value or of the gradient is missing, or infinite ends make NaN
    z = np.array([0.2, -1.3, 2.2])
    x = np.array([0.3, np.log(1.4)])
    law = stats.norm(0.3, 1.4)
    value, slope = location_scale.loss(x, 4.0, z.sum(), z @ z + 1.0, LOW, HIGH)
    root = np.log(2 * np.pi) / 2
    pseudo = (law.logpdf(-1) + law.logpdf(1)) / 2
    exact = law.logpdf(z).sum() + pseudo + 4 * root + np.log(law.cdf(HIGH) - law.cdf(LOW)).sum()
    assert value == pytest.approx(-exact / 9)
    found = slopes(lambda x: location_scale.loss(x, 4.0, z.sum(), z @ z + 1.0, LOW, HIGH), x)
    np.testing.assert_allclose(slope, found, atol=1e-8)


def test_a_fit_to_narrow_intervals_is_the_fit_to_points():
    # red if: the two ways of fitting are of different models
    z = np.random.default_rng(1).normal(0.5, 2.0, 200)
    points = location_scale.fit(z, z)
    assert location_scale.fit(z - 1e-4, z + 1e-4) == pytest.approx(points, abs=1e-5)
    assert points[0] == pytest.approx(z.sum() / 201)


def test_polynomials_are_orthonormal():
    # red if: they are on [-1, 1], or the constant is among them
    v, w = np.polynomial.legendre.leggauss(20)
    P = polynomials((v + 1) / 2, 5)
    np.testing.assert_allclose((P * w[:, None] / 2).T @ P, np.eye(5), atol=1e-12)
    np.testing.assert_allclose(w @ P, 0.0, atol=1e-12)


def test_the_likelihood_of_a_density():
    # red if: a term of the value or of the gradient is missing
    theta = np.array([0.4, -0.7, 0.2])
    u, low, high = np.array([0.1, 0.9]), np.array([0.0, 0.3, 0.2]), np.array([0.4, 1.0, 0.25])

    def raw(v):
        found = np.exp(polynomials(np.atleast_1d(v), 3) @ theta)
        return found if np.ndim(v) else found[0]

    A = np.log(integrate.quad(raw, 0, 1)[0])
    logs = np.log(raw(u)).sum() + sum(
        np.log(integrate.quad(raw, a, b)[0] / (b - a)) for a, b in zip(low, high, strict=True)
    )
    total = polynomials(u, 3).sum(axis=0)
    value, slope = pit_density.loss(theta, 5, total, low, high)
    assert value == pytest.approx((5 * A - logs + theta @ theta / 2) / 5)
    found = slopes(lambda x: pit_density.loss(x, 5, total, low, high), theta)
    np.testing.assert_allclose(slope, found, atol=1e-8)
    one = PitDensity(theta)
    assert one.cdf(np.array([0.0, 0.3, 1.0])) == pytest.approx(
        [0.0, integrate.quad(raw, 0, 0.3)[0] / np.exp(A), 1.0], abs=1e-9
    )
    assert np.exp(one.log_mean(u, u)) == pytest.approx(raw(u) / np.exp(A))


def test_blocks_of_intervals_do_not_change_the_fit(monkeypatch):
    # red if: a block is left out
    rng = np.random.default_rng(2)
    low = rng.random(50) * 0.8
    whole = pit_density.fit(low, low + 0.1, 3)
    monkeypatch.setattr(pit_density, "_BLOCK", 7)
    parts = pit_density.fit(low, low + 0.1, 3)
    np.testing.assert_allclose(parts.theta, whole.theta, atol=1e-6)
    np.testing.assert_allclose(parts.log_mean(low, low + 0.1), whole.log_mean(low, low + 0.1), atol=1e-6)


def test_all_at_one_place_stays_finite():
    # red if: a density as narrow as the data like slips between the nodes of the quadrature
    u = np.full(100_000, 0.37)
    one = pit_density.fit(u, u, 6)
    found = integrate.quad(
        lambda v: float(np.exp(one.log_mean(np.array([v]), np.array([v]))[0])), 0, 1, points=[0.37], limit=300
    )
    assert np.abs(one.theta).max() <= 8.0
    assert found[0] == pytest.approx(1.0, abs=1e-9)

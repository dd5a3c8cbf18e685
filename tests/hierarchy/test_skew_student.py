"""The skew-Student's density, distribution function, moments and draws against its definition."""

import mpmath as mp
import numpy as np
import pytest
from hierarchy import oracles
from scipy import integrate, stats

from nepers.errors import InputError
from nepers.hierarchy import SkewStudent

SHAPES = (0.55, 0.7, 1.02, 1.3, 2.5, 6.0, 30.0, 300.0, 1e4)
SKEWNESSES = (0.0, 0.3, -0.3, 3.0, -3.0, 30.0, -30.0, 300.0, -300.0, 1e4, -1e4)
STEPS = np.array([0.0, 0.3, -1.1, 2.7, -6.0, 11.0, -27.0, 60.0, -60.0, 1e4, -1e6])


def spread(d: SkewStudent) -> float:
    """The standard deviation, or a width of the same kind where there is none."""
    return float(np.sqrt(d.cov()[0, 0])) if d.m > 1 else float(np.sqrt(1 / d.S[0, 0] + d.nu[0] ** 2))


def assert_exact(d: SkewStudent, points: np.ndarray) -> None:
    for x, value in zip(points, d.logpdf(points), strict=True):
        truth = oracles.log_skew_student(x, d.mu, d.nu, d.S, d.m, d.r)
        assert abs(float(value - truth)) <= 1e-10 * max(1.0, abs(float(truth))), (d, x, value, float(truth))


@pytest.mark.parametrize("m", SHAPES)
def test_log_density_is_exact_at_every_shape_skewness_and_distance(m):
    """Red for a lost constant, and for cancellation: naive 1F1 terms, lgamma at large m, z^2/2 at large z."""
    rng = np.random.default_rng(SHAPES.index(m))
    for z in SKEWNESSES:
        S, r = 3.7, (m - 1.0 if m > 1 else 0.8 * m)
        d = SkewStudent(0.4, z / np.sqrt(S), S, m, r)
        points = d.mean()[0] + spread(d) * np.append(
            rng.choice(STEPS, 2, replace=False), 60 * rng.choice([-1, 1])
        )
        assert_exact(d, np.append(points, 0.4 + 1e-3 * spread(d)))


@pytest.mark.parametrize("z", [0.0, -3.0, 300.0])
def test_log_density_stays_exact_far_beyond_the_range_in_use(z):
    """Red if log(rho) - rho + 1 is taken term by term: at m = 1e8 that costs eight digits."""
    d = SkewStudent(0.4, z, 1.7, 1e8, 1e8)
    assert_exact(d, d.mean()[0] + spread(d) * np.array([0.2, -3.0, 7.0]))


@pytest.mark.parametrize("N", [2, 3])
def test_log_density_is_exact_in_more_dimensions(N):
    """Red if N enters a power wrongly, or y and nu meet in a metric other than S."""
    rng = np.random.default_rng(N)
    for m in SHAPES:
        for z in rng.choice([0.0, 0.3, 3.0, 30.0, 300.0, 1e4], 3, replace=False):
            root = rng.normal(size=(N, N))
            S = root @ root.T + 0.1 * np.eye(N)
            direction = rng.normal(size=N)
            nu = z * direction / np.sqrt(direction @ S @ direction)
            d = SkewStudent(rng.normal(size=N), nu, S, m, 0.7 * m)
            steps = np.array([0.0, 1.3, 60.0])[:, None] * (rng.normal(size=N) + nu * rng.choice([-1, 0, 1]))
            assert_exact(d, d.mean() + steps)


def test_log_density_is_the_papers_formula():
    """Red if the oracle's definition is not the paper's: here the paper's two 1F1 terms are summed."""
    for m, z, x in [(0.55, 1.3, -2.0), (1.02, -3.0, 4.0), (2.5, 3.0, 0.3), (6.0, -2.0, -7.0)]:
        d = SkewStudent(0.2, z, 1.7, m, 1.9)
        truth = float(oracles.log_skew_student_by_1F1(x, 0.2, z, 1.7, m, 1.9))
        assert d.logpdf(x) == pytest.approx(truth, rel=1e-13, abs=1e-13)


def test_density_and_cdf_are_scipys_noncentral_t_where_that_is_sound():
    """Red for a wrong scale or sign: x = mu + t sqrt(r / (m S)) with df = 2m and nc = nu sqrt(S)."""
    for m, nu in [(0.6, 0.4), (1.3, -0.9), (4.0, 1.5)]:
        mu, S, r = 0.7, 2.3, 1.9
        d, scale = SkewStudent(mu, nu, S, m, r), np.sqrt(r / (m * S))
        x = np.linspace(-12, 14, 53)
        oracle = stats.nct(2 * m, nu * np.sqrt(S), loc=mu, scale=scale)
        np.testing.assert_allclose(d.pdf(x), oracle.pdf(x), rtol=1e-7)
        np.testing.assert_allclose(d.cdf(x), oracle.cdf(x), atol=2e-9)


def test_many_points_at_once_agree_with_one_at_a_time():
    """Red if the interpolant that serves many points loses digits, or mixes up their order."""
    rng = np.random.default_rng(0)
    for m, z in [(0.02, 5.0), (0.55, -40.0), (1.02, 0.0), (1.02, 1e4), (7.0, 3.0), (1e4, -300.0)]:
        d = SkewStudent(0.4, z, 1.3, m, m)
        x = d.mu[0] + (1 + abs(z)) * rng.standard_t(1, size=2000)
        alone = np.concatenate([d.logpdf(part) for part in np.array_split(x, 50)])
        np.testing.assert_allclose(d.logpdf(x), alone, rtol=1e-12, atol=1e-12)


def test_finite_points_have_finite_log_density():
    """Red if a square overflows or a tail underflows; red if points at infinity or NaN are not told apart."""
    x = np.array([-1.7e308, -1e200, -1e5, 0.0, 1e3, 1e99, 1e101, 1.7e308])
    for m in (0.01, 0.55, 3.0, 1e4, 1e8):
        for nu in (0.0, -1e4, 1e4, 1e8):
            assert np.isfinite(SkewStudent(1e3, nu, 2.0, m, m).logpdf(x)).all()
            assert np.isfinite(
                SkewStudent([0, 1], [nu, 1], np.eye(2), m, m).logpdf(np.outer(x, [1, 0]))
            ).all()
    d = SkewStudent(0.0, 1.0, 1.0, 2.0, 2.0)
    np.testing.assert_array_equal(d.logpdf([np.inf, -np.inf, np.nan]), [-np.inf, -np.inf, np.nan])
    # far out the density falls as |x|^-(2m + 1)
    assert d.logpdf(1e200) - d.logpdf(1e150) == pytest.approx(-5 * 50 * np.log(10), rel=1e-14)


@pytest.mark.parametrize("m", [0.3, 0.55, 1.02, 4.0, 30.0, 1e4])
def test_cdf_is_exact(m):
    """Red if the trapezoid steps are too long for m or z, or the two branches disagree about a sign."""
    for z in (0.0, -3.0, 8.0, -12.0, 300.0):
        if z * z + 4 * m > 5e4 and m < 1e4:
            continue
        S, mu, r = 2.3, 0.4, 0.7 * m
        d = SkewStudent(mu, z / np.sqrt(S), S, m, r)
        width = np.sqrt(0.7) * np.sqrt(1 / S + d.nu[0] ** 2 / (4 * m))
        for x in mu + np.sqrt(0.7) * d.nu[0] + width * np.array([-0.8, 0.9]):
            truth = oracles.skew_student_cdf(x, mu, d.nu[0], S, m, r)
            assert abs(float(d.cdf(x) - truth)) < 1e-11


def test_cdf_is_a_distribution_function_and_integrates_the_density():
    """Red if rounding makes it leave [0, 1], fall, or miss its ends."""
    for m in (0.55, 1.3, 30.0, 1e4):
        for nu in (0.0, -3.0, 20.0, -3000.0):
            d = SkewStudent(0.3, nu, 2.0, m, m)
            x = np.concatenate([[-np.inf], np.linspace(-3, 3, 2001) * (1 + abs(nu)), [np.inf]])
            values = d.cdf(x)
            assert values[0] == 0.0
            assert values[-1] == 1.0
            assert np.diff(values).min() > -1e-14
    d = SkewStudent(0.3, -1.4, 2.0, 1.3, 0.9)
    mass, _ = integrate.quad(d.pdf, -4.0, 1.0, epsabs=1e-13, limit=200)
    assert d.cdf(1.0) - d.cdf(-4.0) == pytest.approx(mass, abs=1e-12)
    assert np.isnan(d.cdf(np.nan))


@pytest.mark.parametrize("m", [1.02, 1.3, 6.0, 15.9, 16.1, 300.0, 1e4])
def test_moments_are_those_of_the_definition(m):
    """Red if the covariance's bracket cancels at large m, or sqrt(r) is missing from a moment."""
    mp.mp.dps = 60
    r, nu, S = 0.9, np.array([1.5, -0.4]), np.array([[2.0, 0.3], [0.3, 0.7]])
    d = SkewStudent([0.1, -0.2], nu, S, m, r)
    shape, rate = mp.mpf(m), mp.mpf(r)
    first = mp.sqrt(rate) * mp.gamma(shape - mp.mpf(1) / 2) / mp.gamma(shape)
    second = rate / (shape - 1)
    np.testing.assert_allclose(d.mean(), d.mu + nu * float(first), rtol=1e-13)
    bracket = float(second - first**2)
    np.testing.assert_allclose(
        d.cov(), float(second) * np.linalg.inv(S) + bracket * np.outer(nu, nu), rtol=1e-12
    )
    narrow = SkewStudent(0.0, 1e6, 1.0, m, r)
    assert narrow.cov()[0, 0] == pytest.approx(float(second) + 1e12 * bracket, rel=2e-12)


def test_moments_that_do_not_exist_are_said_so():
    """Red if a mean is reported for m <= 1/2 or a finite variance for m <= 1."""
    assert np.isnan(SkewStudent(0, 1, 1, 0.5, 1).mean()).all()
    assert np.isnan(SkewStudent(0, 1, 1, 0.4, 1).cov()).all()
    assert SkewStudent(0, 1, 1, 0.8, 1).cov()[0, 0] == np.inf
    assert np.isfinite(SkewStudent(0, 1, 1, 0.51, 1).mean()).all()


def test_draws_follow_the_distribution():
    """Red if a draw uses 1/alpha for 1/sqrt(alpha), or the wrong square root of S^-1."""
    rng = np.random.default_rng(11)
    d = SkewStudent(0.3, -1.4, 2.0, 1.3, 0.9)
    assert stats.kstest(d.rvs(20000, rng=rng), d.cdf).pvalue > 1e-3
    wide = SkewStudent([0.1, -0.2], [1.5, -0.4], [[2.0, 0.9], [0.9, 0.7]], 9.0, 4.0)
    x = wide.rvs(200_000, rng=rng)
    error = np.sqrt(np.diag(wide.cov()) / len(x))
    assert (np.abs(x.mean(axis=0) - wide.mean()) < 4 * error).all()
    np.testing.assert_allclose(np.cov(x.T), wide.cov(), rtol=0.05)


def test_density_in_two_dimensions_is_normalised_and_has_the_right_marginal():
    """Red if the power of 2 pi or the exponent m + N/2 is off: integrating out x_2 leaves a skew-Student."""
    mu, nu, S, m, r = [0.1, -0.2], np.array([0.8, -0.4]), np.array([[2.0, 0.9], [0.9, 0.7]]), 1.7, 1.2
    joint = SkewStudent(mu, nu, S, m, r)
    marginal = SkewStudent(mu[0], nu[0], 1 / np.linalg.inv(S)[0, 0], m, r)
    for x in (-1.0, 2.5):
        mass, _ = integrate.quad(lambda y, x=x: float(joint.pdf([x, y])), -np.inf, np.inf, epsabs=1e-12)
        assert mass == pytest.approx(float(marginal.pdf(x)), rel=1e-8)


def test_shapes_and_wrong_inputs():
    """Red if N = 1 grows an axis, or a bad parameter passes unnamed."""
    d = SkewStudent(0, 1, 1, 2, 2)
    assert d.logpdf(0.3).shape == ()
    assert d.logpdf(np.zeros((2, 3))).shape == (2, 3)
    assert SkewStudent([0, 0], [1, 0], np.eye(2), 2, 2).logpdf(np.zeros((4, 5, 2))).shape == (4, 5)
    for bad, name in [
        ((0, 1, 1, -2, 2), "m must be above 0"),
        ((0, 1, -1, 2, 2), "S must have a positive diagonal; at row 0, column 0"),
        (([0, 0], [1, np.nan], np.eye(2), 2, 2), "nu must be finite; at row 1"),
        (([0, 0], [1, 1], [[1, 2], [2, 1]], 2, 2), "S must be positive definite"),
        (([0, 0], [1, 1], [[1, 0.2], [0.1, 1]], 2, 2), "S must be symmetric; at row 0, column 1"),
    ]:
        with pytest.raises(InputError, match=name):
            SkewStudent(*bad)
    with pytest.raises(InputError, match="cdf is for N = 1"):
        SkewStudent([0, 0], [1, 0], np.eye(2), 2, 2).cdf([0, 0])

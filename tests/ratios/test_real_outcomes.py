"""The paper's properties of J for real outcomes: change of variable, Bayes' posterior, additivity."""

import numpy as np
import pytest
from scipy import stats

from nepers.ratios.parametric import log_parametric

N = 200_000


def lognormal_cases():
    """Log x is N(m, 1) with m ~ N(0, 1) known to Q; P is the marginal, log x ~ N(0, 2)."""
    rng = np.random.default_rng(11)
    m = rng.normal(size=2_000)
    return m, np.exp(m + rng.normal(size=2_000))


def test_a_change_of_variable_leaves_the_log_ratios():
    # red if: the densities of Q and P are not of the same x (property 3 of the paper: w = log x)
    m, x = lognormal_cases()
    j_of_x = log_parametric(x, stats.lognorm(1.0, scale=np.exp(m))) - log_parametric(
        x, stats.lognorm(np.sqrt(2.0))
    )
    w = np.log(x)
    j_of_w = log_parametric(w, stats.norm(m, 1.0)) - log_parametric(w, stats.norm(0.0, np.sqrt(2.0)))
    np.testing.assert_allclose(j_of_x, j_of_w, rtol=1e-9, atol=1e-9)


def test_the_same_through_the_jacobian_of_another_function():
    # red if: log g' enters with the wrong sign: w = sinh^-1(x), x = g(w) = sinh w, g' = cosh w
    rng = np.random.default_rng(12)
    x = rng.standard_t(3, size=500)
    w = np.arcsinh(x)

    def transformed(q):
        return lambda at: q.logpdf(np.sinh(at)) + np.log(np.cosh(at))

    q, p = stats.t(3), stats.norm(0, 2)
    j = log_parametric(x, q) - log_parametric(x, p)
    np.testing.assert_allclose(
        log_parametric(w, transformed(q)) - log_parametric(w, transformed(p)), j, rtol=1e-9, atol=1e-9
    )


def test_a_jacobian_on_one_side_only_is_a_constant_error():
    # red if: units were repaired somewhere: a density per day against one per year is off by log 365
    days = np.random.default_rng(13).gamma(2.0, 100.0, size=100)
    q, p_days, p_years = stats.gamma(2, scale=100), stats.expon(scale=200), stats.expon(scale=200 / 365)
    right = log_parametric(days, q) - log_parametric(days, p_days)
    wrong = log_parametric(days, q) - log_parametric(days / 365, p_years)
    np.testing.assert_allclose(right - wrong, np.log(365.0), rtol=1e-9)


@pytest.mark.parametrize("rho", [0.3, 0.9])
def test_the_posterior_gives_the_mutual_information(rho):
    # red if: J of Bayes' posterior is not I(x; y) = -log(1 - rho^2) / 2 (property 1); to 4 standard errors
    rng = np.random.default_rng(14)
    y = rng.normal(size=N)
    x = rho * y + np.sqrt(1 - rho**2) * rng.normal(size=N)
    log_p = log_parametric(x, stats.norm(0, 1))
    j = log_parametric(x, stats.norm(rho * y, np.sqrt(1 - rho**2))) - log_p
    assert abs(j.mean() + 0.5 * np.log(1 - rho**2)) < 4.0 * j.std() / np.sqrt(N)
    # what else could be said is worth less, each by the Kullback-Leibler divergence from the posterior
    for slope, sd in ((0.8 * rho, np.sqrt(1 - rho**2)), (rho, 0.7), (rho, 1.2), (-rho, 1.0)):
        worse = log_parametric(x, stats.norm(slope * y, sd)) - log_p
        lost = j - worse
        s2 = 1 - rho**2
        divergence = np.log(sd / np.sqrt(s2)) + (s2 + (slope - rho) ** 2) / (2 * sd**2) - 0.5
        assert lost.mean() > 0.0
        assert abs(lost.mean() - divergence) < 4.0 * lost.std() / np.sqrt(N)


def test_serial_additivity():
    # red if: J of A2 against P is not J of A2 against A1 and J of A1 against P (property 4), case by case
    m, x = lognormal_cases()
    q1, q2, p = stats.lognorm(1.3), stats.lognorm(1.0, scale=np.exp(m)), stats.lognorm(np.sqrt(2.0))
    a, b, c = (log_parametric(x, q) for q in (q2, q1, p))
    np.testing.assert_allclose((a - b) + (b - c), a - c, rtol=1e-12, atol=1e-12)

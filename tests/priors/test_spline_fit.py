"""The spline's hazard integrates as quadrature says, and its fit is the maximum of the likelihood."""

import itertools

import lifelines
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import CubicSpline

from nepers.errors import InputError
from nepers.priors.log_hazard import LogHazard
from nepers.priors.spline_fit import Likelihood, coefficients_for, knots_for
from nepers.priors.survival import survival_marginal
from nepers.ratios.censoring import Times

INF = np.inf
KNOTS = np.array([-0.7, 0.2, 0.9, 2.4])
THETA = np.array([-1.5, 2.0, -4.0, 3.0])


def mixed(n=80, seed=1):
    """Times known in every way there is."""
    rng = np.random.default_rng(seed)
    T = 3.0 * rng.weibull(1.4, n)
    lower, upper = T.copy(), T.copy()
    kind = np.arange(n) % 4
    upper[kind == 1] = INF
    lower[kind == 2] = 0.0
    upper[kind == 3] = 1.7 * T[kind == 3]
    return Times.interval(lower, upper)


def test_the_basis_is_the_natural_cubic_spline():
    # red if: a cubic is not straight outside the knots, or bends where it should not
    spline = LogHazard(KNOTS)
    v = KNOTS - KNOTS[0]
    oracle = CubicSpline(v, spline.basis(v) @ THETA, bc_type="natural")
    inside = np.linspace(0.0, v[-1], 50)
    assert spline.basis(inside) @ THETA == pytest.approx(oracle(inside), abs=1e-12)
    left, right = spline.ends @ THETA
    assert [left, right] == pytest.approx(oracle(v[[0, -1]], 1), abs=1e-12)
    assert spline.basis(np.array([-5.0])) @ THETA == pytest.approx(oracle(0.0) - 5.0 * left)
    assert spline.basis(v[-1:] + 5.0) @ THETA == pytest.approx(oracle(v[-1]) + 5.0 * right)


@pytest.mark.parametrize(
    "theta", [THETA, np.array([2.0, -2.9, 0.1, 0.2]), np.array([-9.0, 30.0, -9.0, 20.0])]
)
def test_the_cumulative_hazard_is_the_integral(theta):
    # red if: a panel is missed or counted twice, or an outer part has the wrong slope
    spline = LogHazard(KNOTS)
    v = np.array([-6.0, -0.3, 0.0, 0.4, 0.9, 2.0, 3.1, 3.2, 4.5])
    found = spline.cumulative(v)(theta)[0]

    def rate(u):
        return np.exp(spline.basis(np.array([u]))[0] @ theta + u)

    edges = np.concatenate([[-400.0, -60.0], v])
    pieces = [
        quad(rate, a, b, points=[k for k in KNOTS - KNOTS[0] if a < k < b] or None, epsabs=0.0, epsrel=1e-12)[
            0
        ]
        for a, b in itertools.pairwise(edges)
    ]
    assert found == pytest.approx(np.cumsum(pieces)[1:], rel=1e-11)


def test_the_gradients_are_the_slopes():
    # red if: a derivative misses a part, so that the search stops beside the maximum
    likelihood = Likelihood(mixed(), LogHazard(KNOTS))
    cumulative = LogHazard(KNOTS).cumulative(np.array([-1.0, 0.5, 4.0]))
    steps = 1e-5 * np.eye(4)
    slopes = [(likelihood.objective(THETA + s)[0] - likelihood.objective(THETA - s)[0]) / 2e-5 for s in steps]
    assert likelihood.objective(THETA)[1] == pytest.approx(slopes, rel=1e-6)
    for j, s in enumerate(steps):
        slope = (cumulative(THETA + s)[0] - cumulative(THETA - s)[0]) / 2e-5
        assert cumulative(THETA)[1][:, j] == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize("seed", [1, 2])
def test_no_other_coefficients_do_better(seed):
    # red if: the search ends early, at a bound it need not keep to, or on the wrong side
    times = mixed(seed=seed)
    likelihood = Likelihood(times, LogHazard(knots_for(times, 4)))
    best = coefficients_for(likelihood)
    lowest = likelihood.objective(best)[0]
    rng = np.random.default_rng(seed)
    for size in (1e-4, 1e-2, 1.0):
        others = [best + size * rng.standard_normal(4) for _ in range(50)]
        allowed = [o for o in others if (likelihood.spline.ends @ o >= -0.95).all()]
        assert len(allowed) > 10
        assert min(likelihood.objective(o)[0] for o in allowed) >= lowest


def test_two_knots_are_the_weibull_distribution_of_greatest_likelihood():
    # red if: a kind of censoring is missing from the likelihood, or the search stops short
    times = mixed(200)
    found = survival_marginal(times, knots=2)
    oracle = lifelines.WeibullFitter().fit_interval_censoring(times.lower, times.upper)
    assert found.log_likelihood == pytest.approx(oracle.log_likelihood_, abs=1e-6)
    t = np.array([0.01, 0.5, 2.0, 9.0])
    assert found.survival(t) == pytest.approx(np.exp(-((t / oracle.lambda_) ** oracle.rho_)), abs=1e-4)


def test_the_log_likelihood_is_the_sum_of_log_p():
    # red if: the unit of time is lost from the likelihood, or the fit scores the sets in its own way
    times = mixed()
    prior = survival_marginal(times, fitted_on_test_outcomes=True)
    assert prior.log_p(times).sum() == pytest.approx(prior.log_likelihood, abs=1e-9)


def test_knots_are_at_the_quantiles_of_the_events():
    # red if: the right-censored pull the knots, or an interval counts as its end
    rng = np.random.default_rng(0)
    t = rng.exponential(1.0, 50)
    times = Times.right_censored(t, event=np.arange(50) % 2)
    assert knots_for(times, 4) == pytest.approx(np.quantile(np.log(t[1::2]), [0.05, 0.35, 0.65, 0.95]))
    yearly = Times.interval(np.full(10, 2.0), np.full(10, 3.0))
    assert np.exp(knots_for(yearly, 3)[1]) == pytest.approx(2.5, abs=0.01)


T = np.arange(1.0, 11.0)
WRONG = {
    "no events": (
        lambda: survival_marginal(Times.right_censored(T, event=np.zeros(10))),
        "are 0 in 10 cases",
    ),
    "four events": (
        lambda: survival_marginal(Times.right_censored(T, event=T < 5)),
        "times must have at least 5 events to fit a distribution to; there are 4 in 10 cases",
    ),
    "all to the left": (
        lambda: survival_marginal(Times.interval(np.zeros(10), T)),
        "must not all be left-censored",
    ),
    "alike": (
        lambda: survival_marginal(Times.right_censored([1.0] * 8 + [2.0], event=np.ones(9))),
        r"the 4 knots, .* fall together \(1, 1, 1, .*as Times.interval, or fewer knots",
    ),
    "one knot": (
        lambda: survival_marginal(Times.right_censored(T, event=T > 0), knots=1),
        "at least 2.*; it is 1",
    ),
    "no Times": (
        lambda: survival_marginal(T),
        r"must be Times, as Times.right_censored\(...\); it is ndarray",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_no_distribution_can_be_fitted_to_is_an_error(case):
    # red if: a prior is made of next to nothing
    make, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        make()


def test_a_search_that_fails_is_an_error(monkeypatch):
    # red if: coefficients that are no maximum become a prior
    times = mixed()
    likelihood = Likelihood(times, LogHazard(knots_for(times, 4)))
    monkeypatch.setattr(likelihood, "objective", lambda theta: (np.nan, np.full(4, np.nan)))
    with pytest.raises(InputError, match="a distribution of greatest likelihood; the search for it says"):
        coefficients_for(likelihood)

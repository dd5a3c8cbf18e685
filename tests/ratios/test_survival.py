"""The log of what a survival prediction gave: closed forms, other libraries, units, and every refusal."""

import warnings

import lifelines
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sksurv.ensemble import RandomSurvivalForest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.util import Surv

from nepers.cases import log_ratios
from nepers.errors import InputError
from nepers.ratios.censoring import Times
from nepers.ratios.curves import Curves
from nepers.ratios.survival import log_survival

INF = np.inf
DAYS = 365.25


def all_kinds(t):
    """Each time as an event, right-censored, left-censored and in an interval up to its double."""
    n = t.size
    lower = np.concatenate([t, t, np.zeros(n), t])
    upper = np.concatenate([t, np.full(n, INF), t, 2.0 * t])
    return Times.interval(lower, upper)


def fourfold(values):
    return np.tile(values, 4)


def patients(n=60, seed=3):
    """Covariates, times and events of a Weibull regression with random censoring."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    T = 2.0 * rng.weibull(1.5, n) * np.exp(0.5 * X[:, 0])
    C = rng.exponential(4.0, n)
    return X, np.minimum(T, C), T <= C


def test_exponential_in_closed_form():
    # red if: a kind of censoring has another one's formula
    t, rate = np.array([1e-9, 0.5, 3.0, 200.0]), 0.7
    found = log_survival(all_kinds(t), stats.expon(scale=1.0 / rate)).reshape(4, -1)
    assert found[0] == pytest.approx(np.log(rate) - rate * t, rel=1e-13)
    assert found[1] == pytest.approx(-rate * t, rel=1e-13)
    assert found[2] == pytest.approx(np.log(-np.expm1(-rate * t)), rel=1e-13)
    assert found[3] == pytest.approx(-rate * t + np.log(-np.expm1(-rate * t)), rel=1e-12)


@pytest.mark.parametrize("family", [stats.weibull_min, stats.lognorm, stats.gamma])
def test_a_parameter_for_each_case_as_scipy_has_it(family):
    # red if: the cases' parameters are shifted when only some of the cases are asked for
    rng = np.random.default_rng(2)
    t, shape, scale = rng.exponential(2.0, 40), rng.uniform(0.6, 3.0, 40), rng.uniform(0.5, 3.0, 40)
    one = family(shape, scale=scale)
    found = log_survival(all_kinds(t), family(fourfold(shape), scale=fourfold(scale))).reshape(4, -1)
    assert found[0] == pytest.approx(one.logpdf(t), rel=1e-12)
    assert found[1] == pytest.approx(one.logsf(t), rel=1e-12)
    assert found[2] == pytest.approx(one.logcdf(t), rel=1e-9)
    assert np.exp(found[3]) == pytest.approx(one.cdf(2 * t) - one.cdf(t), abs=1e-14)
    each = [family(a, scale=b) for a, b in zip(fourfold(shape), fourfold(scale), strict=True)]
    assert log_survival(all_kinds(t), each).tolist() == pytest.approx(found.ravel().tolist(), rel=1e-12)


def test_scipys_newer_distributions():
    # red if: the newer name of the log survival function is not known
    new = stats.make_distribution(stats.weibull_min)(c=1.5)
    old = stats.weibull_min(1.5)
    times = all_kinds(np.array([0.3, 2.0]))
    assert log_survival(times, new) == pytest.approx(log_survival(times, old), rel=1e-10)


class OnlySurvival:
    """An exponential distribution that has no logcdf."""

    def logpdf(self, t):
        return -t

    def logsf(self, t):
        return -t


def test_intervals_far_out_in_either_tail_keep_their_digits():
    # red if: probabilities are subtracted instead of the logs of the smaller ones
    far = stats.norm(1000.0, 1.0)
    found = log_survival(Times.interval([900.0, 1100.0, 0.0], [901.0, 1101.0, 900.0]), far)
    assert found == pytest.approx([far.logcdf(901.0), far.logsf(1100.0), far.logcdf(900.0)], rel=1e-12)
    times = Times.interval([0.0, 800.0, 1e-12], [1e-200, 801.0, 2e-12])
    expected = [np.log(1e-200), -800.0 + np.log(-np.expm1(-1.0)), np.log(1e-12)]
    assert log_survival(times, OnlySurvival()) == pytest.approx(expected, rel=1e-4)
    assert log_survival(times, OnlySurvival())[:2] == pytest.approx(expected[:2], rel=1e-13)


def test_probability_zero_is_minus_infinity():
    # red if: a density of zero is clipped or refused
    short = stats.uniform(0.0, 1.0)
    times = Times.interval([2.0, 2.0, 2.0, 0.5], [2.0, INF, 3.0, 0.5])
    assert log_survival(times, short).tolist() == [-INF, -INF, -INF, 0.0]


def test_no_cases_and_one_case():
    # red if: an empty table fails, or a lost axis of a single case is taken for an error
    nothing = Times.right_censored([], event=[])
    assert log_survival(nothing, stats.expon()).size == 0
    assert log_survival(nothing, Curves([1.0], [0.5]), density="linear").size == 0
    assert log_survival(Times.right_censored([2.0], event=[1]), stats.expon()).tolist() == [-2.0]


def test_lifelines_own_log_likelihood():
    # red if: a kind of censoring is scored as lifelines' likelihood does not
    X, t, event = patients()
    table = pd.DataFrame(X, columns=["a", "b", "c"]).assign(T=t, E=event)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fitting of another library
        model = lifelines.WeibullAFTFitter().fit(table, "T", "E")
        curves = model.predict_survival_function(table, times=np.linspace(0.005, 8.0, 1600))
    scale = np.exp(X @ model.params_["lambda_"][["a", "b", "c"]] + model.params_["lambda_"]["Intercept"])
    law = stats.weibull_min(np.exp(model.params_["rho_"]["Intercept"]), scale=scale)
    times = Times.right_censored(table["T"], event=table["E"])
    found = log_survival(times, law)
    assert found.sum() == pytest.approx(model.log_likelihood_, rel=1e-9)
    for density in ("linear", "log_linear"):  # a fine grid is close: its density is that of 0.005 years
        assert log_survival(times, curves, density=density) == pytest.approx(found, abs=0.02)
    shuffled = table.sample(frac=1.0, random_state=1)
    with pytest.raises(InputError, match="times and prediction must have the same row labels"):
        log_survival(Times.right_censored(shuffled["T"], event=shuffled["E"]), curves, density="linear")


def test_lifelines_single_curves_are_those_of_every_case():
    # red if: the curve is read the wrong way round, or a censored time is given the event's share
    # Kaplan and Meier's curve of 1, 2, 3 without censoring falls by a third at each
    fitted = lifelines.KaplanMeierFitter().fit([1.0, 2.0, 3.0])
    times = Times.right_censored([1.5, 1.0, 2.0], event=[True, False, False])
    found = log_survival(times, fitted, density="linear")
    np.testing.assert_allclose(found, np.log([1 / 3, 2 / 3, 1 / 3]), rtol=1e-12)


def test_lifelines_own_log_likelihood_of_intervals():
    # red if: intervals, or the ends 0 and inf, are scored as lifelines' likelihood does not
    _, t, _ = patients(200)
    lower = np.where(t > 4.0, 4.0, np.floor(t))
    upper = np.where(t > 4.0, INF, np.floor(t) + 1.0)
    lower[:30], upper[:30] = t[:30], t[:30]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fitting of another library
        model = lifelines.WeibullFitter().fit_interval_censoring(lower, upper)
    found = log_survival(Times.interval(lower, upper), stats.weibull_min(model.rho_, scale=model.lambda_))
    assert found.sum() == pytest.approx(model.log_likelihood_, rel=1e-8)


def fitted(name):
    X, t, event = patients()
    model = {
        "Cox": CoxPHSurvivalAnalysis(alpha=0.1),
        "forest": RandomSurvivalForest(20, min_samples_leaf=8, random_state=0),
    }[name]
    return model.fit(X, Surv.from_arrays(event, t)), t


@pytest.mark.parametrize("name", ["Cox", "forest"])
def test_step_functions_of_scikit_survival(name):
    # red if: a step function is read on another grid, from the wrong side, or for another case
    model, trained = fitted(name)
    X, t, event = patients(40, seed=4)
    t = np.minimum(t, 0.999 * trained.max())
    times = Times.structured(np.array(list(zip(event, t, strict=True)), dtype=[("e", "?"), ("t", "f8")]))
    steps = model.predict_survival_function(X)
    strict = log_survival(times, steps, density="step")
    inside = t >= steps[0].x[0]
    expected = [-INF if e else np.log(f(c)) for f, c, e in zip(steps, t, event, strict=True) if c >= f.x[0]]
    assert strict[inside] == pytest.approx(expected, abs=1e-14)
    again = Curves(model.unique_times_, model.predict_survival_function(X, return_array=True))
    assert log_survival(times, again, density="step").tolist() == strict.tolist()

    knots = np.quantile(trained, [0.2, 0.5, 0.8])
    coarse = log_survival(times, Curves.of(steps).at(knots), density="linear", tail="exponential")
    for i, f in enumerate(steps):
        grid, values = np.append(0.0, knots), np.append(1.0, f(knots))
        if t[i] > knots[-1]:
            rate = -np.log(values[-1]) / knots[-1]
            own = np.log(rate) * event[i] - rate * t[i]
        elif event[i]:
            j = np.searchsorted(grid, t[i])
            own = np.log((values[j - 1] - values[j]) / (grid[j] - grid[j - 1]))
        else:
            own = np.log(np.interp(t[i], grid, values))
        assert coarse[i] == pytest.approx(own, abs=1e-12)


def units(scale, q_scale):
    """The log ratios with the times in other units, and the prediction's own in perhaps different ones."""
    rng = np.random.default_rng(8)
    t = rng.weibull(1.5, 50) * 3.0
    shape = np.tile(rng.uniform(0.8, 2.0, 50), 4)
    times = all_kinds(t * scale)
    q = log_survival(times, stats.weibull_min(shape, scale=3.0 * scale))
    if q_scale != scale:  # the density is per year, and the prior's per day
        q = log_survival(all_kinds(t * q_scale), stats.weibull_min(shape, scale=3.0 * q_scale))
    p = log_survival(times, stats.lognorm(1.0, scale=2.0 * scale))
    return log_ratios(log_q=q, log_p=p).values


def test_the_unit_of_time_cancels_from_every_log_ratio():
    # red if: a density, or a set's probability, has the wrong Jacobian
    assert units(DAYS, DAYS) == pytest.approx(units(1.0, 1.0), abs=1e-9)


def test_two_units_shift_the_events_and_nothing_else():
    # red if: a prediction per year against a prior per day would go unnoticed here
    change = (units(DAYS, 1.0) - units(1.0, 1.0)).reshape(4, -1)
    assert change[0] == pytest.approx(np.log(DAYS), abs=1e-9)
    assert change[1:] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("density", ["linear", "log_linear", "smooth"])
def test_curves_have_the_right_jacobian(density):
    # red if: the density of a curve is per grid step, or per log time, and not per unit of time
    grid, s = np.array([1.0, 2.0, 4.0]), [0.8, 0.5, 0.3]
    times = [all_kinds(scale * np.array([0.4, 1.3, 7.0])) for scale in (1.0, DAYS)]
    how = {"density": density, "tail": "weibull"}
    years, days = (
        log_survival(times[0], Curves(grid, s), **how),
        log_survival(times[1], Curves(DAYS * grid, s), **how),
    )
    shift = np.where(times[0].exact, np.log(DAYS), 0.0)
    assert days + shift == pytest.approx(years, abs=1e-12)


class Odd:
    """A distribution that answers what it is told to."""

    def __init__(self, answer):
        self.answer = answer

    def logpdf(self, t):
        return self.answer

    logsf = logcdf = logpdf


TWO = Times.right_censored(pd.Series([1.0, 2.0], index=["anne", "bob"]), event=[1, 0])
EXPON = stats.expon()
WRONG = {
    "no Times": ([1.0, 2.0], EXPON, {}, "times must be Times, which say what is censored: .*; it is list"),
    "NaN": (TWO, Odd([np.nan, 0.0]), {}, r"a number at every time; the log is nan in row anne \(1 of 2\)"),
    "infinite density": (
        TWO,
        Odd([INF, 0.0]),
        {},
        "finite density at every event; the log is inf in row anne",
    ),
    "probability": (TWO, Odd([0.0, 0.1]), {}, "a probability of at most 1; the log is 0.1 in row bob"),
    "three parameters": (TWO, stats.expon(scale=[1.0, 2.0, 3.0]), {}, "logpdf at 2 times: .*broadcast"),
    "a column of parameters": (
        TWO,
        stats.expon(scale=[[1.0], [2.0]]),
        {},
        r"logpdf at 2 times has the shape \(2, 2\)",
    ),
    "three distributions": (
        TWO,
        [EXPON] * 3,
        {},
        "a distribution for each case; it has 3, and times has 2 cases",
    ),
    "a density chosen": (
        TWO,
        EXPON,
        {"density": "linear"},
        "density is for curves .* has a density of its own",
    ),
    "a tail chosen": (TWO, EXPON, {"tail": "plateau"}, "tail is for curves on a grid"),
    "no distribution": (
        TWO,
        "weibull",
        {},
        "prediction must be Curves, .*or a distribution with logpdf and logsf",
    ),
    "three curves": (
        TWO,
        Curves([1.0, 9.0], np.full((3, 2), 0.5)),
        {"density": "linear"},
        "times has 2, prediction 3",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_prediction_of_times_is_an_error_that_names_it(case):
    # red if: a wrong distribution is scored, or the message leaves out what or where
    times, prediction, how, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        log_survival(times, prediction, **how)


def test_survival_that_rises_across_an_interval_is_no_number():
    # red if: a negative probability becomes a number
    class Rising(OnlySurvival):
        def logsf(self, t):
            return t - 5.0

    with pytest.raises(InputError, match="a number at every time; the log is nan in row 0"):
        log_survival(Times.interval([1.0], [2.0]), Rising())

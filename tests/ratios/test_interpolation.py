"""Between its times and beyond the last a curve is one distribution: its densities and sets agree."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.interpolate import PchipInterpolator

from nepers.errors import InputError
from nepers.ratios.censoring import Times
from nepers.ratios.curves import Curves
from nepers.ratios.survival import log_survival

INF = np.inf
DENSITIES = ["linear", "log_linear", "smooth"]
GRID = np.array([0.5, 1.0, 2.5, 4.0, 7.0])
S = np.array([0.95, 0.8, 0.8, 0.45, 0.1])


def log_at(t, **how):
    return log_survival(
        Times.right_censored(np.atleast_1d(t), event=np.ones(np.size(t))), Curves(GRID, S), **how
    )


def log_sets(lower, upper, **how):
    return log_survival(Times.interval(lower, upper), Curves(GRID, S), **how)


def mass(lower, upper, **how):
    """The integral of the density, in log time so that what is near zero counts."""
    knots = np.log([t for t in GRID if lower < t < upper])
    edges = np.concatenate([[np.log(max(lower, 1e-30))], knots, [np.log(min(upper, 1e12))]])
    pieces = itertools.pairwise(edges)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return sum(
            quad(
                lambda u: np.exp(log_at(np.exp(u), **how)[0] + u), a, b, epsabs=1e-12, epsrel=1e-10, limit=200
            )[0]
            for a, b in pieces
        )


@pytest.mark.parametrize("tail", ["exponential", "weibull"])
@pytest.mark.parametrize("density", DENSITIES)
def test_the_density_integrates_to_one(density, tail):
    # red if: a density is not the slope of its curve, or what is left over at the end is lost
    assert mass(0.0, INF, density=density, tail=tail) == pytest.approx(1.0, abs=1e-8)


@pytest.mark.parametrize("density", DENSITIES)
def test_a_plateau_keeps_what_is_left(density):
    # red if: the plateau's probability is put at times, or goes missing from who is still at risk
    how = {"density": density, "tail": "plateau"}
    assert mass(0.0, 7.0, **how) == pytest.approx(0.9, abs=1e-8)
    assert log_at([7.5], **how)[0] == -INF
    assert log_sets([7.0, 1e9], [INF, INF], **how) == pytest.approx(np.log([0.1, 0.1]))
    assert log_sets([8.0], [9.0], **how)[0] == -INF


@pytest.mark.parametrize("density", DENSITIES)
@pytest.mark.parametrize(
    "ends", [(0.0, 0.3), (0.0, 3.0), (0.2, 0.7), (1.7, 5.0), (4.0, 7.0), (6.0, 20.0), (9.0, 30.0)]
)
def test_the_probability_of_an_interval_is_the_integral_of_the_density(density, ends):
    # red if: sets and densities are of different distributions
    how = {"density": density, "tail": "exponential"}
    found = log_sets([ends[0]], [ends[1]], **how)[0]
    assert np.exp(found) == pytest.approx(mass(*ends, **how), rel=1e-7)


@pytest.mark.parametrize("density", ["step", *DENSITIES])
def test_at_the_grid_times_every_choice_gives_the_curve_itself(density):
    # red if: a choice of density changes what the prediction said
    found = log_sets(GRID, np.full(5, INF), density=density)
    assert found == pytest.approx(np.log(S), abs=1e-14)
    assert log_sets(np.zeros(5), GRID, density=density) == pytest.approx(np.log1p(-S), abs=1e-13)


@pytest.mark.parametrize("density", DENSITIES)
def test_a_flat_piece_has_density_zero(density):
    # red if: a smoother spreads probability to where the prediction put none
    assert log_at([1.7], density=density)[0] == -INF


def test_closed_forms():
    # red if: a formula has another width, hazard or slope
    assert log_at([0.25, 3.0], density="linear") == pytest.approx(np.log([0.05 / 0.5, 0.35 / 1.5]))
    hazard = np.log(0.8 / 0.45) / 1.5
    assert log_at([3.0], density="log_linear") == pytest.approx(np.log(hazard) + np.log(0.8) - 0.5 * hazard)
    exponential = np.log(10.0) / 7.0
    assert log_at([9.0], density="linear", tail="exponential") == pytest.approx(
        np.log(exponential) - 9 * exponential
    )
    weibull = Curves([1.0, 2.0, 5.0], np.exp(-0.3 * np.array([1.0, 2.0, 5.0]) ** 1.4))
    t = np.array([0.1, 1.5, 3.0, 40.0])
    found = log_survival(Times.right_censored(t, event=np.ones(4)), weibull, density="smooth", tail="weibull")
    assert found == pytest.approx(np.log(0.3 * 1.4) + 0.4 * np.log(t) - 0.3 * t**1.4)


def test_smooth_is_scipys_pchip_case_by_case():
    # red if: the cases' cubics are mixed up, or the slope is not that of the cubic
    rng = np.random.default_rng(5)
    curves = np.sort(rng.uniform(0.01, 0.99, (30, 5)))[:, ::-1]
    t, event = rng.uniform(0.5, 7.0, 30), rng.random(30) < 0.6
    found = log_survival(Times.right_censored(t, event=event), Curves(GRID, curves), density="smooth")
    for i in range(30):
        cubic = PchipInterpolator(np.log(GRID), np.log(-np.log(curves[i])))
        y, slope = cubic(np.log(t[i])), cubic.derivative()(np.log(t[i]))
        expected = (np.log(slope) + y - np.log(t[i]) if event[i] else 0.0) - np.exp(y)
        assert found[i] == pytest.approx(expected, abs=1e-11)


def test_a_step_function_has_no_density():
    # red if: an event between the steps is blurred in silence, or a step's probability is taken for a density
    how = {"density": "step"}
    assert log_at([0.3, 1.7, 2.5], **how).tolist() == [-INF] * 3
    assert log_sets([1.0, 1.5, 0.7], [INF, INF, 1.0], **how) == pytest.approx(np.log([0.8, 0.8, 0.15]))
    with pytest.raises(InputError, match=r"where a step function falls: .* no ratio; 4 in row 1 \(1 of 2\)"):
        log_at([3.0, 4.0], **how)


def test_what_needs_nothing_beyond_the_last_time_is_not_refused():
    # red if: a case within the curves is refused for the sake of the others' tail, or with nothing left over
    assert log_sets([7.0, 4.0, 0.0], [INF, 7.0, 7.0], density="linear") == pytest.approx(
        np.log([0.1, 0.35, 0.9])
    )
    ends = Curves([1.0, 2.0], [0.5, 0.0])
    for tail in ("refuse", "exponential", "weibull", "plateau"):
        found = log_survival(
            Times.interval([3.0, 3.0, 1.5], [3.0, INF, 4.0]), ends, density="linear", tail=tail
        )
        assert found.tolist() == [-INF, -INF, np.log(0.25)]


def test_a_probability_at_time_zero_is_left_of_everything():
    # red if: a curve that starts below 1 at time 0 is put up to 1, or its start is lost
    curve = Curves([0.0, 2.0], [0.8, 0.2])
    found = log_survival(Times.interval([0.0, 1.0, 1.0], [1.0, 1.0, INF]), curve, density="linear")
    assert found == pytest.approx(np.log([0.5, 0.3, 0.5]))


@settings(max_examples=60, deadline=None)
@given(
    falls=st.lists(st.floats(0.01, 1.0), min_size=3, max_size=8),
    cut=st.lists(st.floats(0.001, 30.0), min_size=2, max_size=6, unique=True),
    density=st.sampled_from(DENSITIES),
)
def test_the_sets_of_any_division_of_time_share_out_the_whole(falls, cut, density):
    # red if: the probabilities of sets that exhaust all times do not add to one
    survival = 1.0 - np.cumsum(falls) / (1.0 + sum(falls))
    curve = Curves(np.arange(1.0, len(falls) + 1.0), survival)
    edges = np.concatenate([[0.0], np.sort(cut), [INF]])
    parts = log_survival(Times.interval(edges[:-1], edges[1:]), curve, density=density, tail="weibull")
    assert np.exp(parts).sum() == pytest.approx(1.0, abs=1e-12)


WRONG = {
    "no density": (S, {}, "density must be one of step, linear, log_linear, smooth: .*; it is not given"),
    "unknown density": (S, {"density": "cubic"}, "density must be one of .*; it is 'cubic'"),
    "unknown tail": (
        S,
        {"density": "linear", "tail": "none"},
        "tail must be one of refuse, .*; it is 'none'",
    ),
    "beyond": (
        S,
        {"density": "linear"},
        r"which end at 7 with up to 0.1 left over; for row 1 \(1 of 2\), .* by tail='exponential'",
    ),
    "never fell": (
        np.ones(5),
        {"density": "linear", "tail": "exponential"},
        "has not fallen by its last time in row 1",
    ),
    "flat end": (
        [0.9, 0.8, 0.5, 0.4, 0.4],
        {"density": "linear", "tail": "weibull"},
        "tail='weibull' can go on with; the curve does not fall both before and after .* in row 1",
    ),
    "late start": (
        [1.0, 1.0, 1.0, 1.0, 0.4],
        {"density": "linear", "tail": "weibull"},
        "does not fall both before",
    ),
    "log of zero": (
        [0.9, 0.8, 0.5, 0.4, 0.0],
        {"density": "log_linear"},
        "be above 0 at every time for density='log_linear'; 0 at time 7 in the first of row 0",
    ),
    "smooth from one": (
        [1.0, 0.8, 0.5, 0.4, 0.3],
        {"density": "smooth"},
        "below 1 at every time above 0 .*; 1 at time 0.5",
    ),
    "smooth to zero": (
        [0.9, 0.8, 0.5, 0.4, 0.0],
        {"density": "smooth"},
        "above 0 and below 1 .*; 0 at time 7",
    ),
    "smooth flat start": (
        [0.9, 0.9, 0.5, 0.4, 0.1],
        {"density": "smooth"},
        "fall from its first time .*; 0.9 at time 1",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_a_choice_cannot_do_is_an_error_that_names_it(case):
    # red if: a curve is bent to fit the choice of density, or a case beyond the curve is scored in silence
    survival, how, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        log_survival(Times.interval([1.0, 8.0], [1.0, INF]), Curves(GRID, survival), **how)


def test_smooth_needs_two_times_and_none_at_zero():
    # red if: a single point is taken for a curve, or a probability at time 0 is smoothed away
    one = Times.right_censored([1.0], event=[1])
    with pytest.raises(InputError, match="at least two times above 0"):
        log_survival(one, Curves([0.0, 2.0], [1.0, 0.5]), density="smooth")
    with pytest.raises(InputError, match="be 1 at time 0 for density='smooth'"):
        log_survival(one, Curves([0.0, 2.0, 3.0], [0.9, 0.5, 0.4]), density="smooth")
    from_zero = log_survival(one, Curves([0.0, 2.0, 3.0], [1.0, 0.5, 0.4]), density="smooth")
    assert from_zero == log_survival(one, Curves([2.0, 3.0], [0.5, 0.4]), density="smooth")

"""The density of quantiles: its mass, its quantiles, its symmetries and its limit."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from nepers.errors import InputError
from nepers.ratios.quantiles import log_quantiles

P = np.array([0.1, 0.25, 0.6, 0.9])
Q = np.array([-1.0, 0.5, 0.8, 4.0])


def test_the_density_by_hand():
    # red if: an interval takes its neighbour's density, or a tail the wrong rate
    x = [-3.0, -1.0, 0.0, 0.5, 0.7, 2.0, 4.0, 5.0]
    d = [0.15 / 1.5, 0.35 / 0.3, 0.3 / 3.2]
    expected = [
        np.log(d[0]) - 2.0 * d[0] / 0.1,
        np.log(d[0]),
        np.log(d[0]),
        np.log((d[0] + d[1]) / 2),
        np.log(d[1]),
        np.log(d[2]),
        np.log(d[2]),
        np.log(d[2]) - d[2] / 0.1,
    ]
    np.testing.assert_allclose(log_quantiles(x, Q, P), expected, rtol=1e-13)


levels = st.lists(st.integers(1, 99), min_size=3, max_size=8, unique=True).map(
    lambda p: np.array(sorted(p)) / 100.0
)


@st.composite
def forecasts(draw):
    p = draw(levels)
    steps = st.floats(0.01, 10.0)
    start = draw(st.floats(-50.0, 50.0))
    widths = draw(st.lists(steps, min_size=p.size - 1, max_size=p.size - 1))
    return p, start + np.concatenate([[0.0], np.cumsum(widths)])


def mass(a, b, p, q):
    return integrate.quad(lambda x: np.exp(log_quantiles([x], q, p)[0]), a, b, epsabs=1e-11)[0]


@settings(max_examples=15, deadline=None, derandomize=True)
@given(forecasts())
def test_the_quantiles_of_the_density_are_those_that_were_given(forecast):
    # red if: an interval or a tail has another mass than its levels say; so the whole has mass one
    p, q = forecast
    lower, upper = p[0] * (q[1] - q[0]) / (p[1] - p[0]), (1 - p[-1]) * (q[-1] - q[-2]) / (p[-1] - p[-2])
    edges = [q[0] - 40.0 * lower, *q, q[-1] + 40.0 * upper]
    masses = [mass(a, b, p, q) for a, b in itertools.pairwise(edges)]
    np.testing.assert_allclose(masses, np.diff([0.0, *p, 1.0]), atol=1e-8)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(forecasts(), st.floats(-100.0, 100.0), st.floats(0.1, 100.0), st.floats(-100.0, 100.0))
def test_shift_unit_and_reflection(forecast, x, scale, shift):
    # red if: the density depends on the unit, or a mirrored forecast has another density (at a quantile, too)
    p, q = forecast
    at = np.array([x, q[0], q[-1]])
    before = log_quantiles(at, q, p)
    np.testing.assert_allclose(log_quantiles(at * 2.0**6, q * 2.0**6, p), before - 6 * np.log(2.0), rtol=1e-9)
    np.testing.assert_allclose(log_quantiles(-at, -q[::-1], 1.0 - p[::-1]), before, rtol=1e-8, atol=1e-8)
    away = at[np.abs(at[:, None] - q).min(axis=1) > 1e-6]  # rounding must not carry it over a quantile
    np.testing.assert_allclose(
        log_quantiles(scale * away + shift, scale * q + shift, p),
        log_quantiles(away, q, p) - np.log(scale),
        rtol=1e-6,
        atol=1e-6,
    )


def test_at_an_inner_quantile_the_mirror_image_is_the_same():
    # red if: the density at a quantile is that of one side
    at = Q[1:3]
    np.testing.assert_allclose(log_quantiles(-at, -Q[::-1], 1.0 - P[::-1]), log_quantiles(at, Q, P))


def test_many_quantiles_of_a_normal_give_the_normal():
    # red if: the limit is not the distribution whose quantiles they are. The middle of an interval of width w
    # has a relative error of w^2 |f''| / (24 f), below 1e-5 here
    p = np.linspace(0.001, 0.999, 999)
    q = stats.norm.ppf(p, 3.0, 2.0)
    x = (q[100:899] + q[101:900]) / 2.0
    np.testing.assert_allclose(log_quantiles(x, q, p), stats.norm.logpdf(x, 3.0, 2.0), atol=1e-5)


@pytest.mark.parametrize(
    ("p", "d", "cost"),
    [
        (np.linspace(0.1, 0.9, 9), stats.norm(), 0.005),
        (np.array([0.05, 0.5, 0.95]), stats.norm(), 0.11),
        (np.linspace(0.1, 0.9, 9), stats.t(3), 0.07),
        (np.array([0.05, 0.5, 0.95]), stats.t(3), 0.46),
    ],
)
def test_what_few_levels_cost(p, d, cost):
    # red if: the module's docstring is wrong about it
    x = d.ppf((np.arange(100_000) + 0.5) / 100_000)
    loss = (d.logpdf(x) - log_quantiles(x, d.ppf(p), p)).mean()
    assert loss == pytest.approx(cost, rel=0.05)


def test_rows_are_cases_and_shared_quantiles_are_those_of_every_case():
    # red if: a case meets the quantiles of another
    x = np.array([0.0, 3.0, -2.0])
    rows = Q + np.array([[0.0], [1.0], [-5.0]])
    expected = [log_quantiles([v], row, P)[0] for v, row in zip(x, rows, strict=True)]
    np.testing.assert_array_equal(log_quantiles(x, rows, P), expected)
    table = pd.DataFrame(rows, columns=["10%", "25%", "60%", "90%"])
    np.testing.assert_array_equal(log_quantiles(pd.Series(x), table, P), expected)
    np.testing.assert_array_equal(
        log_quantiles(x, Q.tolist(), P.tolist()), log_quantiles(x, np.tile(Q, (3, 1)), P)
    )
    assert log_quantiles([], np.empty((0, 4)), P).tolist() == []


CROSSING = [[0.0, 1.0, 2.0], [0.0, 3.0, 2.5]]
WRONG = {
    "crossing": (
        {"quantiles": CROSSING},
        r"must rise along each row; 3 in column 1 and 2.5 in column 2 of the first of row 1 \(1 of 2\)",
    ),
    "crossing by name": (
        {
            "y": pd.Series([0.0, 0.0], index=["anne", "bob"]),
            "quantiles": pd.DataFrame(CROSSING, columns=list("abc"), index=["anne", "bob"]),
        },
        "3 in column 'b' and 2.5 in column 'c' of the first of row bob",
    ),
    "crossing for all": ({"quantiles": [0.0, 2.0, 1.0]}, "2 in column 1 and 1 in column 2"),
    "an atom": ({"quantiles": [0.0, 0.0, 1.0]}, "must differ; 0 in column 0 and 0 in column 1.*log_mixed"),
    "percentages": ({"levels": [5, 50, 95]}, "between 0 and 1; the largest is 95: divide percentages by 100"),
    "level one": ({"levels": [0.5, 0.9, 1.0]}, "between 0 and 1; 1 does not"),
    "level zero": ({"levels": [0.0, 0.5, 0.9]}, "between 0 and 1; 0 does not"),
    "falling levels": ({"levels": [0.5, 0.1, 0.9]}, r"levels must rise; they are 0.5, 0.1, 0.9"),
    "two levels": ({"levels": [0.1, 0.9], "quantiles": [1.0, 2.0]}, "levels must be at least 3; there are 2"),
    "other levels": ({"levels": [0.1, 0.2, 0.5, 0.9]}, "a column for each level; it has 3, and levels 4"),
    "rows": ({"quantiles": CROSSING[:1]}, "same number of rows; y_true has 2, quantiles 1"),
    "infinite": ({"quantiles": [[0.0, 1.0, np.inf]] * 2}, "quantiles must be finite; inf in column 2"),
    "NaN": ({"quantiles": [[0.0, 1.0, np.nan]] * 2}, "quantiles must have no missing"),
    "infinite truth": ({"y": [0.0, -np.inf]}, "y_true must be finite; -inf in row 1"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_are_no_quantiles_is_named(case):
    # red if: crossing quantiles are sorted, or the message leaves out what or where
    wrong, message = WRONG[case]
    given_ = {"y": [0.0, 1.0], "quantiles": [0.0, 1.0, 2.0], "levels": [0.1, 0.5, 0.9]} | wrong
    with pytest.raises(InputError, match=message):
        log_quantiles(given_["y"], given_["quantiles"], given_["levels"])

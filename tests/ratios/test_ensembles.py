"""The densities that members state: against peers, closed forms and their limits."""

import numpy as np
import pandas as pd
import pytest
import scoringrules
from scipy import special, stats

from nepers.errors import InputError
from nepers.ratios import members as members_module
from nepers.ratios.ensembles import log_average, log_ensemble
from nepers.ratios.members import bandwidth

RNG = np.random.default_rng(7)
DRAWS = RNG.gamma(2.0, size=(40, 25)) * RNG.uniform(0.1, 10.0, size=(40, 1))
Y = DRAWS[:, 0] * 1.1 + 0.05


def test_the_bandwidth_is_silvermans():
    # red if: the standard deviation has m in its denominator, or the robust minimum is left out
    sd, quartiles = np.std(DRAWS, axis=1, ddof=1), stats.iqr(DRAWS, axis=1) / 1.34
    assert (sd < quartiles).any()
    assert (sd > quartiles).any()
    np.testing.assert_allclose(bandwidth(DRAWS), 0.9 * np.minimum(sd, quartiles) / 25**0.2, rtol=1e-14)


def test_the_kernel_estimate_is_that_of_scipy_with_the_same_bandwidth():
    # red if: the kernel, its width or the average over members is another
    h = bandwidth(DRAWS)
    peer = [
        stats.gaussian_kde(row, bw_method=width / row.std(ddof=1)).logpdf(y)[0]
        for row, width, y in zip(DRAWS, h, Y, strict=True)
    ]
    np.testing.assert_allclose(log_ensemble(Y, DRAWS), peer, rtol=1e-12)


def test_the_kernel_estimate_is_that_of_scoringrules_with_the_same_bandwidth():
    # red if: the sign or the scale of the log score is lost (its own bandwidth is another one, 1.06 for 0.9)
    peer = scoringrules.logs_ensemble(Y, DRAWS, bw=bandwidth(DRAWS))
    np.testing.assert_allclose(log_ensemble(Y, DRAWS), -peer, rtol=1e-10)


def test_far_from_all_members_the_log_does_not_underflow():
    # red if: densities are added and not their logarithms
    h = bandwidth(DRAWS[:1])[0]
    y = DRAWS[0].max() + 60.0 * h
    nearest = stats.norm.logpdf(y, DRAWS[0].max(), h) - np.log(25)
    found = log_ensemble([y], DRAWS[:1])[0]
    assert nearest <= found <= nearest + np.log(25)
    assert found < -1700.0


def test_many_members_of_a_normal_give_the_normal_convolved_with_the_kernel():
    # red if: the estimate has another limit; 4e5 members leave sd 1e-3 of the log density at these points
    draws = np.random.default_rng(1).normal(size=400_000)
    y = np.array([-1.5, 0.0, 0.7])
    h = 0.9 * 400_000**-0.2
    found = log_ensemble(y, draws)
    sd = np.sqrt(1.0 / (400_000 * h * 2.0 * np.sqrt(np.pi) * stats.norm.pdf(y)))
    assert (np.abs(found - stats.norm.logpdf(y, 0, np.sqrt(1.0 + h * h))) < 4.0 * sd + 1e-3).all()


def test_the_normal_reading_is_the_normal_density():
    # red if: the variance has m in its denominator
    expected = stats.norm.logpdf(Y, DRAWS.mean(axis=1), DRAWS.std(axis=1, ddof=1))
    np.testing.assert_allclose(log_ensemble(Y, DRAWS, method="normal"), expected, rtol=1e-12)


@pytest.mark.parametrize(("m", "z"), [(8, 1.0), (20, 2.0)])
def test_the_loss_of_few_members_is_that_of_the_docstring(m, z):
    # red if: the closed form in the docstring is wrong; 5 standard errors of 2e5 cases
    rng = np.random.default_rng(m)
    draws, y = rng.normal(3.0, 2.0, size=(200_000, m)), rng.normal(3.0, 2.0 * z, size=200_000)
    loss = log_ensemble(y, draws, method="normal") - stats.norm.logpdf(y, 3.0, 2.0)
    k = (m - 1) / 2
    expected = -(special.digamma(k) - np.log(k)) / 2 - (z**2 / (k - 1) + k / ((k - 1) * m)) / 2
    assert abs(loss.mean() - expected) < 5.0 * loss.std() / np.sqrt(loss.size)


def test_shares_of_members():
    # red if: the members of another case are counted, or the pseudo counts do not add up
    draws = [[0, 1, 1, 2], [3, 3, 3, 3], [0, 0, 1, 1]]
    y = [1, 3, 2]
    found = log_ensemble(y, draws, method="counts")
    assert found.tolist() == [np.log(0.5), 0.0, -np.inf]
    smooth = log_ensemble(y, draws, method="counts", pseudo_count=0.5, possible_values=[0, 1, 2, 3])
    np.testing.assert_allclose(np.exp(smooth), [2.5 / 6, 4.5 / 6, 0.5 / 6])


def test_shares_with_pseudo_counts_are_a_distribution():
    # red if: what is added in the numerator is not what is added in the denominator
    draws = [4, 4, 2, 1, 4, 2]
    possible = [0, 1, 2, 3, 4]
    found = log_ensemble(possible, draws, method="counts", pseudo_count=0.3, possible_values=possible)
    assert np.exp(found).sum() == pytest.approx(1.0, rel=1e-14)


@pytest.mark.parametrize("method", ["kde", "normal"])
def test_a_density_integrates_to_one(method):
    # red if: the width is missing from the normalisation
    y = np.linspace(-40.0, 60.0, 20_001)
    density = np.exp(log_ensemble(y, DRAWS[5] * 3.0 / DRAWS[5].std(), method=method))
    assert density.sum() * (y[1] - y[0]) == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize("method", ["kde", "normal"])
def test_a_change_of_unit_shifts_the_log_density(method):
    # red if: a constant width in the user's unit has crept in
    before = log_ensemble(Y, DRAWS, method=method)
    after = log_ensemble(1000.0 * Y - 5.0, 1000.0 * DRAWS - 5.0, method=method)
    np.testing.assert_allclose(after, before - np.log(1000.0), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("method", ["kde", "normal", "counts"])
def test_pieces_and_shared_draws_are_the_same_as_rows(monkeypatch, method):
    # red if: a piece of the cases meets the members of another, or shared draws are read along the wrong axis
    shared = np.round(DRAWS[0], 1)
    y = np.round(Y, 1)
    whole = log_ensemble(y, np.tile(shared, (40, 1)), method=method)
    np.testing.assert_array_equal(log_ensemble(y, shared, method=method), whole)
    different = log_ensemble(y, DRAWS, method=method)
    monkeypatch.setattr(members_module, "_CELLS", 60)
    np.testing.assert_array_equal(log_ensemble(y, shared, method=method), whole)
    np.testing.assert_array_equal(log_ensemble(y, DRAWS, method=method), different)


def test_containers():
    # red if: members in a dataframe lose their order, or no cases are an error
    expected = log_ensemble(Y, DRAWS)
    np.testing.assert_array_equal(log_ensemble(pd.Series(Y), pd.DataFrame(DRAWS)), expected)
    np.testing.assert_array_equal(log_ensemble(Y.tolist(), DRAWS.tolist()), expected)
    np.testing.assert_array_equal(log_ensemble(Y, pd.Series(DRAWS[0])), log_ensemble(Y, DRAWS[0]))
    assert log_ensemble([], np.empty((0, 5))).tolist() == []


def test_the_average_over_posterior_draws():
    # red if: logarithms are averaged, or densities underflow
    logs = np.array([[-1.0, -2.0, -0.5], [-1000.0, -1001.0, -np.inf]])
    expected = [np.log(np.exp(logs[0]).mean()), -1000.0 + np.log((1.0 + np.exp(-1.0)) / 3.0)]
    np.testing.assert_allclose(log_average(logs), expected, rtol=1e-12)
    assert log_average([[-np.inf, -np.inf]]).tolist() == [-np.inf]


def test_the_average_over_posterior_draws_is_the_posterior_predictive():
    # red if: the bias of the docstring, V / (2 S), has the wrong sign or size
    # y | mu ~ N(mu, 1), mu ~ N(0, 1/4): predictive N(0, 5/4)
    rng, S = np.random.default_rng(3), 40
    logs = stats.norm.logpdf(0.8, rng.normal(0.0, 0.5, size=(50_000, S)), 1.0)
    loss = log_average(logs) - stats.norm.logpdf(0.8, 0.0, np.sqrt(1.25))
    w = np.exp(logs[:, 0])
    V = w.var() / w.mean() ** 2
    # the next order is of size 1/S^2
    assert loss.mean() == pytest.approx(-V / (2 * S), abs=5.0 * loss.std() / np.sqrt(loss.size) + 1.0 / S**3)


FLAT = np.vstack([DRAWS[0], np.full(25, 0.1), np.r_[np.zeros(20), DRAWS[0][:5]]])
WRONG = {
    "members all equal": ({"draws": FLAT, "method": "normal"}, r"0.1 in row 1 \(1 of 3\): all agree"),
    "half the members equal": (
        {"draws": FLAT},
        r"0.1 in rows 1, 2 \(2 of 3\): half or more.*'counts'.*log_mixed",
    ),
    "shared and equal": ({"draws": FLAT[1]}, r"0.1 in rows 0, 1, 2 \(3 of 3\)"),
    "one member": ({"draws": FLAT[:, :1]}, "at least 2 members for method='kde'; it has 1"),
    "no member": ({"draws": FLAT[:, :0], "method": "counts"}, "at least 1 members"),
    "a method": ({"draws": FLAT, "method": "gauss"}, "'kde', 'normal', 'counts'; it is 'gauss'"),
    "rows": ({"draws": FLAT[:2].repeat(2, axis=0)}, "same number of rows; y_true has 3, draws 4"),
    "labels": (
        {
            "y": pd.Series([1.0], index=["a"]),
            "draws": pd.DataFrame(FLAT[:1], index=["b"]),
        },
        "same row labels",
    ),
    "NaN": ({"draws": [[1.0, 2.0], [1.0, np.nan]]}, "missing values.*column 1 of the first of row 1"),
    "infinite": ({"draws": [[1.0, np.inf]]}, "draws must be finite; inf in column 1"),
    "infinite and shared": ({"draws": [1.0, np.inf]}, "draws must be finite; inf in row 1"),
    "infinite truth": ({"y": [np.inf], "draws": [1.0, 2.0]}, "y_true must be finite"),
    "pseudo count for kde": ({"draws": FLAT, "pseudo_count": 1.0}, "left out for method='kde'"),
    "pseudo count alone": (
        {"draws": FLAT, "method": "counts", "pseudo_count": 1.0},
        "possible_values must be",
    ),
    "negative": ({"draws": FLAT, "method": "counts", "pseudo_count": -1.0}, "from 0; it is -1.0"),
    "an impossible truth": (
        {"draws": [[0, 1]] * 3, "method": "counts", "possible_values": [0, 1]},
        "y_true must be among possible_values; 2.0 in row 2",
    ),
    "an impossible member": (
        {"draws": [[0, 5]] * 3, "method": "counts", "possible_values": [0, 1, 2]},
        "draws must be among possible_values; 5.0 in column 1",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_ensemble_is_named(case):
    # red if: members without a density get one, or the message leaves out what or where
    given, message = WRONG[case]
    given = dict(given)
    with pytest.raises(InputError, match=message):
        log_ensemble(given.pop("y", [0.0, 1.0, 2.0]), **given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[np.inf]], r"below \+inf; inf in column 0"),
        (np.empty((2, 0)), "at least one draw"),
        ([[np.nan]], "NaN"),
    ],
)
def test_what_is_no_table_of_log_densities_is_named(given, message):
    # red if: an infinite density makes the average infinite
    with pytest.raises(InputError, match=message):
        log_average(given)

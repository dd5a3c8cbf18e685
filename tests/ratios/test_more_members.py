"""What more members would change, against what is known exactly."""

import numpy as np
import pytest
from scipy import special, stats

from nepers.errors import InputError
from nepers.ratios.ensembles import ensemble_bias, log_ensemble


def test_the_gain_of_normal_members_is_the_closed_form():
    # red if: the sign, the exponent or the factor of the extrapolation is wrong. The next order in 1/m is a
    # fifth of the loss at 40 members; sampling is held to 4 standard errors.
    rng = np.random.default_rng(1)
    n, m = 20_000, 40
    draws, y = rng.normal(size=(n, m)), rng.normal(size=n)
    found = ensemble_bias(y, draws, method="normal", repeats=2)
    k = (m - 1) / 2
    loss = (special.digamma(k) - np.log(k)) / 2 + (1 / (k - 1) + k / ((k - 1) * m)) / 2
    assert abs(found.change - loss) < 4.0 * found.standard_error + 0.2 * loss
    assert found.change > 10.0 * found.standard_error


def test_the_gain_of_the_kernel_estimate():
    # red if: its exponent is far off; the truth is known: members and truths are normal
    rng = np.random.default_rng(2)
    n, m = 5_000, 200
    draws, y = rng.normal(size=(n, m)), rng.normal(size=n)
    found = ensemble_bias(y, draws, repeats=2)
    loss = (stats.norm.logpdf(y) - log_ensemble(y, draws)).mean()
    assert found.exponent == 0.8
    assert found.change == pytest.approx(loss, abs=4.0 * found.standard_error + 0.2 * loss)


def test_the_gain_of_shares():
    # red if: "counts" is not scored with its pseudo counts; with none, a share's log loses (1-q) / (2 m q)
    rng = np.random.default_rng(3)
    n, m, q = 20_000, 200, np.array([0.5, 0.3, 0.2])
    draws, y = rng.choice(3, p=q, size=(n, m)), rng.choice(3, p=q, size=n)
    found = ensemble_bias(y, draws, method="counts", repeats=2)
    loss = (q * (1 - q) / (2 * m * q)).sum()
    assert found.change == pytest.approx(loss, abs=4.0 * found.standard_error + 0.1 * loss)
    smooth = ensemble_bias(y, draws, method="counts", pseudo_count=1.0, possible_values=[0, 1, 2], repeats=2)
    assert (
        smooth.all
        == log_ensemble(y, draws, method="counts", pseudo_count=1.0, possible_values=[0, 1, 2]).mean()
    )


def test_all_members_score_as_log_ensemble_does_and_the_seed_repeats():
    # red if: all members are not all, or the random order is not that of the seed
    rng = np.random.default_rng(4)
    draws, y = rng.normal(size=(30, 37)), rng.normal(size=30)
    found = ensemble_bias(y, draws, seed=5)
    assert found.all == log_ensemble(y, draws).mean()
    assert found == ensemble_bias(y, draws, seed=5)
    assert found != ensemble_bias(y, draws, seed=6)
    assert (found.cases, found.members, found.method) == (30, 37, "kde")


def test_the_order_of_the_members_does_not_matter():
    # red if: halves are the first and the last members, which in a sorted ensemble are not like the whole
    rng = np.random.default_rng(5)
    draws, y = rng.normal(size=(2_000, 32)), rng.normal(size=2_000)
    a = ensemble_bias(y, draws, method="normal")
    b = ensemble_bias(y, np.sort(draws, axis=1), method="normal")
    assert a.half == pytest.approx(b.half, abs=0.01)
    assert a.quarter == pytest.approx(b.quarter, abs=0.05)


def test_it_says_so_in_a_sentence():
    # red if: a number is given the wrong name
    rng = np.random.default_rng(6)
    found = ensemble_bias(rng.normal(size=50), rng.normal(size=(50, 24)), method="normal")
    said = str(found)
    for part in (f"{found.quarter:.4g} nats with a quarter of the 24", f"{found.half:.4g} with half"):
        assert part in said
    assert f"{found.all:.4g} with all" in said
    assert f"about {found.change:+.2g} (standard error {found.standard_error:.1g} over 50 cases)" in said
    assert said.endswith("m^-1.")


WRONG = {
    "few members": ({"draws": np.zeros((3, 15))}, "at least 16 members to be quartered; it has 15"),
    "one case": ({"y": [0.0], "draws": np.zeros((1, 16))}, "at least two cases.*it has 1"),
    "shared draws": ({"draws": np.arange(40.0)}, r"two dimensions"),
    "no repeats": ({"draws": np.zeros((3, 16)), "repeats": 0}, "repeats must be at least 1; it is 0"),
    "equal members": ({"draws": np.zeros((3, 16))}, "a random quarter.*in 3 of 3 cases the members agree"),
    "probability zero": (
        {"draws": np.arange(48).reshape(3, 16), "method": "counts"},
        "in 3 of 3 cases the truth has probability zero, which pseudo_count mends",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_extrapolated_is_named(case):
    # red if: the mean of what is undefined or infinite is reported as a number
    given, message = WRONG[case]
    given = dict(given)
    with pytest.raises(InputError, match=message):
        ensemble_bias(given.pop("y", [0.5, 1.5, 2.5]), **given)


def test_the_public_name_is_the_function():
    # red if: a file of the same name takes its place once it is imported
    import nepers.ratios

    assert nepers.ratios.ensemble_bias is ensemble_bias

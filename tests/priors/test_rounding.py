"""Equal values are spread within half the way to the next, and atoms are told from rounding."""

import numpy as np
import pytest

from nepers.errors import InputError
from nepers.priors.rounding import distinct, refuse_atoms, spread


def test_by_hand():
    # red if: copies are put on the edges of their interval, or the interval is that to the farther neighbour
    values, counts = distinct(np.array([5.0, 1.0, 5.0, 2.0, 1.0, 1.0, 9.0]))
    assert values.tolist() == [1.0, 2.0, 5.0, 9.0]
    assert counts.tolist() == [3, 1, 2, 1]
    np.testing.assert_allclose(
        spread(values, counts), [1.0 - 1.0 / 3.0, 1.0, 1.0 + 1.0 / 3.0, 2.0, 5.0 - 0.75, 5.0 + 0.75, 9.0]
    )


def test_different_values_stay():
    # red if: values that were not rounded are changed
    y = np.random.default_rng(1).normal(size=100)
    np.testing.assert_array_equal(spread(*distinct(y)), np.sort(y))


@pytest.mark.parametrize("digits", [0, 1])
def test_order_mean_and_cell_are_kept(digits):
    # red if: a value crosses into its neighbour's cell, or two are still equal, or the mean moves
    y = np.round(np.random.default_rng(2).gamma(2.0, 10.0, size=500), digits)
    out = spread(*distinct(y))
    assert (np.diff(out) > 0.0).all()
    assert out.mean() == pytest.approx(y.mean(), rel=1e-12)
    values, counts = distinct(y)
    nearest = np.min(np.abs(values[:, None] - values + np.diag(np.full(values.size, np.inf))), axis=1)
    assert (np.abs(out - np.repeat(values, counts)) <= 0.5 * np.repeat(nearest, counts)).all()


def test_what_differs_by_rounding_only_is_one_value():
    # red if: 0.1 + 0.2 and 0.3 are two values 5e-17 apart, which a component shrinks onto
    values, counts = distinct(np.array([0.1 + 0.2, 0.3, 1.0]))
    assert counts.tolist() == [2, 1]
    assert np.diff(spread(values, counts)).min() > 0.3


def test_rounding_passes():
    # red if: outcomes in whole units, a tenth of their spread, are taken for atoms
    rng = np.random.default_rng(3)
    for y in (
        rng.normal(0, 10, 300),
        rng.exponential(200, 300),
        rng.normal(0, 3, 1000),
        np.arange(12.0).repeat(3),
    ):
        refuse_atoms("y", *distinct(np.round(y)))


ATOMS = {
    "zeros beside amounts": (np.r_[np.zeros(30), np.linspace(1, 2, 270)], "0 is in 30 of 300 cases"),
    "a cap above": (np.r_[np.full(30, 7.0), np.linspace(1, 2, 270)], "7 is in 30 of 300 cases"),
    "coarse": (np.arange(4.0).repeat(10), "0 is in 10 of 40"),
    "one value": (np.ones(10), "1 is in 10 of 10"),
}


@pytest.mark.parametrize("case", ATOMS)
def test_atoms_are_named(case):
    # red if: a value with a probability of its own is smeared over a density
    y, message = ATOMS[case]
    with pytest.raises(
        InputError, match=f"train must have no value with a probability.*{message}.*log_mixed"
    ):
        refuse_atoms("train", *distinct(y))


def test_a_few_equal_cases_may_be_chance():
    # red if: three equal values of twenty, or 5% of a hundred, are an error
    refuse_atoms("y", *distinct(np.r_[np.zeros(3), np.linspace(1, 2, 17)]))
    refuse_atoms("y", *distinct(np.r_[np.zeros(5), np.linspace(1, 2, 95)]))

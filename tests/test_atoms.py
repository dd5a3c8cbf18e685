"""Atoms: what is one value, how many kinds there are, and the law of their weights."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nepers.atoms import (
    Kinds,
    quantiles_of_cases,
    split,
    total,
    unseen_weights,
    weights,
    weights_of_draw,
    with_unseen,
)
from nepers.gibbs.chains import Points

SEED = np.random.SeedSequence(7)


def test_without_repeats_all_is_remainder_in_the_order_given():
    # red if: sorting leaks into the remainder
    kinds = split([0.3, -1.0, 0.2], 0.0)
    assert kinds.remainder.tolist() == [0.3, -1.0, 0.2]
    assert (kinds.A, kinds.atom_values.size, kinds.has_remainder) == (1, 0, True)


def test_a_value_seen_twice_is_an_atom_and_the_rest_keep_their_order():
    # red if: only values above some count are atoms, or the remainder holds atoms
    kinds = split([5.0, 1.0, 3.0, 1.0, 2.0, 5.0, 1.0], 0.0)
    assert kinds.atom_values.tolist() == [1.0, 5.0]
    assert kinds.atom_counts.tolist() == [3, 2]
    assert kinds.remainder.tolist() == [3.0, 2.0]
    assert kinds.has_remainder


def test_a_lone_value_beside_atoms_is_an_atom():
    # red if: a density is asked for from one point, and the interval of J becomes that of the prior
    kinds = split([1.0, 1.0, 4.0], 0.0)
    assert kinds.atom_values.tolist() == [1.0, 4.0]
    assert kinds.atom_counts.tolist() == [2, 1]
    assert not kinds.has_remainder


def test_one_value_only_leaves_room_for_anything_else():
    # red if: a run of equal values is taken for certainty
    kinds = split([1.0] * 4, 0.0)
    assert (kinds.atom_counts.tolist(), kinds.remainder.size, kinds.has_remainder) == ([4], 0, True)
    assert kinds.concentration.tolist() == [5.0, 1.0]


@pytest.mark.parametrize("values", [[], [2.0]])
def test_none_and_one_case_have_no_atom(values):
    # red if: the rule of the lone value is applied where there is no atom
    kinds = split(values, 0.0)
    assert (kinds.A, kinds.has_remainder, kinds.remainder.tolist()) == (1, True, values)


def test_neighbours_within_the_resolution_are_merged_in_a_chain():
    # red if: values are compared with the first of their run only, or are rounded to a grid
    kinds = split([1.0, 1.9, 2.8, 9.0, 20.0], 1.0)
    assert kinds.atom_values == pytest.approx([1.9])
    assert kinds.atom_counts.tolist() == [3]
    assert kinds.remainder.tolist() == [9.0, 20.0]


def test_an_atom_of_equal_values_is_that_value_to_the_bit():
    # red if: the mean is taken as a sum divided by a count, which rounds
    assert split([0.1] * 7, 0.0).atom_values[0] == 0.1


@settings(derandomize=True, database=None)
@given(
    values=st.lists(st.integers(-30, 30).map(lambda k: k / 7), max_size=40),
    power=st.integers(-20, 20),
)
def test_kinds_scale_with_the_values(values, power):
    # red if: an absolute tolerance is hidden in the splitting
    s = 2.0**power
    top = max((abs(v) for v in values), default=0.0)
    one, scaled = split(values, 1e-12 * top), split(np.array(values) * s, 1e-12 * top * s)
    assert scaled.atom_counts.tolist() == one.atom_counts.tolist()
    assert scaled.atom_values.tolist() == (one.atom_values * s).tolist()
    assert scaled.remainder.tolist() == (one.remainder * s).tolist()
    assert one.n == len(values)


def test_the_weights_are_dirichlet_with_two_pseudo_cases():
    # red if: the pseudo-cases are one for each kind, none, or the remainder is left out of the kinds
    kinds = Kinds(np.array([0.0, 1.0]), np.array([5, 2]), np.array([3.0, 4.0, 6.0]), True)
    w = weights(kinds, np.random.default_rng(1), 50_000)
    assert w.shape == (50_000, 3)
    np.testing.assert_allclose(w.sum(axis=1), 1.0)
    for k, count in enumerate([5, 2, 3]):
        law = stats.beta(count + 2 / 3, 12 - count - 2 / 3)
        # 50,000 draws: a true law is rejected at this level once in 10^6 seeds
        assert stats.kstest(w[:, k], law.cdf).pvalue > 1e-6


def test_total_is_the_weighted_sum_with_the_weights_of_each_draw():
    # red if: the remainder takes an atom's weight, or a draw's weights cannot be made again
    kinds = Kinds(np.array([-1.0, 1.0]), np.array([5, 2]), np.array([3.0, 4.0]), True)
    J0 = np.random.default_rng(3).normal(size=(2, 50))
    J = total(kinds, J0, SEED)
    for draw in (0, 1, 63, 99):
        w = weights_of_draw(kinds, SEED, draw)
        assert J.flat[draw] == pytest.approx(-w[0] + w[1] + w[2] * J0.flat[draw], rel=1e-12)


def test_weights_are_made_again_across_blocks(monkeypatch):
    # red if: a draw beyond the first block takes the stream of another
    monkeypatch.setattr("nepers.atoms._BLOCK", 20)
    kinds = Kinds(np.array([-1.0, 1.0]), np.array([5, 2]), np.empty(0), False)
    J = total(kinds, np.zeros((1, 35)), SEED)
    made_again = [weights_of_draw(kinds, SEED, k) @ kinds.atom_values for k in range(35)]
    np.testing.assert_allclose(J[0], made_again, rtol=1e-12)
    assert np.unique(J).size == 35


def test_without_atoms_j_is_that_of_the_remainder():
    # red if: the single kind does not have weight one to the bit
    J0 = np.random.default_rng(3).normal(size=(2, 50))
    assert (total(split([1.0, 2.0], 0.0), J0, SEED) == J0).all()


def test_a_million_cases_are_split_by_one_sort():
    # red if: the splitting is quadratic or loops over cases (it takes 0.2 s)
    values = np.random.default_rng(0).integers(0, 2_000_000, 1_000_000) / 7.0
    began = time.perf_counter()
    assert split(values, 1e-9).n == 1_000_000
    assert time.perf_counter() - began < 5.0


# --- the kind of which no case has been seen


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_unseen_lies_where_it_says(sign):
    # red if: it lies in standard errors, or far good cases put it farther than far bad ones do
    values = sign * np.random.default_rng(1).gamma(4.0, 0.25, 400)
    kinds = with_unseen(split(values, 0.0), 0.4)
    mean, n = values.mean(), 400
    bad = values[values < mean]
    s = min(values.std(ddof=1), (2.0 * ((bad - mean) ** 2).sum() / (n - 1)) ** 0.5)
    low, high = np.quantile(values, [0.25, 0.75])
    f = max(1.0, (s / ((high - low) / 1.3489795)) ** 0.5)
    assert kinds.unseen == pytest.approx(mean - 0.4 * f * n**0.5 * s)
    assert (s < 0.9 * values.std()) == (sign > 0.0)


def test_the_unseen_is_never_more_than_twice_as_far():
    # red if: f is not bounded, and a crowd of nearly equal values puts it anywhere
    rng = np.random.default_rng(2)
    values = np.concatenate([rng.normal(0.0, 1e-6, 300), -np.abs(rng.normal(0.0, 1.0, 50))])
    kinds = with_unseen(split(values, 0.0), 0.4)
    assert kinds.unseen == pytest.approx(values.mean() - 0.8 * 350**0.5 * values.std(ddof=1))


@pytest.mark.parametrize("unit", [1e-200, 1e160])
def test_the_unseen_has_the_unit_of_the_values(unit):
    # red if: squares overflow or vanish
    values = np.random.default_rng(3).normal(0.3, 0.5, 40)
    one, other = (with_unseen(split(v, 0.0), 0.4).unseen for v in (values, unit * values))
    assert other == pytest.approx(unit * one)


@pytest.mark.parametrize("values", [[], [0.3], [0.3] * 5, [0.3, 0.3, -1.0, -1.0]])
def test_there_is_no_unseen_where_all_repeats_or_nothing_is_known(values):
    # red if: a Beta posterior of a proportion is disturbed, or no cases have a standard deviation
    assert with_unseen(split(values, 0.0), 0.4).unseen is None
    assert with_unseen(split([0.1, 0.2, 0.4], 0.0), 0.0).unseen is None


def test_the_unseen_takes_its_share_from_all_else():
    # red if: its probability is not Beta(1/2, n + 1/2), or the others keep theirs
    kinds = split([0.5] * 15 + [0.3, -0.2, 0.1], 0.0)
    J = np.random.default_rng(4).normal(size=5000)
    without, found = total(kinds, J, SEED), total(with_unseen(kinds, 0.4), J, SEED)
    w = (found - without) / (with_unseen(kinds, 0.4).unseen - without)
    assert stats.kstest(w, stats.beta(0.5, 18.5).cdf).pvalue > 1e-6
    assert w[:10] == pytest.approx(unseen_weights(with_unseen(kinds, 0.4), SEED, 10))


def test_quantiles_of_cases_are_those_of_the_cases_one_by_one():
    # red if: a place between two cases is rounded, or a value counts once however many cases it has
    rng = np.random.default_rng(8)
    values, cases = rng.normal(size=40), rng.integers(1, 6, 40)
    q = [0.0, 0.1, 0.25, 0.5, 0.77, 1.0]
    found = quantiles_of_cases(values, cases.astype(float), q)
    assert found == pytest.approx(np.quantile(np.repeat(values, cases), q))


def test_points_have_the_unseen_kind_of_their_cases():
    # red if: a point that stands for several cases counts as one
    rng = np.random.default_rng(9)
    values, cases = rng.normal(size=50), rng.integers(1, 6, 50)
    empty = np.empty(0)
    points = Points(cases.astype(float), 0.0, 1.0)
    one = with_unseen(Kinds(empty, empty.astype(int), values, True, points), 0.4)
    other = with_unseen(Kinds(empty, empty.astype(int), np.repeat(values, cases), True), 0.4)
    assert one.unseen == pytest.approx(other.unseen)

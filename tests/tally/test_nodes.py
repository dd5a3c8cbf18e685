"""What the posterior sees: atoms and extremes exactly, the rest within the bound of the definition page."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nepers.atoms import split
from nepers.tally import Grid, from_arrays
from nepers.tally.nodes import TOGETHER, kinds_of, points_of


@settings(max_examples=80, deadline=None)
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=200))
def test_number_mean_and_variance_are_kept(j):
    # red if: a group's weights or points are wrong, or the extremes are taken out and not put back
    kinds = kinds_of(from_arrays(j))
    values = np.concatenate([kinds.atom_values, kinds.remainder])
    weights = np.concatenate([kinds.atom_counts, kinds.points.weights])
    assert weights.sum() == len(j) == kinds.n
    assert (weights == np.round(weights)).all()
    size = 1.0 + max(map(abs, j))
    assert (weights @ values) / len(j) == pytest.approx(np.mean(j), abs=1e-12 * size)
    assert (weights @ values**2) / len(j) == pytest.approx(np.mean(np.square(j)), abs=1e-8 * size**2)


def test_sparse_cases_are_known_one_by_one():
    # red if: the middle ones of three or four cases in a bin are wrong, or sparse cases are averaged
    rng = np.random.default_rng(3)
    near = 1.0 + 1e-4 * rng.random(4)
    j = np.sort([*rng.normal(0, 30, 300), *near, -80.0, -80.0 + 1e-5, -80.0 + 3e-5])
    kinds = kinds_of(from_arrays(j))
    assert (kinds.points.weights == 1.0).all()
    assert np.sort(kinds.remainder) == pytest.approx(j, abs=1e-7)


def test_extremes_of_crowded_ends_are_kept():
    # red if: the least and greatest of all are averaged with their neighbours
    j = np.random.default_rng(4).uniform(-1.0, 1.0, 200_000)
    kinds = kinds_of(from_arrays(j))
    assert kinds.remainder.min() == j.min()
    assert kinds.remainder.max() == j.max()
    assert kinds.n == j.size


def test_atoms_are_exact():
    # red if: a repeated value is averaged with a neighbour, or a single unrepeated value is a density
    j = np.repeat([0.3, 0.1, -2.7], [50, 20, 7])
    for cases in (j, np.append(j, 5.0), np.append(j, [5.0, 6.0])):
        kinds, exact = kinds_of(from_arrays(cases)), split(cases, 1e-12)
        assert np.array_equal(kinds.atom_values, exact.atom_values)
        assert np.array_equal(kinds.atom_counts, exact.atom_counts)
        assert np.array_equal(kinds.remainder, np.sort(exact.remainder))
        assert kinds.has_remainder == exact.has_remainder
        assert np.array_equal(kinds.concentration, exact.concentration)


def test_one_value_and_none_at_all():
    # red if: a run of equal values is taken for certainty, or no case is an error
    assert kinds_of(from_arrays([0.2] * 9)).has_remainder
    assert kinds_of(from_arrays([])).n == 0


@pytest.mark.parametrize("power", [3, 1])
def test_the_error_is_within_its_bound(power):
    # red if: the points of a group are not those of its mean and variance, or more bins are taken together
    # than the definition says; the cases crowd at one end of each group for power 3, and lie evenly for 1
    rng = np.random.default_rng(5)
    grid = from_arrays([]).grid
    assert TOGETHER == 4
    n = 400_000
    group = rng.integers(-300, 200, n)
    j = grid.unit * np.sinh((group + rng.random(n) ** power) * TOGETHER / grid.steps)
    kinds = kinds_of(from_arrays(j))
    for scale in (0.02, 0.1, 0.5):
        log_density = stats.t(5, 0.1, scale).logpdf
        # max |(log t_5)'''| = 0.62 / scale^3, by a grid; the widest group is at the least j
        width = TOGETHER * grid.width(np.abs(j).max())
        bound = width**3 / 16 * 0.65 / scale**3
        error = kinds.points.weights @ log_density(kinds.remainder) / n - log_density(j).mean()
        assert abs(error) < bound


def test_few_bins_are_taken_one_by_one():
    # red if: a narrow heap of cases, as of a rare event, is four bins wide and so two points
    j = 0.01 + 0.002 * np.random.default_rng(6).standard_normal(20_000)
    tally = from_arrays(j)
    assert 20 < tally.bins.key.size < 500
    kinds = kinds_of(tally)
    assert kinds.points.finest == 0.5 / tally.grid.steps
    assert kinds.remainder.size > 1.5 * tally.bins.key.size
    # half of the cases in a heap at the end of a wide range
    heap = np.append(
        np.log(2.0) - 1e-3 * np.random.default_rng(7).random(50_000), np.linspace(-9.0, 0.6, 50_000)
    )
    assert kinds_of(from_arrays(heap)).points.finest == 0.5 / tally.grid.steps
    wide = kinds_of(from_arrays(np.random.default_rng(6).standard_normal(200_000)))
    assert wide.points.finest == 0.5 * TOGETHER / tally.grid.steps


def test_cases_with_a_heap_within_a_bin_are_left_one_by_one():
    # red if: `assess` puts the heap of an overconfident prediction into one bin, where its shape is lost
    rng = np.random.default_rng(8)
    wide = rng.standard_normal(20_000)
    found = points_of(wide, Grid())
    assert found is not None
    assert found[1].weights.sum() == 20_000
    heap = np.append(wide, 0.5 + 1e-4 * rng.random(500))
    assert points_of(heap, Grid()) is None
    assert points_of(np.append(wide, 1e200), Grid()) is None

"""The order of several J, against enumeration of the draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nepers.comparison.ranking import judge, pairwise, rank_probabilities

# few distinct values, so that ties are common
DRAWS = arrays(
    float, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.sampled_from([-1.0, 0.0, 2.0])
)


def ranks_of(draw):
    """For each algorithm, the ranks it may have when ties are broken in every way."""
    return [(sum(other > own for other in draw), sum(other >= own for other in draw)) for own in draw]


@given(DRAWS)
def test_rank_probabilities_are_the_shares_of_draws(J):
    # red if: less is taken for better, or tied algorithms all get the best rank
    k = J.shape[1]
    expected = np.zeros((k, k))
    for draw in J:
        for a, (first, end) in enumerate(ranks_of(draw)):
            expected[a, first:end] += 1.0 / (end - first) / len(J)
    assert rank_probabilities(J) == pytest.approx(expected)


@given(DRAWS)
def test_every_algorithm_has_a_rank_and_every_rank_an_algorithm(J):
    # red if: ties are counted twice or not at all
    ranks = rank_probabilities(J)
    assert ranks.sum(axis=0) == pytest.approx(1.0)
    assert ranks.sum(axis=1) == pytest.approx(1.0)


@given(DRAWS)
def test_either_of_two_is_better(J):
    # red if: the matrix is transposed, or ties go to one side
    p = pairwise(J)
    assert p + p.T == pytest.approx(np.ones_like(p))
    if J.shape[1] > 1:
        expected = np.mean([np.sign(draw[0] - draw[1]) for draw in J])
        assert p[0, 1] - p[1, 0] == pytest.approx(expected)


def test_two_algorithms_rank_as_they_compare():
    # red if: P(best) of two is not the probability that one is above the other
    J = np.random.default_rng(0).normal([0.0, 0.3], 1.0, (5000, 2))
    assert rank_probabilities(J)[0, 0] == pytest.approx(pairwise(J)[0, 1])


def test_minus_infinity_is_last_and_two_of_them_share_the_last_places():
    # red if: an infinite J takes part as a NaN
    J = np.array([[0.0, -np.inf, -np.inf], [0.1, -np.inf, -np.inf]])
    assert rank_probabilities(J).tolist() == [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]]


@pytest.mark.parametrize(
    ("gain", "verdict"),
    [
        ([0.02] * 96 + [0.0] * 4, "better"),
        ([0.02] * 94 + [0.0] * 6, "not yet known"),
        ([-0.02] * 96 + [0.0] * 4, "worse"),
        ([0.005] * 50 + [-0.005] * 50, "equivalent"),
        ([0.005] * 94 + [-0.02] * 6, "not yet known"),
        ([np.nan] * 100, "not yet known"),
        ([-np.inf] * 100, "worse"),
    ],
)
def test_a_verdict_needs_ninety_five_percent(gain, verdict):
    # red if: a gain within the region counts as better, or a side is swapped
    assert judge(np.array(gain), 0.01, 0.95) == verdict


def test_without_a_region_nothing_is_equivalent():
    # red if: the region has a width of its own
    assert judge(np.linspace(-1e-9, 1e-9, 100), 0.0, 0.95) == "not yet known"

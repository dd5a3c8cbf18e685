"""The study of run lengths: what it tells apart, and what it shares with the benchmark."""

import numpy as np
import pytest

from nepers import convergence
from nepers.convergence import convergence_study
from nepers.errors import InputError
from nepers.hierarchy import paper


def test_the_run_length_is_the_first_from_which_all_agree():
    # red if: a length is taken after which chains were told apart again
    J = np.full((10, 4), 1.0)
    other = np.full((10, 4), 1.0)
    lengths = (100, 200, 400, 800)
    assert convergence._needed(lengths, J, other) == 100
    J[:3, 0] = 1.05
    other[:2, 2] = 1.2
    assert convergence._needed(lengths, J, other) == 800
    J[:2, 3] = 1.02
    assert convergence._needed(lengths, J, other) is None


def test_lengths_halve():
    # red if: the longest is not the one asked for
    assert convergence._lengths(3200) == (50, 100, 200, 400, 800, 1600, 3200)
    assert convergence._lengths(50) == (50,)


def test_starts_are_of_the_kinds_asked_for():
    # red if: the truth is not where its chains begin, or C is not what was asked
    rng = np.random.default_rng(1)
    _, truth = convergence.synthetic(paper(), 5, rng)
    starts = convergence.starts_of(paper(), (truth, None, 3), 2, rng)
    assert starts[0] is truth
    assert starts[1] is truth
    assert [one.mixture.C for one in starts[4:]] == [3, 3]


def test_chains_forget_where_they_began():
    # red if: the prior's chains never meet the truth's, or the shortest run already cannot be told apart
    found = convergence_study(20, data_sets=4, most=400, cores=2)
    assert found.sweeps == (50, 100, 200, 400)
    assert found.J[:, -1].max() < 1.03
    assert found.other[:, -1].max() < found.other[:, 0].max()
    assert "for n = 20" in str(found)
    again = convergence_study(20, data_sets=1, most=400, cores=1)
    assert np.array_equal(again.J[0], found.J[0])


def test_what_is_refused():
    # red if: a study of nothing starts
    with pytest.raises(InputError, match="n must be"):
        convergence_study(0)
    with pytest.raises(InputError, match="most must be"):
        convergence_study(5, most=10)

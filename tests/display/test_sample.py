"""The cases as pictures need them: in order, in the unit, in bins that leave none out unsaid."""

import math

import numpy as np
import pytest
from fake_results import assessment, long_tailed, student_draws
from hypothesis import given, settings
from hypothesis import strategies as some

import nepers
from nepers.display.sample import Sample, beyond, bin_edges, refusal, sample_of, window

FEW = student_draws(chains=2, draws=20)


def test_every_case_is_there_once_and_in_order():
    # red if: an atom counts once, or values stay in nats
    j = [0.5, -2.0, 0.1, 0.5, 0.5, -2.0, 0.7]
    s = sample_of(assessment(j, FEW).in_bits())
    np.testing.assert_allclose(s.every * math.log(2.0), sorted(j), rtol=1e-12)
    assert (s.n, s.atom_counts.tolist()) == (7, [2, 3])


finite = some.floats(-1e6, 1e6, allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(some.lists(finite, min_size=1, max_size=60, unique=True))
def test_cases_are_in_a_bin_or_said_to_be_beyond(values):
    # red if: a bin is missing at an end, one lies on both sides of zero, or the cases left out go unsaid
    every = np.sort(np.array(values))
    s = Sample(every, np.empty(0), np.empty(0, dtype=np.int64), every)
    edges = bin_edges(s, *window(s, (-0.1, 0.2)))
    assert edges.size <= 83
    assert not ((edges[:-1] < 0.0) & (edges[1:] > 1e-9 * np.ptp(edges))).any()
    inside = int(np.histogram(every, edges)[0].sum())
    said = beyond(s, edges[0], edges[-1])
    counted = 0 if said is None else sum(int(t.split()[0].replace(",", "")) for t in said.split("; "))
    assert inside + counted == every.size


def test_the_farthest_cases_do_not_squeeze_the_others():
    # red if: one case at -1000 makes all others one bar
    every = np.sort(np.append(long_tailed(200), -1000.0))
    s = Sample(every, np.empty(0), np.empty(0, dtype=np.int64), every)
    low, high = window(s, (0.0, 0.2))
    q05, q95 = np.quantile(every, (0.05, 0.95))
    assert high - low < 13.0 * (q95 - q05)
    assert beyond(s, low, high) == "1 case to the left of the picture, the lowest at −1000" or (
        beyond(s, low, high) == "1 case to the left of the picture, the lowest at −1,000"
    )


def test_few_cases_leave_room_beside_them():
    # red if: the curve of a new case is cut at the last of eight cases
    every = np.linspace(0.0, 1.0, 8)
    s = Sample(every, np.empty(0), np.empty(0, dtype=np.int64), every)
    low, high = window(s, (0.4, 0.6))
    assert (low, high) == pytest.approx((-0.155, 1.155))


def test_why_there_is_nothing_to_draw():
    # red if: a certain -inf is drawn as a distribution, or hides that it is certain
    said = refusal(nepers.assess([0.1, -math.inf, 0.3], seed=1))
    assert said.startswith("J = −inf for certain")
    assert "1 of 3 cases (row 1)" in said
    assert "no cases" in refusal(nepers.assess([], seed=1))
    assert refusal(nepers.assess([], seed=1), needs_cases=False) is None
    assert refusal(assessment([0.1, 0.2, 0.4], FEW)) is None

"""A prior knows the outcomes it was fitted on, and takes no others for them."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from scipy import integrate, stats

from nepers.errors import InputError
from nepers.priors import leak
from nepers.priors.leak import TrainingOutcomes


def seen(training, *assessed) -> bool:
    training = training if isinstance(training, tuple) else (training,)
    try:
        TrainingOutcomes.of(*training).refuse("y_true", *assessed)
    except InputError:
        return True
    return False


def rng(seed=0):
    return np.random.default_rng(seed)


SAME = {
    "numbers": rng().standard_normal(50),
    "classes": rng().integers(0, 3, 60),
    "booleans": rng().integers(0, 2, 60).astype(bool),
    "texts": rng().choice(["yes", "no"], 60),
    "texts of unlike length": rng().choice(np.array(["a", "bcd", "ef"], dtype=object), 60),
    "few": np.array([1, 0, 0]),
    "one": np.array(["a"]),
    "one class only": np.zeros(200),
}


@pytest.mark.parametrize("kind", SAME)
def test_the_very_same_column_is_refused(kind):
    # red if: a type is compared by identity, or a short column is let through for being no proof
    assert seen(SAME[kind], SAME[kind].copy())


def test_the_same_numbers_in_another_type_are_the_same():
    # red if: 1, 1.0 and True differ, so that a cast hides the leak
    y = rng().integers(0, 2, 100)
    assert seen(y, y.astype(float))
    assert seen(y.astype(bool), y)
    assert seen(y.astype(np.float32), y.astype(np.int8))


@pytest.mark.parametrize("place", ["first", "middle", "last"])
@pytest.mark.parametrize("kind", ["classes", "texts", "numbers"])
def test_training_and_test_end_to_end_are_refused(kind, place):
    # red if: only equal columns count, or only those at one end
    r = rng(1)
    make = {
        "classes": lambda n: r.integers(0, 2, n),
        "texts": lambda n: r.choice(["yes", "no", "maybe"], n),
        "numbers": r.standard_normal,
    }[kind]
    before, test, after = make(300), make(100), make(200)
    parts = {"first": (test, before), "middle": (before, test, after), "last": (before, test)}[place]
    assert seen(np.concatenate(parts), test)


def test_a_prior_fitted_before_the_data_were_divided_is_refused():
    # red if: the order is asked of continuous outcomes, which shuffling destroys
    for seed in range(50):
        y = rng(seed).exponential(size=200)
        test = rng(seed + 1000).permutation(y)[:40]
        assert seen(y, test)


def test_shuffled_class_labels_cannot_be_told():
    # red if: labels, which all come again by nature, are taken for proof
    y = rng(3).integers(0, 2, 400)
    assert not seen(y, rng(4).permutation(y)[:100])


def test_several_columns_are_one_outcome():
    # red if: the columns are looked at one by one (events agree by chance), or only the first is
    r = rng(5)
    times, events = r.exponential(size=100), r.integers(0, 2, 100).astype(bool)
    assert seen((times, events), times, events)
    assert seen((times, events), times[20:60], events[20:60])
    assert not seen((times, events), times, ~events)
    assert not seen((times, events), r.exponential(size=100), events)


DRAWS = {
    "binary": (lambda r, n: r.integers(0, 2, n), (400, 100)),
    "short binary": (lambda r, n: r.integers(0, 2, n), (200, 12)),
    "a rare class": (lambda r, n: (r.random(n) < 0.01).astype(int), (500, 100)),
    "many rare classes": (lambda r, n: np.minimum(r.zipf(1.8, n), 10**6), (300, 1000)),
    "a tail of classes": (lambda r, n: r.geometric(0.3, n), (100, 300)),
    "texts": (lambda r, n: r.choice(["a", "b", "c"], n, p=[0.7, 0.2, 0.1]), (300, 60)),
    "rounded days": (lambda r, n: np.round(r.exponential(1000.0, n)), (500, 100)),
    "rounded months of a few patients": (lambda r, n: r.integers(0, 25, n), (12, 6)),
    "counts": (lambda r, n: r.poisson(3.0, n), (300, 80)),
    "real": (lambda r, n: r.standard_normal(n), (300, 80)),
    "one case": (lambda r, n: np.round(r.exponential(1000.0, n)), (500, 1)),
}


@pytest.mark.parametrize("kind", DRAWS)
def test_independent_draws_are_not_refused(kind):
    """No false alarm in 600 seeds. red if: chance is measured without the uncertainty of what it is measured
    from: Good and Turing's share taken for the truth refuses one in 500 of the tail of classes, and one in
    800 of the rounded months of a few patients."""
    make, (n, m) = DRAWS[kind]
    alarms = [seed for seed in range(600) if seen(make(rng(seed), n), make(rng(10_000 + seed), m))]
    assert alarms == []


def test_a_short_coincidence_is_not_refused():
    # red if: any stretch counts, however short, or the number of places where it might stand does not
    training = rng(6).integers(0, 2, 1000)
    assert not seen(training, training[500:512])
    assert not seen(training, training[500:524])
    assert seen(training, training[500:550])
    assert not seen(rng(6).standard_normal(1000), rng(6).standard_normal(1000)[:1])


def sorted_classes(*counts):
    return np.repeat(np.arange(len(counts)), counts)


@pytest.mark.parametrize(
    ("training", "test"),
    [
        (sorted_classes(500, 500), sorted_classes(100, 100)),
        (sorted_classes(5000, 5000), sorted_classes(5000, 5000)),
        (sorted_classes(300, 300, 300), np.ones(80, dtype=int)),
        (np.arange(200) % 2, np.arange(60) % 2),
        (np.arange(210) % 7, np.arange(70) % 7),
    ],
    ids=["sorted", "two sorted halves", "one class of a sorted set", "in turn", "days of the week"],
)
def test_an_order_by_class_is_no_evidence(training, test):
    # red if: data sets that come sorted by class are refused, each a stretch of the other
    assert not seen(training, test)


def test_the_chance_of_known_values_is_the_mean_over_their_share():
    # red if: a gamma function is off by one. E[u^m] with u ~ Beta(R + 1, n - R + 1), by quadrature
    codes = np.array([0, 0, 1, 1, 1, 2, 3, 4])
    for m in (1, 2, 7):
        density = stats.beta(5 + 1, 3 + 1).pdf
        expected = integrate.quad(lambda u, m=m, density=density: u**m * density(u), 0.0, 1.0)[0]
        assert leak._log_chance_of_known(codes, m) == pytest.approx(math.log(expected), abs=1e-9)


def test_the_chance_in_a_pattern_is_that_of_a_chain_with_each_step_left_out():
    # red if: the pair itself counts as evidence of its pattern. Pairs 00, 01, 10, 01, 11, by hand
    codes = np.array([0, 0, 1, 0, 1, 1])
    wanted = codes[1:4]
    steps = [max(0.5, (2 - 1) / (3 - 1)), max(0.5, (1 - 1) / (2 - 1))]
    expected = math.log(0.5) + sum(map(math.log, steps))
    assert leak._log_chance_in_pattern(codes, wanted) == pytest.approx(expected)


def test_a_stretch_stands_at_a_whole_place():
    # red if: bytes are found across the border of two codes, where 0, 1, 1 looks like 256, 256
    assert leak._stands_in(np.array([0, 1, 1, 1]), np.array([1, 1]))
    assert not leak._stands_in(np.array([0, 1, 1, 1]), np.array([256, 256]))


def test_no_outcomes_are_nobodys():
    # red if: an empty column is found within every other
    assert not seen(np.array([1.0, 2.0]), np.empty(0))
    assert not seen(np.empty(0), np.array([1.0]))


def test_other_types_are_other_outcomes():
    # red if: comparing text with numbers fails
    assert not seen(np.array(["1", "2"]), np.array([1, 2]))
    assert not seen((np.array([1.0]), np.array([True])), np.array(["a"]), np.array([True]))


def test_the_message_names_the_argument_and_both_remedies():
    # red if: the user is not told what to do
    y = np.arange(20.0)
    message = (
        "y_true must be outcomes that the prior was not fitted on; these 20 are among its training outcomes. "
        "Fit the prior on the training data alone, or, .* fitted_on_test_outcomes=True"
    )
    with pytest.raises(InputError, match=message):
        TrainingOutcomes.of(y).refuse("y_true", y)


@pytest.mark.parametrize("kind", ["classes", "numbers"])
def test_a_million_outcomes_take_seconds(kind):
    # red if: the search is quadratic
    r = rng(7)
    y = r.integers(0, 3, 1_000_000) if kind == "classes" else r.standard_normal(1_000_000)
    remembered = TrainingOutcomes.of(y)
    start = time.perf_counter()
    with pytest.raises(InputError):
        remembered.refuse("y_true", y[1:])
    assert time.perf_counter() - start < 10.0

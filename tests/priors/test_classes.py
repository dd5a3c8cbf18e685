"""Priors over classes are the frequencies they say, and never of the outcomes they are used on."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)

from nepers.errors import InputError
from nepers.priors.classes import class_frequencies, known_classes
from nepers.priors.rest import class_frequencies_of_rest

Y = ["dog", "cat", "dog", "dog"]


def test_a_class_has_its_count_and_half_a_case():
    # red if: the pseudo-count is left out of the total, or counted once for all classes
    prior = class_frequencies(Y)
    assert prior.labels == ("cat", "dog")
    np.testing.assert_allclose(prior.probabilities, [1.5 / 5, 3.5 / 5], rtol=1e-15)
    np.testing.assert_array_equal(prior.log_p(["cat"]), np.log([1.5 / 5]))


def test_half_a_case_is_the_posterior_mean_under_jeffreys():
    # red if: the default is not what the docstring says. Two classes, by quadrature
    def moment(k):
        return integrate.quad(lambda p: p ** (3 + k - 0.5) * (1.0 - p) ** (1 - 0.5), 0.0, 1.0)[0]

    assert class_frequencies(Y).probabilities[1] == pytest.approx(moment(1) / moment(0), rel=1e-9)


def test_labels_add_the_classes_that_training_lacks_in_their_order():
    # red if: a class without cases is lost, or the labels are sorted
    prior = class_frequencies(Y, labels=["dog", "emu", "cat"], pseudo_count=1.0)
    assert prior.labels == ("dog", "emu", "cat")
    np.testing.assert_allclose(prior.probabilities, [4 / 7, 1 / 7, 2 / 7])


def test_without_a_pseudo_count_they_are_the_plain_frequencies():
    # red if: zero is taken for "not given", or log 0 warns
    prior = class_frequencies(Y, labels=["cat", "dog", "emu"], pseudo_count=0)
    np.testing.assert_allclose(prior.probabilities, [0.25, 0.75, 0.0])
    assert prior.log_p(["emu"])[0] == -np.inf


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4)), min_size=1, max_size=30).filter(
        lambda rows: any(times for _, times in rows)
    ),
    st.sampled_from([0.0, 0.5, 2.0]),
)
def test_weights_are_repetitions(rows, c):
    # red if: weights change the number of classes or the total differently from repeated cases
    labels, times = zip(*rows, strict=True)
    weighted = class_frequencies(labels, labels=list("abc"), sample_weight=times, pseudo_count=c)
    repeated = class_frequencies(np.repeat(labels, times), labels=list("abc"), pseudo_count=c)
    np.testing.assert_allclose(weighted.probabilities, repeated.probabilities, rtol=1e-14)
    assert weighted.probabilities.sum() == pytest.approx(1.0)


CONTAINERS = {
    "list": Y,
    "array": np.array(Y),
    "objects": np.array(Y, dtype=object),
    "pandas": pd.Series(Y),
    "categories": pd.Series(Y, dtype="category"),
    "polars": pl.Series(Y),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_every_container_gives_the_same_prior(kind):
    # red if: a library's labels stay of its own type, so that they are not found again
    prior = class_frequencies(CONTAINERS[kind], fitted_on_test_outcomes=True)
    np.testing.assert_array_equal(prior.log_p(CONTAINERS[kind]), np.log([0.7, 0.3, 0.7, 0.7]))


def test_labels_are_equal_as_in_python():
    # red if: a cast of the labels between training and test makes them unknown
    prior = class_frequencies([0, 1, 1])
    np.testing.assert_array_equal(prior.log_p([1.0]), prior.log_p([True]))


def test_the_table_has_the_probabilities_in_every_row():
    # red if: the table is turned round, or holds n copies
    prior = class_frequencies(Y)
    table = prior.proba(10**9)
    assert table.shape == (10**9, 2)
    np.testing.assert_array_equal(table[123], prior.probabilities)
    with pytest.raises(ValueError, match="read-only"):
        prior.probabilities[0] = 1.0


def test_it_survives_pickling_and_the_users_changes():
    # red if: worker processes cannot be sent the prior, or it holds the user's array
    y = np.array([0, 1, 1, 0, 1])
    prior = pickle.loads(pickle.dumps(class_frequencies(y)))
    kept = class_frequencies(y)
    y[:] = 0
    for one in (prior, kept):
        with pytest.raises(InputError, match="not fitted on"):
            one.log_p([0, 1, 1, 0, 1])


def test_the_training_outcomes_are_refused_unless_that_is_accepted():
    # red if: the leak check is left out, or cannot be switched off
    with pytest.raises(InputError, match="y_true must be outcomes that the prior was not fitted on"):
        class_frequencies(Y).log_p(Y)
    assert class_frequencies(Y, fitted_on_test_outcomes=True).log_p(Y).size == 4


def test_known_classes_are_taken_as_they_are():
    # red if: the order of the pair is mixed up, or a series goes by place and not by its index
    for given_as in (
        {"rain": 0.25, "sun": 0.75},
        (["rain", "sun"], [0.25, 0.75]),
        pd.Series([0.75, 0.25], index=["sun", "rain"]),
    ):
        prior = known_classes(given_as)
        np.testing.assert_array_equal(prior.log_p(["rain", "sun", "rain"]), np.log([0.25, 0.75, 0.25]))
        np.testing.assert_array_equal(prior.log_p(["sun"]), np.log([0.75]))


FOLDS = {
    "k": KFold(4),
    "shuffled": KFold(4, shuffle=True, random_state=1),
    "stratified": StratifiedKFold(4),
    "one out": LeaveOneOut(),
    "repeated": RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    "groups": GroupKFold(3),
}


@pytest.mark.parametrize("kind", FOLDS)
def test_the_prior_of_the_rest_is_that_of_the_training_fold(kind):
    # red if: the fold's own outcomes are counted, or the pseudo-counts differ
    y = np.random.default_rng(0).choice(["a", "b", "c"], 24, p=[0.5, 0.3, 0.2])
    rest = class_frequencies_of_rest(y, pseudo_count=0.7)
    groups = {"groups": np.arange(24) % 6} if kind == "groups" else {}
    for train, test in FOLDS[kind].split(y[:, None], y, **groups):
        fold = class_frequencies(y[train], labels=["a", "b", "c"], pseudo_count=0.7)
        places = [fold.labels.index(label) for label in y[test]]
        np.testing.assert_allclose(rest.log_p(y[test]), np.log(fold.probabilities)[places])


def test_the_prior_of_the_rest_is_another_one_where_training_takes_less():
    # red if: the docstring warns of nothing
    y = np.arange(12) % 2
    train, test = next(iter(TimeSeriesSplit(3).split(y)))
    rest, fold = class_frequencies_of_rest(y), class_frequencies(y[train], fitted_on_test_outcomes=True)
    assert not np.allclose(rest.log_p(y[test]), fold.log_p(y[test]))


def test_a_class_that_is_all_in_the_fold_keeps_its_pseudo_count():
    # red if: its probability is zero, or it is unknown
    np.testing.assert_allclose(class_frequencies_of_rest(["a", "b", "b"]).log_p(["a"]), [math.log(0.5 / 3)])


@settings(max_examples=50)
@given(st.lists(st.sampled_from("abc"), min_size=2, max_size=20))
def test_the_rest_of_one_case_is_all_the_others(y):
    # red if: counts are taken from the wrong class
    rest = class_frequencies_of_rest(y, labels=list("abc"))
    for i, label in enumerate(y):
        others = [*y[:i], *y[i + 1 :]]
        expected = (others.count(label) + 0.5) / (len(others) + 1.5)
        assert rest.log_p([label])[0] == pytest.approx(math.log(expected))


REST = class_frequencies_of_rest(["a", "b", "b"])
WRONG = {
    "unknown label": (
        lambda: class_frequencies(Y).log_p(pd.Series(["cat", "emu"], index=["x", "y"])),
        r"y_true must be among the classes of the prior \('cat', 'dog'\); 'emu' in the first of row y "
        r"\(1 of 2\): give all classes there are as labels=",
    ),
    "text for a number": (lambda: class_frequencies([0, 1, 1]).log_p(["0"]), r"\(0, 1\); '0' in the first"),
    "no outcomes": (lambda: class_frequencies([]), "y_train must have at least one outcome; it is empty"),
    "missing": (lambda: class_frequencies(["a", None]), "y_train must have no missing values; row 1"),
    "mixed": (lambda: class_frequencies([1, "a"]), "y_train has labels of several types.*give labels="),
    "labels too few": (
        lambda: class_frequencies(Y, labels=["dog"]),
        "y_train must be among.*in labels.*'cat'",
    ),
    "labels twice": (
        lambda: class_frequencies(Y, labels=["dog", "dog"]),
        "labels .* once; 'dog' is repeated",
    ),
    "no labels": (lambda: class_frequencies(Y, labels=[]), "labels .* once; there are none"),
    "pseudo-count": (
        lambda: class_frequencies(Y, pseudo_count=-1),
        "pseudo_count must be .* least 0; it is -1",
    ),
    "no pseudo-count": (
        lambda: class_frequencies(Y, pseudo_count=None),
        "pseudo_count must be .* it is None",
    ),
    "infinite pseudo-count": (lambda: class_frequencies(Y, pseudo_count=math.inf), "finite number"),
    "weights": (lambda: class_frequencies(Y, sample_weight=[1, 1]), "y_train has 4, sample_weight 2"),
    "negative weight": (
        lambda: class_frequencies(Y, sample_weight=[1, -1, 1, 1]),
        "at least 0; -1.0 in row 1",
    ),
    "infinite weight": (
        lambda: class_frequencies(Y, sample_weight=[1, 1, np.inf, 1]),
        "finite.*inf in row 2",
    ),
    "no weight": (lambda: class_frequencies(Y, sample_weight=[0] * 4), "above 0; all are 0"),
    "sum": (lambda: known_classes({"a": 0.3, "b": 0.3}), "must sum to one, to within 1e-06; the sum is 0.6"),
    "range": (lambda: known_classes({"a": 1.5, "b": -0.5}), r"lie in \[0, 1\]; that of 'a' is 1.5"),
    "pair": (lambda: known_classes((["a", "b", "c"], [0.5, 0.5])), "must be as many; there are 3 and 2"),
    "repeated": (lambda: known_classes((["a", "a"], [0.5, 0.5])), "labels must have each class once; 'a'"),
    "neither": (lambda: known_classes(0.5), "a mapping of label to probability, or a pair.*it is float"),
    "no part": (lambda: REST.log_p(["a", "a"]), "y_true must be a part of y_all; of 'a' it has 2, y_all 1"),
    "all": (lambda: REST.log_p(["a", "b", "b"]), "y_true must leave some of y_all.*it has all of them"),
    "unknown to all": (lambda: REST.log_p(["c"]), r"among the classes of y_all \('a', 'b'\); 'c'"),
    "nothing": (lambda: class_frequencies_of_rest([]), "y_all must have at least one outcome"),
    "no count": (lambda: class_frequencies_of_rest(Y, pseudo_count=0), "pseudo_count must be above 0"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_makes_no_prior_is_an_error_that_names_it(case):
    # red if: the input is repaired in silence, or the message leaves out what or where
    call, message = WRONG[case]
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)

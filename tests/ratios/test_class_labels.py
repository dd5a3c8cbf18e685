"""Which column is which class: by labels, by name, by order, or not at all."""

import time

import numpy as np
import pandas as pd
import pytest

from nepers.errors import InputError
from nepers.ratios import log_class

ROW = [0.2, 0.5, 0.3]


def frame(*names, rows=1):
    return pd.DataFrame(
        [[*ROW[: len(names) - 1], 1.0 - sum(ROW[: len(names) - 1])]] * rows, columns=list(names)
    )


def test_names_say_the_class_even_of_classes_that_did_not_come_true():
    # red if: names are used only where every class occurs, or by their sorted order
    assert np.exp(log_class(["dog"], frame("dog", "cat", "ant"))).tolist() == pytest.approx([0.2])
    assert np.exp(log_class(["ant", "cat"], frame("dog", "cat", "ant", rows=2))).tolist() == pytest.approx(
        [0.3, 0.5]
    )


@pytest.mark.parametrize("truth", [[12, 3], np.array([12, 3]), pd.Series([12, 3])])
def test_names_may_be_the_labels_as_text_or_as_numbers(truth):
    # red if: whole numbers do not find the columns that a file calls "3" and "12"
    for names in (["12", "3", "5"], [12, 3, 5]):
        assert np.exp(log_class(truth, frame(*names, rows=2))).tolist() == pytest.approx([0.2, 0.5])


def test_booleans_find_their_names():
    # red if: numpy's True is not called "True"
    for truth in ([True], np.array([True])):
        assert np.exp(log_class(truth, frame("True", "False"))).tolist() == pytest.approx([0.2])


def test_numbers_as_names_that_no_one_gave_do_not_count():
    # red if: pandas' default names 0, 1, 2 are taken for the classes 1, 2, 3, which shifts every column
    assert np.exp(log_class([1, 2, 3], frame(0, 1, 2, rows=3))).tolist() == pytest.approx(ROW)
    assert np.exp(log_class([1, 2], frame(0, 1, 2, rows=2), labels=[1, 2, 3])).tolist() == pytest.approx(
        ROW[:2]
    )
    with pytest.raises(InputError, match=r"y_true has 2 \(1, 2\), y_proba 3: give labels="):
        log_class([1, 2], frame(0, 1, 2, rows=2))


def test_labels_with_names_that_say_the_same_or_nothing():
    # red if: agreeing names are an error, or names unlike all labels are
    assert np.exp(log_class(["b"], frame("a", "b", "c"), labels=list("abc"))).tolist() == pytest.approx([0.5])
    named = frame("p(no)", "p(yes)", "p(maybe)")
    assert np.exp(log_class(["yes"], named, labels=["no", "yes", "maybe"])).tolist() == pytest.approx([0.5])


def test_one_column_for_the_only_class():
    # red if: a classifier that knows one class, and is sure of it, is an error
    assert log_class(["a", "a"], [[1.0], [1.0]]).tolist() == [0.0, 0.0]
    assert log_class(["a"], [[1.0]], labels=["a"]).tolist() == [0.0]


TWO, THREE = [[0.5, 0.5]] * 3, [ROW] * 3
WRONG = {
    "fewer": ("a b a", THREE, None, r"y_true has 2 \('a', 'b'\), y_proba 3: give labels=, .*model.classes_"),
    "more": ("a b c", TWO, None, "y_true has more than 2, y_proba 2: give labels="),
    "one of two": ("a a a", TWO, None, r"y_true has 1 \('a'\), y_proba 2: give labels="),
    "one of two, one dimension": ("a a a", [0.5] * 3, None, r"has 1 \('a'\), y_proba 2, being.*give labels="),
    "zeros as text": ("0 0 0", TWO, None, r"y_true has 1 \('0'\)"),
    "twos": ([2, 2, 2], TWO, None, r"y_true has 1 \(2\)"),
    "0 of three": ([0, 1, 0], THREE, None, r"y_true has 2 \(0, 1\)"),
    "many": (list(range(7)), [[1 / 9] * 9] * 7, None, r"y_true has 7 \(0, 1, 2, 3, 4, \.\.\.\), y_proba 9"),
    "no order": (["a", 1, "a"], TWO, None, "labels of several types, which have no order: give labels="),
    "twice": ("a b a", THREE, ["a", "b", "a"], "labels must have each label once; 'a' is repeated"),
    "twice as numbers": ([0, 1, 0], THREE, [0, 1, True], "labels must have each label once; 1 is repeated"),
    "labels too few": ("a b a", THREE, ["a", "b"], r"labels has 2 \('a', 'b'\), y_proba 3"),
    "labels too many": ("a b a", [0.5] * 3, list("abc"), r"labels has 3 .*y_proba 2, being of one dimension"),
    "a text": ("a b a", TWO, "ab", "labels must have one dimension"),
    "another order": (
        "a b a",
        frame("a", "b", "c", rows=3),
        list("acb"),
        "the same classes are in another order: labels has 'a', 'c', 'b', y_proba 'a', 'b', 'c': leave",
    ),
    "another order of numbers": (
        [0, 1, 0],
        frame(0, 1, rows=3),
        [1, 0],
        "another order: labels has '1', '0'",
    ),
    "some other names": ("a b a", frame("a", "b", "c", rows=3), list("abd"), "labels must be the names"),
    "other names": (
        "no yes no",
        frame("p_yes", "p_no", rows=3),
        None,
        "called by the labels.*the columns are 'p_yes', 'p_no', the labels 'no', 'yes': give labels=",
    ),
    "not all names": (
        "a z a",
        frame("a", "b", "c", rows=3),
        None,
        r"label of y_proba \('a', 'b', 'c'\); 'z' in the first of row 1",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_columns_that_cannot_be_told_apart_are_an_error(case):
    # red if: the columns of other classes are read in silence where a class did not occur
    truth, proba, labels, message = WRONG[case]
    with pytest.raises(InputError, match=message) as caught:
        log_class(truth.split() if isinstance(truth, str) else truth, proba, labels=labels)
    assert "\n" not in str(caught.value)


def test_the_rows_of_unknown_outcomes_are_counted_to_the_end():
    # red if: labels that occur after too many were found are counted as unknown too
    truth = ["a", "x", "y", "z"] * 20_000 + ["b"]
    message = (
        r"\('a', 'b', 'c'\); 'x' in the first of rows 1, 2, 3, 5, 6 and 59,995 more \(60,000 of 80,001\)"
    )
    with pytest.raises(InputError, match=message):
        log_class(truth, frame("a", "b", "c", rows=len(truth)))


def test_a_real_outcome_given_by_mistake_is_soon_an_error():
    # red if: all distinct values of a long column are gathered before the error, which takes seconds
    n = 1_000_000
    truth, proba = np.random.default_rng(4).random(n), np.full((n, 2), 0.5)
    start = time.process_time()
    with pytest.raises(InputError, match="more than 2"):
        log_class(truth, proba)
    assert time.process_time() - start < 0.5

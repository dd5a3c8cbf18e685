"""Class probabilities to log Q: scikit-learn's conventions, every container, nothing clipped, fast."""

import math
import time

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.special import log_softmax, softmax
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from nepers.errors import InputError
from nepers.ratios import log_class

TRUTH = ["b", "a", "c", "b"]
PROBA = [[0.2, 0.5, 0.3], [0.7, 0.1, 0.2], [0.25, 0.25, 0.5], [0.0, 1.0, 0.0]]
LOGS = [math.log(0.5), math.log(0.7), math.log(0.5), 0.0]

FRAME = pd.DataFrame(PROBA, columns=list("abc"))
OTHER_ORDER = FRAME[["c", "a", "b"]]

TABLES = {
    "nested lists": PROBA,
    "tuples": tuple(map(tuple, PROBA)),
    "array": np.array(PROBA),
    "by columns": np.array(PROBA, order="F"),
    "strided": np.repeat(PROBA, 2, axis=0)[::2],
    "mapping": FRAME.to_dict("list"),
    "mapping in another order": OTHER_ORDER.to_dict("list"),
    "pandas": FRAME,
    "pandas in another order": OTHER_ORDER,
    "pandas without names": pd.DataFrame(PROBA),
    "polars": pl.DataFrame(OTHER_ORDER.to_dict("list")),
    "polars without names": pl.DataFrame(np.array(PROBA)),
    "polars lazy": pl.LazyFrame(OTHER_ORDER.to_dict("list")),
    "arrow": pa.table(OTHER_ORDER.to_dict("list")),
}

OUTCOMES = {
    "list": TRUTH,
    "array": np.array(TRUTH),
    "objects": np.array(TRUTH, dtype=object),
    "strings": np.array(TRUTH, dtype=np.dtypes.StringDType()),
    "pandas": pd.Series(TRUTH),
    "pandas categories": pd.Series(pd.Categorical(TRUTH, categories=list("cbad"))),
    "polars": pl.Series(TRUTH),
    "polars categories": pl.Series(TRUTH, dtype=pl.Categorical),
    "arrow": pa.array(TRUTH),
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_table_gives_the_same_logs(kind):
    # red if: a container is read by position where its names say another order, or by row instead of column
    logs = log_class(TRUTH, TABLES[kind])
    assert logs.dtype == np.float64
    assert logs.tolist() == pytest.approx(LOGS, rel=1e-15)


@pytest.mark.parametrize("kind", OUTCOMES)
def test_every_column_of_outcomes_gives_the_same_logs(kind):
    # red if: a category's code is taken for its label, or the order of categories for the sorted order
    assert log_class(OUTCOMES[kind], PROBA).tolist() == pytest.approx(LOGS, rel=1e-15)


@pytest.mark.parametrize(
    "labels",
    [["no", "yes"], [0, 1], [False, True], [-1, 1], [0.0, 1.0], [b"no", b"yes"], [10**18, 10**18 + 1]],
    ids=["text", "whole", "booleans", "signs", "floats", "bytes", "large"],
)
def test_one_dimension_is_the_greater_label_and_agrees_with_two_columns(labels):
    # red if: the probability is taken for the lesser label, or labels are compared after rounding to float64
    p = np.array([0.9, 0.2, 1e-3, 1.0 - 1e-9])
    truth = np.array(labels)[[1, 0, 1, 0]]
    for given in (None, labels):
        single = log_class(truth, p, labels=given)
        assert single.tolist() == pytest.approx(np.log([0.9, 0.8, 1e-3, 1e-9]).tolist(), rel=1e-7)
        assert single == pytest.approx(log_class(truth, np.column_stack([1.0 - p, p]), labels=given))


def test_a_small_probability_of_the_greater_label_keeps_its_digits():
    # red if: log(1 - p) is taken instead of log1p(-p)
    assert log_class([0, 1], [1e-20, 0.5])[0] == -1e-20


@pytest.mark.parametrize("truth", [[True, True], [1, 1], np.array([1.0, 1.0]), pd.Series([True, True])])
def test_zero_and_one_are_known_even_if_only_one_came_true(truth):
    # red if: a test set in which all came true asks for labels, or takes the first column for it
    assert log_class(truth, [0.5, 0.25]).tolist() == np.log([0.5, 0.25]).tolist()
    assert log_class(truth, [[0.5, 0.5], [0.75, 0.25]]).tolist() == np.log([0.5, 0.25]).tolist()


def test_the_columns_are_in_the_order_of_the_labels_given():
    # red if: the labels are sorted, or numbers are compared as text
    proba = [[0.5, 0.2, 0.3], [0.6, 0.3, 0.1]]
    assert log_class([9, 10], proba, labels=[10, 9, 8]).tolist() == np.log([0.2, 0.6]).tolist()
    assert log_class(["x", "y"], proba, labels=["y", "z", "x"]).tolist() == np.log([0.3, 0.6]).tolist()
    assert log_class([2, "x"], proba, labels=["x", 2, 1]).tolist() == np.log([0.2, 0.6]).tolist()


def test_numbers_of_other_types_are_the_same_labels():
    # red if: a column of floats or of unsigned numbers fits no label of whole numbers
    proba = [[0.25, 0.75], [0.5, 0.5]]
    for truth in (np.array([1, 0], dtype=np.uint8), np.array([1.0, 0.0]), np.array([1, 0], dtype=np.uint64)):
        assert log_class(truth, proba, labels=[0, 1]).tolist() == np.log([0.75, 0.5]).tolist()
        assert log_class(truth, proba, labels=[0.0, 1.0]).tolist() == np.log([0.75, 0.5]).tolist()
    large = [
        2**62,
        2**62 + 1,
    ]  # float64, the type of both kinds of whole numbers together, has one value for these
    assert (
        log_class(np.array(large, dtype=np.uint64), proba, labels=large).tolist()
        == np.log([0.25, 0.5]).tolist()
    )


@pytest.mark.parametrize("text", [False, True])
def test_it_is_scikit_learns_log_loss_where_nothing_is_clipped(text):
    # red if: another order of classes, or base of logarithms, than a fitted classifier's
    x, y = load_iris(return_X_y=True)
    y = np.array(["virginica", "setosa", "versicolor"])[y] if text else y
    model = LogisticRegression().fit(x[::2], y[::2])
    proba, truth = model.predict_proba(x[1::2]), y[1::2]
    logs = log_class(truth, proba, labels=model.classes_)
    assert -logs.mean() == pytest.approx(log_loss(truth, proba, labels=model.classes_), rel=1e-13)
    assert log_class(truth, proba).tolist() == logs.tolist()
    binary, named = y[::2] == y[0], truth == y[0]
    p = LogisticRegression().fit(x[::2, :1], binary).predict_proba(x[1::2, :1])[:, 1]
    assert -log_class(named, p).mean() == pytest.approx(log_loss(named, p), rel=1e-13)


def test_zero_to_the_truth_is_minus_infinity_where_log_loss_clips():
    # red if: the probability zero is clipped, as log_loss clips it to 2e-16, which is 36 nats
    truth, proba = [0, 1], [[0.5, 0.5], [1.0, 0.0]]
    assert log_class(truth, proba).tolist() == [math.log(0.5), -math.inf]
    assert log_loss(truth, proba) == pytest.approx((math.log(2.0) - math.log(np.finfo(float).eps)) / 2.0)
    assert log_class([1, 0], [0.0, 1.0]).tolist() == [-math.inf, -math.inf]
    assert log_class([1, 0], [1.0, 0.0]).tolist() == [0.0, 0.0]
    assert log_class([0, 1], [0.0, 0.0]).tolist() == [0.0, -math.inf]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_a_softmax_of_low_precision_is_taken_as_it_is(dtype):
    # red if: the tolerance of the sum is float64's, or the logs are taken in the low precision
    scores = np.random.default_rng(1).normal(size=(50, 1000)).astype(np.float32)
    proba = softmax(scores, axis=1).astype(dtype)
    assert np.abs(proba.astype(float).sum(axis=1) - 1.0).max() > 1e-8
    truth = np.arange(50) * 7
    logs = log_class(truth, proba, labels=range(1000))
    assert logs.tolist() == np.log(proba[np.arange(50), truth].astype(float)).tolist()
    exact = log_softmax(scores.astype(float), axis=1)[np.arange(50), truth]
    assert logs == pytest.approx(exact, abs=1e-5 if dtype == np.float32 else 1e-2)
    if dtype == np.float32:  # the same numbers in a table of another library, or as Python's own
        assert log_class(truth, pl.DataFrame(proba), labels=range(1000)).tolist() == logs.tolist()
        assert log_class(truth, proba.tolist(), labels=range(1000)).tolist() == logs.tolist()


def test_rows_of_every_block_are_read():
    # red if: a block of rows is left out, or its rows are numbered from 0 again
    n = 200_001
    rng = np.random.default_rng(2)
    proba = rng.dirichlet(np.ones(3), n)
    codes = rng.integers(0, 3, n)
    expected = np.log(proba[np.arange(n), codes])
    assert np.array_equal(log_class(codes, proba), expected)
    assert np.array_equal(log_class(np.array(["r", "s", "t"])[codes], proba), expected)
    codes[150_000] = 3
    with pytest.raises(InputError, match=r"3 in the first of row 150000 \(1 of 200,001\)"):
        log_class(codes, proba, labels=[0, 1, 2])
    codes[150_000], proba[199_999, 1] = 0, proba[199_999, 1] + 0.5
    with pytest.raises(InputError, match="row 199999"):
        log_class(codes, proba)


def test_no_cases_are_legal():
    # red if: an empty table raises numpy's own error
    assert log_class([], np.empty((0, 3)), labels=list("abc")).size == 0
    assert log_class([], []).size == 0


WRONG = {
    "lengths": (TRUTH[:3], PROBA, None, "y_true has 3, y_proba 4"),
    "lengths of one dimension": ([0, 1], [0.5], None, "y_true has 2, y_proba 1"),
    "row labels": (
        pd.Series([0, 1], index=["anne", "bob"]),
        pd.DataFrame([[0.5, 0.5]] * 2, index=["bob", "anne"]),
        None,
        "y_true and y_proba must have the same row labels.*position 0 y_true has 'anne' and y_proba 'bob'",
    ),
    "row labels of one dimension": (
        pd.Series([0, 1], index=["anne", "bob"]),
        pd.Series([0.5, 0.5], index=["anne", "carl"]),
        None,
        "same row labels.*'bob' and y_proba 'carl'",
    ),
    "unknown": (
        ["a", "z", "d"],
        PROBA[:3],
        list("abc"),
        r"not a label.*\('a', 'b', 'c'\); 'z' in the first of rows 1, 2",
    ),
    "unknown number": ([0, 7], PROBA[:2], [0, 1, 2], r"\(0, 1, 2\); 7 in the first of row 1"),
    "numbers for text": ([0, 1], [[0.5, 0.5]] * 2, ["0", "1"], r"\('0', '1'\); 0 in the first of rows 0, 1"),
    "unknown by index": (
        pd.Series(["z"], index=["anne"]),
        PROBA[:1],
        list("abc"),
        "'z' in the first of row anne",
    ),
    "one dimension, descending": (
        ["a", "b"],
        [0.1, 0.2],
        ["b", "a"],
        "ascending order.*has 'b', 'a': give both",
    ),
    "one dimension, no order": (["a", 1], [0.1, 0.2], ["a", 1], "ascending order"),
    "one dimension, three labels": (
        TRUTH,
        [0.1] * 4,
        None,
        "y_true has more than 2, y_proba 2, being of one dim",
    ),
    "missing outcome": (["a", None, "b"], PROBA[:3], None, "y_true must have no missing values; row 1"),
    "three dimensions": ([0], [[[0.5, 0.5]]], None, r"y_proba must have two dimensions.*\(1, 1, 2\)"),
    "a number": ([0], 0.5, None, "y_proba must have two dimensions"),
    "one-hot": ([[0, 1], [1, 0]], [[0.5, 0.5]] * 2, None, "y_true must have one dimension"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_an_error_that_names_it(case):
    # red if: another column is read in silence, or the message leaves out what or where
    truth, proba, labels, message = WRONG[case]
    with pytest.raises(InputError, match=message) as caught:
        log_class(truth, proba, labels=labels)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("one_dimension", [False, True])
def test_it_takes_little_longer_than_a_plain_look_up(one_dimension):
    # red if: the outcomes pass through Python objects, which takes thirty times as long instead of five
    n = 1_000_000
    rng = np.random.default_rng(3)
    p = rng.random(n)
    truth, table = (rng.random(n) < p).astype(np.int64), np.column_stack([1.0 - p, p])
    proba = p if one_dimension else table
    plain, ours = math.inf, math.inf
    for _ in range(9):  # the best of several in turn, as other programs slow both
        start = time.perf_counter()
        np.log(table[np.arange(n), truth])
        middle = time.perf_counter()
        log_class(truth, proba)
        plain, ours = min(plain, middle - start), min(ours, time.perf_counter() - middle)
    assert ours < 10.0 * plain

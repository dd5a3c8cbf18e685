"""Tokens to documents."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from nepers.errors import InputError
from nepers.ratios import log_document

LOGS = [-0.5, -1.0, -2.0, -0.25, 0.0, -4.0]
NAMES = ["x", "y", "x", "z", "x", "y"]

LONG = {
    "lists": (LOGS, NAMES),
    "arrays": (np.array(LOGS), np.array(NAMES)),
    "float32": (np.array(LOGS, dtype=np.float32), np.array(NAMES, dtype=object)),
    "pandas": (pd.Series(LOGS), pd.Series(NAMES, dtype="category")),
    "polars": (pl.Series(LOGS), pl.Series(NAMES)),
    "arrow": (pa.array(LOGS), pa.array(NAMES)),
}


@pytest.mark.parametrize("kind", LONG)
def test_a_document_is_the_sum_of_its_tokens_wherever_they_stand(kind):
    # red if: only neighbouring rows are summed, or the documents are sorted
    found = log_document(LONG[kind][0], document=LONG[kind][1])
    assert found.ids.tolist() == ["x", "y", "z"]
    assert found.log_q.tolist() == [-2.5, -5.0, -0.25]
    assert found.tokens.tolist() == [3, 2, 1]
    assert found.log_q_per_token.tolist() == pytest.approx([-2.5 / 3, -2.5, -0.25])
    assert (found.log_q.dtype, found.tokens.dtype) == (np.float64, np.int64)


def test_first_appearance_and_not_the_order_of_ids():
    # red if: whole numbers are used as positions
    found = log_document([-1.0, -2.0, -3.0], document=[70, -5, 70])
    assert (found.ids.tolist(), found.log_q.tolist()) == ([70, -5], [-4.0, -2.0])


def test_a_list_of_arrays_is_the_same_as_the_long_form():
    # red if: an array is taken for a document twice, or the counts are of characters
    rng = np.random.default_rng(6)
    arrays = [-rng.exponential(size=size) for size in (5, 1, 300, 7)]
    found = log_document(arrays)
    long = log_document(np.concatenate(arrays), document=np.repeat([0, 1, 2, 3], [5, 1, 300, 7]))
    assert found.ids.tolist() == long.ids.tolist() == [0, 1, 2, 3]
    assert found.log_q.tolist() == long.log_q.tolist()
    assert found.log_q.tolist() == pytest.approx([math.fsum(one) for one in arrays], rel=1e-14)
    assert found.tokens.tolist() == long.tokens.tolist() == [5, 1, 300, 7]


@pytest.mark.parametrize("convert", [list, tuple, np.array, pd.Series, pl.Series, pa.array])
def test_the_arrays_may_be_of_any_kind(convert):
    # red if: lists within a list are read as a table
    found = log_document([convert([-1.0, -2.0]), convert([-0.5, -0.5])], document=["b", "a"])
    assert (found.ids.tolist(), found.log_q.tolist()) == (["b", "a"], [-3.0, -1.0])


def test_a_token_of_probability_zero_settles_its_document_alone():
    # red if: -inf is dropped, or spreads to other documents
    assert log_document([-1.0, -math.inf, -1.0], document=["a", "a", "b"]).log_q.tolist() == [-math.inf, -1.0]


def test_another_cut_into_tokens_gives_the_same_log_probability():
    # red if: the mean over tokens is taken, which depends on how the text is cut
    whole = math.log(0.25)
    cut = log_document([[math.log(0.5), math.log(0.5)]])
    assert cut.log_q.tolist() == pytest.approx(log_document([[whole]]).log_q.tolist())


def test_no_tokens_are_no_documents():
    # red if: an empty column raises numpy's own error
    found = log_document([], document=[])
    assert (found.ids.size, found.log_q.size, found.tokens.size) == (0, 0, 0)


def test_another_model_in_the_order_of_the_first():
    # red if: the two models' documents are subtracted by position, or the permutation is inverted
    first = log_document([-1.0, -2.0, -3.0], document=["a", "b", "c"])
    second = log_document([-30.0, -10.0, -20.0], document=["c", "a", "b"])
    assert second.like(first).tolist() == [-10.0, -20.0, -30.0]
    assert first.like(second).tolist() == [-3.0, -1.0, -2.0]


def test_documents_that_one_side_lacks_are_named():
    # red if: only those that both have are compared in silence
    first = log_document([-1.0] * 7, document=list("abcdefg"))
    second = log_document([-1.0, -1.0], document=["a", "z"])
    message = "missing from this one: 'b', 'c', 'd', 'e', 'f' and 1 more; missing from other: 'z'"
    with pytest.raises(InputError, match=message):
        second.like(first)
    with pytest.raises(InputError, match="missing from this one: none; missing from other: 'z'"):
        second.like(log_document([-1.0], document=["a"]))


WRONG = {
    "no ids": (LOGS, None, "document must be given, an id for each token"),
    "lengths": (LOGS, NAMES[:4], "log_probs has 6, document 4"),
    "row labels": (pd.Series(LOGS), pd.Series(NAMES, index=range(1, 7)), "same row labels"),
    "probabilities": (
        [0.5, 0.25],
        ["a", "a"],
        "from 0.25 to 0.5: these look like probabilities: give their log",
    ),
    "probabilities with zero": ([0.0, 1.0], ["a", "a"], "these look like probabilities"),
    "positive": (
        [-0.5, 0.25],
        ["a", "a"],
        r"must be at most 0, being logs of probabilities; 0.25 in row 1 \(1 of 2\)",
    ),
    "minus the log": (
        [0.5, 2.25],
        ["a", "a"],
        "must be at most 0, being logs of probabilities; 0.5 in rows 0, 1",
    ),
    "None first": ([None, -0.5], ["a", "a"], "log_probs must have no missing values; row 0 is None"),
    "missing id": ([-0.5, -0.5], ["a", None], "document must have no missing values; row 1"),
    "ids of arrays": ([[-0.5], [-1.0]], ["a"], "document has 1, log_probs 2"),
    "ids of arrays twice": ([[-0.5], [-1.0]], ["a", "a"], "each id once for a list of arrays; repeated: 'a'"),
    "an empty array": ([[-0.5], []], None, r"log_probs\[1\] must have at least one token; it is empty"),
    "an array of probabilities": (
        [[-0.5], [0.5]],
        None,
        r"log_probs\[1\] must be at most 0.*look like probabilities",
    ),
    "a positive in an array": (
        [[-0.5], [-1.0, 2.0]],
        None,
        r"log_probs\[1\] must be at most 0.*2.0 in row 1",
    ),
    "a number among arrays": ([[-0.5], -1.0], None, r"log_probs\[1\] must have one dimension"),
    "a padded table": (np.full((2, 3), -1.0), ["a", "b"], r"log_probs must have one dimension.*\(2, 3\)"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_log_probability_is_an_error_that_names_it(case):
    # red if: probabilities are summed as logs, or the message leaves out which array
    log_probs, document, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        log_document(log_probs, document=document)

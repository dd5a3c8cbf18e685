"""One value and no probability: all of it there."""

import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

from nepers.errors import InputError
from nepers.ratios import log_class, log_point

PAIRS = {
    "text": (["a", "b"], ["a", "a"]),
    "objects": (np.array(["a", "b"], dtype=object), ["a", "a"]),
    "mixed": (["a", 1], ["a", "1"]),
    "whole": ([3, 4], [3, 3]),
    "booleans": ([True, False], [True, True]),
    "booleans as numbers": ([True, False], [1, 1]),
    "whole floats": ([3.0, 4.0], [3, 3]),
    "a count and a real prediction": ([3, 4], [3.0, 3.7]),
    "large": ([2**62, 2**62 + 1], [2**62, 2**62]),
    "categories": (pd.Series(["a", "b"], dtype="category"), pl.Series(["a", "a"])),
    "dates": ([datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)], [datetime.date(2020, 1, 1)] * 2),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_right_is_certain_and_wrong_is_minus_infinity(kind):
    # red if: a miss is softened, or values of unlike types are compared as text
    truth, predicted = PAIRS[kind]
    logs = log_point(truth, predicted)
    assert logs.dtype == np.float64
    assert logs.tolist() == [0.0, -math.inf]


def test_it_is_the_table_with_all_probability_in_one_column():
    # red if: a point and the same claim as a table score differently
    rng = np.random.default_rng(5)
    truth, predicted = rng.integers(0, 3, 50), rng.integers(0, 3, 50)
    assert (
        log_point(truth, predicted).tolist()
        == log_class(truth, np.eye(3)[predicted], labels=[0, 1, 2]).tolist()
    )


def test_no_cases_are_legal():
    # red if: the types of empty columns are held against them
    assert log_point([], []).size == 0
    assert log_point(np.array([], dtype=str), []).size == 0


WRONG = {
    "real": (
        [1.0, 2.5],
        [1.0, 2.5],
        r"no density to compare.*log_parametric.*log_ensemble\); 2.5 in row 1 \(1 of 2\)",
    ),
    "infinite": ([1.0, math.inf], [1.0, 2.0], "y_true must be finite; inf in row 1"),
    "types": (["1", "2"], [1, 2], "must be of one type.*y_true starts with '1', y_pred with 1"),
    "lengths": ([1, 2], [1], "y_true has 2, y_pred 1"),
    "row labels": (pd.Series([1, 2]), pd.Series([1, 2], index=[1, 0]), "same row labels in the same order"),
    "missing": ([1.0, 2.0], [1.0, math.nan], "y_pred must have no missing values; row 1"),
    "a table": ([1, 2], [[0.5, 0.5]] * 2, "y_pred must have one dimension"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_has_no_probability_is_an_error_that_names_it(case):
    # red if: a hit on a real value counts as probability one, or unlike types as a wrong prediction
    truth, predicted, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        log_point(truth, predicted)

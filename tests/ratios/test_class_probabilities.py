"""What is no table of probabilities is an error that says what it looks like and where."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from nepers.errors import InputError
from nepers.ratios import log_class
from nepers.ratios.class_probabilities import class_probabilities

FRAME = pd.DataFrame({"no": [0.5, 0.8], "yes": [0.5, 0.1]}, index=["anne", "bob"])

WRONG = {
    "sum below": (
        [[0.5, 0.5], [0.8, 0.1]],
        r"one in every row, to within 0.00035; the sum is 0.9, 0.1 too little, in the first of row 1 \(1 of",
    ),
    "sum above": ([[0.5, 0.7], [0.8, 0.3]], "the sum is 1.2, 0.2 too much, in the first of rows 0, 1"),
    "sum by name": (FRAME, "the sum is 0.9, 0.1 too little, in the first of row bob"),
    "sum just off": ([[0.5, 0.499]], "0.001 too little"),
    "a column of two": (
        [[0.3], [0.4]],
        "too little.*: for the probability of the greater of two labels give one",
    ),
    "negative": (
        [[0.5, 0.5], [1.25, -0.25]],
        "must hold no negative probability; -0.25 in column 1 of the first of row",
    ),
    "negative by name": (FRAME - 0.2, r"negative probability; -0.1 in column 'yes' of the first of row bob"),
    "negative in one dimension": ([0.5, -0.5], r"negative probability; -0.5 in row 1 \(1 of 2\)"),
    "above one": (
        [[0.5, 0.5], [1.25, 0.0]],
        r"no probability above one; 1.25 in column 0 of the first of row 1",
    ),
    "above one in one dimension": ([0.5, 1.0000001], "no probability above one; 1.0000001 in row 1"),
    "percentages": (
        [[40.0, 60.0]],
        "above one: if these are percentages, divide them by 100; 40.0 in column 0",
    ),
    "percentages in one dimension": (
        [30, 99],
        "if these are percentages, divide them by 100; 30.0 in rows 0, 1",
    ),
    "counts": ([[400, 600]], "above one; 400.0 in column 0"),
    "logs": (
        np.log([[0.5, 0.5], [0.25, 0.75]]),
        "from -1.38629 to -0.287682: these look like log probabilities: give np.exp",
    ),
    "logs with zero": ([[-np.inf, 0.0]], "all are from -inf to 0: these look like log probabilities"),
    "logs in one dimension": ([-0.1, -2.0], "these look like log probabilities: give np.exp of them"),
    "NaN": ([[0.5, 0.5], [np.nan, 1.0]], r"no missing values \(NaN\); nan in column 0 of the first of row 1"),
    "NaN in one dimension": ([0.5, np.nan], r"y_proba must have no missing values \(NaN\); row 1"),
    "null": (
        pl.DataFrame({"no": [0.5, None], "yes": [0.5, 1.0]}),
        r"y_proba\['no'\] must have no missing values \(null\); row 1",
    ),
    "infinite": ([[np.inf, 0.0]], "above one; inf in column 0"),
    "text": ([[0.5, 0.5], [0.5, "b"]], "y_proba must hold real numbers; 'b' in column 1 of row 1"),
    "nothing": ([[0.5, 0.5], [None, 1.0]], "y_proba must have no missing values; None in column 0 of row 1"),
    "complex": (np.array([[1j, 0.0]]), "y_proba must hold real numbers; 1j in column 0 of row 0"),
    "text in one dimension": (["0.5", "0.5"], "y_proba must hold real numbers; row 0 is '0.5'"),
    "ragged": (
        [[0.5, 0.5], [1.0]],
        "y_proba must have as many columns in each row; row 1 has 1, row 0 has 2",
    ),
    "no columns": (pd.DataFrame(index=[0, 1]), "y_proba must have at least one column"),
    "names alike": (
        pd.DataFrame([[0.5, 0.5]], columns=["a", "a"]),
        "columns of different names: .*'a' 2 times",
    ),
    "names alike as text": (
        pd.DataFrame([[0.5, 0.5]], columns=[1, "1"]),
        "different names; there are several '1'",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_probability_is_an_error_that_names_it(case):
    # red if: it is clipped, renormalised or passed on, or the message leaves out what or where
    proba, message = WRONG[case]
    with pytest.raises(InputError, match=message) as caught:
        class_probabilities("y_proba", proba)
    assert "\n" not in str(caught.value)


def test_the_sum_is_judged_in_every_row_and_left_as_it_is():
    # red if: a row within the tolerance is renormalised, or the mean of the sums is judged
    assert np.exp(log_class([0, 1], [[0.5001, 0.5], [0.5, 0.5]])).tolist() == pytest.approx(
        [0.5001, 0.5], rel=1e-15
    )
    with pytest.raises(InputError, match="rows 0, 1"):
        class_probabilities("y_proba", [[0.6, 0.5], [0.4, 0.5]])


def test_half_precision_is_judged_by_its_own_rounding():
    # red if: a table of float16 is held to float32's tolerance, or float64 to float16's
    coarse = np.full((1, 3), 1 / 3 + 0.002)
    class_probabilities("y_proba", coarse.astype(np.float16))
    with pytest.raises(InputError, match=r"within 0\.00035"):
        class_probabilities("y_proba", coarse)


def test_the_users_array_is_not_changed():
    # red if: a check works in place
    mine = np.array([[0.25, 0.75]])
    log_class([1], mine, labels=[0, 1])
    assert mine.tolist() == [[0.25, 0.75]]

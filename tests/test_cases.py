"""The border: every legal container gives the same numbers, every wrong input is named."""

import array
import fractions

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import nepers
from nepers.cases import log_ratios
from nepers.errors import InputError, InputWarning
from nepers.outcomes import outcomes

J = [0.5, -1.25, 0.0]

CONTAINERS = {
    "list": J,
    "tuple": tuple(J),
    "array": np.array(J),
    "strided array": np.repeat(J, 2)[::2],
    "big-endian": np.array(J, dtype=">f8"),
    "float32": np.array(J, dtype=np.float32),
    "unmasked": np.ma.masked_array(J, mask=[False] * 3),
    "buffer": array.array("d", J),
    "pandas": pd.Series(J),
    "pandas nullable": pd.Series(J, dtype="Float64"),
    "pandas frame": pd.DataFrame({"j": J}),
    "polars": pl.Series(J),
    "polars frame": pl.DataFrame({"j": J}),
    "polars lazy": pl.LazyFrame({"j": J}),
    "arrow chunked": pa.chunked_array([J[:1], J[1:]]),
    "arrow array": pa.array(J),
    "arrow table": pa.table({"j": J}),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_every_container_gives_the_same_float64_column(kind):
    # red if: a library goes through text, through float32, or loses rows at a chunk's edge
    found = log_ratios(CONTAINERS[kind])
    assert found.values.dtype == np.float64
    assert found.values.flags.c_contiguous
    assert found.values.tolist() == J
    assert found.labels.tolist() == [0, 1, 2]


def test_whole_numbers_become_floats():
    # red if: integer input is refused or kept as integers
    assert log_ratios(pd.Series([1, 2])).values.dtype == np.float64
    assert log_ratios(range(2)).values.tolist() == [0.0, 1.0]


def test_the_users_array_is_neither_shared_nor_locked():
    # red if: the values are a view, so that a later change by the user changes the assessment
    mine = np.array(J)
    found = log_ratios(mine)
    mine[0] = 99.0
    assert found.values[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        found.values[0] = 1.0


@pytest.mark.parametrize(
    "empty",
    [[], np.empty(0), pd.Series([], dtype=object), pl.Series([]), pa.array([]), pd.Series([], dtype=float)],
    ids=["list", "array", "pandas object", "polars", "arrow", "pandas"],
)
def test_no_cases_are_legal_whatever_the_type_of_the_empty_column(empty):
    # red if: the type of a column without rows is held against it
    assert log_ratios(empty).n == 0


def test_labels_are_the_index_and_the_name_is_the_series_name():
    # red if: errors and infinite cases are reported by position in a table the user indexes by patient
    found = log_ratios(pd.Series([0.1, -np.inf], index=["anne", "bob"], name="model A"))
    assert found.infinite == ("bob",)
    assert found.name == "model A"


def test_a_slice_keeps_the_rows_numbers():
    # red if: an integer index that does not count from 0 is thrown away
    assert log_ratios(pd.Series([0.1, 0.2, -np.inf])[1:]).infinite == (2,)


def test_rows_without_a_label_are_the_same_rows():
    # red if: a missing label, which is not equal to itself, is taken for another row
    logs = pd.Series([-1.0, -2.0], index=[np.nan, 5.0])
    assert log_ratios(log_q=logs, log_p=logs).values.tolist() == [0.0, 0.0]


def test_the_difference_of_logs_is_j():
    # red if: the sign is turned round
    assert log_ratios(log_q=[-1.0, -2.0], log_p=[-1.5, -1.0]).values.tolist() == [0.5, -1.0]


def test_the_resolution_follows_the_larger_logarithm():
    # red if: rounding in log Q - log P of large logs is taken for a real difference
    assert log_ratios(log_q=[-1000.0], log_p=[-999.5]).resolution == pytest.approx(1e-9)
    assert log_ratios([0.5, -np.inf]).resolution == pytest.approx(5e-13)


def test_minus_infinity_is_kept():
    # red if: Q = 0 is clipped, dropped or refused
    assert log_ratios([-np.inf, 1.0]).values.tolist() == [-np.inf, 1.0]
    assert log_ratios(log_q=[-np.inf], log_p=[-1.0]).infinite == (0,)


class Odd:
    """No number."""


WRONG = {
    "nothing": ({}, "either j, or both log_q and log_p; got none"),
    "j and log_q": ({"j": J, "log_q": J}, "got j and log_q"),
    "log_q alone": ({"log_q": J}, "got log_q"),
    "text": ({"j": [0.1, "0.2"]}, r"j must hold real numbers; row 1 is '0.2'"),
    "text array": ({"j": np.array(["a", "b"])}, "j must be a list or array of real numbers.*text"),
    "a path": ({"j": "scores.csv"}, "j must be.*text"),
    "pandas text": ({"j": pd.Series(["a", "b"])}, "j must hold real numbers; the type of the column is"),
    "polars text": ({"j": pl.Series(["a", "b"])}, "type of the column is String"),
    "arrow text": ({"j": pa.array(["a", "b"])}, "type of the column is string"),
    "objects": ({"j": [Odd(), Odd()]}, "list of objects"),
    "fractions": ({"j": [fractions.Fraction(1, 2)]}, "objects"),
    "a dict": ({"j": {"a": 1.0}}, "dict of objects"),
    "booleans": ({"j": np.array([True, False])}, "booleans"),
    "a boolean among numbers": ({"j": [0.5, True]}, "row 1 is True"),
    "pandas booleans": ({"j": pd.Series([True, False])}, "type of the column is bool"),
    "complex": ({"j": np.array([1j])}, "complex numbers"),
    "a scalar": ({"j": 0.5}, r"one dimension.*shape is \(\)"),
    "two dimensions": ({"j": np.ones((2, 2))}, r"one dimension.*shape is \(2, 2\)"),
    "ragged": ({"j": [[1.0], [1.0, 2.0]]}, "must be a list or array of numbers; it is not"),
    "dates": ({"j": np.array(["2020-01-01"], dtype="M8[D]")}, "datetime64"),
    "two columns": ({"j": pd.DataFrame({"a": J, "b": J})}, r"has 2 \('a', 'b'\): name it"),
    "two lazy columns": ({"j": pl.LazyFrame({"a": J, "b": J})}, "has 2"),
    "NaN": ({"j": [0.0, np.nan, 1.0]}, r"j must have no missing values \(NaN\); row 1 \(1 of 3\)"),
    "None": ({"j": [0.0, None]}, "row 1 is None"),
    "many NaN": ({"j": [np.nan] * 9}, r"rows 0, 1, 2, 3, 4 and 4 more \(9 of 9\)"),
    "NaN by label": ({"j": pd.Series([np.nan, 1.0], index=["anne", "bob"])}, r"row anne \(1 of 2\)"),
    "polars null": ({"j": pl.Series([0.1, None])}, r"missing values \(null\); row 1"),
    "polars NaN": ({"j": pl.Series([0.1, float("nan")])}, r"missing values \(NaN\); row 1"),
    "pandas NA": ({"j": pd.Series([0.1, None], dtype="Float64")}, r"\(null\); row 1"),
    "arrow null": ({"j": pa.array([0.1, None])}, r"\(null\); row 1"),
    "masked": ({"j": np.ma.masked_array(J, mask=[0, 0, 1])}, r"no masked values; row 2 \(1 of 3\)"),
    "+inf": ({"j": [0.0, np.inf]}, r"j must be below \+inf.*prior is wrong.*inf in row 1 \(1 of 2\)"),
    "log_q +inf": ({"log_q": [np.inf], "log_p": [0.0]}, r"log_q must be below \+inf"),
    "log_p +inf": ({"log_q": [0.0], "log_p": [np.inf]}, r"log_p must be below \+inf"),
    "both zero": ({"log_q": [0.0, -np.inf], "log_p": [0.0, -np.inf]}, "undefined; -inf in row 1"),
    "prior zero": ({"log_q": [0.0], "log_p": [-np.inf]}, r"log_p must be above -inf.*prior is wrong"),
    "NaN in log_p": ({"log_q": J, "log_p": [0.0, 0.0, np.nan]}, "log_p must have no missing values"),
    "lengths": ({"log_q": J, "log_p": J[:2]}, "log_q has 3, log_p 2"),
    "an index against positions": (
        {"log_q": pd.Series(J), "log_p": pd.Series(J, index=[2, 0, 1])},
        "at position 0 log_q has .*0.* and log_p .*2",
    ),
    "an index of another type": (
        {"log_q": pd.Series(J), "log_p": pd.Series(J, index=list("abc"))},
        "same row labels",
    ),
    "indexes": (
        {"log_q": pd.Series(J, index=list("abc")), "log_p": pd.Series(J, index=list("acb"))},
        "same row labels in the same order; at position 1 log_q has 'b' and log_p 'c'",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_log_ratio_is_an_error_that_names_it(case):
    # red if: the input is repaired or passed on in silence, or the message leaves out what or where
    given, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        log_ratios(**given)


def test_probabilities_in_the_place_of_logs_are_suspected():
    # red if: plain probabilities give a j within +-1 and nobody is told
    p = np.linspace(0.1, 0.9, 9)
    with pytest.warns(InputWarning, match="log_p should be logarithms; all 9 values lie between 0 and 1"):
        log_ratios(log_q=np.log(p), log_p=p)


@pytest.mark.parametrize("log_p", [np.full(9, 0.69), np.linspace(0.1, 1.2, 9), np.linspace(0.1, 0.9, 4)])
def test_log_densities_above_one_are_not_suspected(log_p):
    # red if: a uniform density on half a unit, or a few values, are taken for probabilities
    assert log_ratios(log_q=-log_p, log_p=log_p).n == log_p.size


def test_a_warning_is_at_the_users_own_line():
    # red if: it points into the package, where the user can change nothing
    with pytest.warns(InputWarning) as caught:
        nepers.compare(log_q={"a": [0.5, 0.5, 0.7, 0.7, 0.5, 0.7]}, log_p=[-1.0] * 6, seed=1)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_outcomes_may_be_a_table_of_one_column_as_numbers_may(table):
    # red if: `frame[["y"]]` is refused as two-dimensional, or a table of two is taken by its first
    assert outcomes("y_true", table({"y": ["a", "b"]})).values.tolist() == ["a", "b"]
    with pytest.raises(InputError, match="y_true must be one column; the table has 2 \\('y', 'z'\\)"):
        outcomes("y_true", table({"y": ["a", "b"], "z": ["a", "b"]}))


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["a", "b"])])
def test_labels_stay_text_whatever_the_column_is_made_of(dtype):
    # red if: codes of categories are taken for the labels
    for labels in (["b", "a", "b"], ["b", "a", "b"] * 20):
        assert outcomes("y_true", pl.Series(labels, dtype=dtype)).values.tolist() == labels
        assert outcomes("y_true", pd.Series(labels, dtype="category")).values.tolist() == labels
        assert outcomes("y_true", pa.array(labels)).values.tolist() == labels
        assert outcomes("y_true", pa.array(labels).dictionary_encode()).values.tolist() == labels

"""The border of the groups: labels of every type, shares, and what is refused."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from nepers.cases import log_ratios
from nepers.errors import InputError
from nepers.segments.groups import known_shares, read_groups, together
from nepers.segments.segmenting import segment

J = [0.1, 0.2, 0.3, 0.4]
DAY = datetime.date(2020, 1, 1)

LABELS = {
    "list": (list("baba"), ["a", "b"]),
    "array": (np.array([2, 1, 2, 1]), [1, 2]),
    "floats": ([1.5, 0.5, 1.5, 0.5], [0.5, 1.5]),
    "booleans": ([True, False, True, False], [False, True]),
    "texts and numbers": (["b", 1, "b", 1], [1, "b"]),
    "pandas": (pd.Series(list("baba")), ["a", "b"]),
    "pandas category": (pd.Series(list("baba"), dtype="category"), ["a", "b"]),
    "polars": (pl.Series([2, 1, 2, 1]), [1, 2]),
    "arrow": (pa.array(list("baba")), ["a", "b"]),
    "dates": ([datetime.date(2021, 1, 1), DAY] * 2, ["2020-01-01", "2021-01-01"]),
    "numpy dates": (np.array(["2021-01-01", "2020-01-01"] * 2, dtype="M8[ns]"), None),
}


@pytest.mark.parametrize("kind", LABELS)
def test_cases_are_grouped_by_labels_of_any_type_in_their_order(kind):
    # red if: labels become texts, groups stand in the order of the rows, or cases are lost
    by, labels = LABELS[kind]
    groups = read_groups(log_ratios(J), by, (J, None, None))
    assert [group.cases.values.tolist() for group in groups] == [[0.2, 0.4], [0.1, 0.3]]
    if labels is not None:
        assert [group.label for group in groups] == labels
    else:
        assert groups[0].label.startswith("2020-01-01")


def test_cases_keep_their_names_and_their_resolution():
    # red if: an infinite case of a group is named by its place within the group
    cases = log_ratios(pd.Series([0.1, -np.inf, 300.0], index=["anne", "bob", "cleo"]))
    groups = read_groups(cases, ["x", "y", "y"], (None, None, None))
    assert groups[1].cases.infinite == ("bob",)
    assert groups[0].cases.resolution == cases.resolution


def test_groups_together_are_their_cases_in_the_order_of_the_rows():
    # red if: the whole differs from the cases that assess is given
    cases = log_ratios(J)
    groups = read_groups(cases, list("bcba"), (J, None, None))
    assert together(groups, cases).cases.values.tolist() == J
    assert together(groups[:2], cases).cases.values.tolist() == [0.1, 0.3, 0.4]


def test_known_shares_are_in_the_order_of_the_groups():
    # red if: shares are matched by their place in the mapping
    np.testing.assert_allclose(known_shares({"b": 0.25, "a": 0.75}, ["a", "b"]), [0.75, 0.25])
    np.testing.assert_allclose(known_shares({np.int64(2): 1.0, 1: 0}, [1, 2]), [0.0, 1.0])


INDEXED = pd.Series(J, index=list("abcd"))
BY = list("xxyy")
WRONG = {
    "no labels": ({"j": J}, "by must be given"),
    "no j": ({"by": BY}, "either j, or both"),
    "too few labels": ({"j": J, "by": ["a"]}, "by must have a label for each case; it has 1 for 4 cases"),
    "missing": ({"j": J, "by": ["a", None, "b", "b"]}, "by must have no missing values; row 1"),
    "two dimensions": ({"j": J, "by": np.ones((4, 2))}, "by must have one dimension"),
    "no cases": ({"j": [], "by": []}, "by must have at least one case; it is empty"),
    "other rows": (
        {"j": INDEXED, "by": pd.Series(BY, index=list("abdc"))},
        "j and by must have the same row",
    ),
    "other rows of log_p": (
        {"log_q": J, "log_p": INDEXED, "by": pd.Series(BY)},
        "log_p and by must have the same row labels",
    ),
    "no mapping": ({"j": J, "by": BY, "weights": [0.5, 0.5]}, "weights must be a mapping.*it is list"),
    "a share too few": (
        {"j": J, "by": BY, "weights": {"x": 1.0}},
        "a share for every group; there is none for 'y'",
    ),
    "a share too many": (
        {"j": J, "by": BY, "weights": {"x": 0.5, "y": 0.3, "z": 0.2}},
        "weights must be shares of groups that have cases; there are no cases in 'z'",
    ),
    "sum": (
        {"j": J, "by": BY, "weights": {"x": 0.5, "y": 0.6}},
        "weights must add up to 1; they add up to 1.1",
    ),
    "negative": ({"j": J, "by": BY, "weights": {"x": 1.5, "y": -0.5}}, "from 0 to 1; that of 'x' is 1.5"),
    "NaN": ({"j": J, "by": BY, "weights": {"x": float("nan"), "y": 1.0}}, "that of 'x' is nan"),
    "text": ({"j": J, "by": BY, "weights": {"x": "0.5", "y": 0.5}}, "that of 'x' is '0.5'"),
    "seconds": ({"j": J, "by": BY, "max_seconds": 0.0}, "max_seconds must"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_input_is_named_before_anything_is_sampled(case):
    # red if: the input is repaired, or the message leaves out the argument or the place
    given, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        segment(**given)

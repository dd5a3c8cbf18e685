"""What is known of a time is said without ambiguity, and every wrong way to say it is named."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from nepers.errors import InputError
from nepers.ratios.censoring import Times

INF = np.inf


def ends(times):
    return times.lower.tolist(), times.upper.tolist()


@pytest.mark.parametrize(
    "codes",
    [
        [True, False, True],
        [1, 0, 1],
        [1.0, 0.0, 1.0],
        np.array([True, False, True], dtype=object),
        pd.Series([True, False, True]),
        pd.Series([1, 0, 1]),
        pd.Series([True, False, True], dtype="boolean"),
        pl.Series([True, False, True]),
    ],
    ids=["list", "whole", "float", "object", "pandas", "pandas whole", "pandas nullable", "polars"],
)
def test_event_and_censored_are_opposite_codes(codes):
    # red if: the two codings are taken for one another, or depend on the container
    assert ends(Times.right_censored([1.0, 2.0, 3.0], event=codes)) == ([1, 2, 3], [1, INF, 3])
    assert ends(Times.right_censored([1.0, 2.0, 3.0], censored=codes)) == ([1, 2, 3], [INF, 2, INF])


def test_intervals_hold_every_kind():
    # red if: -inf is not the left end of all times, or the kinds are mixed up
    times = Times.interval([2.0, 2.0, 0.0, -INF, 1.0], [2.0, INF, 3.0, 3.0, 4.0])
    assert ends(times) == ([2, 2, 0, 0, 1], [2, INF, 3, 3, 4])
    assert times.exact.tolist() == [True, False, False, False, False]
    assert times.right.tolist() == [False, True, False, False, False]
    assert times.n == 5


def test_structured_arrays_of_scikit_survival():
    # red if: the fields are taken by their place, or a name is not looked up
    y = np.array([(5.0, True, 1), (7.0, False, 2)], dtype=[("t", "f8"), ("seen", "?"), ("site", "i8")])
    assert ends(Times.structured(y[["t", "seen"]])) == ([5, 7], [5, INF])
    assert ends(Times.structured(y, time="t")) == ([5, 7], [5, INF])
    assert ends(Times.structured(y, time="t", event="seen")) == ([5, 7], [5, INF])


def test_labels_come_from_either_column_and_the_arrays_are_the_classs_own():
    # red if: rows are named by position in a table with an index, or the user's array is shared
    mine = np.array([1.0, 2.0])
    times = Times.right_censored(mine, event=pd.Series([1, 0], index=["anne", "bob"]))
    mine[0] = 9.0
    assert times.lower[0] == 1.0
    assert times.labels.tolist() == ["anne", "bob"]
    with pytest.raises(ValueError, match="read-only"):
        times.upper[0] = 1.0


T, E = [1.0, 2.0], [1, 0]
Y = np.array([(True, False, 2.0)], dtype=[("a", "?"), ("b", "?"), ("t", "f8")])
WRONG = {
    "no code": (lambda: Times.right_censored(T), "exactly one of event .* and censored .*; got neither"),
    "both codes": (lambda: Times.right_censored(T, event=E, censored=E), "got both"),
    "R's codes": (
        lambda: Times.right_censored(T, event=[1, 2]),
        r"event must be True or False, or 1 or 0, .*holds 1, 2: row 1 \(1 of 2\)",
    ),
    "minus one": (
        lambda: Times.right_censored(T, censored=[0, -1]),
        "censored must be True or False.*holds 0, -1",
    ),
    "half": (lambda: Times.right_censored(T, event=[0.5, 1.0]), "holds 0.5, 1.0: row 0"),
    "words": (lambda: Times.right_censored(T, event=["yes", "no"]), "holds 'yes', 'no': rows 0, 1"),
    "missing code": (
        lambda: Times.right_censored(T, event=[1.0, np.nan]),
        "event must have no missing values; row 1",
    ),
    "zero": (
        lambda: Times.right_censored([1.0, 0.0], event=E),
        r"time must be above 0 .*Times.interval\(0, c\)\); 0.0 in row 1",
    ),
    "negative": (lambda: Times.right_censored([-1.0, 2.0], event=E), "time must be above 0.*-1.0 in row 0"),
    "infinite": (lambda: Times.right_censored([1.0, INF], event=E), "time must be finite; inf in row 1"),
    "NaN": (lambda: Times.right_censored([1.0, np.nan], event=E), "time must have no missing values.*row 1"),
    "lengths": (lambda: Times.right_censored(T, event=[1]), "time and event .*time has 2, event 1"),
    "other rows": (
        lambda: Times.right_censored(pd.Series(T), event=pd.Series(E, index=[1, 0])),
        "time and event must have the same row labels",
    ),
    "order": (lambda: Times.interval([1.0, 3.0], T), "lower must be at or below upper; 3.0 in row 1"),
    "ends' lengths": (lambda: Times.interval(T, [3.0]), "lower has 2, upper 1"),
    "negative lower": (lambda: Times.interval([-1.0, 1.0], T), "lower must be at or above 0.*-1.0 in row 0"),
    "infinite lower": (lambda: Times.interval([INF], [INF]), "lower must be below inf"),
    "zero upper": (lambda: Times.interval([0.0], [0.0]), "upper must be above 0, as times are; 0.0 in row 0"),
    "everything": (
        lambda: Times.interval([0.0, 1.0], [INF, INF]),
        "such a row says nothing; leave it out; inf in row 0",
    ),
    "NaN end": (lambda: Times.interval([np.nan], [1.0]), "lower must have no missing values"),
    "no structure": (lambda: Times.structured(np.ones(3)), "y must be a structured array.*ndarray"),
    "a list": (lambda: Times.structured([(True, 1.0)]), "it is list"),
    "two booleans": (
        lambda: Times.structured(Y),
        r"event must name a field.*booleans; y has 'a' \(bool\), 'b'",
    ),
    "no such field": (
        lambda: Times.structured(Y, event="c"),
        "event must be a field of y; 'c' is not among 'a', 'b', 't'",
    ),
    "no number": (lambda: Times.structured(Y[["a", "b"]]), "time must name a field"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_known_time_is_an_error_that_names_it(case):
    # red if: an ambiguous code or an impossible time passes in silence
    make, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        make()

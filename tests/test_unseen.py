"""The same case is found whatever it is written in, and no other is taken for it."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import time
import uuid
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather
from scipy import sparse

from nepers.errors import InputError
from nepers.identity import matching
from nepers.unseen import (
    find_duplicates,
    find_seen,
    find_seen_files,
    refuse_duplicates,
    refuse_seen,
    refuse_seen_files,
)


def pairs(found):
    return list(zip(found.rows.tolist(), found.where.tolist(), strict=True))


# ids in one dimension


IDS = {
    "list": ["b", "x", "a"],
    "tuple": ("b", "x", "a"),
    "array": np.array(["b", "x", "a"]),
    "objects": np.array(["b", "x", "a"], dtype=object),
    "variable-width text": np.array(["b", "x", "a"], dtype=np.dtypes.StringDType()),
    "pandas": pd.Series(["b", "x", "a"], index=[7, 7, 7]),
    "pandas text": pd.Series(["b", "x", "a"], dtype="string"),
    "pandas categories": pd.Series(["b", "x", "a"], dtype="category"),
    "pandas index": pd.Index(["b", "x", "a"]),
    "polars": pl.Series(["b", "x", "a"]),
    "polars categories": pl.Series(["b", "x", "a"], dtype=pl.Categorical),
    "arrow": pa.array(["b", "x", "a"]),
    "arrow chunked": pa.chunked_array([["b"], ["x", "a"]]),
}


@pytest.mark.parametrize("kind", IDS)
def test_ids_are_found_in_every_container(kind):
    # red if: a library's own text or index takes part, or positions are those within a chunk
    assert pairs(find_seen(IDS[kind], ["a", "b", "c", "b"])) == [(0, 1), (2, 0)]
    assert pairs(find_seen(["a", "b", "c", "b"], IDS[kind])) == [(0, 2), (1, 0), (3, 0)]


NUMBERS = {
    "list": [3, -1, 0],
    "floats": [3.0, -1.0, -0.0],
    "decimals": [Decimal("3.0"), Decimal(-1), Decimal(0)],
    "int8": np.array([3, -1, 0], dtype=np.int8),
    "float16": np.array([3, -1, 0], dtype=np.float16),
    "float32": np.array([3, -1, 0], dtype=np.float32),
    "big-endian": np.array([3, -1, 0], dtype=">f8"),
    "objects": np.array([3, -1.0, np.int8(0)], dtype=object),
    "pandas nullable": pd.Series([3, -1, 0], dtype="Int64"),
    "polars": pl.Series([3, -1, 0], dtype=pl.Int16),
    "polars float32": pl.Series([3, -1, 0], dtype=pl.Float32),
    "arrow": pa.array([3, -1, 0], pa.int32()),
    "arrow decimals": pa.array([Decimal(3), Decimal(-1), Decimal(0)], pa.decimal128(10, 2)),
}


@pytest.mark.parametrize(("a", "b"), list(itertools.product(NUMBERS, NUMBERS)))
def test_equal_numbers_are_equal_in_every_type(a, b):
    # red if: 3 and 3.0, 0 and -0.0, or two widths of a float differ
    assert pairs(find_seen(NUMBERS[a], NUMBERS[b])) == [(0, 0), (1, 1), (2, 2)]


def test_booleans_are_zero_and_one():
    # red if: a column of flags written as 0 and 1 is another column
    for flags in ([False, True], np.array([False, True]), pd.Series([False, True]), pl.Series([False, True])):
        assert pairs(find_seen(flags, [1.0])) == [(1, 0)]


def test_a_float32_column_is_the_numbers_it_was_rounded_from():
    # red if: data saved in single precision are not recognised
    values = np.random.default_rng(0).standard_normal((50, 3))
    assert len(find_seen(values.astype(np.float32), values)) == 50
    assert len(find_seen(values, values.astype(np.float32))) == 50
    assert len(find_seen(values.astype(np.float32), values + 1e-3)) == 0


def test_large_whole_numbers_are_told_apart():
    # red if: ids go through float64, where 2**53 + 1 is 2**53, or through int64, where 2**64 - 1 is -1
    assert len(find_seen([2**53 + 1], [2**53])) == 0
    assert len(find_seen(np.array([2**63 + 5], dtype=np.uint64), [2**63 + 6])) == 0
    assert len(find_seen(np.array([2**64 - 1], dtype=np.uint64), np.array([-1]))) == 0
    assert len(find_seen(np.array([2**64 - 1], dtype=np.uint64), [2**64 - 1])) == 1


DAY = dt.date(2026, 1, 31)
MOMENT = dt.datetime(2026, 1, 31)
TIMES = {
    "dates": [DAY],
    "times": [MOMENT],
    "numpy days": np.array(["2026-01-31"], dtype="M8[D]"),
    "numpy": np.array(["2026-01-31"], dtype="M8[ns]"),
    "pandas": pd.Series(pd.to_datetime(["2026-01-31"])),
    "polars days": pl.Series([DAY]),
    "polars": pl.Series([MOMENT], dtype=pl.Datetime("ms")),
    "arrow": pa.array([DAY]),
}


@pytest.mark.parametrize(("a", "b"), list(itertools.product(TIMES, TIMES)))
def test_equal_times_are_equal_in_every_resolution(a, b):
    # red if: nanoseconds are compared with days
    assert len(find_seen(TIMES[a], TIMES[b])) == 1


def test_times_with_a_zone_are_the_moment_they_are():
    # red if: the clock on the wall is compared
    moment = dt.datetime(2026, 1, 31, 12, tzinfo=dt.UTC)
    elsewhere = moment.astimezone(dt.timezone(dt.timedelta(hours=5)))
    aware = pd.Series(pd.to_datetime(["2026-01-31 13:00+01:00"]))
    assert len(find_seen([elsewhere], [moment])) == 1
    assert len(find_seen(aware, [elsewhere])) == 1


def test_durations_are_equal_in_every_resolution():
    # red if: milliseconds are compared with microseconds
    span = dt.timedelta(seconds=5)
    spans = (
        [span],
        np.array([5], dtype="m8[s]"),
        pl.Series([span], dtype=pl.Duration("ms")),
        pd.Series([span]),
    )
    for a, b in itertools.product(spans, spans):
        assert len(find_seen(a, b)) == 1


def test_other_things_are_equal_as_python_says():
    # red if: ids of a type of their own are refused, or compared by identity
    text = "12345678-1234-5678-1234-567812345678"
    assert len(find_seen([uuid.UUID(text)], [uuid.UUID(text)])) == 1
    assert pairs(find_seen([7, "7"], ["7", 8, 7.0])) == [(0, 2), (1, 0)]


# tables


def frame(**columns):
    return pd.DataFrame(columns)


X = {"id": ["a", "b", "c"], "age": [30.0, None, 50.0], "sex": ["f", "m", None]}
TABLES = {
    "mapping": X,
    "pandas": pd.DataFrame(X, index=[9, 9, 9]),
    "pandas nullable": pd.DataFrame(X).convert_dtypes(),
    "polars": pl.DataFrame(X),
    "polars lazy": pl.DataFrame(X).lazy(),
    "arrow": pa.table(X),
    "columns of a mapping": {"id": pl.Series(X["id"]), "age": np.array([30, np.nan, 50]), "sex": X["sex"]},
    "masked": {**X, "age": np.ma.masked_array([30, 0, 50], mask=[0, 1, 0])},
}


@pytest.mark.parametrize(("a", "b"), list(itertools.product(TABLES, TABLES)))
def test_rows_are_found_by_content_in_every_library(a, b):
    # red if: None, NaN, NA and masked differ, or the rows of a table with a repeated index
    found = find_seen(TABLES[a], TABLES[b])
    assert pairs(found) == [(0, 0), (1, 1), (2, 2)]
    assert found.by == ("id", "age", "sex")
    assert not found.certain


def test_missing_is_equal_to_missing_in_every_form():
    # red if: NaN of a library that has null too, or NaT of an array, is a value
    numbers = (
        [None, 1],
        [np.nan, 1],
        np.array([np.nan, 1]),
        pl.Series([float("nan"), 1.0]),
        pl.Series([None, 1]),
    )
    times = (
        [None, MOMENT],
        [pd.NaT, DAY],
        np.array(["NaT", "2026-01-31"], dtype="M8[s]"),
        pl.Series([None, DAY]),
    )
    for several in (numbers, times):
        for a, b in itertools.product(several, several):
            assert pairs(find_seen({"x": a}, {"x": b})) == [(0, 0), (1, 1)]


def test_columns_go_by_name_in_any_order_and_only_those_of_both():
    # red if: columns go by place, or a column that one table lacks keeps cases from being found
    found = find_seen({"x": [1, 2], "y": [3, 4], "prediction": [0.1, 0.2]}, {"y": [4, 3], "x": [2, 3]})
    assert pairs(found) == [(1, 0)]
    assert found.by == ("x", "y")


def test_columns_of_arrays_go_by_place():
    # red if: a row is a set of numbers
    assert pairs(find_seen(np.array([[1, 2], [3, 4]]), np.array([[2.0, 1.0], [3.0, 4.0]]))) == [(1, 1)]
    assert pairs(find_seen([[1, "a"], [2, "b"]], [(2, "b")])) == [(1, 0)]
    assert pairs(find_seen(np.rec.array([(1, 2.0)], names="a,b"), {"b": [2], "a": [1]})) == [(0, 0)]


def test_by_names_what_identifies_a_case():
    # red if: the other columns count too
    cases, training = frame(p=["a", "b"], x=[1, 2]), frame(x=[7, 8], p=["b", "a"])
    assert pairs(find_seen(cases, training, by="p")) == [(0, 1), (1, 0)]
    assert pairs(find_seen(cases, training, by=["p", "x"])) == []
    assert pairs(find_seen(np.array([[1, 5]]), np.array([[1, 6]]), by=0)) == [(0, 0)]


def test_a_mixed_id_is_known_by_all_its_columns():
    # red if: one of two columns is enough
    cases = {"site": ["A", "A"], "n": [1, 2]}
    assert pairs(find_seen(cases, {"site": ["A", "B"], "n": [2, 1]}, by=["site", "n"])) == [(1, 0)]


cells = st.one_of(st.none(), st.integers(-2, 2))
rows = st.lists(st.tuples(cells, st.sampled_from(["a", "b", None])), max_size=12)


@given(rows, rows)
def test_the_first_equal_row_is_found_and_no_other(mine, theirs):
    """Against a search row by row. red if: an unequal row is found, an equal one missed, or not the first."""
    expected = [(i, theirs.index(row)) for i, row in enumerate(mine) if row in theirs]
    as_table = [{"x": [x for x, _ in table], "y": [y for _, y in table]} for table in (mine, theirs)]
    assert pairs(find_seen(*as_table)) == expected


@pytest.mark.parametrize("spread", ["all alike", "two kinds"])
def test_a_collision_of_hashes_is_not_a_case(monkeypatch, spread):
    # red if: equal hashes are taken for equal rows, or the search ends at the first of them
    def mix(hashes, words):
        hashes[:] = 0 if spread == "all alike" else words % np.uint64(2)

    monkeypatch.setattr(matching, "_mix", mix)
    values = np.arange(40)
    assert pairs(find_seen(values[30:], values[::-1][:20])) == [(i, 9 - i) for i in range(10)]
    assert pairs(find_seen([50, 51], values)) == []


def test_rows_that_differ_in_one_cell_have_different_hashes():
    # red if: columns are added or xored without their order, so that every lookup compares half the table
    rng = np.random.default_rng(0)
    base = rng.integers(0, 3, 12)
    table = np.unique(np.array([np.roll(base, k) for k in range(12)]), axis=0)
    bits = np.unique(rng.integers(0, 2, (20_000, 16)), axis=0)
    for data in (table, bits, np.arange(100_000)[:, None], 2.0 ** np.arange(-1000, 1000)[:, None]):
        columns = [(matching_cells, "whole") for matching_cells in cells_of(data)]
        if data.dtype.kind == "f":
            columns = [(cells, "float64") for cells, _ in columns]
        assert np.unique(matching._hashes(columns)).size == len(data)


def cells_of(data):
    from nepers.identity.arrays import array_cells

    return [array_cells("x", data[:, i]) for i in range(data.shape[1])]


def test_no_cases_are_legal():
    # red if: a table without rows fails
    assert len(find_seen([], ["a"])) == 0
    assert len(find_seen(["a"], [])) == 0
    assert len(find_seen(np.empty((0, 2)), np.ones((3, 2)))) == 0
    assert len(find_seen(frame(x=[]), frame(x=["a"]))) == 0


def test_a_column_without_values_has_any_type():
    # red if: an all-missing column, which a library calls text or float as it likes, is of the wrong type
    training = frame(x=["a", None], y=[1, 2])
    for nothing in ([None], [np.nan], pl.Series([None]), pd.Series([None])):
        assert pairs(find_seen({"x": nothing, "y": [2]}, training)) == [(0, 1)]
        assert pairs(find_seen(training, {"x": nothing, "y": [2]})) == [(1, 0)]
    assert len(find_seen({"x": [None]}, {"x": [None]})) == 1


# in words


def test_what_was_found_is_said():
    # red if: the rows are not called as the user calls them
    cases = pd.DataFrame({"p": ["a", "b"], "x": [1, 2]}, index=["anne", "bob"])
    found = find_seen(cases, frame(p=["b", "z"]), by="p")
    assert found
    assert str(found) == "1 of 2 cases was in training: row bob ('b') is row 0 of the training."
    assert str(find_seen(cases, cases)) == (
        "2 of 2 cases were in training, being equal in all of 'p', 'x': "
        "row anne is row anne of the training; row bob is row bob of the training."
    )
    assert str(find_seen(["a"], ["b"])) == "None of the 1 cases was in training."
    assert not find_seen(["a"], ["b"])


def test_only_the_first_are_listed():
    # red if: a message lists a million rows
    assert str(find_seen(range(1000), range(1000))).endswith(
        "row 4 (4) is row 4 of the training and 995 more."
    )
    wide = {f"x{i}": [1] for i in range(9)}
    assert "equal in all of 'x0', 'x1', 'x2', 'x3', 'x4', ...: row 0 is" in str(find_seen(wide, wide))
    assert len(str(find_seen(["long" * 50], ["long" * 50]))) < 120


def test_seen_cases_are_refused():
    # red if: an error is not raised, or is raised for unseen cases
    refuse_seen(["a"], ["b"])
    message = (
        r"cases must not have been in training; 1 of 2 is in trained_on: row 1 \('b'\) is row 0 of the "
        r"training. Leave them out$"
    )
    with pytest.raises(InputError, match=message):
        refuse_seen(["a", "b"], ["b"])
    with pytest.raises(InputError, match=r"by chance, name the columns that identify a case with by=$"):
        refuse_seen({"x": [1]}, {"x": [1]})


def test_the_same_case_twice_is_an_error_by_id_and_likely_by_content():
    # red if: the first of them is taken for the repeated one, or content for proof
    found = find_duplicates(["a", "b", "a", "a"])
    assert pairs(found) == [(2, 0), (3, 0)]
    assert str(found) == "2 of 4 cases are there already: row 2 ('a') is row 0; row 3 ('a') is row 0."
    with pytest.raises(InputError, match=r"cases must have each case once; 1 of 2 is there already: row 1"):
        refuse_duplicates({"p": ["a", "a"], "x": [1, 2]}, by="p")
    likely = refuse_duplicates({"p": ["a", "a"], "x": [1, 1]})
    assert str(likely) == (
        "1 of 2 cases is likely there already, being equal in all of 'p', 'x': row 1 is row 0."
    )
    assert str(refuse_duplicates(["a", "b"])) == "None of the 2 cases is there twice."


WRONG = {
    "nothing shared": (
        frame(a=[1]),
        frame(b=[1]),
        None,
        "must share columns; in cases its columns are 'a', in",
    ),
    "by is not in cases": (frame(a=[1]), frame(b=[1]), "b", "by must name columns; 'b' is not in cases; its"),
    "by is not in training": (
        frame(id=[1], ix=[1]),
        frame(ix=[1]),
        "id",
        "'id' is not in trained_on; its columns are 'ix'",
    ),
    "no such column number": (
        np.ones((1, 2)),
        np.ones((1, 2)),
        2,
        "2 is not in cases; its columns are 0 to 1",
    ),
    "by for ids": ([1], [1], "p", "by must be left out where cases holds the ids themselves; it is 'p'"),
    "by nothing": (frame(a=[1]), frame(a=[1]), [], "by must name one column or several different ones"),
    "by twice": (frame(a=[1]), frame(a=[1]), ["a", "a"], r"several different ones; it is \['a', 'a'\]"),
    "text and numbers": (
        frame(p=["7"]),
        frame(p=[7]),
        "p",
        r"column 'p' of cases and column 'p' of trained_on must be of the same type; the first holds text "
        r"\('7'\), the second numbers \(7\): convert one",
    ),
    "ids text and numbers": (
        [7],
        ["7"],
        None,
        r"cases and trained_on must be .* numbers \(7\), .* text \('7'\)",
    ),
    "times and text": ([DAY], ["2026-01-31"], None, r"the first holds times \(2026-01-31T00"),
    "times and others": ([DAY], [1, "a"], None, r"times .* the second objects \(1\)"),
    "missing id": (
        ["a", None],
        ["a"],
        None,
        "cases must have no missing values, as it identifies cases; row 1",
    ),
    "missing id in training": (
        frame(p=[1.0]),
        pd.DataFrame({"p": [1.0, np.nan]}, index=["x", "y"]),
        "p",
        "column 'p' of trained_on must have no missing values, as it identifies cases; row y",
    ),
    "inexact ids": (
        [2**53 + 1],
        [1.0],
        None,
        "must both be whole numbers or text; the second is float64, which cannot tell 9007199254740993",
    ),
    "inexact ids in single": (
        np.ones(1, np.float32),
        [2**24 + 1],
        None,
        "is float32, which cannot tell 16777217",
    ),
    "array and table": (np.ones((1, 1)), frame(a=[1]), None, "cases is a 2-D array, trained_on a table with"),
    "ids and table": (["a"], frame(a=[1]), None, "cases is 1-D, trained_on a table with names"),
    "widths": (np.ones((1, 2)), np.ones((1, 3)), None, "cases has 2, trained_on 3"),
    "three dimensions": (np.ones((1, 1, 1)), np.ones((1, 1)), None, r"its shape is \(1, 1, 1\)"),
    "no columns": (np.ones((1, 0)), np.ones((1, 0)), None, r"its shape is \(1, 0\)"),
    "an empty mapping": ({}, {"a": [1]}, None, "cases must have at least one column"),
    "ragged columns": (
        {"a": [1], "b": [1, 2]},
        {"a": [1]},
        None,
        "column 'a' of cases has 1, column 'b' .* 2",
    ),
    "ragged rows": ([[1, 2], [3]], [[1, 2]], None, "rows of the same length; they have 1 and 2"),
    "rows and ids": ([[1, 2], 3], [[1, 2]], None, "they have 2, and some are no rows"),
    "a column of tables": ({"a": np.ones((2, 2))}, {"a": [1]}, None, r"one dimension; its shape is \(2, 2\)"),
    "sparse": (sparse.csr_matrix(np.eye(2)), np.eye(2), None, "cases must be dense.*give .toarray"),
    "a set": ({"a"}, ["a"], None, "a dataframe, a 2-D array, or a 1-D list of ids; it is set"),
    "text": ("a.csv", ["a"], None, "it is str"),
    "lists in cells": (pl.DataFrame({"a": [[1]]}), frame(a=[1]), None, "compared; row 0 is of type list"),
    "bytes": (np.array([b"a"]), ["a"], None, r"must hold numbers, texts or times; it is of \|S1"),
    "bytes in a list": ([b"a"], ["a"], None, "row 0 is of type bytes"),
    "complex": (np.array([1j]), [1], None, "it is of complex128"),
    "names twice": (
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        frame(a=[1]),
        None,
        "cases must have columns of different names",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_compared_is_an_error_that_names_it(case):
    # red if: the comparison is made anyway, and finds nothing
    cases, trained_on, by, message = WRONG[case]
    with pytest.raises(InputError, match=message) as caught:
        find_seen(cases, trained_on, by=by)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["ids", "text ids", "table"])
def test_a_million_rows_take_seconds(kind):
    # red if: rows are compared one by one, or by pairs
    n = 500_000
    rng = np.random.default_rng(0)
    data = {
        "ids": lambda: rng.permutation(n),
        "text ids": lambda: np.char.add("patient ", rng.permutation(n).astype(str)),
        "table": lambda: rng.standard_normal((n, 5)),
    }[kind]()
    start = time.perf_counter()
    assert len(find_seen(data, data[::-1])) == n
    assert time.perf_counter() - start < 10.0


# files


TABLE = {
    "id": ["007", "8", "A9"],
    "n": [1, 2, 3],
    "x": [1.5, -2.0, None],
    "ok": [True, False, True],
    "day": ["2026-01-31", "2026-02-01", None],
}
FILES = ["csv", "tsv", "json", "ndjson", "parquet", "arrow"]


def written(folder, format, table, name="t"):
    path = folder / f"{name}.{format}"
    data = pd.DataFrame(table)
    if format in ("csv", "tsv"):
        data.to_csv(path, sep="," if format == "csv" else "\t", index=False)
    elif format in ("json", "ndjson"):
        rows = [{k: v for k, v in row.items() if v == v and v is not None} for row in data.to_dict("records")]
        text = json.dumps(rows, default=str)
        path.write_text(text if format == "json" else "\n".join(json.dumps(row, default=str) for row in rows))
    elif format == "parquet":
        data.to_parquet(path)
    else:
        feather.write_feather(data, path, compression="uncompressed")
    return path


@pytest.mark.parametrize(("a", "b"), list(itertools.product(FILES, FILES)))
def test_the_same_rows_are_found_in_files_of_every_format(tmp_path, a, b):
    # red if: a format's own types differ from text that says the same; empty cells from missing ones
    table = {k: TABLE[k] for k in ("id", "n", "x", "day")}
    if a in ("parquet", "arrow"):
        mine = written(tmp_path, a, {**table, "day": pd.to_datetime(table["day"])}, "a")
    else:
        mine = written(tmp_path, a, table, "a")
    theirs = {**{k: v[::-1] for k, v in table.items()}, "more": [1, 2, 3]}
    if b in ("parquet", "arrow"):
        theirs["day"] = (
            pd.to_datetime(theirs["day"]).date if b == "parquet" else pd.to_datetime(theirs["day"])
        )
    training = written(tmp_path, b, theirs, "b")
    assert pairs(find_seen_files(mine, training)) == [(0, 2), (1, 1), (2, 0)]
    assert pairs(find_seen_files(mine, training, by="id")) == [(0, 2), (1, 1), (2, 0)]
    assert pairs(find_seen_files(mine, training, by=["n", "id"])) == [(0, 2), (1, 1), (2, 0)]


@pytest.mark.parametrize("b", ["csv", "json"])
@pytest.mark.parametrize("a", ["csv", "tsv", "json"])
def test_ids_with_leading_zeros_are_text(tmp_path, a, b):
    # red if: 007 is seven
    mine = written(tmp_path, a, {"id": ["007", "8"]}, "a")
    theirs = written(tmp_path, b, {"id": ["7", "8"]}, "b")
    assert pairs(find_seen_files(mine, theirs, by="id")) == [(1, 1)]


def test_numbers_in_text_are_numbers(tmp_path):
    # red if: 1.0 and 1, as two programs write them, are different
    (tmp_path / "a.csv").write_text("x,y\n1.0,5\n 2 ,6\n,7\n")
    (tmp_path / "b.csv").write_text("x,y\n1,5\n2.00,6\n,7\n")
    assert len(find_seen_files(tmp_path / "a.csv", tmp_path / "b.csv")) == 3
    pd.DataFrame({"x": [2, 1], "y": [6, 5]}).to_parquet(tmp_path / "b.parquet")
    assert pairs(find_seen_files(tmp_path / "a.csv", tmp_path / "b.parquet")) == [(0, 1), (1, 0)]


def test_long_numbers_are_told_apart(tmp_path):
    # red if: ids of 17 and more digits go through doubles
    long, longer = "90071992547409930", "123456789012345678901234567890"
    (tmp_path / "a.csv").write_text(f"p,q\n{long},{longer}\n")
    (tmp_path / "b.csv").write_text(f"p,q\n{int(long) + 1},{int(longer) + 1}\n")
    for by in ("p", "q"):
        assert len(find_seen_files(tmp_path / "a.csv", tmp_path / "a.csv", by=by)) == 1
        assert len(find_seen_files(tmp_path / "a.csv", tmp_path / "b.csv", by=by)) == 0


def test_an_id_that_is_text_in_one_file_is_text_as_written_in_the_other(tmp_path):
    # red if: ids that happen to be all digits in the smaller file are never found
    (tmp_path / "a.csv").write_text("p\n7\n8\n")
    (tmp_path / "b.csv").write_text("p\nA1\n7\n")
    assert pairs(find_seen_files(tmp_path / "a.csv", tmp_path / "b.csv", by="p")) == [(0, 1)]
    pd.DataFrame({"p": ["8", "9"]}).to_parquet(tmp_path / "b.parquet")
    assert pairs(find_seen_files(tmp_path / "a.csv", tmp_path / "b.parquet", by="p")) == [(1, 0)]
    assert pairs(find_seen_files(tmp_path / "b.parquet", tmp_path / "a.csv", by="p")) == [(0, 1)]


def test_booleans_large_and_odd_types_of_parquet_are_read(tmp_path):
    # red if: a type that is no number fails, or is read as one that it is not
    table = pa.table(
        {
            "ok": pa.array([True, None]),
            "big": pa.array([2**63 + 1, 1], pa.uint64()),
            "money": pa.array([Decimal("0.10"), None], pa.decimal128(9, 2)),
            "half": pa.array([0.1, None], pa.float32()),
            "list": pa.array([[1, 2], None]),
            "zone": pa.array([0, None], pa.timestamp("us", "UTC")),
        }
    )
    pa.parquet.write_table(table, tmp_path / "a.parquet")
    feather.write_feather(table, tmp_path / "a.arrow", compression="uncompressed")
    for other in ("a.parquet", "a.arrow"):
        assert pairs(find_seen_files(tmp_path / "a.parquet", tmp_path / other)) == [(0, 0), (1, 1)]
    (tmp_path / "a.csv").write_text("ok,money,half\n1,.1,0.1\n")
    assert pairs(find_seen_files(tmp_path / "a.csv", tmp_path / "a.parquet")) == [(0, 0)]


def test_seen_files_are_refused_with_the_counting_of_rows(tmp_path):
    # red if: the user takes the rows for lines of the file
    path = written(tmp_path, "csv", {"p": ["a"]})
    message = (
        rf"1 of 1 is in {path}: row 0 \('a'\) is row 0 of the training "
        r"\(rows counted from 0, the header not counted\). Leave them out"
    )
    with pytest.raises(InputError, match=message):
        refuse_seen_files(path, path, by="p")
    refuse_seen_files(path, written(tmp_path, "csv", {"p": ["b"]}, "u"), by="p")


WRONG_FILES = {
    "no such column": ({"p": [1]}, {"p": [1]}, "q", "column 'q' is not in .*a.csv; its columns are 'p'"),
    "not in training": ({"p": [1]}, {"r": [1]}, "p", "column 'p' is not in .*b.parquet"),
    "nothing shared": (
        {"p": [1]},
        {"r": [1]},
        None,
        "must share columns; in .*a.csv its columns are 'p', in",
    ),
    "types of ids": ({"p": ["A7"]}, {"p": [7]}, "p", r"text \('A7'\), the second numbers \(7\)"),
    "types of content": ({"p": ["A7"]}, {"p": [7]}, None, "must be of the same type.*by="),
    "missing id": (
        {"p": [1, None]},
        {"p": [7]},
        "p",
        "column 'p' of .*a.csv must have no missing values.*row 1",
    ),
}


@pytest.mark.parametrize("case", WRONG_FILES)
def test_files_that_cannot_be_compared_are_an_error_that_names_them(tmp_path, case):
    # red if: the comparison is made anyway, and finds nothing
    mine, theirs, by, message = WRONG_FILES[case]
    files = written(tmp_path, "csv", mine, "a"), written(tmp_path, "parquet", theirs, "b")
    with pytest.raises(InputError, match=message) as caught:
        find_seen_files(*files, by=by)
    assert "\n" not in str(caught.value)


def test_texts_that_differ_in_type_by_content_are_an_error(tmp_path):
    # red if: a column written in two ways by two programs hides every case
    (tmp_path / "a.csv").write_text("p,day\n1,2026-01-31\n")
    (tmp_path / "b.csv").write_text("p,day\n1,31/01/2026\n")
    with pytest.raises(InputError, match=r"column 'day' .* times \(2026-01-31.*text \('31/01/2026'\)"):
        find_seen_files(tmp_path / "a.csv", tmp_path / "b.csv")
    assert len(find_seen_files(tmp_path / "a.csv", tmp_path / "b.csv", by="p")) == 1


def test_the_format_of_each_file_may_be_given(tmp_path):
    # red if: one format is used for both
    (tmp_path / "a").write_text("p\nx\n")
    (tmp_path / "b").write_text('[{"p": "x"}]')
    assert (
        len(find_seen_files(tmp_path / "a", tmp_path / "b", by="p", format="csv", training_format="json"))
        == 1
    )

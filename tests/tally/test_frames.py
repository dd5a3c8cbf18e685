"""Every engine makes the tally that numpy makes, and what is wrong with the data is said."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tally.engines import columns

import nepers
from nepers.tally import Grid, from_arrays, from_frame, from_frames

ENGINES = {
    "polars": lambda data: pl.DataFrame(data),
    "polars lazy": lambda data: pl.LazyFrame(data),
    "pandas": lambda data: pd.DataFrame(data),
    "pyarrow": lambda data: pa.table(data),
    "duckdb": lambda data: duckdb.from_arrow(pa.table(data)),
}
WAYS = [{"j": "j"}, {"log_q": "log_q", "log_p": "log_p"}, {"q": "q", "p": "p"}]


def alike(a: nepers.Tally, b: nepers.Tally) -> None:
    """Equal but for the rounding of logs, which may put a value at an edge into the next bin."""
    assert (a.grid, a.n, a.impossible) == (b.grid, b.n, b.impossible)
    assert a.mean == pytest.approx(b.mean, abs=1e-12)
    assert a.sd == pytest.approx(b.sd, rel=1e-10, nan_ok=True)
    keys, counts = np.unique(np.concatenate([a.bins.key, b.bins.key])), []
    for tally in (a, b):
        found = np.zeros(keys.size)
        found[np.searchsorted(keys, tally.bins.key)] = tally.bins.count
        counts.append(found)
    assert np.abs(counts[0] - counts[1]).sum() <= 6
    assert a.bins.least.min() == pytest.approx(b.bins.least.min(), rel=1e-12)
    assert a.bins.greatest.max() == pytest.approx(b.bins.greatest.max(), rel=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("asked", WAYS, ids=["j", "logs", "probabilities"])
def test_every_engine_makes_the_same_tally(engine, asked):
    # red if: an engine's floor, log or sign differs, or a negative j is put one bin too high
    data = columns()
    alike(from_frame(ENGINES[engine](data), **asked), from_arrays(data["j"]))


@pytest.mark.parametrize("engine", ENGINES)
def test_segments_are_one_group_by(engine):
    # red if: the rows of one segment are counted in another, or the segment is taken for a number
    data = columns()
    found = from_frame(ENGINES[engine](data), q="q", p="p", by="group", grid=Grid(0.1, 128))
    assert list(found) == [0, 1, 2]
    for group, tally in found.items():
        alike(tally, from_arrays(data["j"][data["group"] == group], grid=Grid(0.1, 128)))


def test_the_prior_may_be_a_number():
    # red if: the number is taken for the name of a column, or its log is not taken
    data = columns()
    alike(from_frame(pl.DataFrame(data), q="q", p=0.25), from_arrays(data["log_q"] - np.log(0.25)))
    alike(from_frame(pl.DataFrame(data), log_q="log_q", log_p=-1), from_arrays(data["log_q"] + 1.0))


@pytest.mark.parametrize("engine", ENGINES)
def test_probability_zero_is_counted(engine):
    # red if: the log of 0 is an error, a warning, or a missing value
    found = from_frame(ENGINES[engine]({"q": [0.0, 0.5, 0.0], "p": [0.5, 0.5, 0.5]}), q="q", p="p")
    assert found.impossible == {"the frame": 2}
    assert found.n == 3


WRONG = [
    ({"q": [0.5, np.nan], "p": [0.5, 0.5]}, "NaN|missing"),
    ({"q": [0.5, -0.1], "p": [0.5, 0.5]}, "NaN|missing"),
    ({"q": [0.5, 0.1], "p": [0.5, 0.0]}, "below"),
    ({"q": [0.5, 0.0], "p": [0.5, 0.0]}, "NaN|missing"),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("data", "words"), WRONG)
def test_wrong_rows_are_named_by_their_table(engine, data, words):
    # red if: a NaN gets a bin, or is left out; the table is not named; pandas takes NaN for missing
    with pytest.raises(nepers.InputError, match=rf"({words}).*1 rows.*part 7"):
        from_frame(ENGINES[engine](data), q="q", p="p", name="part 7")


@pytest.mark.parametrize("engine", ["polars", "polars lazy", "pyarrow", "duckdb"])
def test_missing_values_are_refused(engine):
    # red if: a missing value is left out of the group-by
    frame = ENGINES[engine]({"j": [0.1, None, 0.3]})
    with pytest.raises(nepers.InputError, match=r"missing values.*1 rows"):
        from_frame(frame, j="j")


def test_several_tables_are_named():
    # red if: the part that is wrong is not said
    good, bad = pl.DataFrame({"j": [0.1, 0.2]}), pl.DataFrame({"j": [0.1, float("inf")]})
    assert from_frames({"a": good, "b": good}, j="j").n == 4
    with pytest.raises(nepers.InputError, match="of b"):
        from_frames({"a": good, "b": bad}, j="j")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"j": "text"}, "real numbers; its type is String"),
        ({"j": "none"}, "column 'none'"),
        ({"j": "j", "by": "none"}, "column 'none'"),
        ({"q": "j"}, "got q"),
        ({}, "none of them"),
        ({"q": "j", "p": 0.0}, "above 0"),
        ({"j": 3}, "name of a column"),
    ],
)
def test_wrong_requests_are_refused(asked, words):
    # red if: text is summed, or a column that is not there is the engine's own error
    with pytest.raises(nepers.InputError, match=words):
        from_frame(pl.DataFrame({"j": [0.1], "text": ["a"]}), **asked)


def test_what_is_no_table_is_refused():
    # red if: narwhals' error is shown
    with pytest.raises(nepers.InputError, match="it is list"):
        from_frame([1.0], j="j")


def test_a_missing_segment_is_refused():
    # red if: rows without a segment vanish
    with pytest.raises(nepers.InputError, match="'g'"):
        from_frame(pl.DataFrame({"j": [0.1, 0.2], "g": ["a", None]}), j="j", by="g")

"""The embedded engine: the same tally from every format, and the file that is wrong is named."""

import gzip
import json

import numpy as np
import polars as pl
import pytest
from tally.engines import columns
from tally.test_frames import alike

import nepers
from nepers.tally import files, from_arrays, from_files


def write(folder, format, data, name="a"):
    frame, path = pl.DataFrame(data), folder / f"{name}.{format}"
    if format == "parquet":
        frame.write_parquet(path)
    elif format in ("csv", "tsv"):
        frame.write_csv(path, separator="," if format == "csv" else "\t")
    elif format == "csv.gz":
        path.write_bytes(gzip.compress(frame.write_csv().encode()))
    elif format == "jsonl":
        frame.write_ndjson(path)
    else:
        path.write_text(json.dumps(frame.to_dicts()), encoding="utf-8")
    return path


@pytest.mark.parametrize("format", ["parquet", "csv", "csv.gz", "tsv", "jsonl", "json"])
@pytest.mark.parametrize("fast", [True, False], ids=["counted here", "group-by"])
def test_every_format_makes_the_same_tally(format, fast, tmp_path, monkeypatch):
    # red if: a format is read as text, or digits are lost; the compiled count and SQL differ
    monkeypatch.setattr(files, "is_possible", lambda: fast)
    data = columns()
    path = write(tmp_path, format, data)
    alike(from_files(path, q="q", p="p"), from_arrays(data["j"]))
    alike(from_files(str(path), j="j"), from_arrays(data["j"]))
    alike(from_files(path, q="q", p=0.25), from_arrays(data["log_q"] - np.log(0.25)))
    alike(from_files(path, log_q="log_q", log_p=-1.0), from_arrays(data["log_q"] + 1.0))


@pytest.mark.parametrize("kind", [pl.Float64, pl.Float32])
def test_row_groups_and_other_types_of_numbers(kind, tmp_path):
    # red if: a row group is left out or counted twice; or the memory of one type is read as that of another
    data = columns()
    frame = pl.DataFrame(data).select(pl.col("p", "group", "q").cast(kind))
    for k in range(2):
        frame[k::2].write_parquet(tmp_path / f"{k}.parquet", row_group_size=100)
    j = np.log(frame["q"].cast(pl.Float64)) - np.log(frame["p"].cast(pl.Float64))
    alike(from_files(f"{tmp_path}/*.parquet", q="q", p="p"), from_arrays(j))


@pytest.mark.parametrize("odd", [0.0, 1e-310, -0.5, np.nan, np.inf, None, 1.0])
def test_the_count_leaves_odd_rows_to_the_group_by(odd, tmp_path, monkeypatch):
    # red if: a row that is not plain is counted, or left out, without anybody being told
    path = tmp_path / "a.parquet"
    pl.DataFrame({"q": [0.5, odd, 0.25], "p": [0.5, 0.5, 0.5]}).write_parquet(path)
    found = {}
    for fast in (True, False):
        monkeypatch.setattr(files, "is_possible", lambda fast=fast: fast)
        try:
            tally = from_files(path, q="q", p="p")
            found[fast] = (tally.n, tally.impossible, tally.bins.least.tolist())
        except nepers.InputError as error:
            found[fast] = str(error)
    assert found[True] == found[False]


def test_files_of_one_row(tmp_path):
    # red if: a column of one row is taken for a number
    for number, (q, p) in enumerate([(0.5, 0.25), (0.1, 0.2)]):
        pl.DataFrame({"q": [q], "p": [p]}).write_parquet(tmp_path / f"{number}.parquet")
    alike(from_files(f"{tmp_path}/*.parquet", q="q", p="p"), from_arrays(np.log([2.0, 0.5])))
    alike(from_files(tmp_path / "0.parquet", q="q", p=0.125), from_arrays(np.log([4.0])))


def test_a_glob_is_all_of_its_files(tmp_path):
    # red if: only the first file is read, or the order of files matters
    data = columns()
    for k in range(3):
        write(tmp_path, "parquet", {name: column[k::3] for name, column in data.items()}, f"part[{k}]")
    alike(from_files(f"{tmp_path}/*.parquet", q="q", p="p"), from_arrays(data["j"]))
    alike(from_files(tmp_path / "part[1].parquet", j="j"), from_arrays(data["j"][1::3]))


def test_files_by_segment(tmp_path):
    # red if: segments are mixed up
    data = columns()
    path = write(tmp_path, "parquet", data)
    found = from_files(path, j="j", by="group")
    assert list(found) == [0, 1, 2]
    for group, tally in found.items():
        alike(tally, from_arrays(data["j"][data["group"] == group]))


@pytest.mark.parametrize("wrong", [np.nan, np.inf, None])
def test_the_file_that_is_wrong_is_named(wrong, tmp_path):
    # red if: the error names the first file, or the wrong row is left out
    for name, last in (("good", 0.3), ("bad", wrong)):
        pl.DataFrame({"j": [0.1, last]}).write_parquet(tmp_path / f"{name}.parquet")
    with pytest.raises(nepers.InputError, match=r"1 rows, of .*bad\.parquet \(1\)$"):
        from_files(f"{tmp_path}/*.parquet", j="j")


def test_probability_zero_names_its_file(tmp_path):
    # red if: the part is not kept with the number
    for name, q in (("good", 0.3), ("zero", 0.0)):
        pl.DataFrame({"q": [0.1, q]}).write_parquet(tmp_path / f"{name}.parquet")
    found = from_files(f"{tmp_path}/*.parquet", q="q", p=0.5)
    assert found.impossible == {f"{tmp_path}/zero.parquet": 1}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("j\n0.1\nabc\n", "VARCHAR|convert"),
        ("j,k\n0.1,1\n,2\n", "missing values.*a.csv"),
        ("x\n1\n", "column 'j'"),
        ("j\n", "real"),
    ],
)
def test_wrong_csv_is_refused(content, words, tmp_path):
    # red if: text or a row that does not fit is left out
    (tmp_path / "a.csv").write_text(content, encoding="utf-8")
    with pytest.raises(nepers.InputError, match=words):
        from_files(tmp_path / "a.csv", j="j")


def test_wrong_files_are_refused(tmp_path):
    # red if: nothing is a tally of no cases, or a file counts twice
    path = write(tmp_path, "parquet", columns())
    for given, words in (
        (f"{tmp_path}/*.csv", "matches no file"),
        (tmp_path / "none.parquet", "is none"),
        ([path, path], "twice"),
        ([], "at least one"),
    ):
        with pytest.raises(nepers.InputError, match=words):
            from_files(given, j="j")
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(nepers.InputError, match="cannot be read"):
        from_files(cut, j="j")
    with pytest.raises(nepers.InputError, match="format"):
        from_files(write(tmp_path, "csv", columns()).rename(tmp_path / "a.dat"), j="j")


def test_values_beyond_the_grid_are_refused(tmp_path):
    # red if: their key overflows
    path = write(tmp_path, "parquet", {"j": [1e300, 0.1]})
    with pytest.raises(nepers.InputError, match="larger unit"):
        from_files(path, j="j")

"""`nepers tally` and `nepers assess` of its files."""

import numpy as np
import polars as pl
import pytest

import nepers
from nepers.cli import main
from nepers.tally import Tally


def complaint(capsys, *arguments):
    assert main(list(map(str, arguments))) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def parts(folder):
    """Two files of a two-valued j, whose posterior needs no chains."""
    for name, values in (("a", [0.5] * 30), ("b", [-1.25] * 10)):
        pl.DataFrame({"q": np.exp(values) * 0.2, "p": 0.2}).write_parquet(folder / f"{name}.parquet")


def test_tally_merge_and_assess(tmp_path, capsys):
    # red if: a file is left out, the probabilities are taken for logs, or merging loses cases
    parts(tmp_path)
    whole, a, b, both = (tmp_path / f"{name}.tally" for name in ("whole", "a", "b", "both"))
    assert main(["tally", f"{tmp_path}/*.parquet", "--q", "q", "--p", "p", "-o", str(whole)]) == 0
    assert "40 cases" in capsys.readouterr().out
    for name, out in (("a", a), ("b", b)):
        assert main(["tally", f"{tmp_path}/{name}.parquet", "--q", "q", "--p", "0.2", "-o", str(out)]) == 0
    assert main(["tally", "merge", str(a), str(b), "-o", str(both)]) == 0
    assert np.array_equal(Tally.load(whole).bins.count, Tally.load(both).bins.count)
    capsys.readouterr()
    assert main(["assess", str(both), "--seed", "1"]) == 0
    exact = nepers.assess([0.5] * 30 + [-1.25] * 10, seed=1)
    assert capsys.readouterr().out.strip() == str(exact)


def test_wrong_requests(tmp_path, capsys):
    # red if: a wrong request is a traceback, or the answer of another one
    parts(tmp_path)
    file, out = tmp_path / "a.parquet", tmp_path / "a.tally"
    assert "matches no file" in complaint(capsys, "tally", f"{tmp_path}/*.csv", "--j", "j", "-o", out)
    assert "none of them" in complaint(capsys, "tally", file, "-o", out)
    assert "there are none" in complaint(capsys, "tally", "merge", "-o", out)
    assert "folder that exists" in complaint(
        capsys, "tally", file, "--q", "q", "--p", "p", "-o", "/no/a.tally"
    )
    assert main(["tally", str(file), "--q", "q", "--p", "p", "-o", str(out)]) == 0
    capsys.readouterr()
    assert "--j cannot be given" in complaint(capsys, "assess", out, "--j", "j")
    out.write_bytes(out.read_bytes()[:-9])
    assert "cut short" in complaint(capsys, "assess", out)


def test_minus_infinity_names_its_file(tmp_path, capsys):
    # red if: the answer calls the file a row
    pl.DataFrame({"j": [0.1, -np.inf]}).write_parquet(tmp_path / "zero.parquet")
    out = tmp_path / "a.tally"
    assert main(["tally", f"{tmp_path}/zero.parquet", "--j", "j", "-o", str(out)]) == 0
    capsys.readouterr()
    assert main(["assess", str(out)]) == 0
    assert f"some of 2 cases: those of {tmp_path}/zero.parquet (1 case)." in capsys.readouterr().out


@pytest.mark.parametrize("unit", ["0", "nan"])
def test_a_grid_must_be_one(unit, tmp_path, capsys):
    # red if: the tally is made and then refused
    parts(tmp_path)
    arguments = [
        "tally",
        tmp_path / "a.parquet",
        "--q",
        "q",
        "--p",
        "p",
        "-o",
        tmp_path / "a.tally",
        "--unit",
        unit,
    ]
    assert "unit must be" in complaint(capsys, *arguments)

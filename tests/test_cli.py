"""The command line: the answer on stdout, all else on stderr, and the exit status says which it was."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import nepers
from nepers import assessment
from nepers.cli import app, main

# Values that repeat are assessed exactly and in no time: the command line is tested here, not the sampler.
TWO_VALUES = "j\n" + "0.5\n" * 30 + "-1.25\n" * 10


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "cases.csv"
    path.write_text(TWO_VALUES)
    return path


def run(*arguments: str | Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "nepers", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def answer(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> dict[str, Any]:
    assert main([*map(str, arguments), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    return found


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(list(map(str, arguments))) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("nepers: ")
    assert streams.err.count("\n") == 1
    return streams.err


def test_the_answer_in_words_is_the_assessments_own(table: Path) -> None:
    """Bug: numbers of the command line's own making, or notes mixed into them."""
    ran = run("assess", table, "--seed", "1")
    expected = nepers.assess([0.5] * 30 + [-1.25] * 10, seed=1)
    assert (ran.returncode, ran.stdout) == (0, f"{expected}\n")
    assert ran.stderr == f"nepers: taking column 'j' of {table} as the log ratios\n"


def test_the_json_answer_is_one_object_and_the_assessments_own(table: Path) -> None:
    """Bug: progress, notes or a second object on stdout."""
    ran = run("assess", table, "--seed", "1", "--json", "--level", "0.8", "--bits", "--quiet")
    expected = nepers.assess([0.5] * 30 + [-1.25] * 10, seed=1).in_bits().to_dict(0.8)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == json.loads(json.dumps(expected))
    assert json.loads(ran.stdout)["level"] == 0.8


def test_infinite_values_make_valid_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bug: a bare -Infinity or NaN, which no strict parser reads."""
    path = tmp_path / "a.csv"
    path.write_text("j\n0.5\n-inf\n")
    found = answer(capsys, "assess", path)
    assert (found["mean"], found["lower"], found["sd"]) == ("-inf", "-inf", None)
    assert found["infinite_cases"] == [1]


def test_the_two_logarithms_are_subtracted_the_right_way_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bug: log P - log Q."""
    path = tmp_path / "a.csv"
    path.write_text("q,p\n" + "-1.0,-1.5\n" * 30 + "-2.0,-0.75\n" * 10)
    found = answer(capsys, "assess", path, "--log-q", "q", "--log-p", "p", "--seed", "1")
    assert found["mean"] == nepers.assess([0.5] * 30 + [-1.25] * 10, seed=1).mean


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        ("log_q,log_p,j", "9,9,0.5", "taking column 'j' of"),
        ("x,log_p,log_q", "9,-1.5,-1", "taking 'log_q' minus 'log_p' of"),
        ("who,score,log_p", "ann,0.5,NA", "taking column 'score', the only numeric one of"),
        ("score", "0.5", "taking column 'score', the only numeric one of"),
    ],
)
def test_the_choice_of_columns_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], header: str, row: str, said: str
) -> None:
    """Bug: another column than documented, or a choice nobody is told of."""
    path = tmp_path / "a.csv"
    path.write_text(f"{header}\n" + f"{row}\n" * 20)
    assert main(["assess", str(path), "--json"]) == 0
    streams = capsys.readouterr()
    assert [atom["value"] for atom in json.loads(streams.out)["atoms"]] == [0.5]
    assert said in streams.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a,b\n1,2\n", "its columns are 'a', 'b'"),
        ("a,b\nx,y\n", "its columns are 'a', 'b'"),
        ("0.5\n0.25\n", "seems to lack a header"),
        ("j\n0.5\nx\n", "row 1 is 'x'"),
        ("score\n0.5\nx\n", "row 1 is 'x'"),
        ("j\n0.5\ninf\n", "in row 1 (1 of 2) (rows counted from 0, the header not counted)"),
        ("", "it is empty (0 bytes)"),
    ],
)
def test_a_table_that_does_not_do_is_one_line_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    """Bug: a traceback, a guess, or an answer beside the error."""
    path = tmp_path / "a.csv"
    path.write_text(content)
    assert said in complaint(capsys, "assess", path)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["assess"], "FILE"),
        (["assess", "FILE", "--nonsense"], "--nonsense"),
        (["assess", "FILE", "--seed", "x"], "--seed"),
        (["assess", "FILE", "--seed", "-1"], "seed"),
        (["assess", "FILE", "--chains", "0"], "chains"),
        (["assess", "FILE", "--cores", "0"], "cores"),
        (["assess", "FILE", "--max-seconds", "-1"], "max_seconds"),
        (["assess", "FILE", "--scale", "0"], "scale"),
        (["assess", "FILE", "--hyperparameters", "mine"], "hyperparameters"),
        (["assess", "FILE", "--level", "95"], "--level must lie between 0 and 1"),
        (["assess", "FILE", "--level", "nan"], "--level must lie between 0 and 1"),
        (["assess", "FILE", "--format", "xls"], "format must be one of csv, tsv, json, parquet, arrow"),
        (["assess", "FILE", "--j", "k"], "its columns are 'j'"),
        (["assess", "FILE", "--j", "j", "--log-p", "j"], "either --j, or both"),
        (["assess", "FILE", "--log-q", "j"], "got only --log-q"),
        (["assess", "FILE", "--save", "no/such/folder/a"], "--save must be a file in a folder that exists"),
        (["assess", "no such file.csv"], "it does not exist"),
        (["assess", "two\nlines.csv"], "it does not exist"),
        (["demo", "--level", "1"], "--level must lie between 0 and 1"),
        (["demo", "extra"], "extra"),
        (["demo", "--seed", "-1"], "seed"),
        (["nonsense"], "nonsense"),
    ],
)
def test_a_wrong_argument_is_one_line_on_stderr(
    table: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    """Bug: a box of several lines, a traceback, or an option that is not looked at."""
    line = complaint(capsys, *(str(table) if argument == "FILE" else argument for argument in arguments))
    assert said in line


def test_a_wrong_input_leaves_stdout_empty_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Bug: an exit status that is lost on the way out."""
    ran = run("assess", tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == f"nepers: path must be a file; {str(tmp_path)!r} is a directory\n"


def test_standard_input_is_read_once_and_used_twice() -> None:
    """Bug: the choice of the column uses up the stream."""
    ran = run("assess", "-", "--seed", "1", stdin=TWO_VALUES.replace("j", "score", 1))
    assert (ran.returncode, ran.stdout) == (0, f"{nepers.assess([0.5] * 30 + [-1.25] * 10, seed=1)}\n")
    assert "'score', the only numeric one of standard input" in ran.stderr


def test_another_level_is_added_to_the_words(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bug: --level ignored in the words."""
    assert main(["assess", str(table), "--seed", "1", "--level", "0.5"]) == 0
    lower, upper = nepers.assess([0.5] * 30 + [-1.25] * 10, seed=1).interval(0.5)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"The 50% credible interval is {lower:.2f} to {upper:.2f} nats."


def test_quiet_leaves_stderr_empty(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bug: a note that --quiet does not reach."""
    assert main(["assess", str(table), "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_every_option_reaches_the_assessment(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: an option that is parsed and then forgotten, or passed under another's name."""
    got: dict[str, Any] = {}
    real = assessment.assess

    def spy(**given: Any) -> assessment.Assessment:
        got.update(given)
        return real(given["j"], seed=1)

    monkeypatch.setattr(assessment, "assess", spy)
    options = "--hyperparameters paper --scale 2 --seed 3 --chains 5 --max-seconds 6 --cores 7 --quiet"
    assert main(["assess", str(table), *options.split()]) == 0
    np.testing.assert_array_equal(got.pop("j"), [0.5] * 30 + [-1.25] * 10)
    assert got == {
        "hyperparameters": "paper",
        "scale": 2.0,
        "seed": 3,
        "chains": 5,
        "max_seconds": 6.0,
        "cores": 7,
        "progress": False,
    }


def test_warnings_are_plain_lines_and_no_failure(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bug: a warning with a path of the source in it, on stdout, or turned into a failure."""
    real = assessment.assess

    def warns(j: Any, **given: Any) -> assessment.Assessment:
        warnings.warn("chains\ndisagree", nepers.ConvergenceWarning, stacklevel=2)
        return real(j, seed=1)

    monkeypatch.setattr(assessment, "assess", warns)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main(["assess", str(table), "--quiet"]) == 0
    assert capsys.readouterr().err == "nepers: warning: chains disagree\n"


def test_what_is_saved_can_be_loaded(table: Path, tmp_path: Path) -> None:
    """Bug: a file written under another name, or after conversion to bits."""
    path = tmp_path / "answer"
    assert main(["assess", str(table), "--seed", "1", "--bits", "--quiet", "--save", str(path)]) == 0
    assert nepers.load(path).mean == nepers.assess([0.5] * 30 + [-1.25] * 10, seed=1).mean


def test_ctrl_c_during_the_sampling_is_a_plain_line(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bug: a traceback, or exit status 1."""

    def interrupted(**_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(assessment, "assess", interrupted)
    assert main(["assess", str(table), "--quiet"]) == 130
    assert capsys.readouterr() == ("", "nepers: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send to one process")
def test_ctrl_c_while_waiting_for_input_is_a_plain_line() -> None:
    """Bug: an interrupt outside the sampling that nobody catches."""
    process = subprocess.Popen(
        [sys.executable, "-m", "nepers", "assess", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    process.stdin.write("j\n" + "0.5\n" * 200_000)  # more than a pipe holds: once written, it is being read
    process.stdin.flush()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "nepers: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no broken pipes in this sense")
@pytest.mark.parametrize("arguments", [["assess", "-", "--json", "--quiet"], ["--help"], ["--version"]])
def test_a_reader_that_goes_away_is_no_noise(arguments: list[str]) -> None:
    """Bug: BrokenPipeError at the print, or at the exit of the interpreter."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        ran = subprocess.run(
            [sys.executable, "-m", "nepers", *arguments],
            input=TWO_VALUES,
            stdout=closed,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert (ran.returncode, ran.stderr) == (1, "")


def test_version_and_help() -> None:
    """Bug: a command that is not in the help, or a version of its own."""
    assert CliRunner().invoke(app, ["--version"]).stdout == f"nepers {nepers.__version__}\n"
    for arguments in (["--help"], []):
        shown = CliRunner().invoke(app, arguments)
        assert shown.exit_code == 0
        assert "assess" in shown.stdout
        assert "demo" in shown.stdout


def test_help_and_version_are_fast() -> None:
    """Bug: a heavy import at the top of the command line. The limit is several times what it takes."""
    for arguments in (["--help"], ["--version"]):
        began = seconds_of_children()
        run(*arguments)
        assert seconds_of_children() - began < 1.5


def seconds_of_children() -> float:
    """Of processor time, which does not grow when other programs want the machine too."""
    spent = os.times()
    return spent.children_user + spent.children_system


def test_the_demo_has_the_numbers_of_the_paper(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bug: other data in the package than the ones described beside the answer."""
    got: list[np.ndarray[Any, Any]] = []
    real = assessment.assess

    def stand_in(j: Any, **given: Any) -> assessment.Assessment:
        got.append(j)
        return real([0.5] * 30, seed=given["seed"])

    monkeypatch.setattr(assessment, "assess", stand_in)
    assert main(["demo", "--seed", "1"]) == 0
    assert "not the data of the paper" in capsys.readouterr().out
    assert main(["demo", "--seed", "1", "--json"]) == 0
    streams = capsys.readouterr()
    assert json.loads(streams.out)["seed"] == 1
    assert "not the data of the paper" in streams.err
    j = got[0]
    worst = j.argmin()
    assert (j.size, round(j[worst], 2)) == (418, -6.58)
    assert round(j.mean(), 3) == 0.096
    assert round(j.std(ddof=1) / np.sqrt(j.size), 3) == 0.034
    assert round(np.delete(j, worst).mean(), 3) == 0.112

"""``--report``: the report beside the answer, and a place that cannot be written said before the work."""

from pathlib import Path

import pytest

from nepers import assessment
from nepers.cli import main


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "cases.csv"
    # values that repeat need no chains; a column may be named anything
    path.write_text("j,<script>\n" + "0.5,0.25\n" * 30 + "-1.25,-0.75\n" * 10)
    return path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["assess", "TABLE", "--j", "<script>"], "How much the prediction is worth"),
        (["assess", "TABLE", "--j", "j", "--bits"], "J in bits"),
        (["compare", "TABLE", "--j", "new=j", "--j", "<script>"], "Which of 2 predictions is worth most"),
    ],
)
def test_the_report_is_written_beside_the_answer(table, tmp_path, capsys, arguments, said):
    # red if: the option is not passed on, or a name from the file is markup
    path = tmp_path / "report.html"
    given = [str(table) if one == "TABLE" else one for one in arguments]
    assert main([*given, "--seed", "1", "--quiet", "--report", str(path)]) == 0
    assert "J" in capsys.readouterr().out
    text = path.read_text(encoding="utf-8")
    assert said in text
    assert "<script" not in text


@pytest.mark.parametrize("command", ["assess", "compare", "demo"])
@pytest.mark.parametrize("path", ["no/such/folder/a.html", "."])
def test_a_place_that_cannot_be_written_is_said_before_the_work(table, monkeypatch, capsys, command, path):
    # red if: the answer is computed first, or the error is a traceback
    monkeypatch.setattr(assessment, "posterior_of", lambda *_: pytest.fail("worked first"))
    monkeypatch.setattr("nepers.cli.compare.read_several", lambda *_: pytest.fail("worked first"))
    file = [] if command == "demo" else [str(table), "--j", "j"]
    assert main([command, *file, "--report", str(Path(path))]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("nepers: --report must be ")
    assert streams.err.count("\n") == 1

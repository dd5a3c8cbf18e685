"""The file of a report: whole or not at all, where it may be; and quick and small for many cases."""

import os
import time

import numpy as np
import pytest
from fake_results import assessment, student_draws
from report.results import RESULTS

import nepers
from nepers import files
from nepers.errors import InputError


def test_the_method_writes_the_page(tmp_path):
    # red if: the method makes another page, or its title is lost
    path = tmp_path / "answer.html"
    path.write_text("the old one")
    RESULTS["no cases"].report(path, title="Mine")
    assert "<title>Mine</title>" in path.read_text(encoding="utf-8")
    RESULTS["three"].report(str(path))
    assert "Which of 3 predictions" in path.read_text(encoding="utf-8")
    assert os.listdir(tmp_path) == ["answer.html"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", "path must be a file; '.*' is a folder|must be"),
        ("no/such/folder/a.html", "path must be in a folder that exists; '.*no/such/folder' does not"),
        ("x" * 300 + ".html", "path must be a file that can be written; '.*': File name too long"),
        ("a\0b.html", "path must be the name of a file"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path, monkeypatch, path, said):
    # red if: minutes are spent on a report that has no place, or a traceback is the answer
    monkeypatch.setattr("nepers.report.choice.page_of", lambda *_: pytest.fail("worked first"))
    with pytest.raises(InputError, match=said):
        RESULTS["no cases"].report(f"{tmp_path}/{path}")
    with pytest.raises(InputError, match=r"path must be the name of a file; it is 3\.5"):
        RESULTS["no cases"].report(3.5)


def test_a_full_disk_is_said_and_leaves_the_old_file(tmp_path, monkeypatch):
    # red if: half a page is left, or the error has no argument
    path = tmp_path / "a.html"
    path.write_text("the old one")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(InputError, match=r"path must be a file that can be written; .*: No space left"):
        RESULTS["no cases"].report(path)
    assert path.read_text() == "the old one"
    assert os.listdir(tmp_path) == ["a.html"]


def test_many_cases_make_a_small_report_soon(tmp_path):
    # red if: the page has a dot for every case, or something is done case by case in Python
    rng = np.random.default_rng(1)
    j = 0.1 + 0.5 * rng.standard_t(5, 100_000)
    a = assessment(j, student_draws(draws=1000, C=4))
    took = []
    for _ in range(2):
        began = time.process_time()
        a.report(tmp_path / "many.html")
        took.append(time.process_time() - began)
    assert (tmp_path / "many.html").stat().st_size < 2_000_000
    # seconds of one core, which others on the machine disturb little; 1.0 on an idle one
    assert min(took) < 3.0


def test_ten_thousand_groups_are_a_picture_and_a_table():
    # red if: each of them is drawn, or the page of a notebook has them all
    from display.test_segments import made

    s = made(10_000, draws=20)
    began = time.process_time()
    shown = s._repr_html_()
    ax = s.plot_segments()
    assert time.process_time() - began < 20.0
    assert shown.count("<tr>") == 31
    assert "and 9,970 more" in shown
    assert len(ax.get_yticklabels()) == 30
    assert nepers.Segments is type(s)

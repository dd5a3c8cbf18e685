"""``nepers assess --every-class`` asks `nepers.assess_classes` of the columns, or refuses."""

import json

import numpy as np
import pytest
from scipy import special

import nepers
from nepers.cli.app import main

RNG = np.random.default_rng(1)
P = special.expit(RNG.normal(-3.0, 1.5, 60))
Y = np.where(RNG.random(60) < P, "yes", "no")
TABLE = np.stack([1.0 - P, P], axis=1)
ASKED = ["--truth", "y", "--q", "classes:yes=a,no=b", "--every-class", "--seed", "3"]


@pytest.fixture
def files(tmp_path):
    rows = [f"{y},{p},{1.0 - p},0.9,0.1" for y, p in zip(Y, P, strict=True)]
    (tmp_path / "cases.csv").write_text("\n".join(["y,a,b,old_no,old_yes", *rows]) + "\n")
    (tmp_path / "train.csv").write_text("\n".join(["y", *["no"] * 92, *["yes"] * 8]) + "\n")
    return tmp_path


@pytest.mark.parametrize(
    ("prior", "expected"),
    [
        (["--p", "constant:no=0.92,yes=0.08"], {"no": 0.92, "yes": 0.08}),
        (["--p", "classes:no=old_no,yes=old_yes"], {"no": 0.9, "yes": 0.1}),
        (["--p", "frequencies", "--prior-from", "train.csv"], {"no": 92.5 / 101.0, "yes": 8.5 / 101.0}),
    ],
)
def test_it_is_the_function_on_the_columns(files, capsys, monkeypatch, prior, expected):
    # red if: the classes of prediction and prior are matched by position, or the seed is lost
    monkeypatch.chdir(files)
    assert main(["assess", "cases.csv", *ASKED, *prior, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    direct = nepers.assess_classes(Y, TABLE, prior=expected, labels=["no", "yes"], seed=3)
    # the classes are in the other order there, so other random numbers: 5 Monte Carlo errors of 4000 draws
    assert said["mean"] == pytest.approx(direct.mean, abs=5.0 * direct.sd / np.sqrt(4000) * np.sqrt(2.0))
    assert {one["label"]: one["cases"] for one in said["classes"]} == {
        "yes": int((Y == "yes").sum()),
        "no": int((Y == "no").sum()),
    }


def test_the_answer_is_in_words_and_bits(files, capsys, monkeypatch):
    # red if: --bits or --level is dropped on this way
    monkeypatch.chdir(files)
    prior = ["--p", "constant:no=0.92,yes=0.08"]
    assert main(["assess", "cases.csv", *ASKED, *prior, "--bits", "--level", "0.8"]) == 0
    said = capsys.readouterr().out
    assert " bits, 95% credible interval" in said
    assert "The 80% credible interval" in said
    assert "What the prediction gave to every class is used" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--every-class"], "--every-class needs --q classes:... and --p"),
        (["--truth", "y", "--q", "log:a", "--p", "log:b", "--every-class"], "--q must be classes:..."),
        ([*ASKED, "--p", "marginal"], "--p must be one of frequencies, constant, classes"),
        ([*ASKED, "--p", "frequencies"], "give --prior-from FILE"),
        ([*ASKED, "--p", "classes:no=old_no,maybe=old_yes"], "--p classes must have the classes of --q"),
        ([*ASKED, "--p", "constant:no=1,yes=0"], "prior must give probability to every class"),
        (
            [*ASKED, "--p", "constant:no=0.9,yes=0.1", "--save", "a.nepers"],
            "give no --save with --every-class",
        ),
        ([*ASKED, "--p", "constant:no=0.9,yes=0.1", "--j", "a"], "give no --j with --every-class"),
    ],
)
def test_what_does_not_fit_is_refused(files, capsys, monkeypatch, arguments, said):
    # red if: an option is ignored in silence
    monkeypatch.chdir(files)
    assert main(["assess", "cases.csv", *arguments]) == 2
    assert said in capsys.readouterr().err

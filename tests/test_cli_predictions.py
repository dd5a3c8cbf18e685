"""Predictions in columns: what the command line reads is what the functions of the package give.

The assessment itself is replaced by one that keeps its arguments: it is tested elsewhere.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nepers
from nepers import assessment, comparison
from nepers.cli import main

N = 30


def make_cases() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    p = rng.uniform(0.1, 0.9, N)
    y = rng.normal(size=N)
    members = rng.normal(size=(N, 12))
    low, mid, high = np.sort(rng.normal(size=(N, 3)), axis=1).T
    return pd.DataFrame(
        {
            "id": [f"case {i}" for i in range(N)],
            "class": np.where(rng.random(N) < 0.5, "yes", "no"),
            "p_no": 1.0 - p,
            "p_yes": p,
            "other_no": p,
            "other_yes": 1.0 - p,
            "y": y,
            "mean": 0.3 * y,
            "sd": rng.uniform(0.5, 2.0, N),
            **{f"ens_{i}": members[:, i] for i in range(12)},
            "low": low,
            "mid": mid,
            "high": high,
            "time": rng.exponential(3.0, N),
            "event": rng.integers(0, 2, N),
            "density": rng.uniform(0.1, 0.4, N),
            "survival": rng.uniform(0.2, 0.9, N),
            "log_old": np.log(rng.uniform(0.1, 0.9, N)),
            "score": rng.uniform(0.1, 3.0, N),
            "document": np.repeat(["a", "b", "c"], 10),
        }
    )


@pytest.fixture(scope="module")
def cases() -> pd.DataFrame:
    return make_cases()


@pytest.fixture
def file(cases: pd.DataFrame, tmp_path: Path) -> str:
    cases.to_csv(tmp_path / "cases.csv", index=False)
    return str(tmp_path / "cases.csv")


@pytest.fixture
def training(tmp_path: Path) -> str:
    rng = np.random.default_rng(8)
    time = rng.weibull(1.4, 200) * 3.0
    frame = pd.DataFrame(
        {
            "id": [f"patient {i}" for i in range(200)],
            "class": np.where(rng.random(200) < 0.7, "no", "yes"),
            "y": rng.normal(size=200),
            "time": time,
            "event": (rng.random(200) < 0.8).astype(int),
        }
    )
    frame.to_csv(tmp_path / "training.csv", index=False)
    return str(tmp_path / "training.csv")


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The arguments that reach the assessment or the comparison."""
    found: dict[str, Any] = {}

    def keep(**given: Any) -> Any:
        found.update(given)
        return SimpleNamespace(to_dict=lambda level: {}, in_bits=lambda: None)

    monkeypatch.setattr(assessment, "assess", keep)
    monkeypatch.setattr(comparison, "compare", keep)
    return found


def classes(d: pd.DataFrame) -> Any:
    return nepers.ratios.log_class(d["class"], d[["p_no", "p_yes"]].to_numpy(), labels=["no", "yes"])


KINDS: dict[str, tuple[list[str], Any]] = {
    "log:log_old": ([], lambda d: d["log_old"]),
    "probability:p_yes": ([], lambda d: np.log(d["p_yes"])),
    "density:density": ([], lambda d: np.log(d["density"])),
    "score:score": ([], lambda d: -d["score"]),
    "classes:no=p_no,yes=p_yes": (["--truth", "class"], classes),
    "classes:yes=p_yes,no=p_no": (["--truth", "class"], classes),
    "normal:mean,sd": (["--truth", "y"], lambda d: stats.norm.logpdf(d["y"], d["mean"], d["sd"])),
    "draws:ens_*": (
        ["--truth", "y"],
        lambda d: nepers.ratios.log_ensemble(d["y"], d.filter(like="ens_").to_numpy()),
    ),
    "quantiles:0.1=low,0.5=mid,0.9=high": (
        ["--truth", "y"],
        lambda d: nepers.ratios.log_quantiles(d["y"], d[["low", "mid", "high"]].to_numpy(), [0.1, 0.5, 0.9]),
    ),
    "survival:density,survival": (
        ["--truth", "time", "--event", "event"],
        lambda d: np.log(np.where(d["event"] == 1, d["density"], d["survival"])),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_what_its_function_gives(kind, cases, file, kept):
    # red if: columns are swapped, a log is taken twice, or censored cases get the density
    options, expected = KINDS[kind]
    assert main(["assess", file, "--q", kind, "--p", "log:log_old", *options, "--json"]) == 0
    assert kept["log_q"] == pytest.approx(np.asarray(expected(cases)))
    assert kept["log_p"] == pytest.approx(cases["log_old"].to_numpy())


def test_tokens_are_added_up_by_document(cases, file, kept):
    # red if: tokens are taken for cases
    assert (
        main(["assess", file, "--q", "log:log_old", "--p", "log:log_old", "--document", "document", "--json"])
        == 0
    )
    assert kept["log_q"] == pytest.approx(cases.groupby("document")["log_old"].sum().to_numpy())


def test_a_point_prediction_is_right_or_minus_infinity(file, kept):
    # red if: a point is compared as a number where it is a class
    assert (
        main(
            [
                "assess",
                file,
                "--truth",
                "class",
                "--q",
                "point:class",
                "--p",
                "constant:no=0.7,yes=0.3",
                "--json",
            ]
        )
        == 0
    )
    assert kept["log_q"].tolist() == [0.0] * N


PRIORS: dict[str, tuple[list[str], Any]] = {
    "frequencies": (
        ["--truth", "class"],
        lambda t, d: nepers.priors.class_frequencies(t["class"]).log_p(d["class"]),
    ),
    "constant:no=0.7,yes=0.3": (
        ["--truth", "class"],
        lambda t, d: np.log(np.where(d["class"] == "no", 0.7, 0.3)),
    ),
    "survival": (
        ["--truth", "time", "--event", "event"],
        lambda t, d: nepers.priors.survival_marginal(times(t)).log_p(times(d)),
    ),
}


def times(d: pd.DataFrame) -> Any:
    return nepers.ratios.Times.right_censored(d["time"].to_numpy(), event=d["event"].to_numpy())


@pytest.mark.parametrize("prior", PRIORS)
def test_every_prior_is_fitted_on_the_training_outcomes(prior, cases, file, training, kept):
    # red if: it is fitted on the cases to be assessed
    options, expected = PRIORS[prior]
    assert (
        main(
            ["assess", file, "--q", "log:log_old", "--p", prior, "--prior-from", training, *options, "--json"]
        )
        == 0
    )
    assert kept["log_p"] == pytest.approx(np.asarray(expected(pd.read_csv(training), cases)))


def test_a_marginal_of_real_outcomes(cases, file, training, kept):
    # red if: the kind is not wired, or its seed is the system's
    arguments = ["assess", file, "--q", "normal:mean,sd", "--p", "marginal", "--truth", "y"]
    assert main([*arguments, "--prior-from", training, "--json"]) == 0
    rough = stats.norm.logpdf(cases["y"])
    assert np.abs(kept["log_p"] - rough).mean() < 0.2


def test_several_predictions_reach_the_comparison_under_their_names(cases, file, kept):
    # red if: the first = of KIND:no=C is taken for the name's
    arguments = ["compare", file, "--truth", "class", "--q", "new=classes:no=p_no,yes=p_yes"]
    arguments += ["--q", "old=classes:no=other_no,yes=other_yes", "--q", "classes:no=p_no,yes=p_yes"]
    assert main([*arguments, "--p", "constant:no=0.5,yes=0.5", "--reference", "old", "--json"]) == 0
    assert list(kept["log_q"]) == ["new", "old", "classes:no=p_no,yes=p_yes"]
    assert kept["log_q"]["new"] == pytest.approx(np.asarray(classes(cases)))
    assert kept["log_p"] == pytest.approx(np.full(N, np.log(0.5)))
    assert kept["reference"] == "old"


def test_columns_of_logs_and_of_ratios_reach_the_comparison(cases, file, kept):
    # red if: --j is taken for log Q, or a name is lost
    assert main(["compare", file, "--j", "a=log_old", "--j", "score", "--json"]) == 0
    assert set(kept["j"]) == {"a", "score"}
    assert kept["j"]["a"] == pytest.approx(cases["log_old"].to_numpy())
    kept.clear()
    assert main(["compare", file, "--log-q", "log_old", "--log-p", "score", "--json"]) == 0
    assert list(kept["log_q"]) == ["log_old"]
    assert kept["log_p"] == pytest.approx(cases["score"].to_numpy())


def test_a_comparison_from_a_file_is_that_from_python(tmp_path, capsys):
    # red if: an option is not passed on
    rng = np.random.default_rng(1)
    x = rng.choice([0.3, -0.4], (60, 2))
    pd.DataFrame(x, columns=["a", "b"]).to_csv(tmp_path / "j.csv", index=False)
    arguments = [
        "compare",
        str(tmp_path / "j.csv"),
        "--j",
        "a",
        "--j",
        "b",
        "--seed",
        "1",
        "--equivalence",
        "0.02",
    ]
    assert main([*arguments, "--json", "--level", "0.9"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = nepers.compare({"a": x[:, 0], "b": x[:, 1]}, seed=1, equivalence=0.02).to_dict(0.9)
    assert found == json.loads(json.dumps(expected))
    assert main([*arguments, "--level", "0.9", "--bits"]) == 0
    assert "90% interval" in capsys.readouterr().out


def test_bets_are_taken_in_the_order_of_time(tmp_path, capsys):
    # red if: dates are not read, or the rows' own order is kept
    pd.DataFrame({"j": [0.5, -0.2, 0.1], "day": ["2026-03-01", "2026-01-01", "2026-02-01"]}).to_csv(
        tmp_path / "bets.csv", index=False
    )
    assert main(["bet", str(tmp_path / "bets.csv"), "--j", "a=j", "--time", "day", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    game = nepers.bet({"a": [-0.2, 0.1, 0.5]}).to_dict()
    assert found["players"] == json.loads(json.dumps(game["players"]))
    assert main(["bet", str(tmp_path / "bets.csv"), "--j", "j", "--bounds", "-1", "1"]) == 0
    assert "pile" in capsys.readouterr().out


def test_cases_of_the_training_are_listed_and_refused(tmp_path, cases, training, capsys):
    # red if: --trained-on only fits the prior
    seen = cases.copy()
    seen.loc[4, "id"] = "patient 17"
    seen.to_csv(tmp_path / "seen.csv", index=False)
    arguments = ["assess", str(tmp_path / "seen.csv"), "--j", "score", "--trained-on", training, "--id", "id"]
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert "cases must not have been in training; 1 of 30" in said
    assert "patient 17" in said


def test_cases_by_their_content(tmp_path, cases, capsys):
    # red if: predictions, which the training data lack, hide that two cases are one
    cases[["y", "time", "class"]].iloc[:3].to_csv(tmp_path / "training.csv", index=False)
    cases.to_csv(tmp_path / "cases.csv", index=False)
    arguments = [
        "assess",
        str(tmp_path / "cases.csv"),
        "--j",
        "score",
        "--trained-on",
        str(tmp_path / "training.csv"),
    ]
    assert main(arguments) == 2
    assert "3 of 30" in capsys.readouterr().err


WRONG: dict[str, tuple[list[str], str]] = {
    "no prior": (["assess", "--q", "log:score"], "--p or --log-p must say what the prior is"),
    "both ways": (
        ["assess", "--q", "log:score", "--p", "log:score", "--j", "score"],
        "give no --q or --p with --j",
    ),
    "two predictions": (
        ["assess", "--q", "log:score", "--log-q", "score", "--p", "log:score"],
        "give the prediction one way, with --log-q or with --q",
    ),
    "no prediction": (["assess", "--p", "log:score"], "--q or --log-q must say what the prediction is"),
    "unknown kind": (
        ["assess", "--q", "odds:score", "--p", "log:score"],
        "--q must be KIND:COLUMNS with KIND one of log,",
    ),
    "a prior as prediction": (
        ["assess", "--q", "frequencies", "--p", "log:score"],
        "--q must be KIND:COLUMNS",
    ),
    "no columns": (["assess", "--q", "log:", "--p", "log:score"], "--q must name columns after the colon"),
    "no truth": (
        ["assess", "--q", "normal:mean,sd", "--p", "log:score"],
        "--truth must name the column of what came true",
    ),
    "no event": (
        ["assess", "--q", "survival:density,survival", "--p", "log:score", "--truth", "time"],
        "--event must name the column that is 1 where the event was seen",
    ),
    "no training": (
        ["assess", "--q", "log:score", "--p", "frequencies", "--truth", "class"],
        "--p frequencies is fitted on the outcomes of the training: give --prior-from FILE",
    ),
    "too many columns": (
        ["assess", "--q", "log:score,sd", "--p", "log:score"],
        "--q log must name one column",
    ),
    "unknown column": (["assess", "--q", "log:scores", "--p", "log:score"], "column 'scores' is not in"),
    "no such draws": (
        ["assess", "--q", "draws:x_*", "--p", "log:score", "--truth", "y"],
        "columns 'x_*' must match a column",
    ),
    "levels in words": (
        ["assess", "--q", "quantiles:low=low,mid,high", "--p", "log:score", "--truth", "y"],
        "quantiles must be written LEVEL=COLUMN",
    ),
    "spread not positive": (
        ["assess", "--q", "normal:mean,y", "--p", "log:score", "--truth", "y"],
        "column 'y' must hold standard deviations, above 0",
    ),
    "tokens of another kind": (
        ["assess", "--q", "normal:mean,sd", "--p", "log:score", "--truth", "y", "--document", "document"],
        "must be log:COLUMN where --document adds up tokens",
    ),
    "wrong sums": (
        ["assess", "--q", "classes:no=p_no,yes=sd", "--p", "log:score", "--truth", "class"],
        "--q classes:no=p_no,yes=sd: y_proba must hold no probability above one; 1.45",
    ),
    "other sums": (
        ["compare", "--q", "new=classes:no=p_no,yes=survival", "--p", "log:score", "--truth", "class"],
        "--q classes:no=p_no,yes=survival: y_proba must sum to one",
    ),
    "the same case twice": (
        ["assess", "--j", "score", "--id", "document"],
        "cases must have each case once; 27 of 30",
    ),
    "nothing to compare": (["compare"], "give the algorithms one way"),
    "two ways to compare": (["compare", "--j", "score", "--q", "log:score"], "got --j and --q"),
    "a prior with ratios": (["compare", "--j", "score", "--log-p", "score"], "give no prior with --j"),
    "two priors": (
        ["compare", "--q", "log:score", "--p", "log:score", "--log-p", "score"],
        "give the prior one way",
    ),
    "names twice": (["compare", "--j", "a=score", "--j", "a=sd"], "'a' comes twice"),
    "no stand-in": (
        ["compare", "--q", "log:score"],
        "log_p must be given, or reference be one of the algorithms",
    ),
    "bets without odds": (["bet", "--q", "log:score"], "--p or --log-p must say what the prior is"),
    "bets in no order": (["bet", "--j", "score", "--time", "id"], "time must"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_one_line_and_status_2(case, file, capsys):
    # red if: the message loses the option, or a traceback reaches the user
    (command, *options), message = WRONG[case]
    assert main([command, file, *options]) == 2
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("nepers: ")
    assert streams.err.count("\n") == 1
    assert message in streams.err


def test_outcomes_alone_do_not_tell_cases_apart(tmp_path, capsys):
    # red if: every case is accused because its class also came true in training
    pd.DataFrame({"y": [0, 1], "j": [0.1, 0.2]}).to_csv(tmp_path / "cases.csv", index=False)
    pd.DataFrame({"y": [0, 1, 1]}).to_csv(tmp_path / "training.csv", index=False)
    arguments = ["--j", "j", "--truth", "y", "--trained-on", str(tmp_path / "training.csv")]
    assert main(["assess", str(tmp_path / "cases.csv"), *arguments]) == 2
    assert "--id must name the column that tells cases apart" in capsys.readouterr().err

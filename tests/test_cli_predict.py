"""``nepers predict``: files in, predictions and J out. What surrounds the samplers is tested."""

import csv
import json

import fake_posterior
import numpy as np
import pytest
from fake_chains import FakeChains, prior_draws
from simulated_patients import simulated

import nepers
from nepers import running
from nepers.cli import main
from nepers.priors import survival_marginal
from nepers.ratios import Times, log_survival


@pytest.fixture
def files(tmp_path, monkeypatch):
    fake_posterior.take_the_place(monkeypatch)
    pool = prior_draws(draws=600)
    monkeypatch.setattr(running, "make_sampler", lambda *values, **options: FakeChains(pool))
    monkeypatch.setattr(running, "FIRST", 500)
    for name, n, seed in (("train", 120, 1), ("test", 60, 2)):
        X, y = simulated(n, seed=seed)
        X.insert(0, "patient", [f"{name}{i}" for i in range(n)])
        X["years"], X["relapse"] = y["time"], y["event"].astype(int)
        X.to_csv(tmp_path / f"{name}.csv", index=False)
    return tmp_path


def run(files, *more, test="test.csv"):
    places = [str(files / "train.csv"), str(files / test)]
    outcome = ["--time", "years", "--event", "relapse", "--id", "patient", "--seed", "1"]
    return main(["predict", *places, *outcome, *map(str, more)])


def test_it_says_what_the_prediction_is_worth(files, capsys):
    # red if: the prior is fitted on the test patients, or j is not that of Python
    assert run(files, "--save", files / "model", "--json", "-q") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["n"] == 60
    (X, y), (_X, old) = simulated(60, seed=2), simulated(120, seed=1)
    times, known = (Times.right_censored(one["time"], event=one["event"]) for one in (y, old))
    model = nepers.load(files / "model")
    found = model.predict_distribution({name: X[name].tolist() for name in X})
    j = log_survival(times, found) - survival_marginal(known).log_p(times)
    assert np.isclose(answer["worst_cases"][0]["nats"], j.min(), rtol=1e-9)
    assert run(files) == 0
    out = capsys.readouterr()
    assert "from 60 unseen cases" in out.out
    assert "learned from 120 patients" in out.err


def test_predictions_are_written_in_the_order_of_the_patients(files, capsys):
    # red if: columns are exchanged, or empty cells make a patient vanish
    out, model = files / "out.csv", files / "model"
    assert run(files, "--out", out, "--save", model, "--at", 1, "--at", 3.5, "-q") == 0
    with out.open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["patient", "median", "quantile_10", "quantile_90", "free_at_1", "free_at_3.5"]
    assert [row["patient"] for row in rows] == [f"test{i}" for i in range(60)]
    X, _y = simulated(60, seed=2)
    found = nepers.load(model).predict_distribution({name: X[name].tolist() for name in X})
    assert np.allclose([float(row["median"]) for row in rows], found.median(), rtol=1e-12)
    assert np.allclose([float(row["free_at_3.5"]) for row in rows], found.survival(3.5)[:, 0], rtol=1e-12)


def test_patients_without_outcomes_are_predicted(files, capsys):
    # red if: outcomes are needed to predict
    lines = [line.rsplit(",", 2)[0] for line in (files / "test.csv").read_text().splitlines()]
    (files / "new.csv").write_text("\n".join(lines) + "\n")
    assert run(files, "--out", files / "out.csv", test="new.csv") == 0
    assert capsys.readouterr().out == ""
    assert run(files, test="new.csv") == 2
    assert "--out must name a file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--covariate", "psa=square"], "must be one of auto, linear, log, category"),
        (["--covariate", "height"], "height"),
        (["--out", "/nowhere/out.csv"], "folder that exists"),
    ],
)
def test_wrong_options_end_in_one_line(files, capsys, more, words):
    # red if: a traceback, or work before the check
    assert run(files, *more) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said


def test_a_missing_outcome_is_named(files, capsys):
    # red if: the column is taken for absent outcomes
    assert run(files, "--event", "status") == 2
    assert "must have 'years' and 'status', or neither" in capsys.readouterr().err

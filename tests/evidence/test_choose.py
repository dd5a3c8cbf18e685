"""Choosing: which candidate wins, what is kept of a run that stops, what is refused."""

import json
import re

import numpy as np
import pytest

import nepers
from nepers.cli import main
from nepers.display.choice import prior_draws_data
from nepers.errors import InputError
from nepers.evidence import choosing, keeping
from nepers.evidence.choice import Choice
from nepers.evidence.estimates import Estimate, LogEvidence
from nepers.hierarchy import paper

X = np.random.default_rng(8).normal(0.1, 0.4, 12)
QUICK = {"target_error": 0.5, "max_seconds": 60.0, "ladders": 2, "cores": 2, "seed": 5}
WIDE = paper().scaled(30.0)


def evidence(value, error, **other):
    fields = {"ess": 500.0, "r_hat": 1.0, "hardest": 0.5, "stations": 9, "rounds": 900, "n": 12}
    return LogEvidence(value, error, Estimate(value, error, 500.0, 1.0), **(fields | other))


def choice(*evidences, n=12):
    names = tuple("abc"[: len(evidences)])
    return Choice(names, evidences, (paper(),) * len(names), X, n, 1.0, 5, 0.5, "0")


def test_the_candidate_that_made_the_data_wins():
    # red if: evidences and names are mixed up, or the larger is taken for the worse
    found = nepers.choose(X, {"wide": WIDE, "paper": "paper"}, **QUICK)
    assert found.best == "paper"
    assert found.clear
    gap = found.log_evidence["paper"] - found.log_evidence["wide"]
    assert found.probabilities["wide"] == pytest.approx(1.0 / (1.0 + np.exp(gap)))
    assert json.loads(json.dumps(found.to_dict()))["candidates"][0]["name"] == "paper"


def test_the_unit_does_not_matter():
    # red if: scale is not used, or used the wrong way round; a density per unit is s^n times smaller
    a = nepers.choose(X, ["paper"], **QUICK).evidences[0].value
    b = nepers.choose(4.0 * X, ["paper"], scale=4.0, **QUICK).evidences[0].value
    assert b == pytest.approx(a - X.size * np.log(4.0), abs=1e-5)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(tmp_path, monkeypatch):
    # red if: any part of the state is lost: a stream, a component, the turn of the exchange, or the gains
    candidates = {"wide": WIDE, "paper": "paper"}
    exact = QUICK | {"target_error": 0.35, "max_seconds": 600.0}
    whole = nepers.choose(X[:4], candidates, **exact)
    file = tmp_path / "run.npz"
    write = keeping.write
    count = iter(range(100))

    def killed(*arguments):
        write(*arguments)
        if next(count) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(choosing, "_BETWEEN_WRITES", 0.0)
    monkeypatch.setattr(keeping, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        nepers.choose(X[:4], candidates, resume=file, **exact)
    monkeypatch.setattr(keeping, "write", write)
    resumed = nepers.choose(X[:4], candidates, resume=file, **exact)
    assert resumed.log_evidence == whole.log_evidence
    again = nepers.choose(X[:4], candidates, resume=file, **(exact | {"seed": None}))
    assert again.log_evidence == whole.log_evidence
    assert again.seed == 5


def test_other_data_or_settings_are_not_gone_on_with(tmp_path):
    # red if: a run goes on with chains of something else
    file = tmp_path / "run.npz"
    nepers.choose(X[:3], ["paper"], resume=file, **QUICK)
    for words, data, candidates, changes in (
        ("data", X[:4], ["paper"], {}),
        ("candidates", X[:3], {"paper": WIDE}, {}),
        ("seed", X[:3], ["paper"], {"seed": 6}),
        ("scale", X[:3], ["paper"], {"scale": 2.0}),
        ("ladders", X[:3], ["paper"], {"ladders": 3}),
    ):
        with pytest.raises(InputError, match=f"differs in {words}"):
            nepers.choose(data, candidates, resume=file, **(QUICK | changes))
    file.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(InputError, match="resume must be a file"):
        nepers.choose(X[:3], ["paper"], resume=file, **QUICK)


def test_repeated_values_are_set_aside():
    # red if: an atom's infinite density is taken for evidence
    found = nepers.choose([*X[:3], 0.25, 0.25], ["paper"], **QUICK)
    assert found.values.size == 3
    assert "2 cases of repeated values set aside" in str(found)
    assert nepers.choose([0.5, 0.5, 0.1, 0.1], ["paper"], **QUICK).log_evidence == {"paper": 0.0}


def test_errors_make_probabilities_uncertain():
    # red if: the Monte Carlo errors are left out of what is said
    sure = choice(evidence(-10.0, 0.01), evidence(-14.0, 0.01))
    unsure = choice(evidence(-10.0, 2.0), evidence(-14.0, 2.0))
    assert sure.clear
    assert "The evidence is for a." in str(sure)
    assert not unsure.clear
    assert "plot_prior_draws" in str(unsure)
    low, high = unsure.probability_intervals()["a"]
    assert low < 0.3 < 0.99 < high
    z = 1.959964 * np.hypot(0.01, 0.01)
    assert sure.probability_intervals()["a"][0] == pytest.approx(1.0 / (1.0 + np.exp(-4.0 + z)), abs=1e-4)


def test_a_bad_run_is_said():
    # red if: ladders that disagree, or a step without exchange, are reported as if all were well
    for bad in ({"r_hat": 1.3}, {"hardest": 0.99}):
        found = choice(evidence(-10.0, 0.01), evidence(-18.0, 0.01, **bad))
        assert not found.clear
        assert "Do not rely on b" in str(found)


def test_prior_draws_are_the_candidates_own():
    # red if: the picture shows draws of another candidate, or in another unit
    wide = paper().scaled(50.0)
    both = Choice(("a", "b"), (evidence(0.0, 0.1),) * 2, (paper(), wide), X, 12, 1.0, 5, 0.5, "0")
    spread = [np.median(np.abs(both.prior_draws(name, 60))) for name in both.names]
    assert 15.0 < spread[1] / spread[0] < 150.0
    assert both.prior_draws("a", 3).shape == (3, 12)
    data = prior_draws_data(both, 3)
    assert data.names == ("the cases", "a", "a", "a", "b", "b", "b")
    assert np.array_equal(data.rows[0], np.sort(X))
    assert np.array_equal(data.rows[4], np.sort(both.prior_draws("b", 3)[0]))
    assert data.outside[0] == 0
    ax = both.plot_prior_draws(3)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(data.names)
    with pytest.raises(InputError, match="name must be one of a, b"):
        both.prior_draws("c")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0.1, -np.inf], ["paper"]), "-inf in row 1"),
        (([0.1], []), "not empty"),
        (([0.1], "paper"), "must be {name"),
        (([0.1], ["paper", "paper"]), "comes twice"),
        (([0.1], {"x": "unheard-of"}), "candidate 'x'"),
        (([0.1], {"x": paper().replace(shape_type=2)}), "m_lower of at least 0.5"),
    ],
)
def test_what_is_refused(arguments, words):
    # red if: a run starts that cannot be finished or means nothing
    with pytest.raises(InputError, match=re.escape(words)):
        nepers.choose(*arguments, **QUICK)


def test_the_command(tmp_path, capsys):
    # red if: fields given after a table's name are lost, or the picture and the file are not written
    table = tmp_path / "cases.csv"
    table.write_text("j\n" + "\n".join(map(str, X[:3])))
    (tmp_path / "own.json").write_text(json.dumps(paper().to_dict()))
    call = [
        "choose", str(table), "--candidate", f"own={tmp_path / 'own.json'}",
        "--candidate", "heavy=paper,shape_type=2,m_lower=0.55", "--candidate", "paper,kappa_C=0.5", "--json",
        "--resume", str(tmp_path / "run.npz"), "--picture", str(tmp_path / "sets.png"), "--quiet",
        "--target-error", "0.9", "--seed", "1", "--ladders", "1",
    ]  # fmt: skip
    assert main(call) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["hyperparameters"]["heavy"]["m_lower"] == 0.55
    assert said["hyperparameters"]["own"] == paper().to_dict()
    assert said["hyperparameters"]["paper,kappa_C=0.5"]["kappa_C"] == 0.5
    assert (tmp_path / "sets.png").stat().st_size > 1000
    assert (tmp_path / "run.npz").exists()


@pytest.mark.parametrize(
    ("candidate", "words"),
    [
        ("x=paper,kappa_C", "FIELD=NUMBER"),
        ("x=paper,kappa_C=1.0", "kappa_C must lie between 0 and 1"),
        ("x=none.json", "JSON file"),
        ("x=unheard-of", "hyperparameters must be"),
    ],
)
def test_a_wrong_candidate_is_named(tmp_path, capsys, candidate, words):
    # red if: a wrong field gives a traceback
    assert main(["choose", str(tmp_path / "cases.csv"), "--candidate", candidate]) == 2
    assert words in capsys.readouterr().err

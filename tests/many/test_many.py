"""Many assessments: the same answers whatever runs beside them; failures are rows; a run goes on."""

import sys

import joblib
import numpy as np
import pytest

import nepers
from nepers.many import tasks
from nepers.segments.own import seed_of

# repeated values are assessed exactly and in no time: it is the running that is tested here
GOOD = {f"segment {k}": np.repeat([0.5, -1.0 - k], [30, 5 + k]) for k in range(6)}


def test_each_row_is_the_assessment_by_itself():
    # red if: rows are exchanged, or a seed depends on what else is assessed
    found = nepers.assess_many(GOOD, seed=3, backend="threading", workers=2)
    for row, (name, j) in zip(found.rows, GOOD.items(), strict=True):
        alone = nepers.assess(j, seed=seed_of(3, name), target_ess=400.0).summary()
        assert row["segment"] == name
        assert (row["mean"], row["lower"], row["n"]) == (alone["mean"], alone["lower"], alone["n"])
    fewer = nepers.assess_many({"segment 4": GOOD["segment 4"]}, seed=3, backend="sequential")
    assert fewer.rows[0] == found.rows[4]
    assert (found.failures, len(found)) == ({}, 6)


def test_processes_give_the_same():
    # red if: something of a task cannot be sent to another process, or depends on it
    some = dict(list(GOOD.items())[:2])
    with joblib.parallel_config(backend="loky"):
        assert (
            nepers.assess_many(some, seed=3, workers=2).rows
            == nepers.assess_many(some, seed=3, backend="sequential").rows
        )


def broken():
    raise OSError("no such table")


def test_failures_are_rows():
    # red if: one failure ends the run, or is dropped
    given = GOOD | {"nan": [0.1, np.nan], "broken": broken, "none": lambda: {"log_q": [0.1]}}
    found = nepers.assess_many(given, backend="sequential")
    assert len(found) == 9
    assert set(found.failures) == {"nan", "broken", "none"}
    assert "row 1" in found.failures["nan"]
    assert found.failures["broken"] == "OSError: no such table"
    assert found.to_frame("polars")["error"].null_count() == 6


def test_minus_infinity_is_a_row_like_others():
    # red if: an infinite J cannot be kept in a file
    found = nepers.assess_many({"a": [0.1, -np.inf]}, backend="sequential")
    assert found.rows[0]["mean"] == "-inf"
    assert found.failures == {}


def test_tallies_and_logs_are_taken():
    # red if: only arrays are
    j = GOOD["segment 0"]
    ways = {"a": nepers.tally.from_arrays(j), "b": {"log_q": j, "log_p": np.zeros(j.size)}, "c": lambda: j}
    means = [row["mean"] for row in nepers.assess_many(ways, backend="sequential").rows]
    assert means == pytest.approx([nepers.assess(j, seed=1).mean] * 3, abs=0.02)


def test_a_run_goes_on_where_it_was(tmp_path, monkeypatch):
    # red if: what was done is done again, or something else is taken for it
    calls = []
    real = tasks._rows

    def counted(task, given):
        calls.append(task.name)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(task, given)

    monkeypatch.setattr(tasks, "_rows", counted)
    with pytest.raises(KeyboardInterrupt):
        nepers.assess_many(GOOD, folder=tmp_path / "rows", backend="sequential")
    calls[:] = ["again"] * 10
    found = nepers.assess_many(GOOD, folder=tmp_path / "rows", backend="sequential")
    assert calls[10:] == list(GOOD)[3:]
    assert [row["segment"] for row in found.rows] == list(GOOD)
    changed = GOOD | {"segment 1": GOOD["segment 0"]}
    calls[:] = ["again"] * 10
    nepers.assess_many(changed, folder=tmp_path / "rows", backend="sequential")
    assert calls[10:] == ["segment 1"]
    nepers.assess_many(GOOD, folder=tmp_path / "rows", backend="sequential", target_ess=500.0)
    assert len(calls) == 11 + 6


def test_a_file_cut_short_is_done_again(tmp_path):
    # red if: a damaged row ends the run or is believed
    one = {"a": GOOD["segment 0"]}
    first = nepers.assess_many(one, folder=tmp_path, backend="sequential")
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-20])
    assert nepers.assess_many(one, folder=tmp_path, backend="sequential").rows == first.rows


def test_many_comparisons():
    # red if: a row of an algorithm is lost, or goes to another segment
    rng = np.random.default_rng(1)
    j = {"a": rng.choice([0.4, -0.5], 60), "b": rng.choice([0.1, -0.1], 60)}
    found = nepers.compare_many({"x": j, "y": {"j": j}, "z": [[0.1]]}, backend="sequential", max_seconds=5.0)
    assert [(row["segment"], row.get("name")) for row in found.rows[:4]] == [
        ("x", "a"),
        ("x", "b"),
        ("y", "a"),
        ("y", "b"),
    ]
    assert set(found.failures) <= {"z"}
    assert found.rows[0]["probability_best"] + found.rows[1]["probability_best"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"cases": [[0.1]]}, "mapping"),
        ({"cases": {1: [0.1]}}, "texts"),
        ({"cases": {}, "cores": 2}, "cores"),
        ({"cases": {}, "backend": "carrier pigeons"}, "backend must be"),
    ],
)
def test_wrong_requests(given, words):
    # red if: a wrong request is found after the work
    with pytest.raises(nepers.InputError, match=words):
        nepers.assess_many(**given)


@pytest.mark.parametrize(
    ("backend", "module", "extra"),
    [("dask", "distributed", "dask"), ("spark", "joblibspark", "spark"), ("ray", "ray.util.joblib", "ray")],
)
def test_an_engine_that_is_not_installed_is_said(backend, module, extra, monkeypatch):
    # red if: the error is that of the import
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(nepers.InputError, match=rf"nepers\[{extra}\]"):
        nepers.assess_many(GOOD, backend=backend)

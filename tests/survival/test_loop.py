"""The loop of the page on prostate cancer, on simulated patients, and the table's bookkeeping."""

import numpy as np
import pandas as pd
import pytest
from fake_chains import FakeChains, prior_draws
from simulated_patients import simulated

import nepers
from nepers import running

prostate = pytest.importorskip("prostate", reason="benchmarks are not on the path")


def test_the_loop_judges_unseen_patients_against_both(quick, monkeypatch):
    # red if: the halves overlap, or the antecedent is not made of the same patients
    pool = prior_draws(draws=600)
    monkeypatch.setattr(running, "make_sampler", lambda *values, **options: FakeChains(pool))
    monkeypatch.setattr(running, "FIRST", 500)
    X, y = simulated(160, seed=3)
    learn, predict = prostate.halves(y["event"], 1)
    assert np.array_equal(np.sort(np.concatenate([learn, predict])), np.arange(160))
    assert abs(y["event"][learn].sum() - y["event"][predict].sum()) <= 1
    sampling = {"chains": 1, "draws": 3, "warm_up": 0, "cores": 1}
    result = prostate.loop(X, y["time"], y["event"], **sampling)
    parts = [result[name].worst_cases for name in ("against the marginal", "Cox against the marginal")]
    assert result["found"].n == result["against Cox"].n == len(predict)
    assert all(np.isfinite([case.nats for case in part]).all() for part in parts)


def test_the_table_averages_over_seeds_patient_by_patient(tmp_path, monkeypatch):
    # red if: patients of different seeds are put side by side by place and not by row, seeds that only one of
    # two models has count in their difference, or what is in the file is asked again
    import survival_page
    import survival_summary

    asked = []

    def assess(values, **_options):
        asked.append(np.sort(values).tolist())
        return FakeAnswer()

    monkeypatch.setattr(nepers, "assess", assess)
    monkeypatch.setattr(survival_summary, "KEPT", tmp_path / "survival.json")
    monkeypatch.setattr(survival_page, "PAGE", tmp_path / "survival.md")
    for seed, order in ((3, [0, 1, 2]), (4, [2, 0, 1])):
        j = pd.DataFrame({"row": order, "score": [10.0 * row + seed for row in order]})
        j.to_csv(tmp_path / f"stagec.{seed}.score.csv", index=False)
    others = pd.DataFrame({"row": [1, 2, 0], "pool of six": [1.0, 2.0, 0.0], "Weibull AFT": [0.0, 0.0, 0.0]})
    others.to_csv(tmp_path / "stagec.4.peers.csv", index=False)
    found = survival_summary.keep(tmp_path, ["stagec"])["stagec"]["fresh"]
    assert found["score"]["mean"] == 13.5
    assert found["pool of six"]["ours_less"]["mean"] == 13.0
    assert asked == [[3.5, 13.5, 23.5], [4.0, 13.0, 22.0], [4.0, 14.0, 24.0]]
    again = survival_summary.keep(tmp_path, ["stagec"])
    assert again["stagec"]["fresh"] == found
    assert len(asked) == 3
    survival_page.write(again)
    page = (tmp_path / "survival.md").read_text()
    assert (
        "| stagec (3) | 13.500 ± 5.774 | 0.000 ± 0.000 Weibull AFT | +14.000 (1.000 to 3.000), 0.900 |"
        in page
    )


class FakeAnswer:
    mean = 2.0

    def interval(self, level):
        return 1.0, 3.0

    def probability_above(self, x):
        return 0.9

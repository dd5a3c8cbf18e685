"""The loop of the page on prostate cancer, on simulated patients, and the table's bookkeeping."""

import numpy as np
import pandas as pd
import pytest
from fake_chains import FakeChains, prior_draws
from simulated_patients import simulated

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


def test_the_table_averages_over_seeds(tmp_path):
    # red if: patients of different seeds are put side by side by place and not by row
    import survival

    for seed, order in ((0, [0, 1, 2]), (1, [2, 0, 1])):
        j = pd.DataFrame({"row": order, "score": [10.0 * row + seed for row in order]})
        j.to_csv(tmp_path / f"stagec.{seed}.score.csv", index=False)
    found = survival.table("stagec", tmp_path)
    assert found["score"].to_dict() == {0: 0.5, 1: 10.5, 2: 20.5}
    assert survival.summary("stagec", found)["patients"].tolist() == [3]

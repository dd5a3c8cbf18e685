"""Mixtures of algorithms: the conditions of the optimum, known weights, and what no mixture can do."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from nepers import assessment
from nepers.errors import InputError
from nepers.improvement import mixture_weights, stack
from nepers.improvement.mixture_weights import best_weights, log_mixture, relative


def solved(log_q):
    return best_weights(relative(log_q), np.arange(len(log_q)))


def mean_log(log_q, w):
    return log_mixture(log_q, w).mean()


def named(log_q):
    return {f"m{k}": log_q[:, k] for k in range(log_q.shape[1])}


CASES = {
    "alike": lambda rng: rng.normal(0, 1, (200, 4)),
    "far apart": lambda rng: rng.normal(0, 60, (60, 5)),
    "more algorithms than cases": lambda rng: rng.normal(0, 2, (12, 30)),
    "smooth": lambda rng: np.stack(
        [stats.norm(m, s).logpdf(rng.normal(0, 1, 300)) for m in (-1, 0, 1) for s in (0.5, 1, 2)], axis=1
    ),
    "zeros": lambda rng: np.where(rng.random((100, 4)) < 0.3, -np.inf, rng.normal(0, 1, (100, 4))),
}


@pytest.mark.parametrize("case", CASES)
def test_the_optimum_is_certified(case):
    # red if: the search stops short. The conditions are computed afresh from the logs
    log_q = CASES[case](np.random.default_rng(1))
    log_q = log_q[np.isfinite(log_q).any(axis=1)]
    found = solved(log_q)
    means = np.exp(log_q - log_mixture(log_q, found.values)[:, None]).mean(axis=0)
    assert found.gap <= 1e-8
    assert means.max() - 1 == pytest.approx(found.gap, abs=1e-12)
    assert np.abs(means[found.values > 1e-6] - 1).max() < 1e-6
    assert found.values.min() >= 0.0
    assert found.values.sum() == pytest.approx(1.0, abs=1e-14)


def test_the_optimum_is_that_of_a_general_solver():
    # red if: the objective is not the mean log of the mixture
    log_q = np.random.default_rng(2).normal(0, 1, (80, 3))
    found = solved(log_q)
    other = optimize.minimize(
        lambda w: -mean_log(log_q, w),
        np.full(3, 1 / 3),
        bounds=[(1e-12, 1)] * 3,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        tol=1e-12,
    )
    np.testing.assert_allclose(found.values, other.x, atol=1e-4)
    assert mean_log(log_q, found.values) >= -other.fun - 1e-12


def test_known_weights_are_found():
    # red if: weights and algorithms are mixed up. x is from 0.7 N(-1, 1) + 0.3 N(2, 0.5); a third is no use
    rng = np.random.default_rng(3)
    x = np.where(rng.random(20_000) < 0.7, rng.normal(-1, 1, 20_000), rng.normal(2, 0.5, 20_000))
    parts = [stats.norm(-1, 1), stats.norm(2, 0.5), stats.norm(-6, 0.5)]
    found = stack({name: part.logpdf(x) for name, part in zip("abc", parts, strict=True)}, folds=3)
    assert found.weights == pytest.approx([0.7, 0.3, 0.0], abs=0.015)
    assert np.abs(found.fold_weights - found.weights).max() < 0.01


def test_every_kind_of_table_is_read():
    # red if: a table that `compare` reads is refused here, or its columns lose their names
    log_q = np.random.default_rng(4).normal(-1, 0.5, (40, 3))
    frame = pd.DataFrame(log_q, columns=["m0", "m1", "m2"])
    wanted = stack(named(log_q)).log_q.tolist()
    for table in (frame, pl.from_pandas(frame)):
        found = stack(table)
        assert found.names == ("m0", "m1", "m2")
        assert found.log_q.tolist() == wanted
    assert stack(log_q).names == ("0", "1", "2")


def test_an_algorithm_given_twice_changes_nothing():
    # red if: the equations of the step are singular and blow up
    log_q = np.random.default_rng(4).normal(0, 1, (300, 3))
    one, twice = solved(log_q), solved(np.column_stack([log_q, log_q[:, 0]]))
    assert twice.gap <= 1e-8
    assert twice.values[0] + twice.values[3] == pytest.approx(one.values[0], abs=1e-6)
    np.testing.assert_allclose(
        log_mixture(log_q, one.values),
        log_mixture(np.column_stack([log_q, log_q[:, 0]]), twice.values),
        atol=1e-6,
    )


def test_one_that_is_always_better_takes_all():
    # red if: weight is kept back from the best
    log_q = np.random.default_rng(5).normal(0, 1, (50, 1)) - np.array([0.0, 0.1, 3.0])
    found = stack(named(log_q), folds=3)
    assert found.weights.tolist() == [1.0, 0.0, 0.0]
    assert (found.gain_over("best") == 0.0).all()
    assert found.best == "m0"


def test_one_algorithm_alone():
    # red if: K = 1 has no Newton step
    found = stack({"only": [-1.0, -2.0, -3.0]}, folds=3)
    assert found.weights.tolist() == [1.0]
    assert found.log_q.tolist() == [-1.0, -2.0, -3.0]


def test_the_order_of_the_algorithms_does_not_matter():
    # red if: one is treated apart
    log_q = np.random.default_rng(6).normal(0, 1, (100, 4))
    order = [2, 0, 3, 1]
    np.testing.assert_allclose(solved(log_q[:, order]).values, solved(log_q).values[order], atol=1e-7)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(3, 40), st.floats(0.01, 30.0))
def test_no_mixture_is_better_in_sample_and_every_one_beats_its_average(seed, K, n, spread):
    # red if: the optimum is none, or the mixture is not one of probabilities (Jensen)
    rng = np.random.default_rng(seed)
    log_q = rng.normal(0, spread, (n, K))
    found, w = solved(log_q), rng.dirichlet(np.ones(K))
    best = mean_log(log_q, found.values)
    slack = np.log1p(found.gap) + 1e-12 * (1 + spread)
    assert found.gap <= 1e-8
    assert (
        best >= max(mean_log(log_q, np.full(K, 1 / K)), mean_log(log_q, w), log_q.mean(axis=0).max()) - slack
    )
    assert (log_mixture(log_q, w) >= log_q @ w - 1e-12 * (1 + spread)).all()


def test_blocks_do_not_change_the_answer(monkeypatch):
    # red if: a block is left out or counted twice
    log_q = np.random.default_rng(7).normal(0, 1, (101, 3))
    whole = solved(log_q).values
    monkeypatch.setattr(mixture_weights, "_CELLS", 30)
    np.testing.assert_allclose(solved(log_q).values, whole, atol=1e-9)


def test_scores_are_those_of_the_other_folds():
    # red if: a case has a part in the weights that it is scored by
    log_q = np.random.default_rng(8).normal(0, 1, (90, 3))
    found = stack(named(log_q), folds=3, seed=2)
    for i in range(3):
        away, here = found.fold != i, found.fold == i
        w = solved(log_q[away]).values
        np.testing.assert_allclose(found.log_q[here], log_mixture(log_q[here], w), atol=1e-6)
    assert found.log_q.mean() < mean_log(log_q, found.weights)


# --- minus infinity


def test_a_zero_of_one_algorithm_is_no_matter():
    # red if: -inf becomes NaN, or the only algorithm that gave a truth anything is given no weight
    log_q = np.random.default_rng(9).normal(0, 1, (60, 3))
    log_q[::4, 0] = log_q[1::4, 1] = -np.inf
    found = stack(named(log_q), folds=3)
    assert np.isfinite(found.log_q).all()
    assert found.zeros == ()
    assert (found.gain_over("m0")[::4] == np.inf).all()
    message = r"reference must give every truth a probability above zero; 'm0' gives zero in rows 0, 4"
    with pytest.raises(InputError, match=message):
        found.assess("m0")
    assert "the gain is not finite" in str(stack({"a": log_q[:, 0], "b": log_q[:, 1]}, folds=3))


def test_a_case_that_nobody_foresaw_is_minus_infinity():
    # red if: the case is dropped, or has a part in the weights
    log_q = np.random.default_rng(10).normal(0, 1, (40, 2))
    log_q[7] = -np.inf
    found = stack(named(log_q), log_p=np.zeros(40), folds=3)
    assert found.zeros == (7,)
    assert found.log_q[7] == -np.inf
    assert found.fold[7] == -1
    np.testing.assert_allclose(found.weights, solved(np.delete(log_q, 7, axis=0)).values)
    assert np.isnan(found.gain_over("m0")[7])
    assert found.assess("prior", seed=1).mean == -np.inf
    assert "Its J is -inf: it gives the truth probability zero in 1 of 40 cases (row 7)." in str(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_logs_of_any_size():
    # red if: exp underflows: only differences within a case matter
    log_q = np.random.default_rng(11).normal(0, 1, (50, 2))
    far = log_q - np.linspace(0, 5000, 50)[:, None]
    np.testing.assert_allclose(solved(far).values, solved(log_q).values, atol=1e-9)
    assert log_mixture(np.array([[-2000.0, -2001.0]]), np.array([0.5, 0.5]))[0] == pytest.approx(
        -2000 + np.log(0.5 * (1 + np.exp(-1)))
    )


# --- what comes back


def test_gains_over_each_reference(monkeypatch):
    # red if: the reference is another, or the subtraction is turned round
    rng = np.random.default_rng(12)
    log_q, log_p = rng.normal([0.0, 0.5], 1, (40, 2)), rng.normal(0, 1, 40)
    index = [f"p{i}" for i in range(40)]
    found = stack({"a": pd.Series(log_q[:, 0], index=index), "b": log_q[:, 1]}, log_p=log_p, folds=3)
    assert found.best == "b"
    equal = np.log((np.exp(log_q[:, 0]) + np.exp(log_q[:, 1])) / 2)
    for name, other in {"a": log_q[:, 0], "best": log_q[:, 1], "prior": log_p, "equal": equal}.items():
        np.testing.assert_allclose(found.gain_over(name), found.log_q - other, atol=1e-12)
    asked = {}
    answer = assessment.assess([0.5, -0.5] * 4, seed=1)
    monkeypatch.setattr(assessment, "assess", lambda **options: asked.update(options) or answer)
    assert str(found.assess("prior", seed=3, chains=2)).startswith("gain over prior: J =")
    assert (asked["seed"], asked["chains"]) == (3, 2)
    assert (asked["log_q"] - asked["log_p"] == found.gain_over("prior")).all()
    assert found.rows.tolist() == index
    table = found.to_frame("pandas")
    assert table["name"].tolist() == ["a", "b"]
    assert (table["lowest_weight"] <= table["highest_weight"]).all()
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["mean_log_q"] == pytest.approx(found.log_q.mean())
    assert "Over the best single algorithm here, b, it gains" in str(found)
    assert "Over the prior, it gains" in str(found)


WRONG = {
    "one column": ({"log_q": [-1.0, -2.0]}, "log_q must have two dimensions, a row for each case"),
    "nothing": ({"log_q": {}}, "log_q must have at least one column"),
    "reserved": (
        {"log_q": {"prior": [-1.0] * 4}},
        "must not name an algorithm 'prior', 'best', 'equal'.*'prior'",
    ),
    "lengths": ({"log_q": {"a": [-1.0] * 4, "b": [-1.0] * 3}}, "log_q"),
    "NaN": ({"log_q": {"a": [-1.0, np.nan, 0.0]}}, "must have no missing values"),
    "+inf": ({"log_q": {"a": [-1.0, np.inf, 0.0]}}, r"log_q must be below \+inf; inf in column 'a'.*row 1"),
    "prior's length": ({"log_q": {"a": [-1.0] * 4}, "log_p": [0.0]}, "log_q has 4, log_p 1"),
    "prior's zero": (
        {"log_q": {"a": [-1.0] * 3}, "log_p": [0.0, -np.inf, 0.0]},
        "log_p must be finite; -inf in row 1",
    ),
    "folds": ({"log_q": {"a": [-1.0] * 4}, "folds": 5}, "folds must be at most the number of cases"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_named(case):
    # red if: the input is repaired in silence
    arguments, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        stack(**arguments)


def test_a_reference_that_is_none_is_named():
    # red if: a gain over nothing is given
    found = stack({"a": [-1.0, -2.0, -1.5]}, folds=3)
    with pytest.raises(InputError, match="reference must be one of 'prior', 'best', 'equal', 'a'; it is 'b'"):
        found.gain_over("b")
    with pytest.raises(InputError, match="log_p must be given to stack for gains over the prior"):
        found.gain_over("prior")

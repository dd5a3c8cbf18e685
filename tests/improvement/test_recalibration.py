"""Recalibration: exact losses to miscalibration, what it must not do, and every wrong input."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats
from scipy.special import expit, ndtr
from sklearn.linear_model import LogisticRegression

from nepers import assessment
from nepers.errors import InputError
from nepers.improvement import class_map, recalibrate_classes, recalibrate_pit
from nepers.improvement.class_table import ClassLogs
from nepers.improvement.crossfit import crossfit, deal

N = 20_000


def binary(slope, shift, n=N, seed=1):
    """q = expit(e) with e Gaussian, and truths from expit(shift + slope e)."""
    rng = np.random.default_rng(seed)
    e = rng.normal(0.0, 1.5, n)
    return (rng.random(n) < expit(shift + slope * e)).astype(int), expit(e)


def lost_to_miscalibration(slope, shift):
    """I(x; Q) - J: the mean over q of the Kullback-Leibler divergence from the truth's law given q to q."""

    def divergence(e):
        p, q = expit(shift + slope * e), expit(e)
        return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))

    return integrate.quad(lambda e: divergence(e) * stats.norm(0, 1.5).pdf(e), -12, 12)[0]


@pytest.mark.parametrize(("slope", "shift"), [(0.6, 0.5), (1.7, -0.3), (-0.8, 0.0)])
def test_the_gain_is_what_miscalibration_loses(slope, shift):
    # red if: a sign, a fold's own cases, or the slope is wrong; an answer turned round is not turned back
    found = recalibrate_classes(*binary(slope, shift), folds=4)
    assert found.mean == pytest.approx(lost_to_miscalibration(slope, shift), abs=4 * found.standard_error)
    a = found.map.shifts[1] - found.map.shifts[0]
    if found.map.kind == "slope and shifts":
        assert (a, found.map.slopes[0]) == pytest.approx((shift, slope), abs=0.1)


def test_an_oracle_that_is_always_wrong_is_turned_round():
    # red if: the slope may not be negative. J = log(0.1 / 0.5), I(x; Q) = log 2, so log(1 / 0.1) is to be won
    q = np.where(np.random.default_rng(2).random(2000) < 0.5, 0.9, 0.1)
    found = recalibrate_classes((q < 0.5).astype(int), q, folds=4)
    assert np.log(10) - 0.005 < found.mean < np.log(10)


@pytest.mark.parametrize("n", [60, 1000, N])
def test_what_is_calibrated_is_left_alone(n):
    # red if: the maps overfit: two or three parameters cost at most about as many n-ths of a nat
    found = recalibrate_classes(*binary(1.0, 0.0, n, seed=3), folds=4)
    assert -3.0 / n < found.mean <= max(4 * found.standard_error, 0.0)


def test_several_classes_and_their_exact_loss():
    # red if: classes and columns are mixed up. Q is P sharpened, P(x | Q) = P: the loss is mean KL(P, Q)
    rng = np.random.default_rng(4)
    P = rng.dirichlet([2.0, 1.0, 1.0, 0.5], 4000)
    Q = P**2.0 / (P**2.0).sum(axis=1, keepdims=True)
    y = (P.cumsum(axis=1) < rng.random(4000)[:, None]).sum(axis=1)
    found = recalibrate_classes(y, Q, folds=4)
    exact = (P * np.log(P / Q)).sum(axis=1).mean()
    assert found.mean == pytest.approx(exact, abs=4 * found.standard_error)
    assert found.map.slopes == pytest.approx(np.full(4, 0.5), abs=0.1)
    np.testing.assert_allclose(found.map(Q).sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(found.map(Q), P, atol=0.1)


def test_the_fit_is_the_penalised_logistic_regression():
    # red if: the penalty, the gradient or the end of the search is wrong. The shifts are -a/2 and a/2, so a
    # has the penalty a^2 / 4
    y, q = binary(0.5, 0.7, 300)
    logs = ClassLogs(np.log(np.stack([1 - q, q])), None)
    fitted = class_map.fit(1, (0, 1), logs, y)
    e = np.log(q / (1 - q))
    a, b = fitted.shifts[1] - fitted.shifts[0], fitted.slopes[0]
    miss = expit(a + b * e) - y
    assert miss.sum() + a / 2 == pytest.approx(0.0, abs=1e-3)
    assert miss @ e + b - 1 == pytest.approx(0.0, abs=1e-3)
    free = LogisticRegression(C=np.inf, tol=1e-10).fit(e[:, None], y)
    assert (a, b) == pytest.approx((free.intercept_[0], free.coef_[0, 0]), abs=0.03)


@pytest.mark.parametrize("kind", [1, 2])
def test_the_gradient_is_that_of_the_loss(kind):
    # red if: any term of the gradient is wrong, with zeros in the table and without
    rng = np.random.default_rng(5)
    P = rng.dirichlet(np.ones(3), 50)
    zero = np.zeros((3, 50), dtype=bool)
    zero[0, :10] = True
    logs = ClassLogs(np.where(zero, 0.0, np.log(P.T)), zero)
    truth = rng.integers(1, 3, 50)
    x = rng.normal(0.3, 0.5, 4 if kind == 1 else 6)
    value, slope = class_map._loss(x, logs, truth)
    for i in range(x.size):
        step = 1e-6 * (np.arange(x.size) == i)
        up, down = class_map._loss(x + step, logs, truth)[0], class_map._loss(x - step, logs, truth)[0]
        assert slope[i] == pytest.approx((up - down) / 2e-6, abs=1e-8)
    assert np.isfinite(value)


def test_the_order_of_the_classes_does_not_matter():
    # red if: a class is treated apart
    rng = np.random.default_rng(6)
    P = rng.dirichlet(np.ones(3), 120)
    y = rng.integers(0, 3, 120)
    logs = np.log(P.T)
    order = np.array([2, 0, 1])
    for kind in (1, 2):
        one = class_map.fit(kind, (0, 1, 2), ClassLogs(logs, None), y)
        other = class_map.fit(kind, (0, 1, 2), ClassLogs(logs[order], None), np.argsort(order)[y])
        np.testing.assert_allclose(other.shifts, one.shifts[order], atol=1e-4)
        np.testing.assert_allclose(other.slopes, one.slopes[order], atol=1e-4)


def test_a_case_has_no_part_in_its_own_map():
    # red if: cross-fitting lets a case into the map that it is judged by, even through where a search starts.
    # Two predictions of one class and one fold are exchanged: the map of that fold must not change at all
    y, q = binary(0.5, 0.5, 200)
    before = recalibrate_classes(y, q, folds=4, seed=3)
    a, b = np.flatnonzero((before.fold == 0) & (y == 1))[:2]
    q[[a, b]] = q[[b, a]] ** 3
    after = recalibrate_classes(y, q, folds=4, seed=3)
    assert (before.fold == after.fold).all()
    others = np.setdiff1d(np.flatnonzero(before.fold == 0), [a, b])
    assert (before.gain[others] == after.gain[others]).all()
    assert (before.gain[before.fold != 0] != after.gain[before.fold != 0]).any()


def test_folds_are_even_in_every_class():
    # red if: a rare class is missing from the cases a map is fitted on
    strata = np.repeat([0, 1, 2], [50, 7, 3])
    fold = deal(60, 5, 0, strata)
    for stratum, size in enumerate([50, 7, 3]):
        counts = np.bincount(fold[strata == stratum], minlength=5)
        assert counts.max() - counts.min() <= 1
        assert counts.sum() == size
    assert np.bincount(fold).tolist() == [12] * 5
    assert (deal(60, 5, 0, strata) == fold).all()
    assert not (deal(60, 5, 1, strata) == fold).all()


def test_the_kind_is_chosen_without_the_cases_it_is_judged_on():
    # red if: the choice looks at the outer fold. There, and only there, candidate 1 looks good
    fold = np.repeat(np.arange(4), 5)
    good = fold == 2

    def gain(candidate, rows):
        return np.where(good[rows], 5.0, -1.0) if candidate else np.zeros(rows.size)

    found = crossfit(fold, 2, lambda c, rows: c, gain)
    assert [found.maps[i] for i in range(4)] == [1, 1, 0, 1]
    assert (found.gain == np.where(good, 0.0, -1.0)).all()
    assert found.final == 1


# --- zeros


def test_a_zero_given_to_the_truth_is_not_rescued():
    # red if: minus infinity is clipped, dropped in silence, or turned into NaN without a word
    y, q = binary(0.6, 0.0, 300)
    q[[4, 9]] = 1.0 - y[[4, 9]]
    q[6] = y[6]  # certain and right: nothing to gain
    found = recalibrate_classes(y, q, folds=4)
    assert found.zeros == (4, 9)
    assert np.isnan(found.gain[[4, 9]]).all()
    assert np.isfinite(np.delete(found.gain, [4, 9])).all()
    assert (found.log_q[[4, 9]] == -np.inf).all()
    assert found.gain[6] == 0.0
    assert "J is -inf, and recalibration leaves it there" in str(found)
    assert "in 2 of 300 cases (rows 4, 9)" in str(found)
    with pytest.raises(InputError, match=r"undefined, in rows 4, 9: J is -inf before and after"):
        found.assess(seed=1)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["mean_gain"] is None


@pytest.mark.parametrize("kind", [1, 2])
def test_zeros_of_other_classes_stay_zeros(kind):
    # red if: a negative slope makes a zero infinitely likely, or 0 * -inf makes NaN
    logs = ClassLogs(np.log([[0.5], [0.5], [1.0]]), np.array([[False], [False], [True]]))
    one = class_map.ClassMap(
        class_map.KINDS[kind], (0, 1, 2), np.array([0.3, 0.0, 9.0]), np.array([-2.0] * 3)
    )
    assert one.gain(logs, np.array([0]))[0] == pytest.approx(np.log(expit(0.3) / 0.5))
    assert one([[0.5, 0.5, 0.0]])[0] == pytest.approx([expit(0.3), expit(-0.3), 0.0])


# --- what comes back


def test_the_answer_can_be_assessed_kept_and_read(monkeypatch):
    # red if: log_q is not what it was plus the gain, or options do not reach assess
    y, q = binary(0.5, 0.5, 200)
    index = [f"p{i}" for i in range(200)]
    found = recalibrate_classes(pd.Series(y, index=index), pd.Series(q, index=index), folds=3)
    before = np.where(y == 1, np.log(q), np.log1p(-q))
    np.testing.assert_allclose(found.log_q - before, found.gain, atol=1e-12)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (told["n"], told["folds"], told["map"]["labels"]) == (200, 3, [0, 1])
    table = found.to_frame("pandas")
    assert table["row"].tolist() == index
    assert list(table) == ["row", "fold", "gain", "log_q"]
    assert "judge it on new ones" in str(found).lower()
    asked = {}
    answer = assessment.assess([0.5, -0.5] * 4, seed=1)
    monkeypatch.setattr(assessment, "assess", lambda j, **options: asked.update(j=j, **options) or answer)
    assert str(found.assess(seed=5, chains=2)).startswith("gain by recalibration: J =")
    assert (asked["seed"], asked["chains"]) == (5, 2)
    assert (asked["j"] == found.gain).all()


def test_the_map_takes_new_predictions_in_the_form_of_the_old():
    # red if: columns by name are taken in another order, or too few of them
    rng = np.random.default_rng(8)
    P = rng.dirichlet(np.ones(3), 90)
    table = pd.DataFrame(P, columns=["a", "b", "c"])
    found = recalibrate_classes(rng.choice(["a", "b", "c"], 90), table, folds=3)
    np.testing.assert_allclose(found.map(table), found.map(P), rtol=1e-15)
    with pytest.raises(InputError, match=r"y_proba must have its columns in the order 'a', 'b', 'c'; theirs"):
        found.map(table[["b", "a", "c"]])
    with pytest.raises(InputError, match=r"a column for each of the 3 classes .*; it has 2"):
        found.map(P[:, :2] / P[:, :2].sum(axis=1, keepdims=True))
    two = recalibrate_classes(*binary(0.5, 0.0, 90), folds=3)
    assert two.map([0.2, 0.7]).shape == (2, 2)
    assert two.map(np.empty(0)).shape == (0, 2)


WRONG = {
    "folds": ({"folds": 2}, "folds must be a whole number of at least 3; it is 2"),
    "more folds than cases": (
        {"folds": 11},
        "folds must be at most the number of cases.*they are 10, folds is 11",
    ),
    "seed": ({"seed": -1}, "seed must be a whole number"),
    "labels": ({"labels": [0, 1, 2]}, "labels must have a label for each class"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_options_are_named(case):
    # red if: the error comes from deep within, or never
    options, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        recalibrate_classes([0, 1] * 5, [0.4, 0.6] * 5, **options)


def test_the_rules_for_class_probabilities_are_those_of_log_class():
    # red if: a row that does not sum to one is renormalised
    with pytest.raises(InputError, match="y_proba must sum to one"):
        recalibrate_classes([0, 1] * 5, [[0.4, 0.4]] * 10)


# --- real outcomes


@pytest.mark.parametrize(("m", "s"), [(0.3, 1.5), (0.0, 0.5), (-1.0, 1.0)])
def test_a_gaussian_with_wrong_mean_and_width(m, s):
    # red if: the width of the tilt is upside down. The loss is KL(N(m, s), N(0, 1)) in closed form
    z = np.random.default_rng(10).normal(m, s, 5000)
    found = recalibrate_pit(ndtr(z), log_q=stats.norm.logpdf(z), folds=4)
    exact = (s**2 + m**2 - 1) / 2 - np.log(s)
    assert found.mean == pytest.approx(exact, abs=4 * found.standard_error)
    assert (found.map.location, found.map.scale) == pytest.approx((m, s), abs=0.05)
    assert np.abs(found.log_q - stats.norm(m, s).logpdf(z)).mean() < 0.05


def test_a_smooth_miscalibration_of_another_shape():
    # red if: the polynomials do nothing. u ~ Beta(2, 3): the loss is minus the entropy
    u = np.random.default_rng(11).beta(2, 3, 8000)
    found = recalibrate_pit(u, folds=4)
    assert found.mean == pytest.approx(-stats.beta(2, 3).entropy(), abs=4 * found.standard_error)
    assert stats.kstest(found.map.cdf(u), "uniform").statistic < 0.015


@pytest.mark.parametrize("n", [40, 5000])
def test_uniform_pits_are_left_alone(n):
    # red if: eight parameters are spent on noise
    found = recalibrate_pit(np.random.default_rng(12).random(n), folds=4)
    assert -6.0 / n < found.mean <= max(4 * found.standard_error, 0.0)


def test_censored_truths_gain_what_their_intervals_gain():
    # red if: intervals are taken for points, or the wrong way round. Truth N(0.5, 1.6), predicted N(0, 1),
    # censored at 1: the loss is the divergence of the two laws of what is seen
    m, s, c = 0.5, 1.6, 1.0
    z = np.random.default_rng(13).normal(m, s, 3000)
    u = ndtr(np.minimum(z, c))
    found = recalibrate_pit(np.column_stack([u, np.where(z < c, u, 1.0)]), folds=3)
    true, said = stats.norm(m, s), stats.norm()
    seen = integrate.quad(lambda x: true.pdf(x) * (true.logpdf(x) - said.logpdf(x)), -15, c)[0]
    exact = seen + true.sf(c) * (true.logsf(c) - said.logsf(c))
    assert found.mean == pytest.approx(exact, abs=4 * found.standard_error)


@pytest.mark.parametrize(
    "pit", [0.2, [0.1, 0.7], [0.0, 1.0], 1e-300], ids=["point", "interval", "everything", "far out"]
)
def test_every_map_is_a_density(pit):
    # red if: c does not integrate to one, or the gain of an interval is not the mean of c over it
    u = np.random.default_rng(14).beta(0.7, 1.8, 800)
    found = recalibrate_pit(u, folds=3)
    assert integrate.quad(lambda v: np.exp(found.map([v])[0]), 0, 1, limit=200)[0] == pytest.approx(
        1, abs=1e-6
    )
    if isinstance(pit, list):
        low, high = pit
        mean = integrate.quad(lambda v: np.exp(found.map([v])[0]), low, high, limit=200)[0] / (high - low)
        assert np.exp(found.map([pit]))[0] == pytest.approx(mean, rel=1e-6)
        C = found.map.cdf(np.array([pit]))[0]
        assert (C[1] - C[0]) / (high - low) == pytest.approx(mean, rel=1e-6)
    else:
        assert np.isfinite(found.map([pit])).all()


def test_a_narrow_interval_is_nearly_a_point():
    # red if: the interval's probability is a difference of nearly equal numbers
    found = recalibrate_pit(ndtr(np.random.default_rng(15).normal(0.2, 1.4, 500)), folds=3)
    for u in (1e-12, 0.3, 0.999):
        near = found.map([[u, u * (1 + 1e-9)]])[0]
        assert near == pytest.approx(found.map([u])[0], abs=1e-5)


def test_pits_of_exactly_zero_and_one_are_finite():
    # red if: Phi^-1(0) makes the gain infinite or NaN
    u = np.append(np.random.default_rng(16).random(100) ** 2, [0.0, 1.0, 0.0])
    found = recalibrate_pit(u, folds=3)
    assert np.isfinite(found.gain).all()


def test_reflection_turns_the_map_round():
    # red if: the lower and the upper tail are treated differently
    u = np.random.default_rng(17).beta(2.0, 1.2, 400)
    one, other = recalibrate_pit(u, folds=3), recalibrate_pit(1 - u, folds=3)
    v = np.linspace(0.01, 0.99, 9)
    np.testing.assert_allclose(one.map(v), other.map(1 - v), atol=1e-3)


def test_minus_infinity_of_a_density_stays():
    # red if: a truth outside the support is rescued by its PIT
    u, log_q = np.linspace(0.01, 1.0, 60) ** 2, np.zeros(60)
    log_q[59] = -np.inf
    found = recalibrate_pit(u, log_q=log_q, folds=3)
    assert found.zeros == (59,)
    assert found.log_q[59] == -np.inf
    assert found.fold[59] == -1


WRONG_PIT = {
    "above one": ({"pit": [0.5, 1.5, 0.2]}, "pit must hold probabilities, from 0 to 1; 1.5 in row 1"),
    "NaN": ({"pit": [0.5, np.nan]}, "pit must have no missing values"),
    "turned": ({"pit": [[0.1, 0.2], [0.5, 0.3]]}, "pit must have its lower ends first; 0.5 in column 0"),
    "three columns": ({"pit": np.full((4, 3), 0.5)}, "pit must have one dimension, or two columns.*it has 3"),
    "interval outside": ({"pit": [[-0.1, 0.2]]}, "pit must hold probabilities, from 0 to 1; -0.1"),
    "lengths": ({"pit": [0.5, 0.5], "log_q": [0.0]}, "must have the same number of rows; log_q has 1, pit 2"),
    "log_q": ({"pit": [0.5], "log_q": [np.inf]}, r"log_q must be below \+inf"),
}


@pytest.mark.parametrize("case", WRONG_PIT)
def test_what_is_no_pit_is_an_error_that_names_it(case):
    # red if: the input is repaired in silence
    given, message = WRONG_PIT[case]
    with pytest.raises(InputError, match=message):
        recalibrate_pit(**given)


def test_pits_may_come_as_columns_of_a_table():
    # red if: a dataframe of interval ends is taken for something else
    rng = np.random.default_rng(18)
    low = rng.random(30) * 0.5
    pair = np.column_stack([low, low + 0.2])
    one = recalibrate_pit(pair, folds=3)
    other = recalibrate_pit(pd.DataFrame(pair, columns=["low", "high"], index=list(range(5, 35))), folds=3)
    np.testing.assert_array_equal(one.gain, other.gain)
    assert other.rows.tolist() == list(range(5, 35))
    assert json.loads(json.dumps(one.to_dict()))["n"] == 30
    assert "polars" in type(one.to_frame("polars")).__module__

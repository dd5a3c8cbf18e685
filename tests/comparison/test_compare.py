"""Several algorithms on the same cases. Values that repeat take the exact path: most tests need no chains."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import nepers
from nepers import atoms
from nepers.comparison import compare
from nepers.comparison.axes import eigenvectors, with_unseen
from nepers.errors import InputError


def two_valued(n, k, seed=0, agreement=0.8):
    """Each algorithm is right or wrong in each case, and mostly where the others are."""
    rng = np.random.default_rng(seed)
    right = rng.random(n) < 0.7
    columns = []
    for i in range(k):
        own = np.where(rng.random(n) < agreement, right, rng.random(n) < 0.6)
        columns.append(np.where(own, 0.3 + 0.02 * i, -0.5))
    return np.column_stack(columns)


@pytest.fixture(scope="module")
def three():
    return compare(dict(zip("abc", two_valued(500, 3).T, strict=True)), seed=1)


def test_serial_additivity_holds_in_every_draw(three):
    # red if: differences are assessed apart from the J themselves
    through_a = three.difference("a", "prior").nats + three.difference("b", "a").nats
    assert through_a == pytest.approx(three.difference("b", "prior").nats, abs=1e-12)
    assert three.difference("a", "b").nats.tolist() == (-three.difference("b", "a").nats).tolist()


def test_one_algorithm_is_assessed_as_it_is_alone():
    # red if: the axis of one algorithm is not its own j, or has another seed
    j = two_valued(80, 1)[:, 0]
    alone = nepers.assess(j, seed=4)
    assert np.sort(compare({"a": j}, seed=4)["a"].nats) == pytest.approx(np.sort(alone.nats, axis=None))


def test_the_joint_posterior_has_the_covariance_of_the_cases():
    # red if: the algorithms are drawn independently, or the axes are put together with V for V'
    x = two_valued(3000, 3, seed=2)
    drawn = compare(x, seed=1).nats
    expected = np.cov(x, rowvar=False) / len(x)
    # 20,000 independent draws know a covariance to 1%; the prior worth two cases of 3,000 adds less
    assert np.cov(drawn, rowvar=False) == pytest.approx(expected, rel=0.06)
    assert drawn.mean(axis=0) == pytest.approx(x.mean(axis=0), abs=0.05 * np.sqrt(expected.max()))


def test_close_algorithms_are_told_apart_better_than_their_own_intervals_say():
    # red if: the difference of two correlated algorithms is as uncertain as that of unrelated ones
    x = two_valued(1000, 2, agreement=0.99)
    c = compare({"a": x[:, 0], "b": x[:, 1]}, seed=1)
    assert c.difference("b", "a").sd < 0.3 * c["a"].sd


def test_the_order_of_the_columns_does_not_matter(three):
    # red if: an axis belongs to a column, as the first one's residuals would
    x = two_valued(500, 3)
    other = compare(dict(zip("cab", x[:, [2, 0, 1]].T, strict=True)), seed=1)
    for name in "abc":
        assert other[name].mean == pytest.approx(three[name].mean, abs=0.05 * three[name].sd)
        assert other[name].sd == pytest.approx(three[name].sd, rel=0.05)


def test_the_same_seed_gives_the_same_draws(three):
    # red if: the order of the draws comes from the system
    again = compare(dict(zip("abc", two_valued(500, 3).T, strict=True)), seed=1)
    assert again.nats.tolist() == three.nats.tolist()


def test_the_axes_are_orthogonal_and_uncorrelated():
    # red if: the prior of J is stretched, or the axes still share information
    x = two_valued(200, 4)
    V = eigenvectors(x)
    assert pytest.approx(np.eye(4), abs=1e-12) == V.T @ V
    assert np.cov(x @ V, rowvar=False) == pytest.approx(np.diag(np.var(x @ V, axis=0, ddof=1)), abs=1e-12)
    assert eigenvectors(np.empty((1, 3))).tolist() == np.eye(3).tolist()


def test_the_same_algorithm_twice_is_neither_better_nor_worse():
    # red if: an axis without any spread breaks the sampler, or says that the two are surely equal
    j = two_valued(400, 1)[:, 0]
    c = compare({"a": j, "b": j}, seed=1)
    assert c.difference("a", "b").mean == pytest.approx(0.0, abs=0.01)
    assert c.pairwise[0, 1] == pytest.approx(0.5, abs=0.05)
    assert c["a"].sd == pytest.approx(nepers.assess(j, seed=1).sd, rel=0.1)


def test_a_zero_given_to_the_truth_is_minus_infinity_and_the_others_are_compared_without_it():
    # red if: the infinite column makes the axes NaN, or the case is dropped for all
    x = two_valued(300, 3)
    without = compare({"a": x[:, 0], "c": x[:, 2]}, seed=1)
    x[7, 1] = -np.inf
    c = compare(pd.DataFrame(x, columns=list("abc"), index=[f"p{i}" for i in range(300)]), seed=1)
    assert c["b"].mean == -np.inf
    assert c["b"].interval() == (-np.inf, -np.inf)
    assert c.infinite_cases == ((), ("p7",), ())
    assert c.verdict("b") == "worse"
    assert c.verdict("a", against="b") == "better"
    assert c.rank_probabilities[1].tolist() == [0.0, 0.0, 1.0]
    assert c["a"].nats.tolist() == without["a"].nats.tolist()
    assert "'b' has J = -inf: it gave the truth probability zero in 1 case (row p7)." in str(c)


def test_the_worst_cases_are_named_for_each_algorithm():
    # red if: they are those of the first algorithm, or the best
    # each case twice: repeated values need no chains, and so no time
    x = np.repeat([[0.1, 0.3], [-2.0, 0.1], [0.2, -1.0]], 2, axis=0)
    c = compare(pd.DataFrame(x, columns=["a", "b"], index=list("pPqQrR")), seed=1)
    assert [case.label for case in c.worst_cases[0]] == ["q", "Q", "p", "P", "r", "R"]
    assert c.worst_cases[1][0] == ("r", -1.0)


def test_all_of_them_infinite():
    # red if: no axis is left to draw from
    c = compare({"a": [0.1, -np.inf], "b": [-np.inf, 0.2]}, seed=1)
    assert [c[name].mean for name in "ab"] == [-np.inf, -np.inf]
    assert c.verdict("a", against="b") == "not yet known"
    assert "undefined" not in str(c)


def test_without_a_prior_the_reference_stands_in_its_place():
    # red if: the reference's own J is inferred from a column of zeros
    x = two_valued(200, 2)
    c = compare(log_q={"old": x[:, 0], "new": x[:, 1]}, reference="old", seed=1)
    gain = compare({"new": x[:, 1] - x[:, 0]}, seed=1)
    assert not c["old"].nats.any()
    assert c["new"].nats.tolist() == gain["new"].nats.tolist()
    assert "relative to 'old'" in str(c)


def test_log_q_and_log_p_are_the_log_ratios():
    # red if: the prior is subtracted from some columns only
    x = two_valued(100, 2)
    log_p = np.linspace(-1.0, -0.5, 100)
    by_logs = compare(log_q={"a": x[:, 0] + log_p, "b": x[:, 1] + log_p}, log_p=log_p, seed=1)
    by_ratios = compare({"a": x[:, 0], "b": x[:, 1]}, seed=1)
    assert by_logs["b"].nats == pytest.approx(by_ratios["b"].nats, abs=1e-9)


def test_rows_come_by_the_mean_and_agree_with_the_single_answers(three):
    # red if: a row holds another algorithm's numbers
    rows = three.rows(level=0.9)
    assert [row.mean for row in rows] == sorted((row.mean for row in rows), reverse=True)
    for row in rows:
        own = three[row.name]
        assert (row.mean, row.sd) == (own.mean, own.sd)
        assert (row.lower, row.upper) == own.interval(0.9)
        assert row.probability_better == own.probability_above(0.0)
        assert row.probability_best == three.probability_best[row.name]
        assert (row.gain_mean, row.verdict) == (row.mean, three.verdict(row.name))
    assert sum(three.probability_best.values()) == pytest.approx(1.0)


def test_the_reference_is_the_zero_of_the_gains():
    # red if: gains are taken from the prior whatever the reference
    c = compare(dict(zip("ab", two_valued(200, 2).T, strict=True)), reference="a", seed=1)
    row = {row.name: row for row in c.rows()}
    assert row["a"].verdict == "reference"
    assert row["a"].gain_mean == 0.0
    assert row["b"].gain_mean == pytest.approx(c["b"].mean - c["a"].mean)
    assert c.verdict("b") == c.verdict("b", against="a")


def test_bits_are_the_same_answer(three):
    # red if: a number is converted twice, or the region of equivalence moves
    bits = three.in_bits()
    assert bits["a"].mean == pytest.approx(three["a"].mean / np.log(2.0))
    assert pytest.approx(three.J / np.log(2.0)) == bits.J
    assert [bits.verdict(name) for name in "abc"] == [three.verdict(name) for name in "abc"]
    assert bits.in_nats()["a"].mean == three["a"].mean


@pytest.mark.parametrize("native", ["polars", "pandas", "pyarrow"])
def test_the_table_has_a_row_for_each_algorithm(three, native):
    # red if: a library gets another table
    frame = three.to_frame(native)
    columns = list(frame.column_names if native == "pyarrow" else frame.columns)
    assert columns[:6] == ["name", "mean", "median", "sd", "lower", "upper"]
    assert columns[-3:] == ["probability_rank_1", "probability_rank_2", "probability_rank_3"]
    assert len(frame) == 3


def test_the_dict_is_fit_for_json():
    # red if: an infinite number reaches the file as one
    c = compare({"a": [0.1, -np.inf, 0.2], "b": [0.1, 0.1, 0.2]}, seed=1)
    found = json.loads(json.dumps(c.to_dict(), allow_nan=False))
    assert found["algorithms"][1]["mean"] == "-inf"
    assert found["infinite_cases"] == {"a": [1], "b": []}


def test_the_words_say_who_leads_and_that_the_winner_flatters(three):
    # red if: the table loses an algorithm or the caveat
    said = str(three)
    assert all(f"\n{name} " in said for name in "abc")
    assert "best of these" in said
    assert "looks better than it is" in said
    assert repr(three) == "<Comparison of 3 algorithms, n = 500, reference 'prior'>"


def test_the_row_of_the_reference_says_nothing_of_its_gain_over_itself(three):
    # red if: the reference is reported as better than itself with probability 0
    ahead = compare(dict(zip("abc", two_valued(500, 3).T, strict=True)), reference="a", seed=1)
    row = next(line for line in str(ahead).splitlines() if line.startswith("a "))
    assert row.split()[-1] == "reference"
    assert len(row.split()) == len(["a", "J", "lower", "to", "upper", "P(best)", "reference"])


def test_marginals_agree_with_one_at_a_time_assessments():
    # red if: rotating and turning back distorts what is known of one algorithm alone
    rng = np.random.default_rng(5)
    hard = rng.standard_t(4, 250) ** 2 / 4.0
    x = 0.4 - 0.3 * hard[:, None] + 0.2 * rng.normal(size=(250, 2))
    c = compare({"a": x[:, 0], "b": x[:, 1]}, seed=1, max_seconds=300)
    alone = nepers.assess(x[:, 0], seed=2, max_seconds=300)
    assert c["a"].mean == pytest.approx(alone.mean, abs=0.3 * alone.sd)
    assert c["a"].sd == pytest.approx(alone.sd, rel=0.25)
    t_sd = (x[:, 0] - x[:, 1]).std(ddof=1) / np.sqrt(250)
    assert c.difference("a", "b").sd == pytest.approx(t_sd, rel=0.25)


WRONG = {
    "nothing": ({}, "give either j or log_q, with a column for each algorithm"),
    "both": ({"j": {"a": [0.1]}, "log_q": {"a": [0.1]}}, "give either j or log_q"),
    "j and a prior": ({"j": {"a": [0.1]}, "log_p": [0.1]}, "give log_p with log_q only"),
    "one column": ({"j": [0.1, 0.2]}, "j must have two dimensions, a row for each case; its shape is (2,)"),
    "no algorithm": ({"j": {}}, "j must have at least one column; it is empty"),
    "many": ({"j": np.zeros((3, 21))}, "j must have from 1 to 20 algorithms; it has 21"),
    "lengths": ({"j": {"a": [0.1, 0.2], "b": [0.1]}}, "j['a'] has 2, j['b'] 1"),
    "missing": (
        {"j": {"a": [0.1, float("nan")]}},
        "j['a'] must have no missing values (NaN); row 1 (1 of 2)",
    ),
    "infinite": ({"j": {"a": [0.1, float("inf")]}}, "j['a'] must be below +inf"),
    "prior zero": (
        {"log_q": {"a": [0.1, 0.2]}, "log_p": [0.1, -float("inf")]},
        "log_p must be above -inf: there the prior gave the truth probability zero",
    ),
    "a name of the prior": ({"j": {"prior": [0.1]}}, "j must not call an algorithm 'prior'"),
    "unknown reference": (
        {"j": {"a": [0.1]}, "reference": "b"},
        "reference must be 'prior' or one of a; it is 'b'",
    ),
    "no prior": (
        {"log_q": {"a": [0.1]}},
        "log_p must be given, or reference be one of the algorithms (a) to stand in its place",
    ),
    "negative region": (
        {"j": {"a": [0.1]}, "equivalence": -1},
        "equivalence must be 0 or above, in nats; it is -1",
    ),
    "other rows": (
        {"j": {"a": pd.Series([0.1], index=["x"]), "b": pd.Series([0.1], index=["y"])}},
        "j['a'] and j['b'] must have the same row labels in the same order",
    ),
    "names twice": (
        {"j": pd.DataFrame([[0.1, 0.2]], columns=["a", "a"])},
        "j must have columns of different names; 'a' comes 2 times",
    ),
    "names alike": ({"j": {1: [0.1], "1": [0.2]}}, "j must have a name for each algorithm; '1' comes twice"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_named(case):
    # red if: the message loses the argument, the place or the rule
    arguments, message = WRONG[case]
    with pytest.raises(InputError) as caught:
        compare(**arguments, seed=1)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_name_is_told_the_known_ones(three):
    # red if: a misspelt name is a KeyError
    with pytest.raises(InputError, match="name must be one of a, b, c, or 'prior'; it is 'd'"):
        three.difference("d", "a")


def test_every_kind_of_table_is_read():
    # red if: names are lost on the way
    x = two_valued(50, 2)
    tables = (pd.DataFrame(x, columns=["a", "b"]), pl.DataFrame({"a": x[:, 0], "b": x[:, 1]}))
    found = [compare(table, seed=1) for table in (*tables, pl.LazyFrame(tables[1]))]
    assert {c.names for c in found} == {("a", "b")}
    assert compare(x, seed=1).names == ("0", "1")
    assert all(c.nats.tolist() == found[0].nats.tolist() for c in found)


def test_the_unseen_is_bad_for_all_at_once_and_for_none_whose_j_repeats():
    # red if: each algorithm has an unseen kind of its own, so that differences blur, or a proportion moves
    rng = np.random.default_rng(6)
    hard = rng.normal(0.1, 0.5, 90)
    x = np.column_stack([hard, hard - 0.2, np.where(rng.random(90) < 0.7, 0.3, -0.8)])
    nats = rng.normal(0.0, 0.01, (4000, 3))
    found = with_unseen(nats, x, 0.4, np.random.SeedSequence(1))
    assert found[:, 2].tolist() == nats[:, 2].tolist()
    kinds = atoms.with_unseen(atoms.split(hard, 0.0), 0.4)
    w = (found[:, 0] - nats[:, 0]) / (kinds.unseen - nats[:, 0])
    assert stats.kstest(w, stats.beta(0.5, 90.5).cdf).pvalue > 1e-6
    # one share for both, and the same distance below the means, which are 0.2 apart
    shift = found - nats
    assert shift[:, 0] - shift[:, 1] == pytest.approx(w * (0.2 - nats[:, 0] + nats[:, 1]), abs=1e-12)
    assert with_unseen(nats, x, 0.0, np.random.SeedSequence(1)).tolist() == nats.tolist()

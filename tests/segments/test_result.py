"""The answers of Segments from draws that are given: each against its definition as a loop."""

import json
import math

import numpy as np
import polars as pl
import pytest

from nepers.errors import InputError
from nepers.hierarchy import paper
from nepers.segments.result import Segments


def made(**changes):
    rng = np.random.default_rng(1)
    nats = np.array([0.3, -0.4, 0.1]) + 0.1 * rng.standard_normal((500, 3))
    given = {
        "groups": ("a", "b", "c"),
        "n": np.array([50, 10, 40]),
        "nats": nats,
        "weights": rng.dirichlet([50.0, 10.0, 40.0], 500),
        "alone": tuple(nats[:, g] - 0.2 for g in range(3)),
        "apart": np.array([0.01, 0.9, 0.02]),
        "infinite_cases": ((), (), ()),
        "problems": (),
        "hyperparameters": paper(),
        "scale": 1.0,
        "seed": 7,
        "version": "0",
    }
    return Segments(**given | changes)


def with_infinite(**changes):
    s = made()
    nats = s.nats.copy()
    nats[:, 1] = -np.inf
    apart = np.array([0.01, np.nan, 0.02])
    return made(nats=nats, alone=(s.alone[0], nats[:, 1], s.alone[2]), apart=apart,
                infinite_cases=((), (4, 6), ()), **changes)  # fmt: skip


S = made()


def test_the_whole_is_the_sum_of_the_contributions_draw_by_draw():
    # red if: the shares are replaced by their means, or a group is left out
    for k in (0, 17, 499):
        total = sum(S.weights[k, g] * S.draws[k, g] for g in range(3))
        assert S.whole.nats[k] == pytest.approx(total, abs=1e-15)
    assert sum(row["contribution"] for row in S.rows()) == pytest.approx(S.summary()["mean"], abs=1e-14)


def test_lost_is_what_the_whole_would_gain():
    # red if: the rest is not weighted by its shares. By definition: the whole with the group's J replaced
    # by the rest's, and the whole without the group, less the whole
    for g in range(3):
        others = [h for h in range(3) if h != g]
        w, J = S.weights[:, others], S.draws[:, others]
        rest = (w * J).sum(axis=1) / w.sum(axis=1)
        np.testing.assert_allclose(S.rest[:, g], rest, rtol=1e-12)
        raised = (w * J).sum(axis=1) + S.weights[:, g] * rest
        np.testing.assert_allclose(S.lost[:, g], raised - S.whole.nats, atol=1e-14)
        np.testing.assert_allclose(S.lost[:, g], rest - S.whole.nats, atol=1e-14)


def test_rows_are_what_the_draws_say():
    # red if: columns are swapped, or a row is of another group
    row = {row["group"]: row for row in S.rows(level=0.5)}["b"]
    J = S.nats[:, 1]
    assert (row["n"], row["apart"]) == (10, 0.9)
    assert row["share"] == S.weights[:, 1].mean()
    assert (row["mean"], row["median"]) == (pytest.approx(J.mean()), pytest.approx(np.median(J)))
    assert (row["lower"], row["upper"]) == tuple(np.quantile(J, [0.25, 0.75]))
    assert row["probability_above_0"] == (J > 0).mean()
    assert row["probability_below_rest"] == np.mean(S.rest[:, 1] > J) == np.mean(S.whole.nats > J)
    assert row["alone_mean"] == pytest.approx(J.mean() - 0.2)
    assert S["b"].interval(0.5) == (row["lower"], row["upper"])


@pytest.mark.parametrize(("sort", "order"), [("lost", "bca"), ("J", "bca"), ("n", "acb"), ("group", "abc")])
def test_rows_are_sorted(sort, order):
    # red if: an order is turned round
    assert "".join(row["group"] for row in S.rows(sort=sort)) == order
    assert S.to_frame("polars", sort=sort)["group"].to_list() == list(order)


def test_the_difference_is_taken_draw_by_draw():
    # red if: the groups are taken for independent, or the sign is turned round
    gap = S.nats[:, 0] - S.nats[:, 1]
    found = S.difference("a", "b")
    assert found.mean == pytest.approx(gap.mean())
    assert found.interval(0.8) == pytest.approx(np.quantile(gap, [0.1, 0.9]))
    assert found.probability_above(0.0) == (gap > 0).mean()


def test_the_spread_is_the_weighted_standard_deviation_between_groups():
    # red if: groups count alike whatever their share
    k = 3
    about = S.nats[k] - S.whole.nats[k]
    assert S.spread[k] == pytest.approx(math.sqrt((S.weights[k] * about**2).sum()))


def test_bits_are_nats_over_log_2():
    # red if: something that has the unit is not converted, or something without it is
    bits = S.in_bits()
    one, two = S.rows()[0], bits.rows()[0]
    for name in ("mean", "median", "sd", "lower", "upper", "contribution", "lost", "alone_mean"):
        assert two[name] == pytest.approx(one[name] / math.log(2)), name
    for name in ("group", "n", "share", "probability_above_0", "probability_below_rest", "apart"):
        assert two[name] == one[name]
    assert bits.summary()["unit"] == "bits"
    assert bits.in_nats().summary() == S.summary()


def test_a_group_at_minus_infinity_settles_the_whole_and_leaves_the_others():
    # red if: inf - inf gives NaN, or the finite groups lose their rows
    s = with_infinite()
    rows = {row["group"]: row for row in s.rows()}
    assert s.rows()[0]["group"] == "b"
    assert (s.summary()["mean"], s.summary()["lower"]) == (-math.inf, -math.inf)
    assert (rows["b"]["mean"], rows["b"]["lost"]) == (-math.inf, math.inf)
    assert rows["b"]["probability_below_rest"] == 1.0
    assert math.isnan(rows["b"]["sd"])
    # the rest of a is c alone
    np.testing.assert_allclose(s.rest[:, 0], s.nats[:, 2])
    assert rows["a"]["lost"] == pytest.approx(float((s.weights[:, 0] * (s.nats[:, 2] - s.nats[:, 0])).mean()))
    assert s.difference("b", "a").mean == -math.inf
    assert s.difference("a", "b").interval() == (math.inf, math.inf)
    assert np.isfinite(s.spread).all()


def test_a_share_of_zero_counts_for_nothing():
    # red if: 0 times -inf is NaN
    s = with_infinite(weights=np.tile([0.5, 0.0, 0.5], (500, 1)))
    np.testing.assert_allclose(s.whole.nats, (s.nats[:, 0] + s.nats[:, 2]) / 2)
    assert s.lost[:, 1].tolist() == [0.0] * 500


def test_a_group_alone_has_no_rest():
    # red if: the rest of a single group is 0, or a division warns
    s = made(groups=("a",), n=np.array([5]), nats=S.nats[:, :1], weights=np.ones((500, 1)),
             alone=S.alone[:1], apart=np.array([np.nan]), infinite_cases=((),))  # fmt: skip
    row = s.rows()[0]
    assert math.isnan(row["lost"])
    assert math.isnan(row["probability_below_rest"])
    np.testing.assert_array_equal(s.whole.nats, S.nats[:, 0])
    assert "alone:" not in str(s)


def test_everything_at_minus_infinity():
    # red if: the spread or the rest of no finite group is an error or a warning
    s = made(nats=np.full((500, 3), -np.inf), infinite_cases=((0,), (1,), (2,)))
    assert np.isnan(s.spread).all()
    assert math.isnan(s.rows()[0]["lost"])
    assert s.to_dict()["spread"] is None
    with pytest.raises(InputError, match="a and b must not both have J = -inf; 'a' and 'c' have"):
        s.difference("a", "c")


def test_the_dict_is_fit_for_json():
    # red if: infinite numbers or numpy's types are left in it
    said = json.loads(json.dumps(with_infinite().to_dict(), allow_nan=False))
    assert said["mean"] == "-inf"
    assert said["infinite_cases"] == [{"group": "b", "cases": [4, 6]}]
    assert {row["group"] for row in said["rows"]} == {"a", "b", "c"}
    assert said["rows"][0]["lost"] == "inf"


def test_labels_of_mixed_types_become_texts_in_a_frame():
    # red if: the dataframe library refuses the column
    frame = made(groups=(1, "b", "c")).to_frame("polars")
    assert frame["group"].dtype == pl.String


def test_words_name_what_matters():
    # red if: the table is not sorted, or a group that stands apart, certainty or trouble is not mentioned
    lines = str(S).splitlines()
    assert lines[0].startswith("J = 0.1")
    assert lines[0].endswith("over 100 cases in 3 groups.")
    assert [line.split()[0] for line in lines[2:6]] == ["group", "b", "c", "a"]
    assert "Unlike the others, and so not drawn towards them: 'b'." in str(S)
    certain = str(with_infinite())
    assert (
        "J = -inf over 100 cases in 3 groups: the prediction gave the truth probability zero in group 'b'"
        in certain
    )
    assert "certain" in certain
    assert "NOT YET RELIABLE. Too few." in str(made(problems=("Too few.",)))
    assert repr(S).startswith("<Segments of 3 groups, J = 0.1")


def test_long_tables_are_cut_and_say_so():
    # red if: a thousand groups print a thousand lines, or a long label pushes the table aside
    G = 30
    s = made(groups=tuple(f"{k}" * 40 for k in range(G)), n=np.full(G, 2), nats=np.tile(S.nats, (1, 10)),
             weights=np.full((500, G), 1 / G), alone=S.alone * 10, apart=np.zeros(G),
             infinite_cases=((),) * G)  # fmt: skip
    assert "... and 10 more groups: to_frame() has them all." in str(s)
    assert max(map(len, str(s).splitlines()[:20])) < 110


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: S["x"], "group must be one of 'a', 'b', 'c'; it is 'x'"),
        (lambda: S.difference("a", 1), "group must be one of .*; it is 1"),
        (lambda: S["a"].interval(1.0), "level must lie between 0 and 1; it is 1.0"),
        (lambda: S.rows(sort="size"), "sort must be one of 'lost', 'J', 'n', 'group'; it is 'size'"),
        (lambda: S.to_frame("excel"), "native must be one of"),
    ],
)
def test_a_wrong_question_is_named(ask, message):
    # red if: the argument, the rule or the value is left out
    with pytest.raises(InputError, match=message):
        ask()

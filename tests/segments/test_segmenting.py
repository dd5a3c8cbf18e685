"""The whole way: groups of two values, whose posteriors need no chains, and one run with chains."""

import numpy as np
import pytest
from scipy import stats

import nepers
from nepers.atoms import split
from nepers.diagnostics import ConvergenceWarning, Diagnostics, Row
from nepers.posterior import Posterior
from nepers.segments import own
from nepers.segments.segmenting import segment

HIGH, LOW = 0.5, -1.0


def two_valued(**counts):
    """Cases and labels: so many high and low ones in each group."""
    j = [value for high, low in counts.values() for value in [HIGH] * high + [LOW] * low]
    by = [label for label, (high, low) in counts.items() for _ in range(high + low)]
    return np.array(j), np.array(by)


J, BY = two_valued(a=(40, 10), b=(16, 8), c=(3, 3))


@pytest.fixture(scope="module")
def found():
    return segment(J, BY, seed=1)


def test_the_whole_is_the_sum_of_the_groups_and_what_assess_says(found):
    # red if: event additivity holds on average only, or the groups together contradict all cases at once
    np.testing.assert_allclose((found.weights * found.draws).sum(axis=1), found.whole.nats, atol=1e-15)
    np.testing.assert_allclose(found.weights.sum(axis=1), 1.0)
    answer = nepers.assess(J, seed=1)
    levels = [0.005, 0.025, 0.25, 0.5, 0.75, 0.975, 0.995]
    # 4000 of the 20,000 quantiles
    np.testing.assert_allclose(found.whole.quantile(levels), answer.quantile(levels), atol=3e-3)
    assert found.whole.mean == pytest.approx(answer.mean, abs=1e-4)
    assert found.n.tolist() == [50, 24, 6]


def test_nothing_depends_on_the_order_of_the_cases(found):
    # red if: groups are numbered by their first case, and take their random numbers by number
    order = np.random.default_rng(2).permutation(J.size)
    again = segment(J[order], BY[order], seed=1)
    assert again.groups == found.groups == ("a", "b", "c")
    np.testing.assert_array_equal(again.nats, found.nats)
    np.testing.assert_array_equal(again.weights, found.weights)


def test_names_do_not_matter(found):
    # red if: the law of a group depends on its place among the labels; 4000 draws: 4 errors of a difference
    again = segment(J, [{"a": "z", "b": "y", "c": "x"}[label] for label in BY], seed=1)
    for g in range(3):
        one, other = found.nats[:, g], again.nats[:, 2 - g]
        assert one.mean() == pytest.approx(other.mean(), abs=4 * one.std() * (2 / 4000) ** 0.5)
        assert one.std() == pytest.approx(other.std(), rel=0.1)


def test_another_seed_gives_other_draws_of_the_same(found):
    # red if: the seed is not used
    again = segment(J, BY, seed=2)
    assert not np.array_equal(again.nats, found.nats)
    np.testing.assert_allclose(again.nats.mean(axis=0), found.nats.mean(axis=0), atol=0.02)


def test_both_logarithms_give_what_their_difference_gives(found):
    # red if: log_q and log_p are swapped
    log_p = np.full(J.size, -2.0)
    np.testing.assert_allclose(segment(log_q=J + log_p, log_p=log_p, by=BY, seed=1).nats, found.nats)


def test_the_unit_of_the_scale_goes_through(found):
    # red if: the map to the Gaussian score is made in nats whatever the scale
    scaled = segment(10.0 * J, BY, scale=10.0, seed=1)
    np.testing.assert_allclose(scaled.nats, 10.0 * found.nats, rtol=1e-6, atol=1e-6)


def test_one_group_is_what_assess_says():
    # red if: a family of one widens the prior, or shrinks the group towards something
    j, by = two_valued(only=(30, 12))
    s = segment(j, by, seed=1)
    law = stats.beta(1 + 12, 1 + 30)
    assert stats.kstest((HIGH - s.nats[:, 0]) / (HIGH - LOW), law.cdf).pvalue > 0.001
    np.testing.assert_allclose(s.whole.nats, s.nats[:, 0], atol=1e-15)


def test_large_groups_of_two_values_keep_their_beta_laws():
    # red if: the map to z and back, the smoothing or the anchor moves what the cases settle
    j, by = two_valued(a=(900, 100), b=(200, 800))
    s = segment(j, by, seed=1)
    for group, high, low in (("a", 900, 100), ("b", 200, 800)):
        law = stats.beta(1 + low, 1 + high)
        mean, sd = HIGH - (HIGH - LOW) * law.mean(), (HIGH - LOW) * law.std()
        assert s[group].mean == pytest.approx(mean, abs=0.2 * sd)
        assert s[group].sd == pytest.approx(sd, rel=0.1)


def test_a_group_of_two_cases_is_drawn_to_the_others():
    # red if: the few cases are taken at their word: both are at -1
    j, by = two_valued(a=(200, 40), b=(300, 70), c=(150, 30), d=(220, 50), few=(0, 2))
    s = segment(j, by, seed=1)
    row = next(row for row in s.rows() if row["group"] == "few")
    assert row["alone_mean"] < -0.5
    assert row["median"] > 0.0
    assert row["sd"] < 0.6


def test_a_group_at_minus_infinity_is_named_and_leaves_the_others(found):
    # red if: it is pooled with the others, or the others are lost with it
    s = segment(np.append(J, [-np.inf, 0.5]), np.append(BY, ["d", "d"]), seed=1)
    assert s.infinite_cases == ((), (), (), (J.size,))
    assert (s.nats[:, 3] == -np.inf).all()
    assert (s.whole.nats == -np.inf).all()
    np.testing.assert_allclose(s.nats[:, :3].mean(axis=0), found.nats.mean(axis=0), atol=0.02)
    np.testing.assert_allclose(s.weights.sum(axis=1), 1.0)
    both = segment([-np.inf, -np.inf, 0.5, 0.5, -1.0, -1.0], [1, 2, 3, 3, 3, 3], seed=1)
    assert np.isfinite(both.nats).all(axis=0).tolist() == [False, False, True]


def test_shares_have_a_prior_worth_two_cases():
    # red if: every group is given a case more, which in many small groups drowns the cases
    s = segment([-np.inf] * 4, [1, 2, 2, 2], seed=1)
    assert stats.kstest(s.weights[:, 0], stats.beta(1 + 1, 3 + 1).cdf).pvalue > 0.001
    s = segment([-np.inf] * 8, list("aaaaabcd"), seed=1)
    assert stats.kstest(s.weights[:, 0], stats.beta(5.5, 3 + 1.5).cdf).pvalue > 0.001


def test_known_shares_make_another_whole_of_the_same_groups(found):
    # red if: known shares change the groups, or the whole is still that of the cases
    s = segment(J, BY, weights={"c": 0.5, "a": 0.5, "b": 0.0}, seed=1)
    np.testing.assert_array_equal(s.nats, found.nats)
    np.testing.assert_allclose(s.whole.nats, 0.5 * (found.nats[:, 0] + found.nats[:, 2]))


def test_a_group_that_is_not_reliable_warns_and_is_named(monkeypatch):
    # red if: the chains of a group disagree and nobody is told
    bad = Diagnostics((Row("J", 0.0, 1.0, 0.1, 1.2, 100.0, 100.0),))

    def disagreeing(cases, options, progress):
        nats = np.random.default_rng(1).standard_normal((4, 100))
        return Posterior(nats, split(cases.values, 0.0), None, bad, "budget")

    monkeypatch.setattr(own, "posterior_of", disagreeing)
    with pytest.warns(ConvergenceWarning, match="Group 'a': The chains disagree on J"):
        s = segment(J, BY, seed=1, max_seconds=0.01)
    assert [text.split(":")[0] for text in s.problems] == [
        *["Group 'a'"] * 2, *["Group 'b'"] * 2, *["Group 'c'"] * 2, *["All groups together"] * 2
    ]  # fmt: skip
    assert not s.summary()["reliable"]
    assert "NOT YET RELIABLE" in str(s)


def test_groups_of_continuous_values_come_from_the_chains():
    # red if: the chains' draws are not those of assess, or the way from them to the groups breaks
    rng = np.random.default_rng(3)
    j = np.concatenate([0.3 + 0.2 * rng.standard_normal(12), 0.2 * rng.standard_normal(12)])
    by = np.repeat(["up", "level"], 12)
    s = segment(j, by, seed=5)
    answer = nepers.assess(j, seed=5)
    assert s.whole.mean == pytest.approx(answer.mean, abs=1e-3)
    np.testing.assert_allclose((s.weights * s.draws).sum(axis=1), s.whole.nats, atol=1e-15)
    level, up = s.nats.mean(axis=0)
    assert s.alone[0].mean() - 0.02 < level < up < s.alone[1].mean() + 0.02
    assert not s.problems

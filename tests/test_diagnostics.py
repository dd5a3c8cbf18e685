"""Diagnostics: what is judged, by which rule, and what the user is told."""

import dataclasses
import json

import numpy as np
import pytest
from fake_chains import apart, prior_draws, sticky

from nepers.diagnostics import INDEPENDENT, diagnose, in_short
from nepers.draw_sets import PER_DRAW


@pytest.fixture(scope="module")
def draws():
    return prior_draws()


@pytest.fixture(scope="module")
def found(draws):
    return diagnose(draws)


def test_every_quantity_that_is_inferred_has_a_row(found):
    # red if: a hyperparameter that mixes badly is not looked at
    names = ["J", "C", "log_likelihood", "mu_mu", "log S_mu", "log R_S_mu", "log (m_S - 1)", "log R_S"]
    assert [row.name for row in found.rows] == names


def test_independent_draws_are_good_and_worth_their_number(found):
    # red if: the axes of chains and draws are exchanged, so that ESS is of four draws
    assert found.good()
    assert found.problems() == []
    assert found["J"].r_hat < 1.01
    assert 2500 < found["J"].ess_bulk < 6000
    assert found.ess_J == found["J"].ess_bulk


def test_the_row_of_j_is_its_mean_and_sd(draws, found):
    # red if: another field is summarised under the name of J
    row = found["J"]
    assert (row.mean, row.sd) == (draws.J.mean(), draws.J.std())
    assert row.mcse == pytest.approx(row.sd / row.ess_bulk**0.5, rel=0.2)


def test_constant_quantities_are_good(found):
    # red if: a fixed C, whose R-hat is undefined, makes every answer unreliable
    assert found["C"].constant
    assert found["C"].mean == 2.0
    assert found["C"].agrees
    assert found["C"].enough


def test_chains_apart_are_told_apart(draws):
    # red if: R-hat is not looked at
    found = diagnose(apart(draws))
    assert not found.agree()
    assert any("chains disagree on J (R-hat" in sentence for sentence in found.problems())


def test_chains_frozen_at_different_values_are_not_constant(draws):
    # red if: "constant" is judged chain by chain: C frozen at 2 and at 5 would pass, with another J at each;
    # or what three chains say is believed of a quantity on which they disagree
    C, J = draws.C.copy(), draws.J.copy()
    C[0] = 5
    J[0] -= 0.17 * J.std()
    found = diagnose(dataclasses.replace(draws, C=C, J=J))
    assert not found["C"].constant
    assert found["C"].r_hat > 10.0
    assert found["J"].agrees
    assert not found.agree()
    three = {name: getattr(draws, name)[:3] for name in PER_DRAW} | {"C": C[:3]}
    assert not diagnose(dataclasses.replace(draws, **three)).agree()


def test_a_quantity_that_j_does_not_depend_on_may_be_known_badly(draws):
    # red if: its R-hat counts all the same; or J has a part of its error from it that is not counted
    C = draws.C.copy()
    C[0] = 5
    found = diagnose(dataclasses.replace(draws, C=C))
    assert found.good()
    assert found["C"].harmless
    # a correlation of nothing is about 1 over the draws; four chains that never move are worth about four
    assert found["C"].bearing < 10.0 / draws.J.size
    assert 3.0 < found["C"].ess_bulk < 6.0
    error = 1.0 / found.ess_J + found["C"].bearing / (min(found["C"].ess_bulk, found["C"].ess_tail) - 3.0)
    assert found.worth_J == pytest.approx(1.0 / error)


@pytest.mark.parametrize("where", ["mean", "low", "high"])
def test_the_bearing_on_j_is_that_on_its_mean_and_on_either_end(draws, where):
    # red if: only the mean of J is looked at, or a tail is left out
    J = draws.J[:, :, 0]
    low, high = np.quantile(J, (0.025, 0.975))
    x = {"mean": J, "low": 3.0 * (low > J), "high": 3.0 * (high < J)}[where]
    found = diagnose(dataclasses.replace(draws, mu_mu=x[:, :, None]))
    assert found["mu_mu"].bearing == pytest.approx(1.0)


def test_the_error_that_a_quantity_known_badly_adds_is_rho_squared_over_e(draws):
    # red if: the formula of the definition page is another. J is a fast part and rho times a slow one, which
    # has E independent values in all; over many such runs the error of J's mean is that of both
    rng, E, rho2 = np.random.default_rng(4), 16, 0.05
    slow = np.repeat(rng.standard_normal((2000, E)), 50, axis=1)
    fast = rng.standard_normal(slow.shape)
    J = np.sqrt(rho2) * slow + np.sqrt(1.0 - rho2) * fast
    # 2,000 squares: their mean is known to 3%
    assert np.square(J.mean(axis=1)).mean() == pytest.approx(
        (1.0 - rho2) / slow.shape[1] + rho2 / E, rel=0.12
    )


def test_too_few_effective_draws_of_j_are_not_enough(draws):
    # red if: the number of draws is taken for their worth
    found = diagnose(sticky(draws))
    assert found.ess_J < 400
    assert not found.good()
    assert any("J are worth only" in sentence and "max_seconds" in sentence for sentence in found.problems())


def test_j_is_held_to_a_stricter_rule_than_the_rest(draws):
    # red if: one threshold serves all
    slow = np.repeat(draws.mu_mu[:, ::10], 10, axis=1)
    found = diagnose(dataclasses.replace(draws, mu_mu=slow))
    assert 100 < found["mu_mu"].ess_bulk < 700
    assert found["mu_mu"].enough
    assert not dataclasses.replace(found["mu_mu"], name="J", ess_bulk=399.0).enough


def test_a_draw_that_is_not_finite_is_a_problem(draws):
    # red if: NaN compares false with every threshold and so passes
    J = draws.J.copy()
    J[0, 0] = np.nan
    found = diagnose(dataclasses.replace(draws, J=J))
    assert not found.good()
    assert len([s for s in found.problems() if "J" in s]) == 2


def test_many_problems_are_few_sentences(draws):
    # red if: eight quantities are sixteen sentences, or the one that matters is not the first
    found = diagnose(sticky(apart(draws)))
    assert len(found.problems()) == 2
    assert found.problems()[0].startswith("The chains disagree on J (R-hat")
    every = dataclasses.replace(found, rows=tuple(dataclasses.replace(row, r_hat=2.0) for row in found.rows))
    named = "(R-hat 2.000, wanted below 1.1)"
    assert f", mu_mu {named}, log S_mu {named}, and 3 more: run longer" in every.problems()[0]
    assert in_short([f"{i}." for i in range(5)]) == "0. 1. 2. And 2 more: see problems."
    assert in_short(["0."]) == "0."


def test_a_single_chain_is_compared_with_itself(draws):
    # red if: one chain gives an R-hat that is not a number
    one = {f.name: getattr(draws, f.name) for f in dataclasses.fields(draws)}
    one |= {name: one[name][:1] for name in PER_DRAW}
    assert diagnose(type(draws)(**one))["J"].r_hat < 1.01


def test_several_dimensions_have_a_row_each(draws):
    # red if: only the first algorithm of a comparison is diagnosed
    wide = dataclasses.replace(draws, J=np.concatenate([draws.J, draws.J + 1.0], axis=2))
    found = diagnose(wide)
    assert [row.name for row in found.rows[:2]] == ["J[0]", "J[1]"]
    assert all(row.is_J for row in found.rows[:2])


def test_independent_draws_need_no_rows():
    # red if: an exact answer is called unreliable for want of diagnostics
    assert INDEPENDENT.good()
    assert INDEPENDENT.ess_J == np.inf
    assert json.loads(json.dumps(INDEPENDENT.table()))["name"] == []

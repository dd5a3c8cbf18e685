"""Diagnostics: what is judged, by which rule, and what the user is told."""

import dataclasses
import json

import numpy as np
import pytest
from fake_chains import apart, prior_draws, sticky

from nepers.diagnostics import INDEPENDENT, diagnose, in_short


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
    # red if: "constant" is judged chain by chain: C frozen at 2 and at 5 would pass
    C = draws.C.copy()
    C[0] = 5
    found = diagnose(dataclasses.replace(draws, C=C))
    assert not found["C"].constant
    assert not found.agree()


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
    from nepers.draw_sets import PER_DRAW

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

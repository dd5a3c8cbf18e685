"""The costliest cases: on data of few values, where the posterior is exact, against its closed form."""

import json

import numpy as np
import pandas as pd
import pytest

from nepers import assessment
from nepers.errors import InputError
from nepers.improvement import costliest

TWO = [0.5] * 30 + [-1.2] * 20
THREE = [*TWO, -4.0, -4.0]


def exact(values):
    """The posterior mean and sd of J where every value is an atom: w ~ Dirichlet(n_a + 2 / A)."""
    v, n = np.unique(values, return_counts=True)
    w = (n + 2 / v.size) / (n.sum() + 2)
    return w @ v, np.sqrt((w @ v**2 - (w @ v) ** 2) / (n.sum() + 3))


def without(values, *dropped):
    rest = list(values)
    for value in dropped:
        rest.remove(value)
    return rest


def test_j_without_a_case_is_the_answer_from_the_others():
    # red if: another case is left out than said, or the change has the wrong sign
    found = costliest(THREE, cases=3, seed=1)
    assert [row.j for row in found.rows] == [-4.0, -1.2, 0.5]
    before, _ = exact(THREE)
    for row in found.rows:
        after, sd = exact(without(THREE, row.j))
        # 20,000 draws each
        assert row.without.mean == pytest.approx(after, abs=5 * sd / 20_000**0.5)
        assert row.change == pytest.approx(after - before, abs=8 * sd / 20_000**0.5)
        assert row.plain_change == pytest.approx(np.mean(without(THREE, row.j)) - np.mean(THREE))
        assert row.error == pytest.approx(sd / 20_000**0.5, rel=0.1)
    assert found.rows[0].change > 0 > found.rows[2].change


def test_cases_alike_are_one_row_and_one_assessment(monkeypatch):
    # red if: twenty equal cases fill the table, each at the price of an assessment
    sizes = []
    real = assessment.assess
    monkeypatch.setattr(assessment, "assess", lambda j, **options: sizes.append(len(j)) or real(j, **options))
    found = costliest(TWO, cases=5, seed=1)
    assert sizes == [50, 49, 49]
    assert [len(row.labels) for row in found.rows] == [20, 30]
    assert found.rows[0].labels == tuple(range(30, 50))
    assert "one of 20 cases alike (rows 30, 31, 32, 33, 34 and 15 more), at -1.2" in str(found)


def test_rounding_does_not_part_cases_that_are_alike():
    # red if: the resolution of log Q - log P is lost when a case is left out
    log_p = np.linspace(-300.0, -1.0, 40)
    log_q = log_p + np.where(np.arange(40) < 25, 0.1, -0.3)
    found = costliest(log_q=log_q, log_p=log_p, cases=2, seed=1)
    assert [row.labels for row in found.rows] == [tuple(range(25, 40)), tuple(range(25))]
    assert [atom.cases for atom in found.rows[0].without.atoms] == [14, 25]


def test_minus_infinity_comes_first_and_all_of_it():
    # red if: J without one of two infinite cases is shown, or the others are compared with -inf
    j = pd.Series([*TWO, -np.inf, -np.inf], index=[f"p{i}" for i in range(52)])
    found = costliest(j, cases=2, seed=1)
    first, second = found.rows
    assert (first.j, first.labels) == (-np.inf, ("p50", "p51"))
    assert first.without.n == 50
    assert first.change == first.plain_change == np.inf
    assert (second.j, second.without.n) == (-1.2, 49)
    assert second.change == pytest.approx(second.without.mean - first.without.mean)
    said = str(found)
    assert "From all 52 cases, J = -inf." in said
    assert "Without all 2 cases at -inf (rows p50, p51), J = " in said
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["rows"]["change"][0] == "inf"
    assert told["everything"]["mean"] == "-inf"


def test_nothing_but_minus_infinity():
    # red if: the mean of no cases is asked for
    found = costliest([-np.inf, -np.inf], seed=1)
    assert len(found.rows) == 1
    assert found.rows[0].without.n == 0


def test_it_is_no_licence():
    # red if: the user may think that the answer without the case is the better one
    found = costliest(TWO, cases=1, seed=1)
    said = str(found)
    assert "It is no reason to leave them out" in said
    assert f"J = {found.everything.mean:.2f} nats" in said
    table = found.to_frame("pandas")
    assert table.shape[0] == 1
    assert table["J_without"][0] == found.rows[0].without.mean
    assert (table["lower"][0], table["upper"][0]) == found.rows[0].without.interval()


def test_the_seed_is_recorded():
    # red if: the assessments have different seeds, or the table cannot be made again
    found = costliest(TWO, cases=1)
    assert found.everything.seed == found.rows[0].without.seed == found.seed
    assert costliest(TWO, cases=1, seed=found.seed).rows[0].change == found.rows[0].change


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cases": 0}, "cases must be a whole number of at least 1; it is 0"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"log_q": [1.0]}, "give either j, or both"),
        ({"chains": 0}, "chains must be"),
    ],
)
def test_wrong_input_is_named(given, message):
    # red if: a wrong option is found out after minutes of assessments, or never
    with pytest.raises(InputError, match=message):
        costliest(TWO, **given)

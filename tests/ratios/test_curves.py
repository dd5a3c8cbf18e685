"""A curve on a grid is the distribution of a time, or an error says where it is not."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from nepers.errors import InputError
from nepers.ratios.curves import Curves

TIMES = [1.0, 2.0, 4.0]
S = [[0.9, 0.5, 0.5], [1.0, 0.2, 0.0]]


class Steps(SimpleNamespace):
    """A step function as scikit-survival has it: values a*y + b."""

    domain = (0.0, 4.0)

    def __call__(self, t):
        found = self.a * self.y[np.searchsorted(self.x, t, side="right") - 1]
        return found if len(t) > 1 else found[0]


def steps(x, y, a=1.0):
    return Steps(x=np.array(x), y=np.array(y), a=a)


def test_every_container_gives_the_same_curves():
    # red if: a library's table is read the wrong way round, or a step function's own factor is forgotten
    table = pd.DataFrame(np.array(S).T, index=TIMES, columns=["anne", "bob"])
    halves = [steps(TIMES, 2.0 * np.array(row), a=0.5) for row in S]
    for found in (
        Curves(TIMES, S),
        Curves.of(table),
        Curves.of(halves),
        Curves.of(np.array(halves, dtype=object)),
    ):
        assert found.times.tolist() == TIMES
        assert found.survival.tolist() == S
        assert found.n == 2
    assert Curves.of(table).labels.tolist() == ["anne", "bob"]
    assert Curves.of(found) is found


def test_one_dimension_is_one_curve_for_every_case():
    # red if: one curve by itself is taken for that of a single case
    for one in (S[0], np.array(S[0]), pd.Series(S[0])):
        assert Curves(pd.Index(TIMES), one).n is None
    assert Curves(TIMES, [S[0]]).n == 1
    assert Curves.of([steps([2.0], [0.5])]).survival.tolist() == [[0.5]]


def test_a_coarser_grid_takes_the_last_step_not_after():
    # red if: the step is read from the wrong side, or S is not 1 before the first time
    found = Curves(TIMES, S).at([0.5, 1.0, 3.9, 4.0])
    assert found.survival.tolist() == [[1.0, 0.9, 0.5, 0.5], [1.0, 1.0, 0.2, 0.0]]
    assert Curves(TIMES, S[0]).at([2.0]).survival.tolist() == [0.5]


def test_rounding_is_flat_and_the_users_array_is_left_alone():
    # red if: a rise by rounding becomes a negative density, or the user's curve is changed
    mine = np.array([[1.0 + 1e-15, 0.5, 0.5 + 1e-14]])
    assert Curves(TIMES, mine).survival.tolist() == [[1.0, 0.5, 0.5]]
    assert mine[0, 2] > 0.5


WRONG = {
    "rises": (
        lambda: Curves(TIMES, [S[0], [0.8, 0.7, 0.75]]),
        r"never rise.*; from 0.7 at time 2 to 0.75 at time 4 in the first of row 1 \(1 of 2\)",
    ),
    "rises, by name": (
        lambda: Curves.of(pd.DataFrame({"anne": [0.8, 0.9, 0.75]}, index=TIMES)),
        "from 0.8 at time 1 to 0.9 at time 2 in the first of row anne",
    ),
    "above 1": (
        lambda: Curves(TIMES, [[1.1, 0.5, 0.2]]),
        "between 0 and 1; 1.1 at time 1 in the first of row 0",
    ),
    "below 0": (lambda: Curves(TIMES, [S[0], [0.5, 0.1, -0.1]]), "between 0 and 1; -0.1 at time 4.*row 1"),
    "NaN": (lambda: Curves(TIMES, [[0.9, np.nan, 0.1]]), "survival must have no missing values"),
    "NaN in one curve": (lambda: Curves(TIMES, [0.9, np.nan, 0.1]), "survival must have no missing values"),
    "width": (
        lambda: Curves(TIMES, [[0.9, 0.5]]),
        r"a column for each of the 3 times; its shape is \(1, 2\)",
    ),
    "text": (
        lambda: Curves(TIMES, [["a", "b", "c"]]),
        "survival must hold real numbers; 'a' in column 0 of row 0",
    ),
    "times fall": (lambda: Curves([1.0, 3.0, 2.0], S), "must increase; 2 follows 3 at position 2"),
    "times twice": (lambda: Curves([1.0, 1.0, 2.0], S), "must increase; 1 follows 1 at position 1"),
    "negative time": (lambda: Curves([-1.0, 1.0, 2.0], S), "at or above 0; -1 at position 0"),
    "infinite time": (lambda: Curves([0.0, 1.0, np.inf], S), "must be finite.*; inf at position 2"),
    "no times": (lambda: Curves([], np.ones((2, 0))), "there are none"),
    "time zero alone": (lambda: Curves([0.0], [[1.0]]), "must go beyond 0"),
    "grids differ": (
        lambda: Curves.of([steps(TIMES, S[0]), steps([1.0, 2.0, 3.0], S[1])]),
        "step functions with the same times; row 1 and row 0 differ",
    ),
    "no times in a table": (lambda: Curves.of(np.array(S)), r"at which times .*: Curves\(times, survival\)"),
    "no index": (
        lambda: Curves.of(pl.DataFrame({"anne": S[0]})),
        "prediction must be Curves, step.*it is DataFrame",
    ),
    "index of names": (lambda: Curves.of(pd.DataFrame(S, index=["a", "b"])), "times of the curves must be"),
    "nothing": (lambda: Curves.of([]), "it is list"),
    "a number": (lambda: Curves.of(0.5), "it is float"),
    "beyond": (
        lambda: Curves(TIMES, S).at([1.0, 5.0]),
        "not pass the last time of the curves, 4; they go to 5",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_curve_is_an_error_that_names_it(case):
    # red if: what is no distribution is scored as if it were
    make, message = WRONG[case]
    with pytest.raises(InputError, match=message):
        make()

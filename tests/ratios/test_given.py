"""Probabilities and densities already picked out."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from nepers.errors import InputError
from nepers.ratios import log_density, log_probability


def test_logs_of_probabilities():
    # red if: another base than e, or zero is clipped or warned about
    logs = log_probability([1.0, 0.5, math.exp(-3.0), 5e-324, 0.0])
    assert logs.tolist() == pytest.approx([0.0, -math.log(2.0), -3.0, math.log(5e-324), -math.inf])
    assert logs.dtype == np.float64
    assert log_probability(np.array([0, 1])).tolist() == [-math.inf, 0.0]


def test_logs_of_densities():
    # red if: a density above one is refused
    x = np.array([0.0, 0.01, 3.0])
    assert log_density(norm.pdf(x, scale=0.1)) == pytest.approx(norm.logpdf(x, scale=0.1))
    assert log_density(pd.Series([0.0, 40.0])).tolist() == [-math.inf, math.log(40.0)]


@pytest.mark.parametrize("function", [log_probability, log_density])
def test_no_cases_and_zeros_are_legal(function):
    # red if: an empty column raises numpy's error, or zeros alone are taken for logarithms
    assert function([]).size == 0
    assert function([0.0, -0.0]).tolist() == [-math.inf, -math.inf]


PROBABILITY, DENSITY = [log_probability], [log_density]
WRONG = {
    "logs": (
        PROBABILITY + DENSITY,
        [-0.5, -3.0],
        "from -3 to -0.5: these look like logarithms already: give them as log_q",
    ),
    "logs with zero": (PROBABILITY + DENSITY, [0.0, -math.inf], "from -inf to 0: these look like logarithms"),
    "negative": (
        PROBABILITY + DENSITY,
        [0.5, -0.5],
        r"must not be negative.*log_q or log_p\); -0.5 in row 1 \(1 of 2\)",
    ),
    "above one": (
        PROBABILITY,
        [0.5, 1.5],
        r"at most one.*log_density.*divided by 100\); 1.5 in row 1 \(1 of 2\)",
    ),
    "barely above": (PROBABILITY, [1.0 + 2e-16], "at most one"),
    "by label": (PROBABILITY, pd.Series([2.0], index=["anne"]), "row anne"),
    "infinite": (DENSITY, [1.0, math.inf], "must be finite, being densities; inf in row 1"),
    "NaN": (PROBABILITY + DENSITY, [0.5, math.nan], r"values must have no missing values \(NaN\); row 1"),
    "a table": (PROBABILITY + DENSITY, [[0.5, 0.5]], "values must have one dimension"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_none_is_an_error_that_names_it(case):
    # red if: it is clipped or passed on, or the message leaves out the remedy
    functions, values, message = WRONG[case]
    for function in functions:
        with pytest.raises(InputError, match=message):
            function(values)

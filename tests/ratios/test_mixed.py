"""Atoms beside a density: closed forms, a known J, and what does not fit together."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from nepers.errors import InputError
from nepers.ratios.mixed import log_mixed

RAIN = np.array([0.0, 1.5, 0.0, 20.0])
DRY = np.array([0.7, 0.2, 0.0, 0.9])
DENSITY = stats.lognorm.logpdf(RAIN, 1.0)


def test_an_atom_and_a_density():
    # red if: the density is not weighted by what the atom leaves, or is added at the atom
    found = log_mixed(RAIN, atoms=[0.0], atom_probabilities=DRY, log_density=DENSITY)
    expected = [np.log(0.7), np.log(0.8) + DENSITY[1], -np.inf, np.log(0.1) + DENSITY[3]]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_what_the_density_says_at_an_atom_is_not_used():
    # red if: an infinite density at the atom, as a gamma's at 0, is an error or changes the result
    a = log_mixed([0.0], atoms=[0.0], atom_probabilities=[0.4], log_density=[np.inf])
    b = log_mixed([0.0], atoms=[0.0], atom_probabilities=[0.4], log_density=[-np.inf])
    assert a.tolist() == b.tolist() == [np.log(0.4)]
    assert log_mixed([0.0], atoms=[0.0], atom_probabilities=[1.0], log_density=[np.inf]).tolist() == [0.0]


def test_several_atoms():
    # red if: a column's probability goes to another atom
    w = pd.DataFrame({"none": [0.2, 0.1, 0.3], "full": [0.5, 0.6, 0.1]})
    found = log_mixed([1.0, 0.0, 0.5], atoms=[0.0, 1.0], atom_probabilities=w, log_density=[-1.0, -1.0, -1.0])
    np.testing.assert_allclose(found, [np.log(0.5), np.log(0.1), np.log(0.6) - 1.0], rtol=1e-13)


def test_atoms_that_leave_nothing():
    # red if: rounding in a sum of one leaves a small probability, or the log of a negative one is taken
    w = [[0.1, 0.2, 0.7], [0.3, 0.6, 0.1], [0.1, 0.7, 0.2]]
    found = log_mixed([5.0] * 3, atoms=[0, 1, 2], atom_probabilities=w, log_density=[-1.0] * 3)
    assert found.tolist() == [-np.inf] * 3


def test_a_small_rest_keeps_its_digits():
    # red if: 1 - w is taken in a way that loses what is left
    found = log_mixed([1.0], atoms=[0.0], atom_probabilities=[1e-18], log_density=[0.0])
    assert found.tolist() == [-1e-18]


def test_the_J_of_a_hurdle_lognormal():
    # red if: the parts of Q or of P are weighted wrongly. J by quadrature over the truth, which is Q; by hand
    # it is w log(w/v) + (1-w) (log((1-w)/(1-v)) + KL of the two normals of log x)
    w, v, mu_q, mu_p = 0.3, 0.6, 1.0, 0.5

    def ratio(x):
        q = log_mixed(
            [x],
            atoms=[0.0],
            atom_probabilities=[w],
            log_density=[stats.lognorm.logpdf(x, 1, scale=np.exp(mu_q))],
        )
        p = log_mixed(
            [x],
            atoms=[0.0],
            atom_probabilities=[v],
            log_density=[stats.lognorm.logpdf(x, 1, scale=np.exp(mu_p))],
        )
        return (q - p).item()

    rest = integrate.quad(lambda z: stats.norm.pdf(z, mu_q) * ratio(np.exp(z)), mu_q - 9, mu_q + 9)[0]
    J = w * ratio(0.0) + (1 - w) * rest
    closed = w * np.log(w / v) + (1 - w) * (np.log((1 - w) / (1 - v)) + (mu_q - mu_p) ** 2 / 2)
    assert pytest.approx(closed, rel=1e-9) == J


def test_the_unit_of_the_density_cancels_and_atoms_have_none():
    # red if: the atom's probability is treated as a density
    cm = np.log(10.0)
    in_mm = log_mixed(RAIN, atoms=[0.0], atom_probabilities=DRY, log_density=DENSITY)
    in_cm = log_mixed(RAIN / 10.0, atoms=[0.0], atom_probabilities=DRY, log_density=DENSITY + cm)
    np.testing.assert_allclose(in_cm[[0, 2]], in_mm[[0, 2]])
    np.testing.assert_allclose(in_cm[[1, 3]], in_mm[[1, 3]] + cm)


WRONG = {
    "no atoms": ({"atoms": []}, "atoms must be at least one value"),
    "an atom twice": ({"atoms": [0.0, 1.0, 0.0]}, "atoms must be different values; 0 is there twice"),
    "an infinite atom": ({"atoms": [np.inf]}, "atoms must be finite"),
    "columns": ({"atoms": [0.0, 1.0]}, "a column for each atom; it has 1, and there are 2 atoms"),
    "negative": (
        {"atom_probabilities": [0.1, -0.1]},
        "between 0 and 1; -0.1 in column 0 of the first of row 1",
    ),
    "above one": ({"atom_probabilities": [1.1, 0.1]}, "between 0 and 1; 1.1"),
    "sum": (
        {"atoms": [0, 1], "atom_probabilities": [[0.5, 0.5], [0.6, 0.5]]},
        r"add up to at most 1 in each row; they add up to 1.1 in row 1 \(1 of 2\)",
    ),
    "rows": ({"atom_probabilities": [0.1]}, "same number of rows; y_true has 2, atom_probabilities 1"),
    "density rows": ({"log_density": [0.1]}, "y_true has 2, log_density 1"),
    "labels": (
        {
            "y": pd.Series([0.0, 1.0], index=["a", "b"]),
            "log_density": pd.Series([0.0, 1.0], index=["b", "a"]),
        },
        "same row labels",
    ),
    "a spike": ({"log_density": [0.0, np.inf]}, r"below \+inf where y_true is no atom; inf in row 1"),
    "NaN density": ({"log_density": [np.nan, 0.0]}, "log_density must have no missing values"),
    "NaN truth": ({"y": [np.nan, 0.0]}, "y_true must have no missing values"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_together_is_named(case):
    # red if: probabilities are renormalised, or the message leaves out what or where
    wrong, message = WRONG[case]
    given = {
        "y": [0.0, 1.0],
        "atoms": [0.0],
        "atom_probabilities": [0.1, 0.2],
        "log_density": [0.0, 0.0],
    } | wrong
    with pytest.raises(InputError, match=message):
        log_mixed(given.pop("y"), **given)

"""The constants: both tables to the digit, units, copies, and the border."""

import json

import numpy as np
import pytest

from nepers.errors import InputError
from nepers.hierarchy import Hyperparameters, calibrated, paper, prostate

COVARIANCE = np.array([[2.0, 0.3, -0.5], [0.3, 1.1, 0.2], [-0.5, 0.2, 0.8]])
MEAN = np.array([1.5, -0.3, 4.0])


def test_the_table_for_log_ratios_to_the_digit():
    """Red for any digit that differs from the paper's section on j(x, y)."""
    assert paper().to_dict() == {
        "N": 1,
        "N_m": 1,
        "kappa_nu": 1.0,
        "kappa_eta": 10.0,
        "kappa_C": 0.9,
        "mu_mu_mu": [0.0],
        "S_mu_mu": [[1.0]],
        "m_S_mu": 1.1,
        "m_R_S_mu": 2.0,
        "R_R_S_mu": [[2.8]],
        "a_m": 1.0,
        "b_m": 3.0,
        "m_R_S": 2.0,
        "R_R_S": [[200.0]],
        "a_m_S": 1.0,
        "b_m_S": 2.0,
        "shape_type": 1,
        "m_lower": 1.0,
        "C": None,
        "unseen": 0.0,
    }


def test_the_calibrated_table_differs_from_the_papers_where_it_says():
    """Red for any constant changed without its evidence: the battery's page is about these."""
    ours, theirs = calibrated().to_dict(), paper().to_dict()
    assert {name: value for name, value in ours.items() if value != theirs[name]} == {
        "kappa_eta": 1.0,
        "kappa_C": 0.6,
        "m_R_S": 0.5,
        "R_R_S": [[2.0]],
        "shape_type": 2,
        "m_lower": 0.9,
        "unseen": 0.5,
    }


@pytest.mark.parametrize("value", [-0.1, float("nan"), float("inf"), "much"])
def test_the_unseen_must_be_a_distance(value):
    """Red if an impossible place is taken until it is used."""
    with pytest.raises(InputError, match="unseen must be"):
        paper().replace(unseen=value)


def test_the_table_for_prostate_cancer_to_the_digit():
    """Red for any digit that differs from the paper's section on recurrence, or a covariance not inverted."""
    h = prostate(MEAN, COVARIANCE)
    scalars = {k: v for k, v in h.to_dict().items() if not isinstance(v, list)}
    assert scalars == {
        "N": 3,
        "N_m": 1,
        "kappa_nu": 0.1,
        "kappa_eta": 10.0,
        "kappa_C": 0.09,
        "m_S_mu": 2.5,
        "m_R_S_mu": 2.0,
        "a_m": 1.0,
        "b_m": 20.0,
        "m_R_S": 133.0,
        "a_m_S": 1.0,
        "b_m_S": 0.01,
        "shape_type": 2,
        "m_lower": 0.0,
        "C": None,
        "unseen": 0.0,
    }
    np.testing.assert_array_equal(h.mu_mu_mu, MEAN)
    for matrix, factor in ((h.S_mu_mu, 6.25), (h.R_R_S_mu, 24.0), (h.R_R_S, 140.0)):
        np.testing.assert_allclose(matrix @ COVARIANCE, factor * np.eye(3), atol=1e-11)


def test_it_survives_json_exactly():
    """Red if a field is left out or rounded."""
    for h in (paper(), prostate(MEAN, COVARIANCE), paper().replace(C=6, kappa_nu=1 / 3)):
        again = Hyperparameters.from_dict(json.loads(json.dumps(h.to_dict())))
        assert again == h
        assert hash(again) == hash(h)
    assert paper() != paper().replace(b_m=3.0000001)
    assert paper() != "paper"
    with pytest.raises(InputError, match="kappa_nu must be given"):
        Hyperparameters.from_dict({k: v for k, v in paper().to_dict().items() if k != "kappa_nu"})
    with pytest.raises(InputError, match="kapa must be a field"):
        Hyperparameters.from_dict({**paper().to_dict(), "kapa": 1})


def test_it_cannot_be_changed_from_outside():
    """Red if the object shares its arrays with the caller, or they can be written to."""
    mean = MEAN.copy()
    h = prostate(mean, COVARIANCE)
    mean[0] = 99.0
    assert h.mu_mu_mu[0] == 1.5
    with pytest.raises(ValueError, match="read-only"):
        h.S_mu_mu[0, 0] = 1.0
    with pytest.raises(AttributeError):
        h.kappa_nu = 2.0


def test_plain_numbers_serve_in_one_dimension():
    """Red if N = 1 needs brackets."""
    assert paper().replace(mu_mu_mu=0.0, S_mu_mu=1, R_R_S=[200.0]) == paper()


def test_a_new_shape_type_brings_its_own_cut():
    """Red if type 2 keeps type 1's cut at 1, or a given cut is overruled."""
    assert paper().replace(shape_type=2).m_lower == 0.0
    assert paper().replace(shape_type=2, m_lower=0.55).m_lower == 0.55
    assert paper().replace(shape_type=2, m_lower=0.55).replace(b_m=2.0).m_lower == 0.55
    assert paper().replace(shape_type=2).replace(shape_type=1) == paper()


def test_units_there_and_back():
    """Red if a factor is forgotten on the way back; that it is the right factor, test_prior shows."""
    assert paper().scaled(0.25).scaled(4.0) == paper()
    assert "Hyperparameters(N=1" in repr(paper())
    assert len(repr(prostate(MEAN, COVARIANCE))) < 100


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"N": 0}, "N must be a whole number of at least 1; it is 0"),
        ({"N_m": 1.5}, "N_m must be a whole number"),
        ({"kappa_nu": 0.0}, "kappa_nu must be above 0; it is 0.0"),
        ({"kappa_C": 1.0}, "kappa_C must lie between 0 and 1; it is 1.0"),
        ({"mu_mu_mu": [0.0, 1.0]}, r"mu_mu_mu must be a vector of length 1; its shape is \(2,\)"),
        ({"mu_mu_mu": [np.nan]}, "mu_mu_mu must be finite; at row 0 it is nan"),
        ({"S_mu_mu": np.eye(2)}, "S_mu_mu must be a 1 x 1 matrix"),
        ({"S_mu_mu": -1.0}, "S_mu_mu must have a positive diagonal; at row 0, column 0 it is -1.0"),
        ({"m_S_mu": -0.1}, "m_S_mu must be above 0; it is -0.1"),
        ({"a_m": np.inf}, "a_m must be finite; it is inf"),
        ({"b_m": "three"}, "b_m must be a number; it is 'three'"),
        ({"R_R_S": "x"}, "R_R_S must hold numbers"),
        ({"shape_type": 0}, "shape_type must be 1 or 2; it is 0"),
        ({"m_lower": 0.5}, "m_lower must be at least 1 for shape_type 1; it is 0.5"),
        ({"C": 0}, "C must be a whole number of at least 1; it is 0"),
        ({"kapa": 1}, "kapa must be a field"),
    ],
)
def test_wrong_values_are_named(changes, words):
    """Red if a wrong value passes, or its message does not name field, rule and value."""
    with pytest.raises(InputError, match=words):
        paper().replace(**changes)


def test_wrong_matrices_are_named():
    """Red if an indefinite or lopsided matrix passes."""
    h = prostate(MEAN, COVARIANCE)
    for matrix, words in [
        (
            np.array([[1, 2, 0], [2, 1, 0], [0, 0, 1.0]]),
            "R_R_S must be positive definite; its least eigenvalue is -1",
        ),
        (
            np.eye(3) + np.array([[0, 0, 0.1], [0, 0, 0], [0, 0, 0]]),
            "R_R_S must be symmetric; at row 0, column 2",
        ),
    ]:
        with pytest.raises(InputError, match=words):
            h.replace(R_R_S=matrix)

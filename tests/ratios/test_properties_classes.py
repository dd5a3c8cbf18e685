"""The properties of J, by exact enumeration of small joint distributions.

    J(x; Q_y) = sum over (x, y) of P(x, y) (log Q_y(x) - log P(x))

Every log in it is made by `log_class`, one case for each pair (x, y) and weighted by its probability, so what
is proved here is proved of the code. Sums of a few tens of terms of order one are exact to about 1e-14.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nepers.ratios import log_class

CLOSE = 1e-12
exactly = settings(derandomize=True, database=None, deadline=None, max_examples=60)


def distributions(rows, columns):
    """Arrays whose rows are distributions without zeros."""
    weight = st.integers(1, 20)
    table = st.lists(st.lists(weight, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
    return table.map(lambda t: np.array(t, dtype=float) / np.sum(t, axis=1, keepdims=True))


def worlds(*, events=1, predictions=1):
    """P(x, y, e) of shape (X, Y, E), with zeros in it, and predictions Q[y, x]."""

    def of(X, Y):
        cells = st.lists(st.integers(0, 9), min_size=X * Y * events, max_size=X * Y * events)
        joint = cells.map(lambda c: np.array(c, dtype=float).reshape(X, Y, events))
        whole = joint.filter(lambda w: (w.sum(axis=(1, 2)) > 0).all() and (w.sum(axis=(0, 1)) > 0).all())
        return st.tuples(whole.map(lambda w: w / w.sum()), *[distributions(Y, X)] * predictions)

    return st.integers(2, 4).flatmap(lambda X: st.integers(1, 4).flatmap(lambda Y: of(X, Y)))


def log_ratios(P, Q, other=None):
    """j of every pair (x, y), (X, Y): of Q against the marginal P(x), or against another prediction."""
    X, Y = P.shape
    x, y = (place.ravel() for place in np.indices(P.shape))
    against = np.broadcast_to(P.sum(axis=1), (Y, X)) if other is None else other
    j = log_class(x, Q[y], labels=range(X)) - log_class(x, against[y], labels=range(X))
    return j.reshape(P.shape)


def expectation(P, j):
    """Sum of P j, where what has probability zero counts for nothing."""
    return float((P[P > 0.0] * j[P > 0.0]).sum())


def J(P, Q, other=None):
    return expectation(P, log_ratios(P, Q, other))


def information(P):
    """Shannon's mutual information of the two variables of a joint distribution, by its definition."""
    product = P.sum(axis=1, keepdims=True) * P.sum(axis=0, keepdims=True)
    return float(sum(p * math.log(p / q) for p, q in zip(P.ravel(), product.ravel(), strict=True) if p > 0.0))


def bayes(P):
    """P(x|y) as a prediction Q[y, x]; for a y that does not occur, the prior."""
    of_y = P.sum(axis=0)
    return np.where(of_y > 0.0, P / np.where(of_y > 0.0, of_y, 1.0), P.sum(axis=1, keepdims=True)).T


@exactly
@given(worlds())
def test_bayes_posterior_is_worth_the_mutual_information_and_nothing_is_worth_more(world):
    # red if: the log is of another column than the truth's, or anything is added to or taken from it
    joint, Q = world
    P = joint[:, :, 0]
    assert J(P, bayes(P)) == pytest.approx(information(P), abs=CLOSE)
    assert J(P, Q) <= information(P) + CLOSE
    # by how much is Kullback and Leibler's divergence, so that the bound is not met by being far off
    loss = sum(
        expectation(P[:, [y]], np.log((bayes(P)[y] + (P[:, y] == 0.0)) / Q[y])[:, None])
        for y in range(len(Q))
    )
    assert J(P, bayes(P)) - J(P, Q) == pytest.approx(loss, abs=CLOSE)


@exactly
@given(worlds(), st.lists(st.integers(0, 1), min_size=4, max_size=4))
def test_it_is_at_most_the_information_in_the_prediction_and_that_in_the_data(world, merge):
    # red if: j depends on y otherwise than through the prediction
    joint, Q = world
    P = joint[:, :, 0]
    said = np.array(merge[: P.shape[1]])  # the prediction has two answers only, so it may lose information
    merged = np.stack([P[:, said == answer].sum(axis=1) for answer in (0, 1)], axis=1)
    two = Q[[0, -1]][said]
    of_prediction = information(merged) if len(np.unique(two, axis=0)) > 1 else 0.0
    assert J(P, two) <= of_prediction + CLOSE
    assert of_prediction <= information(P) + CLOSE
    # equality of the first where the prediction is Bayes' of what it says
    assert J(P, bayes(merged)[said]) == pytest.approx(information(merged), abs=CLOSE)


@exactly
@given(worlds())
def test_the_prior_scores_nothing(world):
    # red if: the prediction and the prior are read in different ways
    P = world[0][:, :, 0]
    prior = np.broadcast_to(P.sum(axis=1), P.T.shape)
    assert (log_ratios(P, prior) == 0.0).all()


@exactly
@given(worlds(predictions=2))
def test_serial_additivity(world):
    # red if: the worth of a second algorithm depends on which came before
    joint, first, second = world
    P = joint[:, :, 0]
    assert J(P, second, first) + J(P, first) == pytest.approx(J(P, second), abs=CLOSE)
    assert J(P, second, first) == pytest.approx(-J(P, first, second), abs=CLOSE)


@exactly
@given(worlds(events=2))
def test_event_additivity(world):
    # red if: j of a case depends on what other cases there are
    joint, Q = world
    P = joint.sum(axis=2)
    chance = joint.sum(axis=(0, 1))
    j = log_ratios(P, Q)
    parts = [expectation(joint[:, :, e] / chance[e], j) for e in (0, 1)]
    assert chance @ parts == pytest.approx(J(P, Q), abs=CLOSE)


@exactly
@given(worlds(), st.randoms(use_true_random=False))
def test_a_relabelling_of_the_classes_changes_no_log_ratio(world, random):
    # red if: columns are found by the order of labels where their order is given otherwise
    joint, Q = world
    P = joint[:, :, 0]
    X = P.shape[0]
    names = random.sample(["ant", "bee", "Cat", "10", "9", "é"], X)
    x, y = (place.ravel() for place in np.indices(P.shape))
    renamed = np.array(names)[x]
    order = random.sample(range(X), X)
    logs = log_class(x, Q[y], labels=range(X))
    assert log_class(renamed, Q[y], labels=names).tolist() == logs.tolist()
    assert log_class(renamed, Q[y][:, order], labels=[names[i] for i in order]).tolist() == logs.tolist()
    assert log_class(renamed, {names[i]: Q[y][:, i] for i in order}).tolist() == logs.tolist()


def test_a_sure_oracle_of_a_fair_coin():
    # red if: the reliably wrong oracle is credited with the information that an inverter would find in it
    P = np.array([[0.5, 0.0], [0.0, 0.5]])  # y is the side that comes up
    right, wrong = np.eye(2), np.eye(2)[::-1]
    assert J(P, right) == pytest.approx(math.log(2.0), abs=CLOSE)
    assert J(P, wrong) == -math.inf
    assert information(P) == pytest.approx(math.log(2.0), abs=CLOSE)


@exactly
@given(st.integers(1, 99))
def test_a_point_prediction_that_may_be_wrong_scores_minus_infinity(percent):
    # red if: certainty that was wrong costs something finite
    wrong = percent / 100.0
    P = np.array([[1.0 - wrong, wrong], [wrong, 1.0 - wrong]]) / 2.0
    assert J(P, np.eye(2)) == -math.inf
    assert J(P, bayes(P)) == pytest.approx(information(P), abs=CLOSE)

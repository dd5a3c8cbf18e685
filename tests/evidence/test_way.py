"""Stations, the order of the cases, and the tempered density, against plain definitions."""

import numpy as np
import pytest
from scipy import stats

from nepers.evidence.placing import placed
from nepers.evidence.way import Way, in_order
from nepers.gibbs.replica import Replica
from nepers.hierarchy import SkewStudent, paper, prostate

HEAVY = paper().replace(shape_type=2, m_lower=0.0)


def replica(h, seed=1):
    one = Replica(h, np.random.SeedSequence(seed))
    one.draw_from_prior()
    return one


def tempered_density(x, power, p, mu, nu, S, m, r):
    """f_b of the room's page for N = 1, by quadrature over log alpha."""

    # even steps in log alpha: the integrand is smooth and falls off at both ends
    v = np.linspace(-60.0, 20.0, 400_001)
    alpha = np.exp(v)
    total = 0.0
    for k in range(len(p)):
        far = x - mu[k] - nu[k] / np.sqrt(alpha)
        log_gaussian = 0.5 * (v + np.log(S[k] / (2.0 * np.pi)) - S[k] * alpha * far**2)
        log_gamma = stats.gamma.logpdf(alpha, m[k], scale=1.0 / r[k]) + v
        total += p[k] * np.exp(power * log_gaussian + log_gamma).sum() * (v[1] - v[0])
    return total


@pytest.mark.parametrize("h", [paper().replace(C=3), HEAVY.replace(C=3, m_lower=0.3)])
@pytest.mark.parametrize("power", [0.07, 0.5, 1.0])
def test_the_tempered_density_is_the_integral_over_alpha(h, power):
    # red if: the power is left off the determinant, the skewness, or the shape of the integral
    one = replica(h)
    c = one.components
    x = np.array([[-0.4, 0.9, 6.0]])
    parts = {name: c[name].reshape(3) for name in ("mu", "nu", "S", "m")}
    r = parts["m"] - 1.0 if h.shape_type == 1 else parts["m"]
    expected = [np.log(tempered_density(v, power, np.exp(c["log_p"]), **parts, r=r)) for v in x[0]]
    assert one.log_likelihood(x, power) == pytest.approx(sum(expected), abs=1e-6)


def test_at_power_one_it_is_the_hierarchys_and_at_zero_nothing():
    # red if: f_0 is not 1, or f_1 not the skew-Student mixture, in two dimensions
    h = prostate([0.0, 1.0], [[1.0, 0.3], [0.3, 2.0]]).replace(C=2)
    one = replica(h, 3)
    c = one.components
    x = np.random.default_rng(1).normal(size=(6, 2))
    parts = [
        np.log(np.exp(k["log_p"])) + SkewStudent(k["mu"], k["nu"], k["S"], k["m"], k["m"]).logpdf(x)
        for k in c
    ]
    assert one.log_likelihood(np.ascontiguousarray(x.T), 1.0) == pytest.approx(
        np.logaddexp(*parts).sum(), rel=1e-8
    )
    assert one.log_likelihood(np.ascontiguousarray(x.T), 0.0) == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize("N", [1, 2])
def test_gains_add_up_to_the_likelihood(N):
    # red if: a block is left out or counted twice, or the turn from powers to cases is off by one
    h = paper() if N == 1 else prostate([0.0, 0.0], np.eye(2))
    x = np.random.default_rng(2).normal(size=(40, N))
    ordered, first = in_order(x)
    way = Way(ordered, np.array([0.0, 0.01, 0.3, 1.0]), np.array([first, first + 1, 29, 40]))
    one = replica(h, 4)
    gains = [way.gains(station, one) for station in range(way.steps + 1)]
    whole = one.log_likelihood(ordered, 1.0)
    assert sum(up for _, up in gains) == pytest.approx(whole, abs=1e-8)
    assert sum(down for down, _ in gains) == pytest.approx(whole, abs=1e-8)
    assert way.power(0) == 0.0
    assert way.cases(0).shape[1] == first
    assert way.cases(way.steps).shape[1] == 40


def test_the_order_keeps_every_case_and_spreads_the_first():
    # red if: a case is lost, or the first few come from one side
    x = np.random.default_rng(5).standard_t(3, 101)[:, None]
    ordered, first = in_order(x)
    assert first == 8
    assert np.array_equal(np.sort(ordered[0]), np.sort(x[:, 0]))
    below = (ordered[0, :20] < np.median(x)).sum()
    assert 8 <= below <= 12


def test_cases_far_out_come_first():
    # red if: a case that nothing leads one to expect comes alone, in a step that is never exchanged
    x = np.append(np.random.default_rng(5).normal(size=50), [-1e6])[:, None]
    ordered, first = in_order(x)
    assert ordered[0, 0] == -1e6
    assert first == 9


def test_stations_go_where_exchanges_fail():
    # red if: a hard step does not get more stations, or an end moves
    way = Way(np.zeros((1, 64)), np.array([0.0, 0.1, 1.0]), np.array([8, 16, 64]))
    found = placed(way, np.array([0.1, 0.9, 0.1, 0.9]), 0.3)
    assert (found.powers[0], found.powers[-1]) == (0.0, 1.0)
    assert (found.sizes[0], found.sizes[-1]) == (8, 64)
    assert (found.powers > 0.1).sum() >= 3
    assert (found.sizes > 16).sum() >= 3
    assert (np.diff(found.powers) > 0).all()
    assert (np.diff(found.sizes) > 0).all()

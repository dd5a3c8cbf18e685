"""Chains on observations: with nothing unknown, cut in pieces, on odd data; and their border."""

import math

import numpy as np
import pytest

from nepers.errors import InputError
from nepers.gibbs.chains import Sampler
from nepers.hierarchy import paper, prostate
from nepers.prediction.moments import robust_moments
from nepers.prediction.observations import Noise, Observations
from nepers.prediction.sampling import draw_posterior, make_sampler

FIELDS = ["J", "log_likelihood", "C", "mu_mu", "S_mu", "R_S_mu", "m_S", "R_S"]
FIELDS += ["p", "mu", "nu", "S", "m", "first"]
NOISE = Noise(5.0, 100.0 * np.eye(2))


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in FIELDS)


def observed(n=40, seed=1):
    """Two coordinates, of all kinds: exact, right and left censored, intervals, nothing; some missing."""
    rng = np.random.default_rng(seed)
    values = rng.standard_t(4, (n, 2)) @ np.array([[1.0, 0.4], [0.0, 0.8]])
    lower, upper = values[:, 0].copy(), values[:, 0].copy()
    upper[::4] = np.inf
    lower[1::7] = -np.inf
    lower[2::9], upper[2::9] = values[2::9, 0] - 0.3, values[2::9, 0] + 0.5
    values[3::5, 1] = np.nan
    return Observations(values, lower, upper)


def test_with_all_known_in_one_dimension_the_draws_are_those_of_log_ratios():
    """Red if anything is drawn, or added, for data that have no gap."""
    x = np.random.default_rng(1).standard_t(3, 60) * 0.4 + 0.1
    plain = Sampler(x, paper(), seed=5, chains=2, cores=1)
    plain.warm_up(30)
    given = Observations(x[:, None], x, x)
    draws = draw_posterior(given, None, paper(), seed=5, chains=2, draws=100, warm_up=30, cores=1)
    assert same(plain.run(100), draws)


def test_runs_may_be_cut_in_pieces_and_shared_by_cores():
    """Red if the values of the state are lost between two runs, or shared by two chains."""
    given = observed()
    h = prostate(*robust_moments(given))
    whole = make_sampler(given, NOISE, h, seed=5, chains=2, cores=1).run(40, 3)
    cut = make_sampler(given, NOISE, h, seed=5, chains=2, cores=2)
    cut.run(10, 3)
    assert same(whole, cut.run(30, 3))
    assert not np.array_equal(whole.J[0], whole.J[1])


ODD = {
    "one case": (np.zeros((1, 2)), [0.0], [0.0]),
    "nothing known of any": (np.full((5, 2), np.nan), [-math.inf] * 5, [math.inf] * 5),
    "all censored": (np.ones((6, 2)), [2.0] * 6, [math.inf] * 6),
    "censored far out": (np.zeros((4, 2)), [0.1, 0.2, 0.3, 1e3], [0.1, 0.2, 0.3, math.inf]),
    "narrow intervals": (np.arange(12.0).reshape(6, 2), np.arange(6.0), np.arange(6.0) + 1e-9),
    "equal cases": (np.ones((20, 2)), [1.0] * 20, [1.0] * 20),
}


# equal cases without noise are an atom, whose posterior is improper
@pytest.mark.parametrize(
    ("name", "noise"),
    [(name, noise) for name in ODD for noise in (NOISE, None) if noise or "equal" not in name],
)
def test_odd_data(name, noise):
    """Red if a truncated draw never ends, or a density is lost."""
    given = Observations(ODD[name][0], *map(np.array, ODD[name][1:]))
    h = prostate(np.zeros(2), np.eye(2))
    draws = draw_posterior(given, noise, h, seed=2, chains=1, draws=200, warm_up=0)
    for field in FIELDS:
        assert field == "J" or np.isfinite(getattr(draws, field)).all(), field
    if name == "nothing known of any":
        assert np.allclose(draws.log_likelihood, 0.0, atol=1e-9)


def test_a_censored_time_moves_the_answer_only_up():
    """Red if the direction of censoring is lost: the same times as events, as cuts from below, from above."""
    values = np.random.default_rng(3).standard_normal((60, 2))
    t, h = values[:, 0], prostate(np.zeros(2), np.eye(2))
    ends = {
        "event": (t, t),
        "right": (t, np.where(t > 0.5, np.inf, t)),
        "left": (np.where(t < -0.5, -np.inf, t), t),
    }
    J = {}
    for name, (lower, upper) in ends.items():
        given = Observations(values, lower, upper)
        draws = draw_posterior(given, None, h, seed=3, chains=1, draws=600, warm_up=100)
        J[name] = np.median(draws.J[..., 0])
    assert J["left"] < J["event"] < J["right"]


def test_border():
    """Red if a wrong table of observations, noise, or hyperparameters goes through to the kernels."""
    good = observed()
    with pytest.raises(InputError, match="hyperparameters must have N = 2"):
        make_sampler(good, None, paper(), seed=1)
    with pytest.raises(InputError, match=r"noise\.S must be a 2 x 2 matrix"):
        make_sampler(good, Noise(5.0, np.eye(3)), prostate(np.zeros(2), np.eye(2)), seed=1)
    with pytest.raises(InputError, match=r"noise\.m must be above 0"):
        Noise(-1.0, np.eye(2))
    with pytest.raises(InputError, match=r"lower must be at most upper.* at row 1"):
        Observations(np.zeros((2, 2)), np.array([0.0, 2.0]), np.array([0.0, 1.0]))
    with pytest.raises(InputError, match="exact value finite; at row 0"):
        Observations(np.zeros((1, 2)), np.array([np.inf]), np.array([np.inf]))
    with pytest.raises(InputError, match="upper must be a number or an infinity; at row 1"):
        Observations(np.zeros((2, 2)), np.zeros(2), np.array([0.0, np.nan]))
    with pytest.raises(InputError, match="values must be finite, or NaN where missing; at row 0"):
        Observations(np.array([[0.0, np.inf]]), np.zeros(1), np.zeros(1))
    with pytest.raises(InputError, match="lower must have one value for each of the 2 cases"):
        Observations(np.zeros((2, 2)), np.zeros(3), np.zeros(2))

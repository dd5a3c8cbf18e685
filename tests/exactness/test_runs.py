"""Runs: the same seed gives the same draws however they are run; and no data, however odd, break the
sampler."""

import numpy as np
import pytest

from nepers.gibbs.chains import Sampler
from nepers.hierarchy import paper

FIELDS = (
    "J",
    "log_likelihood",
    "C",
    "mu_mu",
    "S_mu",
    "R_S_mu",
    "m_S",
    "R_S",
    "p",
    "mu",
    "nu",
    "S",
    "m",
    "first",
)


def data(n, seed=1):
    return np.random.default_rng(seed).standard_t(3, n) * 0.4 + 0.1


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in FIELDS)


def test_the_cores_do_not_change_the_draws():
    """Red if chains share a stream or any room to work in."""
    x = data(60)
    one = Sampler(x, paper(), seed=5, chains=3, cores=1).run(200)
    two = Sampler(x, paper(), seed=5, chains=3, cores=2).run(200)
    other = Sampler(x, paper(), seed=6, chains=3, cores=2).run(200)
    assert same(one, two)
    assert not same(one, other)
    assert not np.array_equal(one.J[0], one.J[1])


def test_a_run_may_be_cut_in_pieces():
    """Red if anything of the state is lost, or drawn anew, between two runs."""
    x = data(60)
    whole = Sampler(x, paper(), seed=5, chains=2).run(40, thin=3)
    cut = Sampler(x, paper(), seed=5, chains=2)
    cut.run(10, thin=3)
    cut.run(1, thin=3)
    assert same(whole, cut.run(29, thin=3))


def test_warm_up_is_a_run_forgotten():
    """Red if warm-up changes more than where the chain is."""
    x = data(20)
    warm = Sampler(x, paper(), seed=5, chains=1)
    warm.warm_up(15)
    whole = Sampler(x, paper(), seed=5, chains=1).run(25)
    assert np.array_equal(warm.run(10).J, whole.J[:, 15:])


@pytest.mark.parametrize("unit", [2.0**-20, 0.5, 2.0**10])
def test_units_do_not_matter(unit):
    """Red if a constant in the code has a unit: a power of two changes no rounding of the data, so no
    draw."""
    x = data(40)
    plain = Sampler(x, paper(), seed=5, chains=1).run(100)
    scaled = Sampler(x * unit, paper().scaled(unit), seed=5, chains=1).run(100)
    assert np.array_equal(plain.C, scaled.C)
    for name, power in {
        "J": 1,
        "mu": 1,
        "nu": 1,
        "S": -2,
        "S_mu": -2,
        "R_S_mu": 2,
        "p": 0,
        "m": 0,
        "m_S": 0,
    }.items():
        a, b = getattr(plain, name), getattr(scaled, name) / unit**power
        assert np.allclose(a, b, rtol=1e-6), name
    shift = len(x) * np.log(unit)
    assert np.allclose(plain.log_likelihood, scaled.log_likelihood + shift, rtol=1e-8, atol=1e-6)


ODD = {
    "one case": [0.3],
    "two cases": [0.3, -0.1],
    "tiny": list(1e-6 * data(50)),
    "huge": list(1e3 * data(50)),
    "one far out": [*data(400), -1e4],
    "very far out": [*data(100), -1e9],
    "gaps of 1e-9": [0.5 + 1e-9 * i for i in range(30)] + [-2.0 + 1e-9 * i for i in range(10)],
    "far and narrow": [1e6 + 1e-3 * i for i in range(20)],
    "one large block": list(data(5000)),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("shape_type", [1, 2])
def test_odd_data(name, shape_type):
    """Red if a sum cancels, a density underflows, or a rejection never ends."""
    h = paper() if shape_type == 1 else paper().replace(shape_type=2, m_lower=0.55)
    x = ODD[name]
    d = Sampler(x, h, seed=2, chains=1).run(300 if len(x) < 1000 else 60)
    for field in FIELDS:
        assert np.isfinite(getattr(d, field)).all(), field
    assert (d.S > 0).all()
    assert (d.m > h.m_lower).all()
    assert np.allclose(np.add.reduceat(d.p, d.first.ravel()), 1.0)


def test_the_mixtures_kept_are_those_of_the_numbers_kept():
    """Red if J or the log likelihood is of another state than the components."""
    x = data(30)
    d = Sampler(x, paper(), seed=3, chains=2).run(20)
    for chain in range(2):
        for draw in range(20):
            mixture = d.mixture(chain, draw)
            assert mixture.mean() == pytest.approx(d.J[chain, draw], rel=1e-9, abs=1e-12)
            assert mixture.logpdf(x).sum() == pytest.approx(d.log_likelihood[chain, draw], rel=1e-9)


def test_a_narrow_cluster_far_from_zero():
    """Red if sums over cases are taken from zero: 1e6 minus 1e6 leaves nothing of a spread of 1e-9."""
    x = 1000.0 + 1e-9 * np.random.default_rng(3).normal(size=200)
    sampler = Sampler(x, paper(), seed=4, chains=1)
    sampler.warm_up(300)
    J = sampler.run(300).J[..., 0]
    assert abs(J.mean() - x.mean()) < 3e-10
    assert 3e-11 < J.std() < 3e-10

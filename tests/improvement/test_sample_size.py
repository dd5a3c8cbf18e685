"""How many more cases: against closed forms for a Gaussian posterior, and simulation for the rest."""

import dataclasses
import json

import numpy as np
import pytest
from scipy import integrate, stats

from nepers import assess
from nepers.atoms import Kinds
from nepers.errors import InputError
from nepers.gibbs.draws import Draws
from nepers.improvement import cases_needed, preposterior
from nepers.improvement.preposterior import chance_to_decide
from nepers.improvement.spread import held_moments, interpolated, spread


def gaussian_posterior(mean, sd, variance, draws=4000, shape=1e7):
    """J ~ N(mean, sd^2) by its quantiles, each draw with one component of that variance, next to Gaussian."""
    J = np.random.default_rng(0).permutation(stats.norm(mean, sd).ppf((np.arange(draws) + 0.5) / draws))
    J = J.reshape(4, -1)
    one = np.ones((*J.shape, 1, 1))
    kinds = Kinds(np.empty(0), np.empty(0, dtype=np.int64), np.zeros(100), True)
    components = Draws(
        J=J[..., None],
        log_likelihood=np.zeros(J.shape),
        C=np.ones(J.shape, dtype=np.int64),
        mu_mu=one[..., 0],
        S_mu=one,
        R_S_mu=one,
        m_S=2 * one[..., 0, 0],
        R_S=one,
        first=np.arange(draws).reshape(J.shape),
        p=np.ones(draws),
        mu=J.reshape(-1, 1),
        nu=np.zeros((draws, 1)),
        S=np.full((draws, 1, 1), 1 / variance),
        m=np.full(draws, shape),
        shape_type=1,
    )
    # any assessment, with what it says of J replaced
    return dataclasses.replace(
        assess([0.5, 0.5, -1.0, -1.0], seed=1), n=100, nats=J, kinds=kinds, draws=components, stopped="target"
    )


def closed_form(mean, sd, variance, m, margin, probability=0.975):
    """The chance that it is decided, and rightly: the posterior mean after m cases is Gaussian."""
    after = 1 / np.sqrt(1 / sd**2 + m / variance)
    moves, z = np.sqrt(sd**2 - after**2), stats.norm.ppf(probability)
    above = stats.norm.sf((margin + z * after - mean) / moves)
    below = stats.norm.cdf((margin - z * after - mean) / moves)

    def agree(x):
        p = stats.norm.cdf((x - margin) / after)
        return stats.norm(mean, moves).pdf(x) * max(p, 1 - p)

    cuts = [margin - z * after, margin + z * after]
    right = integrate.quad(agree, -np.inf, cuts[0])[0] + integrate.quad(agree, cuts[1], np.inf)[0]
    return above + below, right


@pytest.mark.parametrize(("mean", "margin"), [(0.1, 0.0), (0.05, 0.0), (-0.08, 0.02)])
@pytest.mark.parametrize("m", [20, 150, 1000, 20_000])
def test_the_chance_is_that_of_a_gaussian_posterior(mean, margin, m):
    # red if: the likelihood has v instead of v / m, a side is missing, or "rightly" counts the wrong side
    a = gaussian_posterior(mean, 0.1, 2.0)
    J = a.nats.ravel()
    found = chance_to_decide(J, np.full(J.size, 2.0), m, margin, 0.975)
    decided, right = closed_form(mean, 0.1, 2.0, m, margin)
    assert found.decided == pytest.approx(decided, abs=0.02)
    assert found.right == pytest.approx(right, abs=0.02)
    assert found.error < 0.02


def test_the_number_is_that_of_a_gaussian_posterior():
    # red if: the search along the curve ends elsewhere
    found = cases_needed(gaussian_posterior(0.1, 0.1, 2.0), assurance=0.7)
    assert found.at().decided == pytest.approx(0.7, abs=0.03)
    assert closed_form(0.1, 0.1, 2.0, found.cases, 0.0)[0] == pytest.approx(0.7, abs=0.03)
    assert closed_form(0.1, 0.1, 2.0, found.cases // 2, 0.0)[0] < 0.67
    assert [one.cases for one in found.curve] == sorted({one.cases for one in found.curve})


def test_more_cases_decide_more():
    # red if: the curve falls by more than its error
    decided = [one.decided for one in cases_needed(gaussian_posterior(0.1, 0.1, 2.0)).curve]
    assert (np.diff(decided) > -0.01).all()
    assert decided[0] < 0.05
    assert decided[-1] > 0.95


@pytest.mark.parametrize("mean", [0.5, -0.5])
def test_what_is_decided_needs_no_more(mean):
    # red if: only J above the margin counts as decided
    found = cases_needed(gaussian_posterior(mean, 0.1, 2.0))
    assert (found.cases, found.curve, found.at()) == (0, (), None)
    assert "is decided already" in str(found)


def test_a_margin_in_the_middle_is_not_decided_by_few():
    # red if: the chance that is not reached is reported as reached
    found = cases_needed(gaussian_posterior(0.0, 0.1, 2.0), most=2000)
    assert found.cases is None
    assert found.curve[-1].cases == 2000
    assert "Even 2,000 further cases decide whether J is above 0 nats" in str(found)
    # the closer J may be to the margin, the less likely is any number enough
    assert closed_form(0.0, 0.1, 2.0, 2000, 0.0)[0] == pytest.approx(found.curve[-1].decided, abs=0.02)


def test_a_decision_is_right_as_often_as_it_says():
    # red if: the posterior after the cases is of another model: at least 0.975 of decisions are right
    J = np.random.default_rng(2).gamma(3.0, 0.05, 4000) - 0.1
    for m in (50, 500, 5000):
        found = chance_to_decide(J, 1.0 + 10.0 * J**2, m, 0.0, 0.975)
        assert found.right >= (0.975 - 0.004) * found.decided


def test_the_chance_agrees_with_simulation():
    # red if: the cells of the grid miss a part. Draws of unlike variance, simulated plainly
    rng = np.random.default_rng(3)
    J, v, m = rng.normal(0.05, 0.1, 1000), rng.gamma(2.0, 1.0, 1000), 200
    k = rng.integers(0, 1000, 4000)
    seen = rng.normal(J[k], np.sqrt(v[k] / m))
    w = stats.norm.pdf(seen[:, None], J, np.sqrt(v / m))
    above = (w * (J > 0)).sum(axis=1) / w.sum(axis=1)
    yes, no = above >= 0.975, above <= 0.025
    found = chance_to_decide(J, v, m, 0.0, 0.975)
    # the simulation's own standard error is below 0.008
    assert found.decided == pytest.approx((yes | no).mean(), abs=0.03)
    assert found.right == pytest.approx(np.where(J[k] > 0, yes, no).mean(), abs=0.03)


# --- the spread of one case


def test_the_spread_is_the_variance_of_each_draw():
    # red if: atoms, weights or skewness are left out. Compared with the draws' own distributions
    a = assess([0.5, 0.5, 0.5, -1.0, -1.0, 0.2, 0.2], seed=1)
    found = spread(a, 50)
    used = np.unique(np.linspace(0, a.nats.size - 1, 50).astype(int))
    for k, variance in zip(used, found.variance(10), strict=True):
        one = a.density(int(k))
        assert variance == pytest.approx(one.atom_weights @ one.atom_values**2 - one.mean() ** 2)


def test_the_spread_of_atoms_and_a_remainder():
    # red if: the remainder's weight is another than the draw's. The paper's components have a finite variance
    a = assess([0.5] * 6, seed=1, hyperparameters="paper")
    found = spread(a, 40)
    used = np.unique(np.linspace(0, a.nats.size - 1, 40).astype(int))
    for k, variance in zip(used, found.variance(1e200), strict=True):
        one = a.density(int(k))
        w = one.continuous_weight
        second = w * (one.mixture.cov()[0, 0] + one.mixture.mean()[0] ** 2)
        square = one.atom_weights @ one.atom_values**2 + second
        assert variance == pytest.approx(square - one.mean() ** 2, rel=1e-5)


@pytest.mark.parametrize("m", [0.6, 0.999, 1.0, 1.0005, 1.3, 4.0, 300.0])
@pytest.mark.parametrize("level", [0.3, 1e-3, 1e-9])
def test_held_moments_against_quadrature(m, level):
    # red if: the recurrence below m = 1 is wrong, or the rate is forgotten
    r = 1.7
    law = stats.gamma(m, scale=1 / r)
    least = law.ppf(level)

    def beyond(power):
        # in log alpha, so that the peak near zero is wide
        return integrate.quad(
            lambda t: np.exp(-power * t) * law.pdf(np.exp(t)) * np.exp(t),
            np.log(least),
            np.log(law.isf(1e-18)),
            limit=500,
            epsabs=0,
        )[0]

    root, inverse = held_moments(np.array([m]), np.array([r]), np.array([level]))
    assert root[0] == pytest.approx(level * least**-0.5 + beyond(0.5), rel=1e-6)
    assert inverse[0] == pytest.approx(level / least + beyond(1.0), rel=1e-5)


def test_an_infinite_variance_is_held():
    # red if: tails without a variance give infinity or NaN
    a = gaussian_posterior(0.1, 0.1, 2.0, shape=1.2)
    a = dataclasses.replace(a, draws=dataclasses.replace(a.draws, m=np.full(4000, 0.8), shape_type=2))
    found = cases_needed(a, most=10_000)
    assert np.isfinite([one.decided for one in found.curve]).all()
    few, many = spread(a, 10).variance(100), spread(a, 10).variance(10_000)
    assert (few < many).all()


def test_the_spread_between_knots():
    # red if: the interpolation is on another scale than the knots
    a = gaussian_posterior(0.1, 0.1, 2.0, draws=400, shape=1.3)
    found = spread(a, 20)
    at = interpolated(found, 101, 1_000_100)
    for cases in (101, 150, 5000, 1_000_100):
        np.testing.assert_allclose(at(cases), found.variance(cases), rtol=0.02)


# --- what is asked and what is told


def test_bits_are_bits():
    # red if: the margin is compared in another unit than it is given in
    a = gaussian_posterior(0.1, 0.1, 2.0)
    nats, bits = cases_needed(a, margin=0.02), cases_needed(a.in_bits(), margin=0.02 / np.log(2))
    assert nats.cases == bits.cases
    assert bits.unit == "bits"


def test_minus_infinity_is_decided():
    # red if: a J that is certain is spread over draws that are not there
    found = cases_needed(assess([0.5, -np.inf], seed=1))
    assert (found.cases, found.now) == (0, 0.0)


def test_it_is_words_a_table_and_json():
    # red if: the goal or the Monte Carlo error is left out
    found = cases_needed(gaussian_posterior(0.1, 0.1, 2.0), assurance=0.7)
    said = str(found)
    assert f"About {found.cases:,} further cases like these decide whether J is above 0 nats" in said
    assert "Monte Carlo error" in said
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["cases"] == found.cases
    assert told["curve"]["cases"] == [one.cases for one in found.curve]
    table = found.to_frame("pandas")
    assert list(table) == ["cases", "decided", "right", "error"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": np.nan}, "margin must be finite"),
        ({"probability": 0.5}, "probability must lie between 0.5 and 1; it is 0.5"),
        ({"probability": 97.5}, "probability must lie between"),
        ({"assurance": 1.0}, "assurance must lie between 0 and 1; it is 1.0"),
        ({"most": 0}, "most must be a whole number of at least 1"),
    ],
)
def test_wrong_options_are_named(options, message):
    # red if: probability=97.5 gives nonsense
    with pytest.raises(InputError, match=message):
        cases_needed(gaussian_posterior(0.1, 0.1, 2.0, draws=40), **options)


def test_the_cells_are_alike():
    # red if: the grid leaves a wide gap: each of the 300 cells has about as much predictive probability
    rng = np.random.default_rng(4)
    J, s = rng.gamma(2.0, 1.0, 1000), rng.gamma(2.0, 0.1, 1000)
    _, edges = preposterior._grid(J, s)
    mass = np.diff(stats.norm.cdf(edges[:, None], J, s).mean(axis=1))
    assert mass.max() < 3 / 300


def test_the_error_is_that_of_finitely_many_draws():
    # red if: the jackknife's factor is missing. Against the scatter over sets of draws of one posterior
    rng = np.random.default_rng(5)
    found = [
        chance_to_decide(rng.normal(0.1, 0.1, 500), np.full(500, 2.0), 300, 0.0, 0.975) for _ in range(40)
    ]
    scatter = np.std([one.decided for one in found])
    assert scatter / 2 < np.sqrt(np.mean([one.error**2 for one in found])) < 2 * scatter

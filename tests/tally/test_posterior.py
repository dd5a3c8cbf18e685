"""The posterior from a tally is that from its cases."""

import warnings
from functools import cache

import numpy as np
import pytest
from fake_chains import FakeChains, prior_draws

import nepers
from nepers import posterior, running
from nepers.diagnostics import diagnose
from nepers.gibbs.chains import Points, Sampler
from nepers.gibbs.cooling import FIRST, GROWTH, RESCUE, Stages
from nepers.hierarchy import Parameters, paper
from nepers.tally import Grid, from_arrays

J = np.random.default_rng(1).standard_t(4, 2000) * 0.3 + 0.1


def states(draws):
    """The last state of every chain, to start others from."""
    names = ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S")
    last = draws.draws - 1
    return [
        Parameters(draws.mixture(chain, last), **{name: getattr(draws, name)[chain, last] for name in names})
        for chain in range(draws.chains)
    ]


def drawn(x, points, seed, start=None):
    """C is fixed, so that the chains agree soon; from the prior, chains on all cases take long to."""
    chains = Sampler(x[:, None], paper().replace(C=2), seed=seed, points=points, start=start)
    chains.warm_up(500)
    found = chains.run(1500)
    return found, diagnose(found).rows[0]


def test_the_answer_is_that_of_the_cases():
    # red if: a point's weight is left out of a density, a sum or a jump, or nudges prefer a side
    kinds = from_arrays(J, grid=Grid(0.25, 128)).kinds()
    assert kinds.remainder.size < 0.6 * J.size
    tallied, ours = drawn(kinds.remainder, kinds.points, 1)
    exact, theirs = drawn(J, None, 2, states(tallied))
    a, b = tallied.J.ravel(), exact.J.ravel()
    # four and a half standard errors of the difference of means; those of an end are 2.3 times as large
    error = 4.5 * np.sqrt(1.0 / ours.ess_bulk + 1.0 / theirs.ess_bulk)
    assert error < 0.5
    assert abs(a.mean() - b.mean()) < error * b.std()
    for end in (0.025, 0.975):
        assert abs(np.quantile(a, end) - np.quantile(b, end)) < 2.3 * error * b.std()
    assert abs(np.log(a.std() / b.std())) < error
    assert abs(tallied.log_likelihood.mean() - exact.log_likelihood.mean()) < 3.0


@cache
def both():
    """Few cases beside atoms, and little time: it is what comes with the draws that is looked at."""
    j, settings = np.append(J[:60], [0.5] * 40), {"max_seconds": 1.0, "cores": 2}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nepers.ConvergenceWarning)
        return nepers.assess(j, seed=1, **settings), nepers.assess(from_arrays(j), seed=2, **settings)


def test_many_cases_go_by_a_tally(monkeypatch):
    # red if: the points are not those of a tally in units of the scale, a value that repeats is put into a
    # bin, or the answer does not say so
    given = []

    def make(values, hyperparameters, **options):
        given.append((values, options["points"]))
        return FakeChains(prior_draws(draws=2000))

    monkeypatch.setattr(running, "make_sampler", make)
    j = np.append(J, [0.5] * 40)
    exact = nepers.assess(j, seed=1)
    monkeypatch.setattr(posterior, "MOST_ONE_BY_ONE", 1999)
    tallied, scaled = nepers.assess(j, seed=1), nepers.assess(8.0 * j, scale=8.0, seed=1)
    (one_by_one, nothing), (values, points), (wider, their_points) = given
    assert nothing is None
    assert np.array_equal(one_by_one, J)
    assert values.size < J.size
    kinds = from_arrays(J).kinds()
    assert np.array_equal(values, kinds.remainder)
    assert np.array_equal(points.weights, kinds.points.weights)
    np.testing.assert_allclose(wider, 8.0 * values, rtol=1e-12)
    assert their_points.unit == 8.0 * points.unit
    assert np.array_equal(tallied.kinds.remainder, J)
    assert [(atom.value, atom.cases) for atom in tallied.atoms] == [(0.5, 40)]
    assert "from a tally" in str(tallied)
    assert "from a tally" in str(scaled)
    assert "tally" not in str(exact)


def test_it_is_an_assessment_like_others(tmp_path):
    # red if: what the points stand for is not kept in the file, or a density is per point
    _, tallied = both()
    tallied.save(tmp_path / "a.nepers")
    again = nepers.load(tmp_path / "a.nepers")
    assert str(again) == str(tallied)
    assert np.array_equal(again.kinds.points.weights, tallied.kinds.points.weights)
    assert again.to_dict()["continuous_cases"] == 60
    assert "100 unseen cases" in str(tallied)
    assert [(atom.value, atom.cases) for atom in tallied.atoms] == [(0.5, 40)]


def test_pictures_of_cases_say_that_there_are_none():
    # red if: points are drawn as if each were a case
    from nepers.display.sample import refusal

    exact, tallied = both()
    assert refusal(exact) is None
    assert "Made from a tally" in refusal(tallied)
    assert refusal(tallied, needs_cases=False) is None


def test_the_same_seed_gives_the_same_draws():
    # red if: cooling or rescue depends on time, or on the number of cores
    found = []
    for cores in (1, 2):
        kinds = from_arrays(J).kinds()
        chains = Sampler(
            kinds.remainder[:, None], paper(), seed=3, chains=2, cores=cores, points=kinds.points
        )
        for piece in (1, 99, 400) if cores == 1 else (250, 250):
            chains.warm_up(piece)
        found.append(chains.run(20).J)
    assert np.array_equal(*found)


def test_stages_go_up_to_all_cases():
    # red if: a stage is left out, or the last is not all of them
    weights = np.full(50, 20_000.0)
    stages = Stages(weights, np.random.SeedSequence(1))
    sizes = []
    while stages.left() < 1000:
        sizes.append(stages.weight().sum())
        stages.done += stages.left()
    assert np.array_equal(stages.weight(), weights)
    assert stages.done < RESCUE
    expected = FIRST * GROWTH ** np.arange(len(sizes))
    assert np.abs(np.array(sizes) - expected).max() < 6.0 * np.sqrt(expected.max())
    assert np.allclose(sizes, expected, rtol=0.15)


def test_no_component_with_cases_is_narrower_than_the_bins():
    # red if: a component gathers about a point that stands for many cases
    rng = np.random.default_rng(2)
    x = np.sort(rng.normal(0.0, 0.01, 5))
    points = Points(np.full(5, 1000.0), 0.05, 0.25)
    chains = Sampler(x[:, None], paper().replace(C=2), seed=1, chains=2, cores=1, points=points)
    chains.warm_up(300)
    kept = chains.run(100)
    # the heavier component of each draw has cases
    rows = kept.first.ravel() + kept.p[kept.first.ravel()[:, None] + np.arange(2)].argmax(axis=1)
    width2 = kept.r[rows] / (kept.m[rows] * kept.S[rows, 0, 0])
    assert (width2 >= 0.999 * points.finest**2 * (0.25**2 + kept.mu[rows, 0] ** 2)).all()


def test_a_tally_is_given_alone():
    # red if: log_q is ignored
    with pytest.raises(nepers.InputError, match="alone"):
        nepers.assess(from_arrays([0.1]), log_q=[0.1], log_p=[0.2])


def test_minus_infinity_is_certain():
    # red if: the finite cases alone are assessed
    found = nepers.assess(from_arrays([0.1, 0.2, -np.inf], batch="part 7"))
    assert found.mean == -np.inf
    assert found.infinite_cases == ("part 7 (1 case)",)
    assert "those of part 7 (1 case)" in str(found)

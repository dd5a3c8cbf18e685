"""The assessment: exact cases against their closed forms, sampled ones through stand-in chains."""

import dataclasses
import json
import math
import subprocess
import sys

import numpy as np
import pytest
from fake_chains import FakeChains, apart, prior_draws, sticky
from scipy import stats

from nepers import running
from nepers.assessment import assess
from nepers.diagnostics import ConvergenceWarning
from nepers.errors import InputError
from nepers.hierarchy import paper

CONTINUOUS = [0.3, -0.2, 0.11, 0.7, -1.4]
WITH_ATOM = [0.5] * 15 + CONTINUOUS


@pytest.fixture(scope="module")
def pool():
    return prior_draws(draws=2000)


@pytest.fixture
def chains(monkeypatch, pool):
    """Stand-in chains for every run of a test; what they were asked for is recorded on them."""
    fake = FakeChains(pool)

    def make(values, hyperparameters, **options):
        fake.values, fake.hyperparameters, fake.options = values, hyperparameters, options
        return fake

    monkeypatch.setattr(running, "make_sampler", make)
    monkeypatch.setattr(running, "FIRST", 500)
    return fake


# --- only atoms: exact


@pytest.mark.parametrize(("n1", "n2"), [(30, 20), (3, 1), (400, 2), (2, 2)])
def test_two_values_give_the_beta_interval_mapped(n1, n2):
    # red if: the Dirichlet prior is not uniform for two kinds, or the values are not those of the weights
    a = assess([0.5] * n1 + [-1.2] * n2, seed=1)
    law = stats.beta(1 + n2, 1 + n1)
    exact = 0.5 - 1.7 * law.ppf([0.975, 0.025])
    assert a.stopped == "independent"
    # 20,000 draws: a quantile's standard error is below 1.6% of the width; 5 of them
    np.testing.assert_allclose(a.interval(), exact, atol=0.08 * (exact[1] - exact[0]))
    assert a.mean == pytest.approx(0.5 - 1.7 * law.mean(), abs=5 * 1.7 * law.std() / 20_000**0.5)


def test_rounding_of_the_inputs_does_not_split_an_atom():
    # red if: equal log ratios that were computed along two ways count as two values
    log_p = np.linspace(-300.0, -1.0, 40)
    a = assess(log_q=log_p + np.where(np.arange(40) < 25, 0.1, -0.3), log_p=log_p, seed=1)
    assert [atom.cases for atom in a.atoms] == [15, 25]


@pytest.mark.parametrize("s", [2.0**-7, 0.1, 1e3])
def test_atoms_are_scale_equivariant(s):
    # red if: a tolerance or a prior of the atoms is stated in nats
    j = np.array([0.5, 0.5, 0.25, -1.0, -1.0, 0.25])
    one, scaled = assess(j, seed=3), assess(s * j, scale=s, seed=3)
    np.testing.assert_allclose(scaled.J, s * one.J, atol=1e-13 * s)


# --- one value, no value


def test_all_equal_cases_leave_room_for_another_value():
    # red if: the interval is a point, or the value seen is not inside it
    a = assess([0.3] * 10, seed=1)
    low, high = a.interval()
    assert low < 0.25
    assert high > 0.3
    assert a.kinds.concentration.tolist() == [11.0, 1.0]
    # the more often it was seen, the surer
    surer = assess([0.3] * 1000, seed=1).interval()
    assert low < surer[0] < 0.3 < surer[1] < high


def test_the_other_kind_of_an_all_equal_sample_is_the_prior():
    # red if: the weight of "anything else" is not Beta(1, n + 1), or it takes another J than the prior's
    a = assess([0.0] * 10, seed=1)
    share = a.J / a.draws.J[:, :, 0]
    assert stats.kstest(share.ravel(), stats.beta(1, 11).cdf).pvalue > 1e-6


def test_no_cases_give_the_prior():
    # red if: the prior's J is not that of the hierarchy: 2.57 at the 97.5 centile by the design's own draws
    a = assess([], seed=1, hyperparameters="paper")
    low, high = a.interval()
    # the density there is about 0.02, so that 10,000 draws leave a standard error of 0.08
    assert low == pytest.approx(-2.57, abs=0.4)
    assert high == pytest.approx(2.57, abs=0.4)
    assert (a.n, a.atoms, a.stopped) == (0, (), "independent")
    assert "from no cases: this is the prior" in str(a)


def test_one_case_is_sampled(chains):
    # red if: a lone value without atoms is taken for an atom
    a = assess([0.4], seed=1)
    assert chains.values.tolist() == [0.4]
    assert a.atoms == ()


# --- minus infinity


@pytest.fixture(scope="module")
def hopeless():
    j = np.zeros(400)
    j[[17, 203]] = -np.inf
    return assess(j, seed=1)


def test_one_zero_probability_settles_it(hopeless):
    # red if: the infinite cases are clipped, dropped or masked
    assert hopeless.interval() == (-np.inf, -np.inf)
    assert (hopeless.mean, hopeless.median) == (-np.inf, -np.inf)
    assert hopeless.probability_above(-1e300) == 0.0
    assert hopeless.cdf([-1e300, 0.0]).tolist() == [1.0, 1.0]
    assert math.isnan(hopeless.sd)
    assert hopeless.infinite_cases == (17, 203)
    assert hopeless.stopped == "certain"
    assert hopeless.geometric_factor == 0.0


def test_the_worst_cases_come_first_and_are_at_most_twenty(hopeless):
    # red if: they are the best, or a -inf is not the worst
    assert [case.label for case in hopeless.worst_cases[:2]] == [17, 203]
    assert len(hopeless.worst_cases) == 20
    assert [case.nats for case in hopeless.worst_cases] == sorted(case.nats for case in hopeless.worst_cases)


def test_the_infinite_cases_are_named_in_words(hopeless):
    # red if: the user is not told which cases, or may think the rest is an answer
    said = str(hopeless)
    assert "J = -inf: the prediction gave the truth probability zero in 2 of 400 cases (rows 17, 203)" in said
    assert "The finite cases alone are not an answer" in said
    assert "-inf" in repr(hopeless)


def test_an_infinite_answer_is_still_json_and_a_table(hopeless):
    # red if: -Infinity, which no JSON has, is written
    text = json.dumps(hopeless.to_dict(), allow_nan=False)
    assert json.loads(text)["mean"] == "-inf"
    assert json.loads(text)["sd"] is None
    assert hopeless.to_frame("pandas")["lower"].tolist() == [-np.inf]
    assert (hopeless.to_arviz()["posterior"]["J"].to_numpy() == -np.inf).all()


def test_there_is_no_density_where_j_is_infinite_for_certain(hopeless):
    # red if: the density of the finite cases is handed out as the distribution of j
    for ask in (lambda: hopeless.density(0), lambda: hopeless.predictive_pdf(0.0)):
        with pytest.raises(InputError, match="-inf for certain"):
            ask()


# --- sampled


def test_without_atoms_j_is_what_the_chains_say(chains):
    # red if: J is not the mean of each draw's mixture, or warm-up draws are kept
    a = assess(CONTINUOUS, hyperparameters="paper", seed=5)
    assert (a.draws.J[:, :, 0] == a.J).all()
    assert a.stopped == "target"
    assert a.diagnostics.ess_J >= 1000
    assert chains.values.tolist() == CONTINUOUS
    assert chains.options["seed"] == 5


def test_with_atoms_j_is_the_weighted_sum_of_both(chains):
    # red if: the weights and the chains' draws are paired wrongly, or the weights' law is wrong
    a = assess(WITH_ATOM, hyperparameters="paper", seed=5)
    w = (a.J - 0.5) / (a.draws.J[:, :, 0] - 0.5)
    assert stats.kstest(w.ravel(), stats.beta(1 + 5, 1 + 15).cdf).pvalue > 1e-6
    assert chains.values.tolist() == CONTINUOUS
    assert a.atoms == ((0.5, 15, 16 / 22),)


def test_the_scale_reaches_the_hierarchy(chains):
    # red if: scale changes the data and not the prior, or is applied twice
    a = assess(CONTINUOUS, hyperparameters="paper", scale=3.0, seed=5)
    assert chains.hyperparameters == paper().scaled(3.0)
    assert a.hyperparameters == paper()
    assert a.scale == 3.0


@pytest.mark.parametrize("draw", [0, 777, 1999])
def test_the_mean_of_a_single_density_is_that_draws_j(chains, draw):
    # red if: density() takes another draw, another draw's weights, or forgets the unit
    a = assess(WITH_ATOM, hyperparameters="paper", seed=5)
    for one in (a, a.in_bits()):
        assert one.density(draw).mean() == pytest.approx(one.J.flat[draw], rel=1e-9)


def test_the_predictive_distribution_is_atoms_and_a_density(chains):
    # red if: atoms are counted in the density, or the mixture's weights do not add up
    a = assess(WITH_ATOM, hyperparameters="paper", seed=5, target_ess=400)
    x = np.linspace(-1.0, 0.4, 2001)
    inside = np.trapezoid(a.predictive_pdf(x), x)
    assert inside == pytest.approx(a.predictive_cdf(0.4) - a.predictive_cdf(-1.0), rel=1e-4)
    step = a.predictive_cdf(0.5) - a.predictive_cdf(0.5 - 1e-9)
    assert step == pytest.approx(16 / 22, abs=1e-6)
    assert a.predictive_cdf(1e9) == pytest.approx(1.0, abs=1e-6)
    draws = a.predictive_rvs(2000)
    assert abs((draws == 0.5).mean() - 16 / 22) < 5 * (0.2 / 2000) ** 0.5
    assert (a.predictive_rvs(2000) == draws).all()
    assert (a.predictive_rvs(10, np.random.default_rng(0)) != draws[:10]).any()


def test_bits_are_nats_over_log_2(chains):
    # red if: some method forgets the unit
    a = assess(WITH_ATOM, hyperparameters="paper", seed=5)
    b, f = a.in_bits(), 1.0 / math.log(2.0)
    np.testing.assert_allclose(b.J, a.J * f)
    for name in ("mean", "median", "sd"):
        assert getattr(b, name) == pytest.approx(getattr(a, name) * f)
    np.testing.assert_allclose(b.interval(0.8), np.multiply(a.interval(0.8), f))
    np.testing.assert_allclose(b.quantile([0.1, 0.9]), a.quantile([0.1, 0.9]) * f)
    x = np.array([-1.0, 0.2, 2.0])
    np.testing.assert_allclose(b.cdf(x * f), a.cdf(x))
    np.testing.assert_allclose(b.predictive_pdf(x * f) * f, a.predictive_pdf(x), rtol=1e-9)
    np.testing.assert_allclose(b.predictive_cdf(x * f), a.predictive_cdf(x), rtol=1e-9)
    np.testing.assert_allclose(b.predictive_rvs(5), a.predictive_rvs(5) * f, rtol=1e-6)
    assert b.probability_above(0.3 * f) == pytest.approx(a.probability_above(0.3), abs=1e-3)
    assert b.atoms[0].value == pytest.approx(a.atoms[0].value * f)
    assert b.geometric_factor == a.geometric_factor
    assert b.summary()["unit"] == "bits"
    assert " bits," in str(b)
    assert b.in_nats().interval() == a.interval()
    mu = b.to_arviz()["posterior"]["mu_mu"].to_numpy()
    np.testing.assert_allclose(mu, a.draws.mu_mu[:, :, 0] * f)


def test_quantiles_and_cdf_are_those_of_the_draws(chains):
    # red if: the interval is not equal-tailed, or the cdf leaves out ties
    a = assess(CONTINUOUS, hyperparameters="paper", seed=5)
    low, high = a.interval(0.9)
    assert (low, high) == pytest.approx(np.quantile(a.J, [0.05, 0.95]))
    assert a.cdf(np.array([[low], [high]])).ravel() == pytest.approx([0.05, 0.95], abs=1e-3)
    assert a.cdf(a.J.max()) == 1.0
    assert a.probability_above(a.J.max()) == 0.0
    assert a.probability_above(0.0) == np.mean(a.J > 0.0)
    assert math.isnan(a.cdf(math.nan))


# --- running on


def test_chains_that_never_meet_are_a_warning(chains, pool):
    # red if: the answer is given as if it were good
    chains.pool = apart(pool)
    chains.run, run = (lambda draws, thin: slowly(run, draws, thin)), chains.run
    with pytest.warns(ConvergenceWarning, match="chains disagree on J"):
        a = assess(CONTINUOUS, hyperparameters="paper", seed=5, max_seconds=0.3)
    assert a.stopped == "budget"
    assert not a.summary()["reliable"]
    assert "NOT YET RELIABLE" in str(a)
    assert any("larger max_seconds" in problem for problem in a.to_dict()["problems"])


def slowly(run, draws, thin):
    import time

    time.sleep(0.002 * draws)
    return run(draws, thin)


def test_a_small_budget_still_gives_draws(chains):
    # red if: a budget that ends in warm-up gives nothing, or goes unmentioned
    with pytest.warns(ConvergenceWarning):
        a = assess(CONTINUOUS, hyperparameters="paper", seed=5, max_seconds=1e-6)
    assert a.stopped == "budget"
    assert 10 <= a.nats.shape[1] <= running.LEAST
    assert "The time ended" in str(a)


def test_it_runs_on_until_j_is_worth_the_target(chains, pool):
    # red if: the first batch is always taken, or it does not double
    chains.pool = dataclasses.replace(sticky(pool, 2))
    a = assess(CONTINUOUS, hyperparameters="paper", seed=5, target_ess=1500.0)
    assert a.diagnostics.ess_J >= 1500.0
    assert a.nats.shape == (4, 1000)


def test_a_transient_is_dropped_with_the_first_half(chains, pool):
    # red if: draws from before the chains met stay in the answer
    J = pool.J.copy()
    J[:, :400] += 20.0 * np.arange(4)[:, None, None]
    chains.pool = dataclasses.replace(pool, J=J)
    a = assess(CONTINUOUS, hyperparameters="paper", seed=5)
    assert a.diagnostics.good()
    assert (a.nats == J[:, 1000 - a.nats.shape[1] : 1000, 0]).all()
    assert a.nats.shape[1] == 500


def test_the_cut_does_not_depend_on_the_clock(chains, pool, monkeypatch):
    # red if: how the work is cut into pieces changes which draws there are
    a = assess(CONTINUOUS, hyperparameters="paper", seed=5)
    monkeypatch.setattr(running, "_PIECE_SECONDS", 1e-9)
    chains.start = chains.used = 0
    b = assess(CONTINUOUS, hyperparameters="paper", seed=5)
    assert (a.nats == b.nats).all()


def test_too_many_draws_are_thinned_and_not_held(chains, monkeypatch):
    # red if: memory grows without bound when chains are slow
    monkeypatch.setattr(running, "MOST", 1500)
    chains.pool = sticky(prior_draws(draws=3000), 4)
    a = assess(CONTINUOUS, hyperparameters="paper", seed=5, target_ess=1500.0)
    # 1000 draws are worth 1000 of their 4000; twice as many would be too many, so every fourth is held
    kinds = [call[0] for call in chains.calls]
    assert kinds[kinds.index("run") :].count("warm_up") == 1
    assert a.nats.shape == (4, 500)
    assert a.diagnostics.ess_J >= 1500.0


# --- what is asked and what is told


def test_the_seed_is_recorded_and_gives_the_same_draws():
    # red if: a run without a seed cannot be repeated
    j = [0.5, 0.5, -1.0, -1.0]
    a = assess(j)
    assert (assess(j, seed=a.seed).J == a.J).all()
    assert a.seed != assess(j).seed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hyperparameters": "papr"}, "one of 'calibrated', 'paper'; it is 'papr'"),
        ({"hyperparameters": paper().replace(shape_type=2)}, "so that J exists"),
        ({"scale": 0.0}, "scale must be above 0"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"chains": 0}, "chains must be a whole number of at least 1"),
        ({"target_ess": 0}, "target_ess must be above 0"),
        ({"max_seconds": math.inf}, "max_seconds must be finite"),
        ({"cores": 0}, "cores must be"),
    ],
)
def test_wrong_options_are_named(options, message):
    # red if: a wrong option is found out deep in the sampler, or never
    with pytest.raises(InputError, match=message):
        assess([0.1, 0.2], **options)


@pytest.mark.parametrize(
    "ask",
    [
        lambda a: a.interval(1.0),
        lambda a: a.interval(95),
        lambda a: a.quantile(2),
        lambda a: a.density(10**9),
    ],
    ids=["level 1", "level in percent", "quantile", "density"],
)
def test_questions_outside_their_domain_are_errors(ask):
    # red if: level=95 gives an interval of nonsense
    with pytest.raises(InputError, match="must"):
        ask(assess([0.5, 0.5, -1.0, -1.0], seed=1))


def test_it_reads_as_a_sentence(chains):
    # red if: the unit, the level, the number of cases or the meaning is left out
    a = assess(CONTINUOUS, hyperparameters="paper", seed=5)
    first, second, *rest = str(a).splitlines()
    low, high = a.interval()
    assert first.startswith("J = ")
    assert f"nats, 95% credible interval {low:.1f} to {high:.1f}, from 5 unseen cases" in first
    assert second.startswith("The prediction is ")
    assert "than the prior with probability 0." in second
    assert "times the probability that the prior gives it" in rest[0]


def test_certainty_is_not_claimed_from_a_few_draws():
    # red if: "with probability 1.000" is printed
    said = str(assess([1.0] * 50 + [2.0] * 50, seed=1))
    assert "probability more than 0.999" in said


def test_decimals_follow_the_uncertainty():
    # red if: figures are printed that the posterior does not support, or too few
    said = str(assess([0.5] * 30_000 + [-0.5] * 30_000, seed=1))
    assert "J = 0.0000 nats, 95% credible interval -0.0040 to 0.0040" in said
    assert "0.996 to 1.004)" in said


@pytest.mark.parametrize(
    "j", [WITH_ATOM, CONTINUOUS, [0.3, 0.3], []], ids=["mixed", "continuous", "equal", "none"]
)
def test_to_dict_is_json_and_complete(chains, j):
    # red if: a numpy scalar or NaN slips in, or the answer cannot be repeated from it
    told = json.loads(json.dumps(assess(j, seed=5, hyperparameters="paper").to_dict(), allow_nan=False))
    assert told["seed"] == 5
    assert told["n"] == len(j)
    assert type(paper()).from_dict(told["hyperparameters"]) == paper()
    assert told["lower"] < told["median"] < told["upper"]
    assert told["version"]


@pytest.mark.parametrize(
    ("native", "module"), [("polars", "polars"), ("pandas", "pandas"), ("pyarrow", "pyarrow")]
)
def test_to_frame_is_one_row_of_the_library_asked_for(native, module):
    # red if: the table is another library's, or its columns are not those of the summary
    a = assess([0.5, 0.5, -1.0, -1.0], seed=1)
    table = a.to_frame(native)
    assert type(table).__module__.partition(".")[0] == module
    assert list(table.column_names if native == "pyarrow" else table.columns) == list(a.summary())
    assert table.shape[0] == 1


def test_to_frame_without_a_wish_takes_what_is_installed():
    # red if: the default needs a library that is not there; or a wrong wish is ignored
    a = assess([0.5, 0.5, -1.0, -1.0], seed=1)
    assert type(a.to_frame()).__module__.startswith("polars")
    with pytest.raises(InputError, match="native must be one of"):
        a.to_frame("excel")


def test_to_arviz_holds_the_chains_side_by_side(chains):
    # red if: chains and draws are exchanged, or the hierarchy is left out
    a = assess(WITH_ATOM, hyperparameters="paper", seed=5)
    posterior = a.to_arviz()["posterior"]
    assert posterior["J"].dims == ("chain", "draw")
    np.testing.assert_array_equal(posterior["J"].to_numpy(), a.J)
    assert {"C", "log_likelihood", "mu_mu", "S_mu", "R_S_mu", "m_S", "R_S"} <= set(posterior.data_vars)


def test_nothing_heavy_is_imported_with_the_module():
    # red if: importing the result's class costs the user half a second
    heavy = [
        "scipy",
        "pandas",
        "polars",
        "pyarrow",
        "narwhals",
        "xarray",
        "arviz_base",
        "arviz_stats",
        "numba",
        "rich",
    ]
    code = f"import sys, nepers.assessment; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

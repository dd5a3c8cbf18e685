"""The smooth prior of a time is proper, near Kaplan and Meier's, and has not seen the answers."""

import itertools

import lifelines
import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from nepers.cases import log_ratios
from nepers.errors import InputError
from nepers.priors.survival import survival_marginal
from nepers.ratios.censoring import Times
from nepers.ratios.survival import log_survival

INF = np.inf
DAYS = 365.25


def generated(n, seed, kind="mixture", scale=1.0):
    """Right-censored times of two Weibulls, of one that half never come to, or with long tails."""
    rng = np.random.default_rng(seed)
    quick, slow = rng.weibull(2.0, n), 6.0 * rng.weibull(1.3, n)
    if kind == "mixture":
        T, C = np.where(rng.random(n) < 0.4, quick, slow), rng.uniform(0.0, 15.0, n)
    elif kind == "cure":
        T, C = np.where(rng.random(n) < 0.5, quick, INF), rng.uniform(3.0, 9.0, n)
    else:
        T, C = np.exp(3.0 * rng.standard_t(2, n)), np.exp(5.0 * rng.standard_normal(n))
    return Times.right_censored(scale * np.minimum(T, C), event=T <= C)


@pytest.mark.parametrize("kind", ["mixture", "cure", "heavy"])
@pytest.mark.parametrize("n", [30, 400])
def test_the_density_is_proper(kind, n):
    # red if: an outer slope reaches -1, the density is zero somewhere, or it is not the slope of the survival
    prior = survival_marginal(generated(n, 1, kind))
    edges = np.concatenate([[-200.0, -20.0], np.log(prior.knots), [np.log(prior.knots[-1]) + 8.0]])
    pieces = [
        quad(lambda u: prior.density(np.exp(u)) * np.exp(u), a, b, epsabs=1e-12, epsrel=1e-10, limit=200)[0]
        for a, b in itertools.pairwise(edges)
    ]
    assert sum(pieces) + prior.survival(np.exp(edges[-1])) == pytest.approx(1.0, abs=1e-8)
    t = np.exp(np.linspace(-60.0, 20.0, 200))
    assert np.isfinite(prior.logpdf(t)).all()
    assert (prior.hazard(t) > 0.0).all()
    assert prior.survival(1e-300) == pytest.approx(1.0, abs=1e-9)
    assert prior.survival(1e300) == 0.0
    assert prior.density(t) == pytest.approx(prior.hazard(t) * prior.survival(t), rel=1e-12)


def test_survival_is_near_kaplan_and_meiers():
    # red if: censored times count as events or not at all, or the spline is too stiff for two humps
    # four standard errors at the worst of 40 correlated points, and 0.01 for what four knots cannot bend to
    times = generated(2000, 5)
    step = lifelines.KaplanMeierFitter().fit(times.lower, times.exact)
    t = np.linspace(0.3, 12.0, 40)
    found = survival_marginal(times).survival(t)
    at_risk = np.array([(times.lower >= at).sum() for at in t])
    assert found == pytest.approx(
        step.survival_function_at_times(t).to_numpy(), abs=0.01 + 4 * np.sqrt(0.25 / at_risk.min())
    )
    truth = 0.4 * stats.weibull_min(2.0).sf(t) + 0.6 * stats.weibull_min(1.3, scale=6.0).sf(t)
    assert np.abs(found - truth).mean() < 0.015


def test_new_outcomes_score_near_the_true_distribution():
    # red if: the survival is right and its slope rough: it may lose 0.02 nats, and not gain any
    prior, fresh = survival_marginal(generated(2000, 5)), generated(4000, 6)
    lower = fresh.lower
    quick, slow = stats.weibull_min(2.0), stats.weibull_min(1.3, scale=6.0)
    density, beyond = (0.4 * getattr(quick, f)(lower) + 0.6 * getattr(slow, f)(lower) for f in ("pdf", "sf"))
    loss = np.where(fresh.exact, np.log(density), np.log(beyond)) - prior.log_p(fresh)
    assert -0.01 < loss.mean() < 0.02


def test_log_p_is_log_survival_of_the_prior_as_a_prediction():
    # red if: the prior has two answers to one question
    prior, fresh = survival_marginal(generated(100, 1)), generated(50, 2)
    expected = np.where(fresh.exact, prior.logpdf(fresh.lower), prior.logsf(fresh.lower))
    assert prior.log_p(fresh) == pytest.approx(expected, abs=1e-13)
    assert log_survival(fresh, prior).tolist() == prior.log_p(fresh).tolist()
    sets = prior.log_p(Times.interval([0.0, 1.0], [1.0, 2.0]))
    s1, s2 = prior.survival([1.0, 2.0])
    assert sets == pytest.approx(np.log([1.0 - s1, s1 - s2]), rel=1e-10)


def test_the_unit_of_time_cancels():
    # red if: the fit, its penalty or its knots depend on the unit: j would change from days to years
    def ratios(scale):
        prior, fresh = survival_marginal(generated(100, 1, scale=scale)), generated(50, 2, scale=scale)
        return log_ratios(
            log_q=log_survival(fresh, stats.lognorm(1.0, scale=2.0 * scale)), log_p=prior.log_p(fresh)
        ).values

    assert ratios(DAYS) == pytest.approx(ratios(1.0), abs=1e-5)  # the search stops at about 1e-7


def test_it_refuses_its_own_training_outcomes():
    # red if: a prior that has seen the answers makes the prediction look worse in silence
    train = generated(60, 1)
    prior = survival_marginal(train)
    part = Times.interval(train.lower[10:40], train.upper[10:40])
    for times in (train, part):
        with pytest.raises(InputError, match="times must be outcomes that the prior was not fitted on"):
            prior.log_p(times)
        with pytest.raises(InputError, match="fitted_on_test_outcomes=True"):
            log_survival(times, prior)
    accepted = survival_marginal(train, fitted_on_test_outcomes=True)
    assert np.isfinite(accepted.log_p(train)).all()


def test_shapes_and_wrong_times():
    # red if: a single time fails, or a time that is none gets a number
    prior = survival_marginal(generated(60, 1))
    assert prior.survival(2.0).shape == ()
    assert prior.density([[1.0, 2.0]]).shape == (1, 2)
    for wrong, said in ((0.0, "0"), ([1.0, -2.0], "-2"), (np.nan, "nan"), (INF, "inf")):
        with pytest.raises(InputError, match=f"t must be finite and above 0; it has {said}"):
            prior.survival(wrong)

"""The estimator's contract, with a posterior in the sampler's place; and what the predictions are."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from fake_chains import FakeChains, prior_draws
from scipy import integrate
from simulated_patients import simulated
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import nepers
from nepers import running
from nepers.errors import InputError, InputWarning
from nepers.priors import survival_marginal
from nepers.ratios import Times, log_survival
from nepers.survival import SkewStudentSurvival

SMALL = {"model": "joint", "seed": 1, "chains": 1, "draws": 4, "warm_up": 0, "cores": 1}
GRID = np.array([0.2, 1.0, 4.0])


@pytest.fixture
def fitted(quick):
    return SkewStudentSurvival(**SMALL).fit(*simulated(150, seed=1))


def test_clone_parameters_and_repr(quick):
    # red if: __init__ changes what it stores, or a parameter is forgotten
    one = SkewStudentSurvival(covariates={"psa": "log"}, seed=3)
    again = clone(one)
    assert again.get_params() == one.get_params()
    assert again is not one
    assert repr(one) == "SkewStudentSurvival(covariates={'psa': 'log'}, seed=3)"
    assert one.set_params(seed=4).seed == 4
    with pytest.raises(InputError, match="must be a parameter"):
        one.set_params(speed=4)
    with pytest.raises(ValueError, match="must be fitted first"):
        one.predict(simulated(5, seed=2)[0])


def test_it_works_in_pipelines_and_searches(quick):
    # red if: y cannot be split, score is missing, or names are lost
    X, y = simulated(90, seed=2)
    numbers = X[["psa", "age"]]
    scaled = ColumnTransformer([("scale", StandardScaler(), ["psa", "age"])])
    pipeline = make_pipeline(scaled, SkewStudentSurvival(**SMALL))
    scores = cross_val_score(pipeline, numbers, y, cv=3, error_score="raise")
    assert np.isfinite(scores).all()
    search = GridSearchCV(SkewStudentSurvival(**SMALL), {"noise": [None, "paper"]}, cv=2, error_score="raise")
    assert search.fit(X, y).best_score_ > -5.0


def test_score_is_the_mean_log_score(fitted):
    # red if: the density is per unit of log time, or censored patients are left out
    X, y = simulated(40, seed=3)
    found = fitted.predict_distribution(X)
    expected = np.where(y["event"], found.logpdf(y["time"]), found.logsf(y["time"])).mean()
    assert abs(fitted.score(X, y) - expected) < 1e-12
    assert np.array_equal(fitted.predict(X), found.median())


def test_density_survival_hazard_quantiles_and_mean_fit_together(fitted):
    # red if: the Jacobian 1/t is lost, or the grid's rows and columns are exchanged
    X, _y = simulated(4, seed=4)
    found = fitted.predict_distribution(X)
    density, survival = found.density(GRID), found.survival(GRID)
    assert density.shape == survival.shape == (4, 3)
    assert np.allclose(found.hazard(GRID), density / survival, rtol=1e-10)
    assert np.allclose(found.logpdf(1.0), np.log(density[:, 1]), rtol=1e-10)
    assert np.allclose(found.logpdf(4.0), np.log(density[:, 2]), rtol=1e-10)
    for i in range(4):
        area = integrate.quad(lambda t, i=i: found.density(t)[i, 0], 0.2, 4.0, epsrel=1e-9)[0]
        assert abs(area - (survival[i, 0] - survival[i, 2])) < 1e-7
    p = np.array([0.1, 0.5, 0.9])
    t = found.quantile(p)
    for k in range(3):
        assert np.allclose(np.exp(found.logcdf(t[:, k])), p[k], rtol=1e-9)
    assert np.allclose(found.interval(0.8), t[:, [0, 2]], rtol=1e-9)
    limited = found.mean(until=3.0)
    grid = np.linspace(1e-9, 3.0, 3001)
    assert np.allclose(limited, integrate.simpson(found.survival(grid), x=grid), rtol=1e-6)
    assert np.isinf(found.mean()).all()
    draws = found.draws(4000, seed=1)
    # four standard errors of the mean of a log
    assert (
        np.abs(np.log(draws).mean(axis=1) - found.mean_log()) < 4 * np.log(draws).std(axis=1) / 63.0
    ).all()


def test_times_at_and_below_zero_come_first(fitted):
    # red if: the log of zero leaks out as NaN
    found = fitted.predict_distribution(simulated(3, seed=5)[0])
    t = np.array([0.0, -1.0, 2.0])
    assert found.logpdf(t)[:2].tolist() == [-np.inf, -np.inf]
    assert found.logsf(t)[:2].tolist() == [0.0, 0.0]
    assert found.logcdf(t)[:2].tolist() == [-np.inf, -np.inf]


def test_predictions_go_straight_into_ratios(fitted):
    # red if: log_survival does not take the object for distributions, or patients are confused
    X, y = simulated(30, seed=6)
    found = fitted.predict_distribution(X)
    right = Times.right_censored(y["time"], event=y["event"])
    assert np.isfinite(log_survival(right, found)).all()
    between = Times.interval(0.5 * y["time"], 2.0 * y["time"])
    expected = np.log(np.diag(found.survival(0.5 * y["time"])) - np.diag(found.survival(2.0 * y["time"])))
    assert np.allclose(log_survival(between, found), expected, rtol=1e-8)
    assert found.curves(GRID).survival.shape == (30, 3)


def test_one_call_closes_the_loop(fitted, monkeypatch):
    # red if: the outcomes of new patients are not read as those of the training
    pool = prior_draws(draws=600)
    monkeypatch.setattr(running, "make_sampler", lambda *values, **options: FakeChains(pool))
    monkeypatch.setattr(running, "FIRST", 500)
    X, y = simulated(40, seed=16)
    times = Times.right_censored(y["time"], event=y["event"])
    old = simulated(150, seed=1)[1]
    prior = survival_marginal(Times.right_censored(old["time"], event=old["event"]))
    answer = nepers.assess_estimator(fitted, X, times, prior=prior, seed=1)
    j = log_survival(times, fitted.predict_distribution(X)) - prior.log_p(times)
    assert answer.worst_cases[0].nats == pytest.approx(j.min(), rel=1e-12)


def test_a_patient_with_nothing_known_gets_the_marginal(fitted):
    # red if: missing values are filled in
    nothing = pd.DataFrame({"psa": [np.nan], "age": [np.nan], "grade": [None]})
    (survival,) = fitted.predict_distribution(nothing).survival(GRID)
    found = fitted.posterior_
    from nepers.conditional.cases import Conditionals

    marginal = Conditionals(found.mixture(), found.noise, np.full((1, found.mixture().N), np.nan))
    u = np.log(GRID) - found.origin
    assert np.array_equal(survival, np.exp(marginal.each(lambda _i, one: one.logsf(u))[0]))


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_units_do_not_matter(quick, unit):
    # red if: anything but a log or a standard deviation sets the scale
    X, y = simulated(80, seed=7)
    other, later = X.copy(), y.copy()
    other["psa"] *= unit
    other["age"] *= unit
    later["time"] *= unit
    one = SkewStudentSurvival(**SMALL).fit(X, y).predict_distribution(X)
    two = SkewStudentSurvival(**SMALL).fit(other, later).predict_distribution(other)
    assert np.allclose(two.survival(GRID * unit), one.survival(GRID), rtol=1e-7)


@pytest.mark.parametrize("as_frame", [pl.DataFrame, lambda columns: columns, pd.DataFrame])
def test_any_table_gives_the_same(quick, as_frame):
    # red if: null, None and NaN are not the same, or a library's texts are not categories
    X, y = simulated(60, seed=8)
    columns = {name: X[name].tolist() for name in X}
    one = SkewStudentSurvival(**SMALL).fit(X, y)
    two = SkewStudentSurvival(**SMALL).fit(as_frame(columns), y)
    assert one.design_ == two.design_
    assert np.array_equal(one.posterior_.draws.mu, two.posterior_.draws.mu)


def test_outcomes_may_come_in_any_form_that_says_what_it_is(quick):
    # red if: censoring codes are guessed
    X, y = simulated(60, seed=9)
    table = pd.DataFrame({"days": y["time"], "status": y["event"].astype(int)})
    fits = [
        SkewStudentSurvival(**SMALL).fit(X, y),
        SkewStudentSurvival(time="days", event="status", **SMALL).fit(X, table),
        SkewStudentSurvival(**SMALL).fit(X, Times.right_censored(y["time"], event=y["event"])),
        SkewStudentSurvival(**SMALL).fit(
            X, {"lower": y["time"], "upper": np.where(y["event"], y["time"], np.inf)}
        ),
    ]
    for one in fits[1:]:
        assert np.array_equal(one.posterior_.draws.mu, fits[0].posterior_.draws.mu)
    with pytest.raises(InputError, match="time= must name a column of y"):
        SkewStudentSurvival(**SMALL).fit(X, table)
    with pytest.raises(InputError, match="must say which times are events"):
        SkewStudentSurvival(**SMALL).fit(X, y["time"])


def test_what_is_saved_comes_back(fitted, tmp_path):
    # red if: a field is left out of the file
    X, _y = simulated(5, seed=10)
    fitted.save(tmp_path / "model")
    back = nepers.load(tmp_path / "model")
    assert back.get_params() == fitted.get_params()
    again = back.predict_distribution(X).survival(GRID)
    assert np.array_equal(again, fitted.predict_distribution(X).survival(GRID))
    with pytest.raises(InputError, match="must be an assessment"):
        nepers.Assessment.load(tmp_path / "model")


def _changed(X, y, **changes):
    X, y = X.copy(), y.copy()
    for name, value in changes.items():
        (X if name in X else y)[name] = value
    return X, y


BAD = {
    "negative time": (lambda X, y: _changed(X, y, time=-y["time"]), "must be above 0"),
    "no event": (lambda X, y: _changed(X, y, event=False), "at least one event"),
    "infinite": (lambda X, y: _changed(X, y, age=np.full(len(X), np.inf)), "no infinite"),
    "mixed": (lambda X, y: _changed(X, y, grade=[1, "b"] * (len(X) // 2)), "numbers or texts, and not both"),
    "ids": (lambda X, y: _changed(X, y, grade=[f"p{i}" for i in range(len(X))]), "only names the patients"),
    "few": (lambda X, y: (X[:4], y[:4]), "more rows than coordinates"),
    "unlike": (lambda X, y: (X, y[:-1]), "same number of rows"),
}


@pytest.mark.parametrize("case", sorted(BAD))
def test_wrong_input_is_refused_in_words(quick, case):
    # red if: it is repaired in silence, or the message does not say what is wrong
    change, words = BAD[case]
    X, y = change(*simulated(60, seed=11))
    with pytest.raises(InputError, match=words):
        SkewStudentSurvival(**SMALL).fit(X, y)


def test_event_codes_other_than_two_are_refused(quick):
    # red if: R's 1 and 2 are taken for truth values
    X, y = simulated(30, seed=12)
    table = {"time": y["time"], "event": y["event"] + 1}
    with pytest.raises(InputError, match="True or False, or 1 or 0"):
        SkewStudentSurvival(time="time", event="event", **SMALL).fit(X, table)


def test_columns_that_say_nothing_are_left_out_with_a_warning(quick):
    # red if: the covariance becomes singular, or they vanish in silence
    X, y = simulated(60, seed=13)
    X = X.assign(constant=1.0, again=2.0 * X["age"], empty=np.nan)
    with pytest.warns(InputWarning) as found:
        fitted = SkewStudentSurvival(**SMALL).fit(X, y)
    words = " ".join(str(one.message) for one in found)
    assert all(name in words for name in ("'constant'", "'again'", "'empty'"))
    assert fitted.design_.coordinates == ["psa", "age", "grade=high"]
    assert np.isfinite(fitted.predict(X)).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda X: X[["age", "psa", "grade"]], "in another order"),
        (lambda X: X.assign(new=1.0), "unseen in fit: 'new'"),
        (lambda X: X.drop(columns="age"), "it has not: 'age'"),
        (lambda X: X.to_numpy()[:, :2], "expecting 3 features"),
        (lambda X: X.assign(grade="middle"), "levels seen in training; 'middle'"),
        (lambda X: X.assign(psa=0.0), "be above 0, as in training"),
    ],
)
def test_other_columns_at_prediction_are_refused(fitted, change, words):
    # red if: columns are taken by place though they have names, or a new level counts as the usual one
    with pytest.raises(InputError, match=words):
        fitted.predict(change(simulated(6, seed=14)[0]))


def test_treatments_are_as_stated(quick):
    # red if: a rule of the table in nepers.survival is not what is done
    X, y = simulated(80, seed=15, missing=0.0)
    rng = np.random.default_rng(1)
    X = X.assign(nodes=rng.poisson(3, 80), share=np.round(rng.random(80), 2), flag=rng.random(80) < 0.5)
    X.loc[0, "nodes"] = 0
    X.loc[0, "share"] = 1.0
    plan = {"share": ("bounded", 0.0, 1.0), "nodes": "log"}
    fitted = SkewStudentSurvival(covariates=plan, **SMALL).fit(X, y)
    kinds = {one.name: one.kind for one in fitted.design_.treatments}
    assert kinds == {
        "psa": "log",
        "age": "linear",
        "grade": "category",
        "nodes": "log",
        "share": "bounded",
        "flag": "category",
    }
    from nepers.survival.covariates import covariates

    z = dict(zip(fitted.design_.coordinates, fitted.design_.apply(covariates("X", X)).T, strict=True))
    assert np.allclose(z["psa"], np.log(X["psa"]) - np.median(np.log(X["psa"])))
    assert np.allclose(z["age"], (X["age"] - X["age"].median()) / X["age"].std(ddof=0))
    nodes = np.log(X["nodes"] + 0.5)
    assert np.allclose(z["nodes"], nodes - nodes.median())
    assert np.isfinite(z["share"]).all()
    assert np.isclose(z["grade=high"].mean(), 0.0)

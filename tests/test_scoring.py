"""Scores and scorers agree with scikit-learn where both say something, and are honest where it clips."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import nepers
from nepers.errors import InputError
from nepers.priors.classes import class_frequencies, known_classes
from nepers.priors.rest import class_frequencies_of_rest
from nepers.scoring import asi_score, asi_scorer, assess_estimator

X, NUMBERS = make_classification(
    n_samples=240, n_features=6, n_informative=4, n_classes=3, class_sep=0.8, random_state=0
)
Y = np.array(["ant", "bee", "cow"])[NUMBERS]
TRAIN, TEST = slice(0, 160), slice(160, 240)
PRIOR = known_classes({"ant": 0.2, "bee": 0.3, "cow": 0.5})


@pytest.fixture(scope="module")
def model():
    return LogisticRegression().fit(X[TRAIN], Y[TRAIN])


@pytest.fixture
def asked(monkeypatch):
    """What assess is given, without its sampling."""
    given_to: dict = {}

    def assess(**arguments):
        given_to.update(arguments)
        return "the assessment"

    monkeypatch.setattr("nepers.assessment.assess", assess)
    return given_to


# asi_score


def test_the_score_is_the_difference_of_two_log_losses(model):
    # red if: the sign is turned, the columns are mixed up, or the mean is over classes
    proba = model.predict_proba(X[TEST])
    prior = class_frequencies(Y[TRAIN])
    table = prior.proba(80)
    expected = log_loss(Y[TEST], table) - log_loss(Y[TEST], proba)
    assert asi_score(Y[TEST], proba, prior=prior, labels=model.classes_) == pytest.approx(expected, rel=1e-12)


def test_every_form_of_the_same_prior_gives_the_same_score(model):
    # red if: a form is read in another order of the classes
    proba = model.predict_proba(X[TEST])
    row = np.array([0.2, 0.3, 0.5])
    forms = {
        "row": row,
        "list": row.tolist(),
        "polars": pl.Series(row),
        "mapping": {"cow": 0.5, "ant": 0.2, "bee": 0.3},
        "series": pd.Series({"cow": 0.5, "ant": 0.2, "bee": 0.3}),
        "table": np.tile(row, (80, 1)),
        "table with names": pd.DataFrame({"cow": [0.5] * 80, "ant": [0.2] * 80, "bee": [0.3] * 80}),
        "object": PRIOR,
    }
    expected = asi_score(Y[TEST], proba, prior=PRIOR)
    for form, prior in forms.items():
        labels = None if form == "table with names" else model.classes_
        assert asi_score(Y[TEST], proba, prior=prior, labels=labels) == pytest.approx(expected), form


def test_relative_to_an_older_algorithm_scores_add_up(model):
    # red if: the older table is taken for a single row, or the difference is turned round
    older = GaussianNB().fit(X[TRAIN], Y[TRAIN]).predict_proba(X[TEST])
    new = model.predict_proba(X[TEST])
    whole = asi_score(Y[TEST], new, prior=PRIOR)
    assert whole == pytest.approx(
        asi_score(Y[TEST], new, prior=older) + asi_score(Y[TEST], older, prior=PRIOR)
    )


def test_of_two_classes_one_column_will_do():
    # red if: the column is taken for the first class
    y, q = [0, 1, 1], [0.2, 0.7, 0.9]
    expected = np.mean(np.log([0.8, 0.7, 0.9]) - np.log([0.4, 0.6, 0.6]))
    assert asi_score(y, q, prior=[0.4, 0.6]) == pytest.approx(expected)


def test_a_prior_of_the_test_frequencies_is_named_for_what_it_is(model):
    # red if: the plain frequencies are smoothed. Their mean log is minus the entropy, the best a row can have
    proba = model.predict_proba(X[TEST])
    share = np.unique(Y[TEST], return_counts=True)[1] / 80
    entropy = -np.sum(share * np.log(share))
    found = asi_score(Y[TEST], proba, prior="fitted_on_test_outcomes")
    assert found == pytest.approx(entropy - log_loss(Y[TEST], proba))
    assert found < asi_score(Y[TEST], proba, prior=class_frequencies(Y[TRAIN]))


def test_a_prior_that_has_seen_the_outcomes_is_refused(model):
    # red if: the leak check is bypassed by the score
    with pytest.raises(InputError, match="not fitted on"):
        asi_score(Y[TRAIN], model.predict_proba(X[TRAIN]), prior=class_frequencies(Y[TRAIN]))


def test_probability_zero_is_minus_infinity_and_not_36():
    # red if: it is clipped as in scikit-learn, which takes it for 2e-16
    assert asi_score([0, 1], [0.0, 0.0], prior=[0.5, 0.5]) == -math.inf
    assert log_loss([0, 1], [[1.0, 0.0], [1.0, 0.0]]) < 20


@settings(max_examples=50)
@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans(), st.integers(0, 3)), min_size=2, max_size=12))
def test_weights_are_repetitions(rows):
    # red if: weights are not those of the mean, or do not reach the frequencies of the test
    q, y, w = (np.array(column) for column in zip(*rows, strict=True))
    if not 0 < w @ y < w.sum():
        return
    for prior in ([0.3, 0.7], "fitted_on_test_outcomes"):
        weighted = asi_score(y, q, prior=prior, sample_weight=w)
        repeated = asi_score(np.repeat(y, w), np.repeat(q, w), prior=prior)
        assert weighted == pytest.approx(repeated, abs=1e-12)


def test_a_case_without_weight_is_not_there():
    # red if: zero times minus infinity is NaN
    expected = math.log(0.5 / 0.4)
    assert asi_score([0, 1], [0.5, 0.0], prior=[0.4, 0.6], sample_weight=[2, 0]) == pytest.approx(expected)
    assert asi_score([0, 1], [0.5, 0.0], prior=[0.4, 0.6], sample_weight=[2, 1]) == -math.inf
    huge = asi_score([0, 0], [0.5, 0.5], prior=[0.4, 0.6], sample_weight=[1e308, 1e308])
    assert huge == pytest.approx(expected)


SCORE = {
    "no prior": (
        {"prior": None},
        "prior must be given, since a score is as good as the prior.*class_frequencies",
    ),
    "a word": ({"prior": "uniform"}, "not be text, except 'fitted_on_test_outcomes'; it is 'uniform'"),
    "a class": ({"prior": GaussianNB}, "prior must be fitted; it is the class GaussianNB"),
    "an estimator": ({"prior": GaussianNB()}, r"what GaussianNB gave to the cases.*its predict_proba\(X\)"),
    "prior sum": ({"prior": [0.5, 0.6]}, "prior must sum to one in every row"),
    "prior mapping": ({"prior": {0: 0.5}}, "probabilities must sum to one"),
    "prior size": ({"prior": [0.2, 0.3, 0.5]}, "as many distinct labels as prior has classes"),
    "prior rows": ({"prior": [[0.5, 0.5]]}, "y_true and prior must have the same number of rows"),
    "prior zero": ({"prior": {0: 0.0, 1: 1.0}}, "the prior gave the truth probability zero"),
    "weights": ({"prior": [0.5, 0.5], "sample_weight": [1]}, "y_true has 2, sample_weight 1"),
    "negative weight": ({"prior": [0.5, 0.5], "sample_weight": [1, -1]}, "at least 0; -1.0 in row 1"),
    "no weight": ({"prior": [0.5, 0.5], "sample_weight": [0, 0]}, "all are 0"),
    "labels": ({"prior": [0.5, 0.5], "labels": [1, 2]}, "0 in the first of row 0"),
}


@pytest.mark.parametrize("case", SCORE)
def test_a_score_that_cannot_be_is_an_error_that_says_why(case):
    # red if: a prior is taken for granted, or the wrong argument is named
    arguments, message = SCORE[case]
    with pytest.raises(InputError, match=message) as caught:
        asi_score([0, 1], [[0.6, 0.4], [0.3, 0.7]], **arguments)
    assert "\n" not in str(caught.value)


def test_no_cases_have_no_score():
    # red if: the mean of nothing is NaN
    with pytest.raises(InputError, match="y_true must have at least one outcome; it is empty"):
        asi_score([], np.empty((0, 2)), prior={0: 0.5, 1: 0.5}, labels=[0, 1])


# asi_scorer


def test_a_search_with_a_fixed_prior_chooses_what_the_log_loss_chooses():
    # red if: more is not better. Scores differ from minus the log loss by the prior's mean log of the fold
    grid = {"C": [1e-3, 1e-2, 0.1, 1.0]}
    folds = StratifiedKFold(4)
    ours = GridSearchCV(LogisticRegression(), grid, scoring=asi_scorer(PRIOR), cv=folds).fit(X, Y)
    theirs = GridSearchCV(LogisticRegression(), grid, scoring="neg_log_loss", cv=folds).fit(X, Y)
    assert ours.best_params_ == theirs.best_params_
    np.testing.assert_array_equal(ours.cv_results_["rank_test_score"], theirs.cv_results_["rank_test_score"])
    for k, (_, test) in enumerate(folds.split(X, Y)):
        shift = ours.cv_results_[f"split{k}_test_score"] - theirs.cv_results_[f"split{k}_test_score"]
        np.testing.assert_allclose(shift, -PRIOR.log_p(Y[test]).mean())


def test_with_the_prior_of_the_rest_each_fold_is_measured_against_its_training():
    # red if: the prior is that of all the data, or of the test fold
    prior = class_frequencies_of_rest(Y)
    found = cross_validate(LogisticRegression(), X, Y, cv=5, scoring=asi_scorer(prior), return_estimator=True)
    for k, (train, test) in enumerate(StratifiedKFold(5).split(X, Y)):
        own = class_frequencies(Y[train], fitted_on_test_outcomes=True)
        proba = found["estimator"][k].predict_proba(X[test])
        assert found["test_score"][k] == pytest.approx(asi_score(Y[test], proba, prior=own))


def test_a_classifier_that_says_the_training_frequencies_scores_zero():
    # red if: a prior of the rest is not what a classifier that knows nothing says
    prior = class_frequencies_of_rest(Y, pseudo_count=1e-9)
    scores = cross_val_score(DummyClassifier(strategy="prior"), X, Y, cv=6, scoring=asi_scorer(prior))
    np.testing.assert_allclose(scores, 0.0, atol=1e-9)


def test_a_prior_fitted_on_all_folds_at_once_is_refused():
    # red if: the outcomes of a fold are not recognised in those of all
    scorer = asi_scorer(class_frequencies(Y))
    with pytest.raises(InputError, match="not fitted on"):
        scorer(LogisticRegression().fit(X[TRAIN], Y[TRAIN]), X[TEST], Y[TEST])


def test_worker_processes_and_clones_have_the_same_scorer():
    # red if: the scorer is a closure, which cannot be sent to a process
    scorer = asi_scorer(class_frequencies_of_rest(Y))
    alone = cross_val_score(LogisticRegression(), X, Y, scoring=scorer)
    np.testing.assert_array_equal(
        cross_val_score(LogisticRegression(), X, Y, scoring=scorer, n_jobs=2), alone
    )
    again = pickle.loads(pickle.dumps(scorer))
    np.testing.assert_array_equal(cross_val_score(LogisticRegression(), X, Y, scoring=again), alone)
    search = clone(GridSearchCV(LogisticRegression(), {"C": [1.0]}, scoring=scorer)).fit(X, Y)
    assert search.best_score_ == pytest.approx(alone.mean())
    assert search.score(X[TEST], Y[TEST]) == scorer(search, X[TEST], Y[TEST])


KINDS = {
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
    "calibrated": CalibratedClassifierCV(GaussianNB(), cv=2),
    "search": GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=2),
    "forest": RandomForestClassifier(5, min_samples_leaf=20, random_state=0),
}


@pytest.mark.parametrize("kind", KINDS)
def test_composed_estimators_are_asked_as_they_are(kind):
    # red if: classes_ is looked for in the outermost object's own attributes only
    fitted = clone(KINDS[kind]).fit(X[TRAIN], Y[TRAIN])
    expected = -PRIOR.log_p(Y[TEST]).mean() - log_loss(Y[TEST], fitted.predict_proba(X[TEST]))
    assert asi_scorer(PRIOR)(fitted, X[TEST], Y[TEST]) == pytest.approx(expected)


def test_a_fold_without_one_of_the_classes_has_its_columns_right(model):
    # red if: the labels are those of the fold and not of the estimator
    some = Y[TEST] != "bee"
    proba = model.predict_proba(X[TEST][some])
    truth = np.where(Y[TEST][some] == "ant", proba[:, 0], proba[:, 2])
    prior = np.where(Y[TEST][some] == "ant", 0.2, 0.5)
    found = asi_scorer([0.2, 0.3, 0.5])(model, X[TEST][some], Y[TEST][some])
    assert found == pytest.approx(np.mean(np.log(truth / prior)))


def test_an_older_estimator_is_a_prior(model):
    # red if: its classes are taken in the order of the new one's
    class Reversed(ClassifierMixin, BaseEstimator):
        classes_ = np.array(["cow", "bee", "ant"])

        def predict_proba(self, X):
            return np.tile([0.5, 0.3, 0.2], (len(X), 1))

    expected = asi_scorer(PRIOR)(model, X[TEST], Y[TEST])
    assert asi_scorer(Reversed())(model, X[TEST], Y[TEST]) == pytest.approx(expected)
    assert asi_scorer(model)(model, X[TEST], Y[TEST]) == 0.0


def test_weights_reach_the_score(model):
    # red if: scikit-learn's sample_weight is dropped
    w = np.arange(80) % 3
    repeated = np.repeat(np.arange(160, 240), w)
    expected = asi_scorer(PRIOR)(model, X[repeated], Y[repeated])
    assert asi_scorer(PRIOR)(model, X[TEST], Y[TEST], sample_weight=w) == pytest.approx(expected)


def test_a_search_survives_probability_zero_and_says_so():
    """A grown tree claims certainty. scikit-learn warns that scores are not finite, ranks it last, and takes
    the other. red if: minus infinity is raised as an error, or ranked first."""
    scorer = asi_scorer(PRIOR)
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0), {"min_samples_leaf": [1, 40]}, scoring=scorer
    )
    with pytest.warns() as warned:
        search.fit(X, Y)
    assert any("test scores are non-finite" in str(one.message) for one in warned)
    # numpy warns of the spread of infinite scores, or not, by its version and the processor
    assert {one.category for one in warned} <= {UserWarning, RuntimeWarning}
    assert search.cv_results_["mean_test_score"][0] == -np.inf
    assert search.cv_results_["rank_test_score"].tolist() == [2, 1]
    assert search.best_params_ == {"min_samples_leaf": 40}


def test_logarithms_are_finite_where_probabilities_underflow():
    # red if: the logarithms go through probabilities, where exp(-800) is zero
    far = GaussianNB().fit([[0.0], [0.1], [100.0], [100.1]], [0, 0, 1, 1])
    case = [[100.0]]
    assert asi_scorer([0.5, 0.5])(far, case, [0]) == -math.inf
    found = asi_scorer([0.5, 0.5], response_method="predict_log_proba")(far, case, [0])
    assert found == pytest.approx(far.predict_log_proba(case)[0, 0] - math.log(0.5))
    assert -math.inf < found < -800
    assert asi_scorer(far, response_method="predict_log_proba")(far, case, [0]) == 0.0


def test_both_responses_give_the_same_score(model):
    # red if: the table of logarithms is read in another way
    found = asi_scorer(PRIOR, response_method="predict_log_proba")(model, X[TEST], Y[TEST])
    assert found == pytest.approx(asi_scorer(PRIOR)(model, X[TEST], Y[TEST]))
    assert asi_scorer(model, response_method="predict_log_proba")(model, X[TEST], Y[TEST]) == 0.0


class Odd:
    """Logs of what it is given."""

    classes_ = ("a", "b")

    def __init__(self, *rows):
        self.rows = rows

    def predict_log_proba(self, X):
        return np.log(self.rows)


LOGS = {"response_method": "predict_log_proba"}
SCORER = {
    "no probabilities": (
        Ridge(),
        {},
        ["a"],
        "must be fitted and have predict_proba; Ridge has no predict_proba",
    ),
    "a class": (GaussianNB, {}, ["a"], "GaussianNB is a class, not a fitted estimator"),
    "no logarithms": (Ridge(), LOGS, ["a"], "Ridge has no predict_log_proba"),
    "sum": (Odd([0.5, 0.6]), LOGS, ["a"], "Odd.predict_log_proba must be logs of what sums to one"),
    "shape": (Odd([0.5, 0.2, 0.3]), LOGS, ["a"], r"its shape is \(1, 3\), there are 1 cases and 2 classes"),
    "unknown": (
        Odd([0.5, 0.5]),
        LOGS,
        ["c"],
        "among the classes of the estimator .* fitted without that class",
    ),
}


@pytest.mark.parametrize("case", SCORER)
def test_an_estimator_that_cannot_be_scored_is_named(case):
    # red if: the error is an AttributeError from within
    estimator, options, y, message = SCORER[case]
    with pytest.raises(InputError, match=message):
        asi_scorer({"a": 0.5, "b": 0.5}, **options)(estimator, [[0.0]], y)


def test_several_outcomes_for_each_case_are_no_score():
    # red if: a list of tables is taken for one of three dimensions
    twice = MultiOutputClassifier(GaussianNB()).fit(X, np.column_stack([Y, Y]))
    with pytest.raises(
        InputError, match=r"one outcome for each case; MultiOutputClassifier.predict_proba gives 2"
    ):
        asi_scorer(PRIOR)(twice, X, Y)


def test_a_scorer_is_checked_when_it_is_made():
    # red if: the error comes in the middle of a search
    with pytest.raises(InputError, match="prior must be given"):
        asi_scorer(None)
    with pytest.raises(InputError, match="must be predict_proba or predict_log_proba; it is 'predict'"):
        asi_scorer(PRIOR, response_method="predict")


# assess_estimator


def test_an_estimator_is_assessed_by_its_log_ratios():
    """The one run of the sampler. red if: the cases or the options do not reach assess."""
    fitted = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[TRAIN], Y[TRAIN])
    prior = class_frequencies(Y[TRAIN])
    answer = assess_estimator(
        fitted, X[TEST], Y[TEST], prior=prior, trained_on=X[TRAIN], seed=1, target_ess=400
    )
    j = np.log(fitted.predict_proba(X[TEST])[np.arange(80), NUMBERS[TEST]]) - prior.log_p(Y[TEST])
    assert isinstance(answer, nepers.Assessment)
    assert (answer.n, answer.seed) == (80, 1)
    lower, upper = answer.interval(0.999)
    assert lower < j.mean() < upper


def test_the_log_ratios_are_those_of_the_estimator_and_the_prior(model, asked):
    # red if: Q and P are exchanged
    assert assess_estimator(model, X[TEST], Y[TEST], prior=PRIOR, seed=3) == "the assessment"
    np.testing.assert_array_equal(asked["log_p"], PRIOR.log_p(Y[TEST]))
    expected = np.log(model.predict_proba(X[TEST])[np.arange(80), NUMBERS[TEST]])
    np.testing.assert_array_equal(asked["log_q"], expected)
    assert asked["seed"] == 3


@pytest.mark.parametrize("named", ["y", "X", "both"])
def test_the_index_names_the_cases(model, asked, named):
    # red if: a case with probability zero is reported by its position
    index = [f"patient {i}" for i in range(80)]
    table = pd.DataFrame(X[TEST], index=index) if named != "y" else X[TEST]
    truth = pd.Series(Y[TEST], index=index) if named != "X" else Y[TEST]
    assess_estimator(LogisticRegression().fit(X[TRAIN], Y[TRAIN]), np.asarray(table), truth, prior=PRIOR)
    if named != "X":
        assert asked["log_q"].index.tolist() == index
    fitted = LogisticRegression().fit(pd.DataFrame(X[TRAIN]), Y[TRAIN]) if named != "y" else model
    assess_estimator(fitted, table, truth, prior=PRIOR)
    assert asked["log_q"].index.tolist() == index


def test_rows_in_another_order_are_refused(model):
    # red if: an X and a y that were sorted differently are put side by side
    table = pd.DataFrame(X[TEST])
    fitted = LogisticRegression().fit(pd.DataFrame(X[TRAIN]), Y[TRAIN])
    with pytest.raises(
        InputError, match=r"X and y must have the same row labels.* at position 0 X has .*0.* and y .*79"
    ):
        assess_estimator(fitted, table, pd.Series(Y[TEST])[::-1], prior=PRIOR)


def test_cases_of_the_training_are_refused(model, asked):
    # red if: trained_on is not looked at
    with pytest.raises(
        InputError, match=r"must not have been in training; 1 of 2 is in trained_on.*row 0 is row 7"
    ):
        assess_estimator(model, X[[7, 200]], Y[[7, 200]], prior=PRIOR, trained_on=X[TRAIN])
    assess_estimator(model, X[TEST], Y[TEST], prior=PRIOR, trained_on=X[TRAIN])


def test_an_older_classifier_is_a_prior_of_an_assessment(model, asked):
    # red if: it is asked for its own labels' order only in the scorer
    older = GaussianNB().fit(X[TRAIN], Y[TRAIN])
    assess_estimator(model, X[TEST], Y[TEST], prior=older)
    np.testing.assert_allclose(
        asked["log_p"], np.log(older.predict_proba(X[TEST])[np.arange(80), NUMBERS[TEST]])
    )


class Gaussian:
    """Predicts distributions of its library, as some regressors do."""

    def __init__(self, make, method):
        setattr(self, method, make)


def test_regressors_that_predict_distributions_are_assessed(asked):
    # red if: only tables of classes are understood
    from scipy import stats
    from skpro.distributions import Normal

    y = np.array([0.5, -1.0, 2.0])
    features = pd.DataFrame({"x": [0.0, 1.0, 2.0]}, index=["a", "b", "c"])
    expected = stats.norm(features["x"], 2.0).logpdf(y)
    makes = {
        "skpro": Gaussian(
            lambda X: Normal(mu=X.to_numpy(), sigma=2.0, index=X.index, columns=["y"]), "predict_proba"
        ),
        "one": Gaussian(lambda X: stats.norm(X["x"].to_numpy(), 2.0), "predict"),
        "a list": Gaussian(lambda X: [stats.norm(x, 2.0) for x in X["x"]], "predict"),
        "objects": Gaussian(
            lambda X: np.array([stats.norm(x, 2.0) for x in X["x"]], dtype=object), "predict"
        ),
    }
    older = Gaussian(lambda X: stats.norm(0.0, 3.0), "predict")
    for kind, estimator in makes.items():
        assess_estimator(estimator, features, y, prior=older)
        np.testing.assert_allclose(asked["log_q"], expected, err_msg=kind)
        np.testing.assert_allclose(asked["log_p"], stats.norm(0.0, 3.0).logpdf(y), err_msg=kind)
        assert asked["log_q"].index.tolist() == ["a", "b", "c"]


class SurvivalModel:
    """As those of scikit-survival, whose predict gives a risk."""

    def predict(self, X):
        return np.zeros(len(X))

    def predict_survival_function(self, X):
        return [None] * len(X)


ASSESS = {
    "single values": (
        Ridge().fit(X, NUMBERS),
        {"prior": PRIOR},
        "Ridge has no predict_proba, and its predict gives",
    ),
    "nothing": (object(), {"prior": PRIOR}, "object has no predict"),
    "survival": (
        SurvivalModel(),
        {"prior": PRIOR},
        "SurvivalModel gives survival curves, which have no density until one is chosen: give .*log_survival",
    ),
    "no prior": (GaussianNB().fit(X, Y), {"prior": None}, "prior must be given"),
    "older single values": (
        GaussianNB().fit(X, Y),
        {"prior": Ridge().fit(X, NUMBERS)},
        "Ridge has no predict_proba",
    ),
    "trained on a table": (
        GaussianNB().fit(X, Y),
        {"prior": PRIOR, "trained_on": pd.DataFrame(X)},
        "cases is a 2-D array, trained_on a table with names",
    ),
}


@pytest.mark.parametrize("case", ASSESS)
def test_what_cannot_be_assessed_is_named(case):
    # red if: the error comes from within the library
    estimator, arguments, message = ASSESS[case]
    with pytest.raises(InputError, match=message):
        assess_estimator(estimator, X, Y, **arguments)


def test_scikit_learn_is_not_imported():
    # red if: the package needs what it only works with
    import subprocess
    import sys

    code = "import sys, nepers.scoring; print({m.split('.')[0] for m in sys.modules} & {'sklearn', 'pandas'})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"

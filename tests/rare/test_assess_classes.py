"""`assess_classes` as a user meets it: forms of input, what is refused, what it says, and what it equals."""

import json

import numpy as np
import pytest
from scipy import special

import nepers

RNG = np.random.default_rng(1)
LOGIT = RNG.normal(-3.5, 1.5, 120)
Y = (RNG.random(120) < special.expit(LOGIT)).astype(int)
PROBA = np.stack([special.expit(-LOGIT), special.expit(LOGIT)], axis=1)
PRIOR = {0: 0.95, 1: 0.05}


def ask(y=Y, proba=PROBA, prior=PRIOR, **options):
    return nepers.assess_classes(y, proba, **{"prior": prior, "seed": 1, "draws": 1000} | options)


def test_the_forms_of_a_prediction_and_of_a_prior_are_one():
    # red if: the columns of the prior are taken in its own order, or one dimension is the first class
    names = np.array(["no", "yes"])[Y]
    trained = nepers.priors.class_frequencies(["no"] * 95 + ["yes"] * 5, pseudo_count=0.0)
    forms = [
        ask(),
        ask(proba=special.expit(LOGIT)),
        ask(prior={1: 0.05, 0: 0.95}),
        ask(prior=[0.95, 0.05]),
        ask(prior=np.tile([0.95, 0.05], (120, 1))),
        ask(y=names, prior=trained),
        ask(y=names, proba={"no": PROBA[:, 0], "yes": PROBA[:, 1]}, prior={"yes": 0.05, "no": 0.95}),
    ]
    for other in forms[1:]:
        assert other.nats == pytest.approx(forms[0].nats, rel=1e-9, abs=1e-12)


def test_the_order_of_the_classes_does_not_matter():
    # red if: the prior of b favours a class. Other random numbers: 5 Monte Carlo errors
    rng = np.random.default_rng(2)
    table = rng.dirichlet([8.0, 4.0, 0.5], 60)
    y = np.array([rng.choice(3, p=row) for row in table])
    one = ask(y, table, [0.6, 0.35, 0.05], labels=[0, 1, 2], draws=4000)
    other = ask(y, table[:, [2, 0, 1]], [0.05, 0.6, 0.35], labels=[2, 0, 1], draws=4000)
    assert one.mean == pytest.approx(other.mean, abs=5.0 * one.sd / np.sqrt(1000))
    assert one.sd == pytest.approx(other.sd, rel=0.1)


def test_of_many_calibrated_cases_it_agrees_with_the_mean_of_j():
    # red if: J is of the wrong sign or unit, or the recalibration is off. The mean of j has the larger error
    rng = np.random.default_rng(3)
    p = special.expit(rng.normal(0.0, 1.5, 3000))
    y = (rng.random(3000) < p).astype(int)
    j = np.where(y == 1, np.log(p), np.log1p(-p)) - np.log(0.5)
    found = ask(y, p, {0: 0.5, 1: 0.5})
    assert found.mean == pytest.approx(j.mean(), abs=0.5 * j.std() / np.sqrt(3000))
    assert found.sd < 1.05 * j.std() / np.sqrt(3000)


def test_without_an_event_it_knows_that_there_may_be_one():
    # red if: only what came true counts: then J has next to no uncertainty
    found = ask(np.zeros(120, dtype=int))
    j = np.log(PROBA[:, 0]) - np.log(0.95)
    low, high = found.interval()
    assert high - low > 5.0 * j.std() / np.sqrt(120)
    assert ", 1 in 0, 0 in 120" in str(found).replace("came true: ", ", ")


def test_wrong_certainty_is_minus_infinity_and_right_certainty_is_said():
    # red if: a zero is clipped, or a claim of certainty that was never wrong goes unmentioned
    sure = PROBA.copy()
    sure[[3, 5]] = [1.0, 0.0]
    wrong, right = Y.copy(), Y.copy()
    wrong[3], right[[3, 5]] = 1, 0
    lost = ask(wrong, sure)
    assert lost.mean == lost.interval()[0] == -np.inf
    assert lost.infinite_cases == (3,)
    assert "row 3" in str(lost)
    assert json.loads(json.dumps(lost.to_dict()))["slope"]["mean"] is None
    kept = ask(right, sure)
    assert kept.certain == 2
    assert "In 2 cases the prediction called a class impossible" in str(kept)
    assert np.isfinite(kept.nats).all()


def test_all_cases_certain_and_right_is_a_number():
    # red if: no case is left to make new y from, and the mean of none is taken
    found = ask([0, 1, 0], [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]], {0: 0.5, 1: 0.5})
    assert found.nats == pytest.approx(np.full(1000, np.log(2.0)))


@pytest.mark.parametrize("n", [1, 2])
def test_one_case_is_enough(n):
    # red if: a spread of nothing is divided by
    found = ask(Y[:n], PROBA[:n], labels=[0, 1])
    assert np.isfinite(found.nats).all()
    assert found.sd > 0.0


def test_the_unit_and_the_level():
    # red if: bits are nats times log 2 and not over it, or the level is forgotten in the dict
    found = ask()
    assert found.in_bits().mean == pytest.approx(found.mean / np.log(2.0))
    assert found.in_bits().in_nats().mean == found.mean
    row = found.to_dict(level=0.5)
    assert (row["lower"], row["upper"]) == found.interval(0.5)
    assert row["classes"][1]["cases"] == Y.sum()
    assert found.to_frame()["n"][0] == 120
    assert "ClassAssessment J = " in repr(found)


def test_the_same_seed_gives_the_same_draws():
    # red if: any draw comes from elsewhere than the seed
    assert (ask().nats == ask().nats).all()
    assert (ask().nats != ask(seed=2).nats).any()
    assert isinstance(ask(seed=None).seed, int)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prior": None}, "prior must give a probability for every class"),
        ({"prior": "fitted_on_test_outcomes"}, "prior must give a probability for every class"),
        ({"prior": nepers.priors.class_frequencies_of_rest(Y)}, "gives that of what came true alone"),
        ({"prior": {0: 0.5, 2: 0.5}}, "prior must have the classes of y_proba"),
        ({"prior": {0: 1.0, 1: 0.0}}, "prior must give probability to every class"),
        ({"prior": PROBA[:5]}, "prior must have a row for each case; it has 5, y_true 120"),
        ({"prior": [0.9, 0.05, 0.05]}, "labels and probabilities must be as many"),
        ({"prior": nepers.priors.class_frequencies(Y)}, "y_true"),
        ({"proba": PROBA * 0.9}, "y_proba must sum to one"),
        ({"y": [], "proba": np.empty((0, 2)), "labels": [0, 1]}, "must have at least one case"),
        ({"shift_sd": 0.0}, "shift_sd must be above 0"),
        ({"slope_sd": "a"}, "slope_sd must be a number"),
        ({"fresh": -1.0}, "fresh must be at least 0; it is -1.0"),
        ({"draws": 10}, "draws must be a whole number of at least 100"),
    ],
)
def test_wrong_input_is_named(change, said):
    # red if: the check is left to numpy, or the message loses the argument's name
    with pytest.raises(nepers.InputError, match=said):
        ask(**change)


def test_an_ordinary_assessment_points_here_where_a_class_is_rare(tmp_path):
    # red if: the note is lost on the way to words or a file, fires where classes are common, or for densities
    y = np.arange(60) < 3
    # two values of j, so that no chain is run
    log_q, log_p = np.log(np.where(y, 0.2, 0.8)), np.log(np.where(y, 0.05, 0.95))
    noted = nepers.assess(log_q=log_q, log_p=log_p, seed=1)
    assert "one of them came true in 3 cases" in str(noted)
    assert noted.to_dict()["notes"] == list(noted.notes)
    noted.save(tmp_path / "noted.nepers")
    assert nepers.load(tmp_path / "noted.nepers").notes == noted.notes
    from nepers.rare.words import hint

    assert hint(np.log(np.where(np.arange(100) < 40, 0.3, 0.7))) is None
    assert hint(np.full(50, np.log(0.98))) is not None
    assert hint(np.full(50, 0.0)) is None
    assert hint(np.full(50, np.log(0.5))) is None
    assert hint(np.random.default_rng(5).normal(-1.0, 0.5, 50)) is None

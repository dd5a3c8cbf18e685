"""Pictures of what would help: recalibration, costly cases, and cases needed."""

import dataclasses
import math

import numpy as np
import pytest
from display.looks import off_the_page, texts
from scipy.special import expit, logit, ndtr, ndtri

import nepers
from nepers.display import canvas
from nepers.display.improvement import (
    costly_data,
    needed_data,
    plot_costly,
    plot_needed,
    plot_recalibration,
    recalibration_data,
)
from nepers.improvement import cases_needed, costliest, recalibrate_classes, recalibrate_pit
from nepers.improvement.wording import plain_mean

RNG = np.random.default_rng(1)


def binary(n=400):
    e = RNG.normal(0.0, 1.5, n)
    return recalibrate_classes(np.where(RNG.random(n) < expit(0.5 + 0.5 * e), "yes", "no"), expit(e), folds=3)


def several(K, n=150, zero=False):
    p = RNG.dirichlet(np.ones(K), n)
    truth = np.array([RNG.choice(K, p=one) for one in p])
    if zero:
        p[4] = np.eye(K)[(truth[4] + 1) % K]
    return recalibrate_classes(
        [f"class {k}" for k in truth], {f"class {k}": p[:, k] for k in range(K)}, folds=3
    )


TWO, PIT = binary(), recalibrate_pit(ndtr(1.7 * RNG.standard_normal(300)), folds=3)
FEW = nepers.assess([0.5] * 30 + [-0.5] * 20, seed=1)


def test_curves_of_two_classes_are_the_map():
    # red if: a curve is of the other class, or of one fold
    shown = recalibration_data(TWO)
    assert shown.labels == ("no", "yes")
    assert TWO.map.kind == "slope and shifts"
    a = TWO.map.shifts[1] - TWO.map.shifts[0]
    expected = expit(a + TWO.map.slopes[1] * logit(shown.claimed))
    np.testing.assert_allclose(shown.recalibrated[1], expected, rtol=1e-9)
    np.testing.assert_allclose(shown.recalibrated[0] + shown.recalibrated[1][::-1], 1.0, rtol=1e-9)


def test_points_are_what_the_truth_was_given_before_and_after():
    # red if: before and after are swapped, or the map fitted on the case itself is taken
    shown = recalibration_data(TWO)
    before, after = shown.points.T
    assert (np.diff(before) >= 0.0).all()
    assert np.log(after).sum() - np.log(before).sum() == pytest.approx(TWO.gain.sum())
    assert np.sort(np.log(after)) == pytest.approx(np.sort(TWO.log_q))


def test_several_classes_share_the_rest_evenly_and_the_seventh_is_counted():
    # red if: the rest goes to one class, or nine curves are drawn
    r = several(9)
    shown = recalibration_data(r)
    assert (shown.labels, shown.more) == (tuple(f"class {k}" for k in range(6)), 3)
    row = np.full(9, (1.0 - shown.claimed[60]) / 8)
    row[2] = shown.claimed[60]
    assert shown.recalibrated[2, 60] == pytest.approx(r.map(row[None, :])[0, 2])
    ax = plot_recalibration(r)
    assert "and 3 more" in texts(ax)
    assert off_the_page(ax) == []


def test_the_gain_is_written_and_a_truth_of_probability_zero_is_told():
    # red if: a mean over the others is given out for the gain of all
    assert f"gain {plain_mean(TWO.gain)} nats a case" in texts(plot_recalibration(TWO))
    said = "\n".join(texts(plot_recalibration(several(3, zero=True))))
    assert "J = −inf before and after: probability zero in 1 case\ngain in the others" in said


def test_thousands_of_cases_are_two_thousand_dots():
    # red if: a million cases are a million dots, or only the least sure ones are shown
    r = TWO
    many = dataclasses.replace(
        r, gain=np.tile(r.gain, 30), log_q=np.tile(r.log_q, 30), rows=np.arange(30 * r.n)
    )
    points, all_of_them = recalibration_data(many).points, recalibration_data(r).points
    assert len(points) == 2000
    assert (points[0].tolist(), points[-1].tolist()) == (all_of_them[0].tolist(), all_of_them[-1].tolist())


def test_one_class_says_that_there_is_nothing_to_recalibrate():
    # red if: the rest is shared among no classes
    r = recalibrate_classes(["a"] * 9, {"a": [1.0] * 9}, folds=3)
    (only,) = texts(plot_recalibration(r))
    assert only.replace("\n", " ") == "There is one class only: nothing to recalibrate."


def test_the_density_of_pits_is_the_map_and_has_area_one():
    # red if: the log is drawn, or the wrong map. For u with z ~ N(0, s), c(u) = phi(z / s) / (s phi(z))
    shown = recalibration_data(PIT)
    np.testing.assert_allclose(shown.density, np.exp(PIT.map(shown.u)))
    assert shown.folds.shape == (3, shown.u.size)
    z, m, s = ndtri(shown.u), PIT.map.location, PIT.map.scale
    assert np.abs(PIT.map.density.theta).max(initial=0.0) < 0.005  # so the shift and the scale are nearly all
    np.testing.assert_allclose(shown.density, np.exp(0.5 * z**2 - 0.5 * ((z - m) / s) ** 2) / s, rtol=0.03)
    assert np.trapezoid(shown.density, shown.u) == pytest.approx(1.0, abs=0.03)


def test_a_density_without_bound_is_cut_and_said_to_go_on():
    # red if: the ends, which rise without bound, flatten the rest
    shown = recalibration_data(PIT)
    assert shown.beyond
    ax = plot_recalibration(PIT)
    assert ax.get_ylim() == (0.0, shown.top)
    assert shown.top < 5.0 < shown.density.max()
    assert any("rises above the picture" in text for text in texts(ax))
    one = next(line for line in ax.lines if line.get_color() == canvas.GUIDE)
    assert list(one.get_ydata()) == [1.0, 1.0]
    assert off_the_page(ax) == []


def test_a_map_that_changes_nothing_is_a_picture():
    # red if: a flat density has no height
    r = recalibrate_pit((np.arange(60) + 0.5) / 60, folds=3)
    assert r.map.unchanged
    assert (recalibration_data(r).density == 1.0).all()
    assert not recalibration_data(r).beyond
    assert plot_recalibration(r).get_ylim()[1] > 1.5


VALUES = [0.5] * 30 + [-1.2] * 20 + [-4.0, -4.0, -6.58]


def test_costly_rows_are_the_answers_without_each_case():
    # red if: the change of J is drawn for J, or a row is of another case
    found = costliest(VALUES, cases=3, seed=1)
    shown = costly_data(found)
    names = ["all 53 cases", "without row 52", "without one of 2 alike", "without one of 20 alike"]
    assert [one.name for one in shown.rows] == names
    assert [one.note for one in shown.rows] == ["", "−6.58", "−4", "−1.2"]
    for one, answer in zip(shown.rows, [found.everything, *(row.without for row in found.rows)], strict=True):
        assert (one.median, one.outer) == (answer.median, answer.interval())
    ax = plot_costly(found)
    line = next(one for one in ax.lines if one.get_color() == "black" and one.get_marker() == "None")
    assert line.get_xdata()[0] == found.everything.median
    assert off_the_page(ax) == []


def test_costly_cases_at_minus_infinity():
    # red if: J = -inf is left out, or the rows below do not say that these cases are gone
    found = costliest([*VALUES, -np.inf, -np.inf], cases=2, seed=1)
    shown = costly_data(found)
    assert [one.certain for one in shown.rows] == [True, False, False]
    assert (shown.rows[1].name, shown.rows[1].note) == ("without all 2 at −inf", "−inf")
    ax = plot_costly(found)
    assert "J = −inf" in texts(ax)
    assert any("without the cases at −inf" in text.replace("\n", " ") for text in texts(ax))
    single = costliest([0.5, 0.5, -1.0, -1.0, -np.inf], cases=1, seed=1)
    assert costly_data(single).rows[1].name == "without row 4"


def test_the_curve_of_cases_needed_with_what_was_asked():
    # red if: the curves are swapped, or the lines are not at what was asked and answered
    c = cases_needed(FEW)
    shown = needed_data(c)
    assert list(zip(shown.further, shown.decided, shown.right, shown.error, strict=True)) == list(c.curve)
    ax = plot_needed(c)
    guides = [one for one in ax.lines if one.get_color() == canvas.GUIDE]
    assert [float(guides[0].get_ydata()[0]), float(guides[1].get_xdata()[0])] == [0.8, c.cases]
    assert {"Chance", "Further cases", "decided", "decided rightly"} <= set(texts(ax))
    assert f"{c.cases:,} further cases for a chance of 0.8" in texts(ax)
    assert any("J is above 0 nats" in text.replace("\n", " ") for text in texts(ax))
    assert off_the_page(ax) == []


@pytest.mark.parametrize(("most", "said"), [(20, "20 further cases"), (1, "1 further case")])
def test_cases_that_are_too_few_are_said_to_be(most, said):
    # red if: a line is drawn at no number, or a curve of one point has no width
    c = cases_needed(FEW, most=most)
    assert c.cases is None
    ax = plot_needed(c)
    assert f"more than {said} for a chance of 0.8" in texts(ax)
    assert len([one for one in ax.lines if one.get_color() == canvas.GUIDE]) == 1
    low, high = ax.get_xlim()
    assert low < 1 <= most < high


@pytest.mark.parametrize(
    ("margin", "said"),
    [
        (-0.5, "above −0.5 nats with probability more than 0.999."),
        (0.2, "not above 0.2 nats with probability 0."),
    ],
)
def test_what_is_decided_already_is_said_in_words(margin, said):
    # red if: empty axes are drawn, or "not above" is given the probability of above
    c = cases_needed(FEW, margin=margin, probability=0.9)
    assert c.cases == 0
    (only,) = texts(plot_needed(c))
    text = only.replace("\n", " ")
    assert text.startswith("No further cases are needed: J is ")
    assert said in text
    if margin > 0.0:
        assert float(text.rsplit(" ", 1)[1].rstrip(".")) == pytest.approx(1.0 - c.now, abs=5e-4)


def test_pictures_are_drawn_on_the_axes_given():
    # red if: a new figure is made all the same
    ax = plot_needed(cases_needed(FEW, most=3))
    for plot, result in (
        (plot_recalibration, TWO),
        (plot_recalibration, PIT),
        (plot_needed, cases_needed(FEW, most=3)),
    ):
        ax.clear()
        assert plot(result, ax) is ax
    assert math.isfinite(ax.get_xlim()[0])

"""Pictures of a comparison: what they show are the comparison's own answers, in the order of the means."""

import dataclasses
import math

import numpy as np
import pytest
from display.looks import off_the_page, texts

from nepers.comparison import compare
from nepers.display import canvas, grids
from nepers.display.comparison import (
    best_data,
    intervals_data,
    pairwise_data,
    plot_best,
    plot_intervals,
    plot_pairwise,
)


def two_valued(n, k, seed=0):
    """Right or wrong in each case, mostly together: every value repeats, so no chains are needed."""
    rng = np.random.default_rng(seed)
    right = rng.random(n) < 0.7
    columns = [np.where(rng.random(n) < 0.8, right, rng.random(n) < 0.6) for _ in range(k)]
    return np.column_stack([np.where(own, 0.3 + 0.02 * i, -0.5) for i, own in enumerate(columns)])


X = two_valued(400, 3)
THREE = compare(dict(zip("abc", X.T, strict=True)), seed=1)
AGAINST_B = compare(dict(zip("abc", X.T, strict=True)), reference="b", seed=1)


def zero_once(reference=None):
    """The first algorithm gave the truth probability zero in one case."""
    x = X.copy()
    x[3, 0] = -np.inf
    return compare(dict(zip("abc", x.T, strict=True)), reference=reference, seed=1)


def many(k):
    """Gaussian draws for k algorithms with long names."""
    rng = np.random.default_rng(k)
    nats = 0.03 * rng.standard_normal((2000, k)) + 0.02 * rng.standard_normal(k)
    names = tuple(f"an algorithm with a long name, number {i}" for i in range(k))
    return dataclasses.replace(THREE, names=names, nats=nats, infinite_cases=((),) * k)


def test_intervals_are_the_gains_over_the_reference_and_the_prior_has_a_row():
    # red if: J over the prior is drawn while the verdicts are about the reference
    shown = intervals_data(AGAINST_B)
    assert (shown.zero, shown.unit, shown.n) == ("b", "nats", 400)
    rows = {one.name: one for one in shown.rows}
    assert set(rows) == {"a", "b", "c", "the prior"}
    for name in "ac":
        gain = AGAINST_B.difference(name, "b")
        assert rows[name].median == gain.median
        assert (rows[name].inner, rows[name].outer) == (gain.interval(0.5), gain.interval(0.95))
        assert rows[name].note == AGAINST_B.verdict(name)
    assert (rows["b"].outer, rows["b"].note) == ((0.0, 0.0), "reference")
    assert rows["the prior"].median == pytest.approx(-AGAINST_B["b"].median)


def test_against_the_prior_the_rows_are_j_itself_the_best_first():
    # red if: the order is that of the columns, or the prior has a row where it is the line
    shown = intervals_data(THREE)
    assert [one.name for one in shown.rows] == [one.name for one in THREE.rows()]
    assert [one.median for one in shown.rows] == [THREE[one.name].median for one in shown.rows]


def test_without_a_prior_there_is_no_row_for_it():
    # red if: the prior, of which nothing is known, is shown as equal to what stands in its place
    c = compare(log_q=dict(zip("abc", X.T, strict=True)), reference="b", seed=1)
    assert {one.name for one in intervals_data(c).rows} == {"a", "b", "c"}


def test_bits_scale_the_intervals_and_the_equivalence_alike():
    # red if: the band stays in nats
    nats, bits = intervals_data(THREE), intervals_data(THREE.in_bits())
    assert bits.unit == "bits"
    assert bits.equivalence == pytest.approx(nats.equivalence / math.log(2.0))
    assert bits.rows[0].outer == pytest.approx(np.array(nats.rows[0].outer) / math.log(2.0))


@pytest.mark.parametrize("reference", [None, "a"])
def test_a_reference_at_minus_infinity_gives_way_to_the_prior(reference):
    # red if: gains over -inf, which are infinite or undefined, are drawn
    c = zero_once(reference)
    shown = intervals_data(c)
    assert shown.zero == "prior"
    assert [one.name for one in shown.rows if one.certain] == ["a"]
    assert shown.rows[-1].certain
    ax = plot_intervals(c)
    assert "J = −inf" in texts(ax)
    assert off_the_page(ax) == []


def test_the_picture_of_intervals_has_line_band_verdicts_and_unit():
    # red if: the band is not round the reference, or the axis does not say relative to what
    ax = plot_intervals(AGAINST_B.in_bits())
    width = 0.01 / math.log(2.0)
    band = next(one for one in ax.patches if one.get_facecolor()[:3] != (1.0, 1.0, 1.0)).get_extents()
    left, right = ax.transData.inverted().transform([[band.x0, 0], [band.x1, 0]])[:, 0]
    assert (left, right) == pytest.approx((-width, width))
    line = next(one for one in ax.lines if one.get_color() == canvas.GUIDE)
    assert list(line.get_xdata()) == [0.0, 0.0]
    assert ax.get_xlabel() == "J relative to b (bits)"
    assert {AGAINST_B.verdict(name) for name in "abc"} <= set(texts(ax))
    assert off_the_page(ax) == []


def test_every_algorithm_at_minus_infinity_is_a_picture_still():
    # red if: the limits are infinite, or the single certain draw is taken for many
    x = X.copy()
    x[5, :] = -np.inf
    c = compare(dict(zip("abc", x.T, strict=True)), seed=1)
    assert texts(plot_intervals(c)).count("J = −inf") == 3
    assert best_data(c).best_in_words == ["0.333"] * 3
    assert texts(plot_pairwise(c)).count("0.50") == 6


def test_ranks_and_pairs_are_the_comparisons_own_in_order_of_the_means():
    # red if: rows are put in order and columns are not, or ranks are turned round
    order = [THREE.names.index(one.name) for one in THREE.rows()]
    best, pairs = best_data(THREE), pairwise_data(THREE)
    assert best.names == pairs.names == tuple(THREE.names[i] for i in order)
    for row, i in enumerate(order):
        assert best.values[row].tolist() == THREE.rank_probabilities[i].tolist()
        assert best.best[row] == THREE.probability_best[THREE.names[i]]
        for column, k in enumerate(order):
            if row == column:
                assert math.isnan(pairs.values[row, column])
            else:
                assert pairs.values[row, column] == THREE.pairwise[i, k]


@pytest.mark.parametrize("plot", [plot_best, plot_pairwise])
@pytest.mark.parametrize("k", [1, 2, 10, 11, 20])
def test_grids_have_figures_up_to_ten_algorithms_and_a_scale_beyond(plot, k):
    # red if: figures are crammed into small cells, or shades have no scale, or names leave the page
    c = many(k)
    ax = plot(c)
    cells = [one for one in ax.texts if one.get_position()[0] == round(one.get_position()[0])]
    assert len(cells) == (k * k if k <= 10 else k if plot is plot_pairwise else 0)
    assert len(ax.figure.axes) == (1 if k <= 10 else 2)
    assert off_the_page(ax) == []
    assert ax.get_ylim() == (k - 0.5, -0.5)


def test_figures_can_be_read_on_dark_cells():
    # red if: black is written on black
    ax = plot_pairwise(many(10))
    values = pairwise_data(many(10)).values
    for one in ax.texts:
        column, row = one.get_position()
        p = values[int(row), int(column)]
        if not math.isnan(p):
            assert one.get_color() == ("white" if p > 0.5 else "black")


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.0, "< .01"),
        (0.0049, "< .01"),
        (0.005, "0.01"),
        (0.5, "0.50"),
        (0.996, "> .99"),
        (1.0, "> .99"),
        (math.nan, "–"),
    ],
)
def test_a_cell_claims_no_certainty(p, said):
    # red if: draws that all agree become a probability of 0 or 1
    assert grids.cell(p) == said


def test_the_probability_of_being_best_is_written_for_each():
    # red if: it is that of another row
    shown = best_data(THREE)
    written = [one.get_text() for one in plot_best(THREE).texts if one.get_fontweight() == "bold"]
    assert written == shown.best_in_words
    assert float(written[0]) == pytest.approx(shown.best[0], abs=0.0006)


def test_pictures_are_drawn_on_the_axes_given():
    # red if: a new figure is made all the same
    ax = plot_intervals(THREE)
    for plot in (plot_intervals, plot_best, plot_pairwise):
        ax.clear()
        assert plot(THREE, ax) is ax

"""Rows of intervals: their quantiles, the range that is shown, and what lies beyond it."""

import math

import numpy as np
import pytest
from display.looks import off_the_page, texts
from matplotlib.figure import Figure

from nepers.display import canvas, interval_rows
from nepers.display.interval_rows import Row, row, view
from nepers.estimate import Estimate

CERTAIN = Row("never", -math.inf, (-math.inf, -math.inf), (-math.inf, -math.inf), "worse", -math.inf)


def made(middle, width, **more):
    return Row(
        "a", middle, (middle - width, middle + width), (middle - 3 * width, middle + 3 * width), **more
    )


def drawn(rows, also=()):
    with canvas.on(None, height=interval_rows.height(len(rows))) as ax:
        interval_rows.draw(ax, rows, also)
        ax.set_xlabel("J (nats)")
    return ax


@pytest.mark.parametrize(("unit", "factor"), [("nats", 1.0), ("bits", 1.0 / math.log(2.0))])
def test_a_row_has_the_quantiles_of_the_draws_in_their_unit(unit, factor):
    # red if: a level is swapped with the other, the mean stands for the median, or the unit is left out
    draws = np.random.default_rng(0).gamma(0.5, size=1001)
    found = row("a", Estimate(draws, unit))
    expected = np.quantile(draws, [0.025, 0.25, 0.5, 0.75, 0.975]) * factor
    assert (found.outer[0], *found.inner) == pytest.approx(tuple(expected[[0, 1, 3]]))
    assert (found.median, found.outer[1]) == pytest.approx(tuple(expected[[2, 4]]))
    assert not found.certain
    assert row("a", Estimate(np.full(3, -np.inf))).certain


def test_the_view_holds_intervals_marks_and_lines():
    # red if: the 95% interval or the reference is cut off where there is room for it
    low, high = view([made(1.0, 0.1, mark=0.8)], (0.0,))
    assert low < 0.0
    assert high > 1.3
    assert (low, high) == pytest.approx((-0.052, 1.352))


def test_one_very_wide_interval_leaves_the_others_their_room():
    # red if: the view is the hull of everything: the core, 0 to 1.1, is then a thousandth of it
    wide = Row("w", 1.0, (0.95, 1.05), (-5000.0, 900.0), mark=-4000.0)
    low, high = view([made(1.0, 0.1), wide], (0.0,))
    assert -2.5 < low < 0.0
    assert 1.1 < high < 3.6


@pytest.mark.parametrize(("rows", "also"), [([CERTAIN], ()), ([made(0.0, 0.0)], ()), ([made(7.0, 0.0)], ())])
def test_a_view_without_width_is_widened(rows, also):
    # red if: matplotlib is given equal or infinite limits
    low, high = view(rows, also)
    assert math.isfinite(low)
    assert math.isfinite(high)
    assert low < high


def test_minus_infinity_is_an_arrow_at_the_left_edge_with_words():
    # red if: it is left out, or drawn at a number
    ax = drawn([made(1.0, 0.1), CERTAIN], (0.0,))
    arrow = next(line for line in ax.lines if line.get_marker() == "<")
    assert (list(arrow.get_xdata()), list(arrow.get_ydata())) == ([0.0], [1])
    assert arrow.get_transform() == ax.get_yaxis_transform()
    assert "J = −inf" in texts(ax)
    assert off_the_page(ax) == []


def test_what_lies_beyond_the_view_has_marks_on_its_edges():
    # red if: an interval that goes on looks as if it ended, or a mark vanishes
    wide = Row("w", 1.0, (0.95, 1.05), (-5000.0, 900.0), mark=-4000.0)
    ax = drawn([made(1.0, 0.1), wide], (0.0,))
    edges = [(line.get_marker(), line.get_color(), float(line.get_xdata()[0]), int(line.get_ydata()[0]))
             for line in ax.lines if line.get_transform() == ax.get_yaxis_transform()]  # fmt: skip
    assert edges == [("<", canvas.MODEL, 0.0, 1), (">", canvas.MODEL, 1.0, 1), ("<", canvas.BAD, 0.0, 1)]


def test_the_first_row_is_on_top_and_each_bar_is_where_its_numbers_say():
    # red if: the axis is not turned, or bars and names part company
    rows = [made(2.0, 0.1, note="first"), CERTAIN, made(-1.0, 0.2, note="third", mark=-0.9)]
    ax = drawn(rows)
    bottom, top = ax.get_ylim()
    assert bottom > 2 > 0 > top
    outer, inner = (np.array(bars.get_segments()) for bars in ax.collections)
    np.testing.assert_allclose(outer[:, :, 0], [[1.7, 2.3], [-1.6, -0.4]])
    np.testing.assert_allclose(inner[:, :, 0], [[1.9, 2.1], [-1.2, -0.8]])
    assert outer[:, 0, 1].tolist() == inner[:, 0, 1].tolist() == [0.0, 2.0]
    notes = {one.get_text(): one.get_position()[1] for one in ax.texts}
    assert (notes["first"], notes["third"]) == (0, 2)


def test_names_of_any_script_and_length_stay_on_the_page():
    # red if: a name is not shortened, dollars are taken for mathematics, or equal beginnings become equal
    names = ["$\\frac{", "a very long name indeed of something, 1", "a very long name indeed of something, 2",
             "Байесовский ансамбль деревьев решений", "two\nlines", ""]  # fmt: skip
    rows = [Row(name, 0.1, (0.0, 0.2), (-0.1, 0.3), "not yet known") for name in names]
    ax = drawn(rows)
    interval_rows.small_print(ax, "words " * 30)
    assert off_the_page(ax) == []
    shown = [label.get_text() for label in ax.get_yticklabels()]
    assert len(set(shown)) == len(names)
    assert max(map(len, shown)) <= 25


def test_small_print_beside_other_pictures_is_the_usual_note():
    # red if: it is as wide as a page in a panel of several
    figure = Figure(layout="constrained")
    left, _ = figure.subplots(1, 2)
    interval_rows.draw(left, [made(1.0, 0.1)])
    interval_rows.small_print(left, "words " * 30)
    alone = drawn([made(1.0, 0.1)])
    interval_rows.small_print(alone, "words " * 30)
    widest = [max(map(len, ax.texts[-1].get_text().splitlines())) for ax in (left, alone)]
    assert widest[0] < widest[1]

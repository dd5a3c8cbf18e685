"""The picture of J by group: which groups, in what order, and the group's own mean beside the shared one."""

import math

import numpy as np
import pytest
from display.looks import off_the_page, texts

from nepers.display import canvas
from nepers.display.segments import plot_segments, segments_data
from nepers.errors import InputError
from nepers.hierarchy import paper
from nepers.segments.result import Segments


def made(groups=4, draws=400, infinite=(), seed=0, unit="nats"):
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 200, groups)
    alone = [rng.normal(0.2, 0.3) + rng.standard_normal(draws) / np.sqrt(n[g]) for g in range(groups)]
    nats = np.column_stack([0.1 + 0.5 * (one - 0.2) for one in alone])
    for g in infinite:
        alone[g], nats[:, g] = np.full(draws, -np.inf), -np.inf
    return Segments(
        groups=tuple(f"a hospital in a town, number {g}" for g in range(groups)),
        n=n,
        nats=nats,
        weights=rng.dirichlet(n.astype(float), draws),
        alone=tuple(alone),
        apart=np.zeros(groups),
        infinite_cases=tuple((7,) if g in infinite else () for g in range(groups)),
        problems=(),
        hyperparameters=paper(),
        scale=1.0,
        seed=1,
        version="0",
        unit=unit,
    )


@pytest.mark.parametrize("unit", ["nats", "bits"])
def test_rows_are_those_of_the_result_in_its_order(unit):
    # red if: the order is another than by cost, a row is of another group, or a mark is left in nats
    s = made(12, unit=unit)
    shown = segments_data(s)
    assert (shown.unit, shown.more) == (unit, 0)
    for one, row in zip(shown.rows, s.rows(), strict=True):
        assert one.name == row["group"]
        assert (one.median, one.outer) == (row["median"], (row["lower"], row["upper"]))
        assert one.mark == pytest.approx(row["alone_mean"])
        assert one.note == f"{row['n']:,}"
    assert shown.whole.outer == s.whole.interval(0.95)


def test_the_groups_that_cost_most_are_shown_and_the_others_counted():
    # red if: the first by label are shown, or the rest goes unsaid
    s = made(45)
    shown = segments_data(s, 5)
    assert [one.name for one in shown.rows] == [row["group"] for row in s.rows()[:5]]
    assert shown.more == 40
    ax = plot_segments(s, most=5)
    assert any("and 40 more groups" in text for text in texts(ax))
    assert len(plot_segments(s).get_yticks()) == 30


def test_a_thousand_groups_are_a_picture_of_thirty():
    # red if: time or size grows with all the groups
    ax = plot_segments(made(1000, 100))
    assert len(ax.get_yticks()) == 30
    assert any("and 970 more groups" in text for text in texts(ax))
    assert ax.figure.get_figheight() < 8.0
    assert off_the_page(ax) == []


def test_the_whole_is_a_line_with_its_interval():
    # red if: the line is the mean of the rows shown
    s = made(40)
    ax = plot_segments(s, most=3)
    line = next(one for one in ax.lines if one.get_color() == "black" and one.get_marker() == "None")
    assert list(line.get_xdata()) == [s.whole.median] * 2
    low, high = ax.get_xlim()
    lower, upper = s.whole.interval(0.95)
    assert low < min(lower, 0.0)
    assert max(upper, 0.0) < high


def test_groups_at_minus_infinity_come_first_and_make_the_whole_so():
    # red if: a line is drawn at -inf, or the other groups are lost
    s = made(6, infinite=(2, 4))
    shown = segments_data(s)
    assert [one.certain for one in shown.rows] == [True, True, False, False, False, False]
    assert shown.whole.certain
    ax = plot_segments(s)
    shown_texts = texts(ax)
    assert shown_texts.count("J = −inf") == 2
    assert any("The whole has J = −inf" in text for text in shown_texts)
    assert not [one for one in ax.lines if one.get_color() == "black" and one.get_marker() == "None"]
    assert all(math.isfinite(end) for end in ax.get_xlim())


@pytest.mark.parametrize("infinite", [(), (0,)])
def test_one_group_is_a_picture(infinite):
    # red if: a group that has no rest, whose cost is undefined, is dropped
    ax = plot_segments(made(1, infinite=infinite))
    assert len(ax.get_yticks()) == 1
    assert off_the_page(ax) == []


def test_own_means_are_crosses():
    # red if: they look like the medians, or are of another row
    s = made(5)
    ax = plot_segments(s)
    cross = next(one for one in ax.lines if one.get_marker() == "x")
    assert cross.get_color() == canvas.BAD
    marks = dict(zip(cross.get_ydata(), cross.get_xdata(), strict=True))
    for place, row in enumerate(s.rows()):
        assert marks[place] == pytest.approx(row["alone_mean"])


def test_most_must_be_a_number_of_groups():
    # red if: nothing is drawn without a word
    with pytest.raises(InputError, match=r"^most must be 1 or above; it is 0$"):
        plot_segments(made(3), most=0)

"""Every picture, drawn: on the axes it is given or on new ones, all texts on the page, in any case."""

import dataclasses
import inspect
import math

import numpy as np
import pytest
from display.looks import off_the_page, texts
from fake_results import assessment, long_tailed, student_draws
from matplotlib import pyplot, rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import nepers
from nepers import display
from nepers.display import canvas, methods
from nepers.display.posterior import UNRELIABLE
from nepers.evidence import Choice
from nepers.improvement import CasesNeeded, CostlyCases, Recalibration

SINGLE = ("histogram", "densities", "posterior", "prior", "predictive", "tail", "quantiles")
SEVERAL = ("traces", "ranks")
J = long_tailed(150)
FEW = student_draws(chains=4, draws=60)
ODD = "a $name_ of <script>alert('模型')</script> \n that ‮ goes on " + "and on " * 40
RESULTS = {
    "plain": assessment(J, FEW),
    "bits and an odd name": assessment(J, FEW, name=ODD).in_bits(),
    "atoms and others": assessment(np.concatenate([J, [0.3] * 60, [-0.9] * 15]), FEW),
    "many atoms": assessment(np.concatenate([J, np.repeat(np.linspace(-2, 1, 300), 2)]), FEW),
    "two values": nepers.assess([0.5] * 60 + [-1.0] * 40, seed=1),
    "all alike": nepers.assess([0.25] * 9, seed=1),
    "one case": assessment([0.3], FEW),
    "far away": assessment(np.append(1e5 * J, -1e9), student_draws(chains=2, draws=20, spread=1e5)),
    "tiny": assessment(1e-7 * J, student_draws(0.0, 1e-9, 1e-7, chains=2, draws=20)),
    "no cases": nepers.assess([], seed=1),
    "minus infinity": nepers.assess([*J, -math.inf], seed=1),
}


def every(drawn):
    return list(np.asarray(drawn, dtype=object).flat)


# letters that no font here has are boxes, and matplotlib says so
@pytest.mark.filterwarnings("ignore:Glyph .* missing")
@pytest.mark.parametrize("picture", [*SINGLE, *SEVERAL])
@pytest.mark.parametrize("case", RESULTS)
def test_every_assessment_is_a_whole_picture(case, picture):
    # red if: a picture fails for a kind of result, or a text leaves the page
    drawn = getattr(RESULTS[case], f"plot_{picture}")()
    for ax in every(drawn):
        assert off_the_page(ax) == []
        low, high = ax.get_xlim()
        assert np.isfinite([low, high]).all()
        assert low < high


@pytest.mark.parametrize("picture", SINGLE)
def test_it_is_drawn_on_the_axes_that_are_given(picture):
    # red if: a new figure is made all the same, or the owner's style is overwritten
    ax = Figure().add_subplot()
    before = dict(rcParams)
    assert getattr(RESULTS["plain"], f"plot_{picture}")(ax=ax) is ax
    assert ax.has_data()
    assert dict(rcParams) == before


def test_several_axes_may_be_given_too():
    # red if: those given are left empty
    rows, columns = Figure().subplots(3, 1), Figure().subplots(1, 3)
    assert list(RESULTS["plain"].plot_traces(rows)) == list(rows)
    assert list(RESULTS["plain"].plot_ranks(columns)) == list(columns)
    assert all(ax.has_data() for ax in [*rows, *columns])


def test_axes_without_a_figure_of_ours_are_new_each_time():
    # red if: pictures pile up on pyplot's current axes, or stay open in its list
    one, two = RESULTS["plain"].plot_posterior(), RESULTS["plain"].plot_posterior()
    assert one.figure is not two.figure
    assert isinstance(one, Axes)
    assert pyplot.get_fignums() == []
    assert one.figure.get_figwidth() == canvas.NARROW == 3.5
    assert one._repr_png_().startswith(b"\x89PNG")


@pytest.mark.parametrize("picture", SINGLE)
def test_axes_say_what_they_show_and_in_which_unit(picture):
    # red if: an axis has no words, or says nats of bits
    for case, unit in (("plain", "nat"), ("bits and an odd name", "bit")):
        ax = getattr(RESULTS[case], f"plot_{picture}")()
        assert ax.get_xlabel().endswith(f"({unit}s)")
        assert ax.get_ylabel()
        assert ("nat" in " ".join([ax.get_xlabel(), ax.get_ylabel()])) == (unit == "nat")


def test_the_misleading_tail_shows_without_colour():
    # red if: it is told by its colour alone
    ax = RESULTS["plain"].plot_histogram()
    hatched = [bar for bar in ax.patches if bar.get_hatch()]
    assert hatched
    assert sum(bar.get_height() for bar in hatched) == (J < 0.0).sum()
    assert all(bar.get_x() < 0.0 for bar in hatched)
    assert any(text.startswith("misleading: j < 0 in") for text in texts(ax))


def test_unreliable_chains_are_said_on_the_picture_of_J():
    # red if: a picture of draws that do not agree looks like any other
    draws = student_draws(chains=4, draws=60)
    draws.J[1] += 1.0
    a = assessment(J, draws)
    assert UNRELIABLE in texts(a.plot_posterior())
    assert any(text.startswith("The chains disagree on J") for text in texts(a.plot_traces()[-1]))
    assert (
        UNRELIABLE not in texts(RESULTS["plain"].plot_posterior()) or not RESULTS["plain"].diagnostics.good()
    )


def test_names_of_chains_are_above_the_title():
    # red if: a long title runs through the key
    ax = RESULTS["atoms and others"].plot_traces()[0]
    ax.figure.draw_without_rendering()
    key, title = ax.get_legend().get_window_extent(), ax._left_title.get_window_extent()
    assert key.y0 >= title.y1 - 1.0


def test_long_traces_are_thinned():
    # red if: a million draws are drawn dot by dot
    ax = assessment(J, student_draws(chains=2, draws=2500, seed=3)).plot_traces()
    assert max(line.get_xdata().size for line in ax[0].lines) <= 1000
    assert ax[-1].get_xlabel() == "Draw (one in 3 shown)"


def test_values_that_all_repeat_have_no_quantile_plot():
    # red if: a band between two values is taken for a check of the model
    assert "plot_predictive" in " ".join(texts(RESULTS["two values"].plot_quantiles()))


def test_every_picture_is_a_method_of_its_result():
    # red if: a picture is added, and its method, its place in the list, or its result forgotten
    owners = [
        one for _, one in inspect.getmembers(methods, inspect.isclass) if one.__module__ == methods.__name__
    ]
    offered = {name for one in owners for name in vars(one) if name.startswith("plot_")}
    assert offered == set(display.__all__) == set(display._HOMES)
    results = (nepers.Assessment, nepers.Comparison, nepers.Segments, nepers.Game)
    results += (Recalibration, CostlyCases, CasesNeeded, Choice)
    assert offered == {name for one in results for name in dir(one) if name.startswith("plot_")}
    for name in offered:
        assert callable(getattr(display, name))
    with pytest.raises(AttributeError):
        display.plot_nothing  # noqa: B018


def test_inks_differ_without_colour_and_for_the_colour_blind():
    # red if: two curves have the same dashes, or differ as red and green alone do
    assert len({str(ink.dashes) for ink in canvas.INKS}) == len({ink.marker for ink in canvas.INKS}) == 7
    many = [canvas.ink(k) for k in range(49)]
    assert len({(one.colour, str(one.dashes)) for one in many}) == 49
    for blind in _BLIND:
        seen = [blind @ _linear(ink.colour) for ink in canvas.INKS]
        apart = [np.abs(a - b).max() for i, a in enumerate(seen) for b in seen[:i]]
        assert min(apart) > 0.05


# linear RGB as those without long, middle and short cones see it (Machado, Oliveira and Fernandes 2009)
_BLIND = (
    np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
)


def _linear(colour):
    part = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def test_words_on_paper_have_contrast():
    # red if: small print is too pale to be read: 4.5 to 1 on white
    for colour in (canvas.GUIDE, "#000000"):
        light = float(np.array([0.2126, 0.7152, 0.0722]) @ _linear(colour))
        assert 1.05 / (light + 0.05) > 4.5


def test_replacing_the_result_changes_the_picture():
    # red if: data of another result are kept
    other = dataclasses.replace(RESULTS["plain"], nats=RESULTS["plain"].nats + 1.0)
    assert other.plot_posterior().get_xlim()[0] > 0.5

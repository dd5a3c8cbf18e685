"""Texts on pictures: any name becomes one short line that matplotlib takes as it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from matplotlib.figure import Figure

from nepers.display import canvas, labels


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines\tand  more", "two lines and more"),
        ("cost $5 or $6", r"cost \$5 or \$6"),
        ("_hidden", "\u200b_hidden"),
        ("", "(no name)"),
        (None, "None"),
        (3.5, "3.5"),
        ("x" * 40, "x" * 23 + "…"),
        ("東京都立病院東京都立病院東京", "東京都立病院東京都立病…"),
        ("a\x00b\x1b[0m", "a b [0m"),
    ],
)
def test_a_name_is_one_short_line(given, shown):
    # red if: control characters, mathematics or a hiding underscore reach matplotlib, or wide letters are one
    assert labels.name(given) == shown


@settings(max_examples=150, deadline=None)
@given(some.text(max_size=80), some.integers(2, 40))
def test_no_name_is_wider_than_allowed_or_breaks_a_line(text, most):
    # red if: some script, accent or emoji slips through
    shown = labels.name(text, most).replace("\u200b", "").replace(r"\$", "$")
    assert sum(labels._width(c) for c in shown) <= most or shown == "(no name)"
    assert shown.splitlines() == [shown]


@settings(max_examples=40, deadline=None)
@given(some.text(some.characters(codec="utf-8"), max_size=30))
def test_any_name_can_be_laid_out(text):
    # red if: matplotlib reads a name as mathematics, which fails where the dollars do not match
    figure = Figure()
    figure.text(0.5, 0.5, labels.name(text))
    figure.draw_without_rendering()


test_any_name_can_be_laid_out = pytest.mark.filterwarnings(
    "ignore:Glyph .* missing", "ignore:Matplotlib currently does not support"
)(test_any_name_can_be_laid_out)


def test_names_that_the_cut_makes_alike_keep_their_ends():
    # red if: two algorithms have the same name on the picture
    long = "a model with a very long name, version "
    assert len(set(labels.names([f"{long}{k}" for k in range(12)]))) == 12
    assert labels.names(["short", "short"]) == ["short", "short"]


@pytest.mark.parametrize(
    ("value", "draws", "said"),
    [
        (0.31, 1e4, "= 0.31"),
        (1.0, 1e4, "> 0.999"),
        (0.0, 1e4, "< 0.001"),
        (1.0, 100, "> 0.97"),
        (0.98, 100, "> 0.97"),
        (0.5, 3, "= 0.5"),
        (0.6, 3, "> 0.5"),
    ],
)
def test_no_probability_is_surer_than_its_draws(value, draws, said):
    # red if: 100 draws that agree are called 0.999
    assert labels.probability(value, draws) == said


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (-2.5, "−2.5"),
        (2e-7, "2e−7"),
        (10_000.0, "10,000"),
        (1e30, "1e30"),
        (0.30000000000000004, "0.3"),
    ],
)
def test_a_tick_is_the_whole_number(value, shown):
    # red if: rounding of binary numbers is shown, or a hyphen stands for a minus
    assert canvas.tick(value) == shown


def test_the_key_names_and_the_note_fit_the_axes():
    # red if: lines are as long as the text
    with canvas.on(None) as ax:
        lines = labels.note(ax, "word " * 60).get_text().splitlines()
    assert max(map(len, lines)) < 80
    assert len(lines) > 3

"""The smallest parts of a page: elements, texts that can be shown, numbers in words."""

import html
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from report.static import Page

from nepers.report.markup import Markup, element, joined
from nepers.report.numbers import fixed, probability, significant, span, times
from nepers.report.printable import distinct, one_line


@settings(max_examples=200, deadline=None)
@given(some.text(), some.text())
def test_no_text_becomes_markup(text, value):
    # red if: a sign is not escaped, in the text or in an attribute
    made = element("p", text, title=value)
    assert made.count("<") == made.count(">") == 2
    assert made.count('"') == 2
    assert html.unescape(made[made.index(">") + 1 : -4]) == text


def test_markup_stays_and_other_text_does_not():
    # red if: an element inside another is escaped, or joining makes markup of text
    inner = element("b", "a & b")
    assert element("p", inner, " <i>") == "<p><b>a &amp; b</b> &lt;i&gt;</p>"
    assert isinstance(joined("<", inner), Markup)
    assert element("details", "x", open=True, hidden=False, class_="c", aria_label="d").startswith(
        '<details open class="c" aria-label="d">'
    )


@settings(max_examples=200, deadline=None)
@given(some.text(some.characters(), max_size=60))
def test_any_text_is_one_line_that_can_be_written(text):
    # red if: a lone surrogate, a control character or a turn of direction reaches the file
    shown = one_line(text)
    shown.encode()
    assert shown.splitlines() == [shown]
    assert shown.strip()
    assert len(shown) <= 120
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x00") & set(shown)
    Page(f"<html><p>{html.escape(shown)}</p></html>")


def test_names_that_look_alike_are_told_apart():
    # red if: two algorithms have one name, and one row stands for both
    assert distinct(["a", "a\n", "a\u202e", "b"]) == ("a", "a (2)", "a (3)", "b")
    assert one_line("模型 ‏x") == "模型 ‏x"


def test_a_very_long_name_keeps_its_ends():
    # red if: a name fills a page, or two that differ at their ends become one
    long = ["w" * 3000 + end for end in "ab"]
    assert [len(one_line(name)) for name in long] == [120, 120]
    assert [one_line(name)[-2:] for name in long] == ["wa", "wb"]
    assert one_line("w" * 120) == "w" * 120
    assert distinct(["w" * 3000, "w" * 3001])[1].endswith("(2)")


@pytest.mark.parametrize(
    ("nats", "said"),
    [
        (0.0, "1.00"), (math.log(0.17), "0.170"), (math.log(1234.0), "1,234"), (-math.inf, "0"),
        (math.log(99.99), "100"), (-2000.0, "10^-869"), (800.0, "10^347"), (math.log(2e-6), "2e-06"),
    ],
)  # fmt: skip
def test_how_many_times_in_figures(nats, said):
    # red if: figures are lost, or large and small numbers overflow
    assert times(nats) == said


def test_numbers_in_words():
    # red if: infinite or undefined numbers are formatted as others
    assert (fixed(math.nan, 2), fixed(-math.inf, 2), fixed(-0.001, 2)) == ("undefined", "-inf", "0.00")
    assert (span(-math.inf, -math.inf, 2), span(0.1, 0.25, 2)) == ("certain", "0.10 to 0.25")
    assert (significant(math.nan), significant(1234.5)) == ("undefined", "1.23e+03")
    assert (probability(0.5, 1e4), probability(1.0, 1e4), probability(0.0, 300)) == (
        "0.500",
        "> 0.999",
        "< 0.01",
    )

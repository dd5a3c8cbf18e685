"""What a notebook shows of results: small tables, with the numbers of the result, escaped."""

import dataclasses

import numpy as np
import pytest
from report.results import HOSTILE, RESULTS, comparison
from report.static import Page

import nepers
from nepers.betting.words import figure


def read(result):
    return Page(result._repr_html_())


@pytest.mark.parametrize("case", RESULTS)
def test_every_result_is_a_small_safe_table(case):
    # red if: a name becomes markup, tags are not closed, or a page of sentences is shown
    html = RESULTS[case]._repr_html_()
    page = Page(html)
    assert HOSTILE not in html
    assert {tag for tag, _, _ in page.elements} <= {
        "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "strong", "div",
    }  # fmt: skip
    assert len(html) < 12_000 + 8_000 * (case == "twenty")
    assert all("onerror" not in a for _, a, _ in page.elements)


def test_an_assessment_has_its_answer():
    # red if: a number is of another level or unit
    a = RESULTS["plain"].in_bits()
    text = read(a).text
    lower, upper = a.interval()
    assert f"{a.mean:.3f} bits" in text
    assert f"{lower:.3f} to {upper:.3f}" in text
    assert "200" in text
    assert read(RESULTS["minus infinity"]).text.startswith("J = -inf")
    assert read(RESULTS["unreliable"]).text.startswith("NOT YET RELIABLE. The chains disagree on J")


def test_a_comparison_has_a_row_for_each_the_best_first():
    # red if: the order is that of the columns, or the verdict is against another
    c = dataclasses.replace(comparison(3), names=("a", "b", "c"), reference="b")
    rows = c.rows()
    page = read(c)
    assert [words for words in page.texts["th"] if words in "abc"] == [row.name for row in rows]
    for row in rows:
        assert f"{row.name} {row.mean:.3f} {row.lower:.3f} to {row.upper:.3f}" in page.text
    assert "Against b" in page.text


def test_segments_have_the_rows_of_their_words():
    # red if: groups come in another order, or a label is markup
    from display.test_segments import made

    s = dataclasses.replace(made(3), groups=("x", HOSTILE, "y"))
    page = read(s)
    first = s.rows()[0]
    assert page.text.startswith("J = ")
    assert [text for text in page.texts["th"] if text in s.groups] == [row["group"] for row in s.rows()]
    assert f"{first['lower']:.3f} to {first['upper']:.3f}" in page.text
    assert "J (bits)" in read(s.in_bits()).text


def test_a_game_has_the_largest_pile_first():
    # red if: piles are logs, or the interval is shown as if it were for a single time
    rng = np.random.default_rng(0)
    game = nepers.bet(
        {"poor": rng.uniform(-0.4, 0.1, 99), "rich": rng.uniform(-0.1, 0.4, 99)}, bounds=(-0.5, 0.5)
    )
    page = read(game)
    assert page.text.index("rich") < page.text.index("poor")
    assert figure(game.log_piles[-1, 1]) in page.text
    assert "95% at all times" in page.text
    assert "not yet" in page.text
    lower, upper = game.confidence_sequence("rich").now
    assert f"{lower:.3f} to {upper:.3f}" in page.text
    assert "at all times" not in read(nepers.bet({"a": [0.1, 0.2]})).text


def test_a_ruined_player_has_nothing():
    # red if: a pile of zero fails, or is shown as minus infinity
    page = read(nepers.bet({"a": [0.1, -np.inf, 0.3], "b": [0.0, 0.1, 0.1]}))
    assert "a 0 0" in page.text


def test_other_results_are_shown_in_their_words():
    # red if: a notebook shows arrays
    found = nepers.improvement.recalibrate_pit(np.random.default_rng(0).beta(0.7, 0.8, 60), seed=1)
    assert read(found).text == " ".join(str(found).split())

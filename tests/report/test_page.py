"""The report of every kind of result, read strictly: whole, safe, readable to all, and true."""

import dataclasses
import re

import pytest
from report.results import HOSTILE, NAMES, RESULTS
from report.static import Page, contrast, faults

import nepers
from nepers.errors import InputError
from nepers.report.choice import page_of
from nepers.report.style import STYLE

TEXTS = {}


def text_of(case):
    """The page; making it takes a second."""
    if case not in TEXTS:
        TEXTS[case] = page_of(RESULTS[case], None)
    return TEXTS[case]


def section(page, heading):
    """The words from this h2 to the next."""
    headings = page.texts["h2"]
    start = page.text.index(heading)
    later = [page.text.find(h, start + 1) for h in headings if page.text.find(h, start + 1) > start]
    return page.text[start : min(later, default=None)]


@pytest.mark.parametrize("case", RESULTS)
def test_the_page_is_whole_and_asks_for_nothing(case):
    # red if: a text becomes markup, something is fetched or run, a figure has no words, a heading is skipped
    text = text_of(case)
    assert text.isprintable() or not re.search("[\x00-\x08\x0b-\x1f\ud800-\udfff]", text)
    text.encode()
    assert faults(Page(text)) == []


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("<p onclick='x()'></p>", "runs"),
        ("<script></script>", "runs"),
        ("<img src='https://x.example/a.png'>", "is fetched"),
        ("<h4>x</h4>", "left out"),
        ("<svg></svg>", "without words"),
        ("<p id='figure1-title'></p>", "id twice"),
        ("<div tabindex='0'></div>", "no name"),
    ],
)
def test_the_reader_of_pages_sees_what_is_wrong(broken, said):
    # red if: the check above cannot fail
    text = text_of("plain").replace("</footer>", f"{broken}</footer>")
    assert any(said in fault for fault in faults(Page(text)))


def test_the_verdict_comes_first():
    # red if: a reader meets a figure or a table before the answer
    page = Page(text_of("plain"))
    first = [tag for tag, _, path in page.elements if "body" in path][:4]
    assert first == ["header", "h1", "div", "p"]
    verdict = page.text.index("The prediction is better than the prior with probability")
    assert verdict < page.text.index("J = 0.") < page.text.index("What is known of J")


def test_a_warning_comes_before_the_verdict_and_is_short():
    # red if: unreliable numbers look like others, or the warning is a wall of text
    page = Page(text_of("unreliable"))
    warning = page.text[page.text.index("NOT YET RELIABLE") : page.text.index("The prediction is")]
    assert "The chains disagree on J" in warning
    assert len(warning) < 400
    assert "The chains have not run long enough" in section(page, "Whether the draws can be relied on")
    assert "NOT YET RELIABLE" not in Page(text_of("plain")).text


def test_certain_minus_infinity_is_the_verdict_and_its_cases_are_named():
    # red if: the report of J = -inf is empty, or shows a distribution of the finite cases
    page = Page(text_of("minus infinity"))
    assert page.text.index("J = -inf: the prediction gave the truth probability zero in 2 of 202 cases") < 400
    assert "rows 200, 201" in page.text
    assert page.all("svg") == []
    assert "nothing to converge" in page.text


def test_no_cases_is_the_prior_and_says_so():
    # red if: an empty result fails, or looks like an answer
    page = Page(text_of("no cases"))
    assert "from no cases: this is the prior" in page.text
    assert len(page.all("svg")) == 1


@pytest.mark.parametrize(("case", "figures"), [("plain", 9), ("two values", 6), ("three", 3), ("alone", 1)])
def test_the_figures_are_there_and_numbered_in_order(case, figures):
    # red if: a figure is left out or comes twice
    page = Page(text_of(case))
    numbers = [int(n) for n in re.findall(r"Figure (\d+)\.", page.text)]
    assert numbers == list(range(1, len(page.all("svg")) + 1))
    assert len(numbers) == figures
    assert all(len(words) > 20 for words in page.texts["desc"])


def test_the_costliest_cases_are_those_of_the_result():
    # red if: the best are shown, or j / n is of another n
    a = RESULTS["plain"]
    page = Page(text_of("plain"))
    table = section(page, "The costliest cases")
    assert "The 20 cases of 200 with the lowest j, the lowest first" in table
    label, j = a.worst_cases[0]
    assert f"{label} {j:.3f} {j / 200:.5f} 0.00150" in table  # exp(-6.5) = 0.0015034


@pytest.mark.parametrize("case", ["odd names in bits", "three", "twenty"])
def test_what_came_from_the_user_stays_text(case):
    # red if: one place forgets to escape
    text = text_of(case)
    assert HOSTILE not in text
    assert "<img" not in text
    assert "<b>bold" not in text
    page = Page(text)
    assert HOSTILE in page.text
    assert "\ufffd" in page.text or case == "three"
    assert "\u202e" not in page.text


def test_every_algorithm_has_its_row_with_its_whole_name():
    # red if: long names are cut in the table, or one that is odd vanishes
    page = Page(text_of("twenty"))
    rows = section(page, "How much each algorithm is worth")
    for name in ("w" * 40, "模型 نموذج 모델 मॉडल", "algorithm 19", "two lines", "&amp; &lt;"):
        assert name in rows
    assert len(page.texts["summary"]) >= 1


@pytest.mark.parametrize("case", ["plain", "three against one"])
def test_the_call_that_is_shown_repeats_the_result(case):
    # red if: an argument that was given is left out, or a name breaks the code
    import ast

    page = Page(text_of(case))
    code = page.texts["code"][0]
    call = ast.parse(code).body[-1].value
    given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    assert given["seed"] == RESULTS[case].seed
    if case == "plain":
        assert given == {"seed": 1, "chains": 4, "hyperparameters": "paper"}
    else:
        assert given["reference"] == NAMES[1]


def test_it_says_what_the_number_does_not_mean_and_what_made_it():
    # red if: the report is a number without its limits, or cannot be repeated
    page = Page(text_of("plain"))
    for said in ("nothing of causes", "The prior matters", "folds of a cross-validation", "1.2.3", "Seed 1"):
        assert said in page.text
    assert "leans on the model's own prior" not in page.text  # this one has the paper's, not the default


def test_it_says_what_the_default_prior_holds_possible():
    # red if: the size of J under the prior is left out, or told of other constants than those used
    result = dataclasses.replace(RESULTS["plain"], hyperparameters=nepers.calibrated())
    assert "between about -3.2 and 3.2 nats" in Page(page_of(result, None)).text


def test_bits_are_bits_everywhere():
    # red if: a figure or a table keeps nats while the rest is in bits
    page = Page(text_of("odd names in bits"))
    lower, upper = RESULTS["odd names in bits"].interval()
    assert f"{lower:.3f} to {upper:.3f}" in page.text
    axes = [words for words in page.texts["text"] if "(nats)" in words or "per nat" in words]
    assert axes == []
    assert ".in_bits()" in page.texts["code"][0]


def test_the_same_result_gives_the_same_bytes():
    # red if: a date, a random id or the order of a set is in the file
    assert page_of(RESULTS["three"], None) == text_of("three")
    assert page_of(RESULTS["no cases"], None) == text_of("no cases")


def test_the_title_may_be_given():
    # red if: it is markup, or is not the heading
    page = Page(page_of(RESULTS["no cases"], "<i>Mine</i>\nand more"))
    assert page.texts["h1"] == page.texts["title"][:1] == ["<i>Mine</i> and more"]
    with pytest.raises(InputError, match="title must be text; it is 3"):
        page_of(RESULTS["no cases"], 3)
    with pytest.raises(InputError, match="result must be an Assessment or a Comparison; it is dict"):
        page_of({}, None)


def test_text_has_contrast_on_what_it_stands_on():
    # red if: grey on grey: 4.5 to 1 is wanted, 3 to 1 for lines that mean something
    inks = dict(re.findall(r"--(\w+): (#[0-9a-f]+);", STYLE))
    for paper in ("#fff", inks["tint"]):
        assert contrast(inks["ink"], paper) > 7.0
        assert contrast(inks["soft"], paper) > 4.5
    used = set(re.findall(r"#[0-9a-f]{3,6}\b", STYLE)) - set(inks.values()) - {"#fff"}
    for colour in used:
        assert contrast(colour, "#fff") > 4.5, colour
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.01)  # the known edge


def test_nothing_is_wider_than_the_screen_or_left_out_on_paper():
    # red if: the rules that a browser is tried with are lost
    assert "@page { size: A4" in STYLE
    assert "overflow-x: auto" in STYLE
    assert "overflow-wrap: anywhere" in STYLE
    assert STYLE.count("{") == STYLE.count("}")

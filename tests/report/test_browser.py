"""The report in a real browser: nothing is complained of, everything is seen, nothing is wider than a phone.

Needs chromium: `./do browser`. What can be told without one is in test_page.py.
"""

import pytest
from report.browser import Browser, chromium
from report.results import HOSTILE, RESULTS

pytestmark = pytest.mark.browser

# of every figure: how wide and high it is, and how many of its marks have an extent
SEEN = """[...document.querySelectorAll('svg')].map(svg => {
  const box = svg.getBoundingClientRect();
  const marks = [...svg.querySelectorAll('path, text, use')].filter(e => {
    const b = e.getBoundingClientRect();
    return b.width > 0 || b.height > 0;
  });
  return [box.width, box.height, marks.length, getComputedStyle(svg).visibility];
})"""
# what is cut: elements that reach beyond the window, but for those inside a box that scrolls
BEYOND = """[...document.querySelectorAll('body *')].filter(e =>
  e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, pre, svg')
).map(e => e.tagName + ' ' + e.className)"""
# the size in pixels of every text of every figure
SIZES = """[...document.querySelectorAll('svg text')].map(e => {
  const m = e.getScreenCTM();
  return parseFloat(getComputedStyle(e).fontSize) * Math.sqrt(Math.abs(m.a * m.d - m.b * m.c));
})"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    assert chromium(), "chromium is not on this machine: apt install chromium"
    with Browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The reports of all results."""
    folder = tmp_path_factory.mktemp("reports")
    paths = {case: folder / f"{number}.html" for number, case in enumerate(RESULTS)}
    for case, path in paths.items():
        RESULTS[case].report(path)
    return paths


@pytest.mark.parametrize("width", [320, 375, 768, 1280])
@pytest.mark.parametrize("case", RESULTS)
def test_the_report_in_a_browser(browser, pages, case, width):
    # red if: the console complains, something is fetched, a figure is empty, or the page scrolls sideways
    page = browser.open(pages[case], width=width)
    assert page.said == []
    assert page.fetched == []
    assert page.value("document.documentElement.scrollWidth") <= width
    assert page.value(BEYOND) == []
    for wide, high, marks, visibility in page.value(SEEN):
        assert min(wide, high) > 60.0
        assert marks > 10
        assert visibility == "visible"
    # small print is 6.5 points where a column is 252 wide; on the smallest phone that is 7 pixels
    assert min(page.value(SIZES), default=10.0) > 6.9


@pytest.mark.parametrize("case", ["odd names in bits", "twenty"])
def test_a_hostile_name_is_text_to_a_browser(browser, pages, case):
    # red if: a name makes an element, or the title is broken
    page = browser.open(pages[case])
    assert page.value("document.querySelectorAll('script, img, body b i').length") == 0
    assert HOSTILE in page.value("document.body.textContent")
    assert page.value("document.querySelectorAll('style').length") == 1


def test_tables_and_wide_figures_can_be_reached_from_the_keyboard(browser, pages):
    # red if: what is beyond the edge of a phone can be scrolled to with a finger alone
    page = browser.open(pages["twenty"], width=375)
    hidden = """[...document.querySelectorAll('.scroll, pre')].filter(
        e => e.scrollWidth > e.clientWidth && e.tabIndex !== 0).length"""
    assert page.value(hidden) == 0
    assert page.value("[...document.querySelectorAll('.scroll')].some(e => e.scrollWidth > e.clientWidth)")


def test_a_browser_reads_the_figures_out(browser, pages):
    # red if: the words of a figure do not reach those who cannot see it
    page = browser.open(pages["plain"])
    page.send("Accessibility.enable")
    nodes = page.send("Accessibility.getFullAXTree")["nodes"]
    images = [n for n in nodes if n.get("role", {}).get("value") in ("image", "img") and not n["ignored"]]
    names = [n["name"]["value"] for n in images]
    assert len(names) == 9
    assert all("J" in name or "case" in name or "chain" in name or "model" in name for name in names)


def test_on_paper_the_report_is_a_few_pages_with_the_details_unfolded(browser, pages, tmp_path):
    # red if: paper has what a reader cannot unfold, or a page for each line
    page = browser.open(pages["plain"])
    page.print_a4(tmp_path / "a4.pdf")
    content = (tmp_path / "a4.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert 4 <= content.count(b"/Type /Page\n") + content.count(b"/Type /Page ") <= 9
    page.send("Emulation.setEmulatedMedia", media="print")
    folded = "document.querySelector('details table').getBoundingClientRect().height"
    assert page.value(folded) > 50.0

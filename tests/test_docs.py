"""What the README, the pages and the examples show is what happens; the reference has every public name."""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pages
import pytest

import nepers

HOME = Path(__file__).resolve().parents[1]
DOCS = HOME / "docs"
README = HOME / "README.md"
# A number in a page may be off by this much, or by this share of it. On another machine floats may differ in
# the last digit, and draws from there on entirely: an end of an interval then moves by some hundredths of the
# posterior's standard deviation, which is at most about 0.3 nats in the pages.
_OFF, _SHARE = 0.02, 0.02


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text.replace(",", ""))]


def share_of(page: str) -> float:
    """A page may say that its numbers hang on few draws, as <!-- numbers may be off by 30% -->."""
    said = re.search(r"^<!-- numbers may be off by (\d+)% -->$", page, re.MULTILINE)
    return float(said[1]) / 100.0 if said else _SHARE


def words(text: str) -> list[str]:
    return re.sub(r"-?\d+(?:[.,]\d+)*|more than", " ", text).split()


def assert_agree(shown: str, printed: str, share: float = _SHARE) -> None:
    assert words(shown) == words(printed), f"shown:\n{shown}\nprinted:\n{printed}"
    wanted = [pytest.approx(number, abs=_OFF, rel=share) for number in numbers(shown)]
    assert numbers(printed) == wanted, f"shown:\n{shown}\nprinted:\n{printed}"


@pytest.mark.parametrize("page", pages.pages(), ids=lambda page: page.stem)
def test_the_page_shows_what_its_code_prints_and_draws(page, tmp_path, monkeypatch):
    # red if: a name that the page uses is renamed, an output was typed in, or the words of a result change;
    # ./do pages puts in what is printed now
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    for _block, shown, printed in pages.run(text, page.name):
        if shown:
            assert_agree(shown.text, printed, share_of(text))
    assert [name for name in pages.pictures(text) if not (tmp_path / name).exists()] == []
    assert [name for name in pages.kept_pictures(text) if not (page.parent / name).exists()] == []


def test_the_python_of_the_readme_runs(tmp_path, monkeypatch):
    # red if: a name that the README uses is renamed, or an example never ran
    monkeypatch.chdir(tmp_path)
    found = pages.blocks(README.read_text(encoding="utf-8"))
    # its commands are about files of the reader's own
    code = [f"```python\n{block.text}```\n" for block in found if block.language == "python"]
    assert len(list(pages.run("\n".join(code), "README"))) == len(code) > 0


def test_an_output_that_differs_is_seen():
    # red if: the comparison lets a wrong word, a missing line or a wrong number pass
    right = "J = 0.106 nats, from 418 cases\nbetter"
    assert_agree(right, "J = 0.104 nats, from 418 cases\nbetter\n")
    for wrong in (right + "\nand more", right.replace("nats", "bits"), right.replace("0.106", "0.156")):
        with pytest.raises(AssertionError):
            assert_agree(wrong, right)


@pytest.mark.parametrize("page", pages.tutorials(), ids=lambda page: page.stem)
def test_the_example_is_the_tutorial(page):
    # red if: one of them is changed and the other is not; ./do pages makes the scripts again
    made = pages.script(page.read_text(encoding="utf-8"), str(page.relative_to(HOME)))
    assert (pages.EXAMPLES / f"{page.stem}.py").read_text(encoding="utf-8") == made


def test_no_example_is_left_over():
    # red if: a tutorial is renamed and its script stays behind
    assert {path.stem for path in pages.EXAMPLES.glob("*.py")} == {page.stem for page in pages.tutorials()}


def test_the_readme_shows_what_the_demo_prints():
    # red if: the demo's words or seed change, and the README is forgotten
    shown = next(b.text for b in pages.blocks(README.read_text(encoding="utf-8")) if b.language == "text")
    printed = subprocess.run(
        [sys.executable, "-m", "nepers", "demo"], capture_output=True, text=True, check=True
    ).stdout
    assert_agree(shown, printed)


def test_the_demo_is_the_same_every_time():
    # red if: the demo takes a seed from the system
    ran = [
        subprocess.run([sys.executable, "-m", "nepers", "demo"], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert ran[0].stdout == ran[1].stdout


def slug(heading: str) -> str:
    """The anchor of a heading, as the site and GitHub make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", prose, re.MULTILINE)}


def all_pages() -> list[Path]:
    return [page for page in sorted(DOCS.rglob("*.md")) if "_build" not in page.parts]


@pytest.mark.parametrize("page", [README, *all_pages()], ids=lambda page: str(page.relative_to(HOME)))
def test_links_lead_somewhere(page):
    # red if: a page or a heading is renamed, and a link to it is not
    text = page.read_text(encoding="utf-8")
    lost = []
    for link in re.findall(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    assert lost == []


def listed(page: Path) -> list[Path]:
    """The pages in the page's tables of contents."""
    found = []
    for block in pages.blocks(page.read_text(encoding="utf-8")):
        if block.language == "{toctree}":
            names = [line for line in block.text.splitlines() if line and not line.startswith(":")]
            for name in names:
                there = sorted(page.parent.glob(f"{name}.md"))
                assert there or "*" in name, f"{page.name}: {name} is no page"
                found += there
    return found


def test_every_page_is_in_one_table_of_contents():
    # red if: a new page is in none, so that no reader comes to it, or a renamed one is still listed
    found = [target for page in all_pages() for target in listed(page)]
    assert sorted(found) == [page for page in all_pages() if page != DOCS / "index.md"]


def in_reference() -> list[object]:
    """Every object that a page of the reference is about."""
    text = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md"))
    return [resolved(name) for name in re.findall(r"^\.\. auto\w+:: ([\w.]+)", text, re.MULTILINE)]


def resolved(name: str) -> object:
    home, _, last = name.rpartition(".")
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return getattr(importlib.import_module(home), last)


# rooms that users do not call: the sampler's parts, the command line, and what other rooms are made of; what
# they do call of them is a name of nepers itself
_INNER = {"nepers.cli", "nepers.gibbs", "nepers.identity", "nepers.reading"}


def public_names() -> list[tuple[str, str]]:
    rooms = [f"nepers.{found.name}" for found in pkgutil.iter_modules(nepers.__path__) if found.ispkg]
    public = ["nepers", *(room for room in rooms if room not in _INNER)]
    return [(room, name) for room in public for name in getattr(importlib.import_module(room), "__all__", ())]


def test_every_public_name_is_in_the_reference():
    # red if: a name becomes public, or is renamed, and the reference is forgotten
    there = in_reference()
    missing = [
        f"{room}.{name}"
        for room, name in public_names()
        if name != "__version__"
        and not any(getattr(importlib.import_module(room), name) is one for one in there)
    ]
    assert missing == []

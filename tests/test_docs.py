"""What the README and the pages show is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parents[1]
PAGES = [HOME / "README.md", *sorted((HOME / "docs").glob("*.md"))]
# what a short run may be off by: four Monte Carlo standard errors of an end of the interval
_OFF = 0.008


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_of_the_page_runs(page, tmp_path, monkeypatch):
    # red if: a name that the page uses is renamed, or an example never ran
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for number, code in enumerate(blocks(page, "python")):
        exec(compile(code, f"{page.name}, block {number}", "exec"), names)


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def words(text: str) -> list[str]:
    return re.sub(r"-?\d+(?:\.\d+)?|more than", " ", text).split()


def test_the_readme_shows_what_the_demo_prints():
    # red if: the demo's words or seed change, and the README is forgotten; the last digits differ by machine
    shown = blocks(HOME / "README.md", "text")[0]
    printed = subprocess.run(
        [sys.executable, "-m", "nepers", "demo"], capture_output=True, text=True, check=True
    ).stdout
    assert words(shown) == words(printed)
    assert numbers(shown) == pytest.approx(numbers(printed), abs=_OFF)


def test_the_demo_is_the_same_every_time():
    # red if: the demo takes a seed from the system
    ran = [
        subprocess.run([sys.executable, "-m", "nepers", "demo"], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert ran[0].stdout == ran[1].stdout

"""The code of the pages, run: what they print and draw is what they show.

In a page of docs/, what stands in ```python is code, and lines that call nepers in ```sh are commands. The
blocks of a page run in order, share their names, and read and write files in one place. A block in ```text
directly below one of them shows what it prints, and a picture ![...](name.svg) is a file that they write.

    python docs/pages.py [PAGE.md ...]     run the pages and put what they print into them; write examples/
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
HOME = DOCS.parent
EXAMPLES = HOME / "examples"

_FENCED = re.compile(r"^```(\S*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s:]+\.svg)\)")
_KEPT = "pictures/"
_NOT_PAGES = ("_build", "reference")
_WIDTH = 88  # of what is printed, as wide as a column of the site


@dataclass(frozen=True)
class Block:
    """What stands between fences; ``start`` and ``end`` are the places of its text in the page's."""

    language: str
    text: str
    start: int
    end: int
    below: str

    @property
    def runs(self) -> bool:
        """Whether it is code, or commands of nepers alone."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return self.language == "python" or (
            self.language == "sh" and all(line.startswith("nepers ") for line in lines)
        )


def pages() -> list[Path]:
    """The pages with code of their own; those of the reference have none."""
    return [page for page in sorted(DOCS.rglob("*.md")) if page.relative_to(DOCS).parts[0] not in _NOT_PAGES]


def tutorials() -> list[Path]:
    """Those that are also scripts in examples/."""
    return [page for page in sorted((DOCS / "tutorials").glob("*.md")) if page.name != "index.md"]


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page; ``below`` is what stands between one and the next."""
    found = list(_FENCED.finditer(text))
    starts = [*(match.start() for match in found), len(text)]
    return [
        Block(match[1], match[2], match.start(2), match.end(2), text[match.end() : following])
        for match, following in zip(found, starts[1:], strict=True)
    ]


def pictures(text: str) -> list[str]:
    """The pictures that the page's code draws."""
    return [name for name in _PICTURE.findall(text) if not name.startswith(_KEPT)]


def kept_pictures(text: str) -> list[str]:
    """Those that a benchmark draws, from data that are not shipped; they stand beside the page."""
    return [name for name in _PICTURE.findall(text) if name.startswith(_KEPT)]


def run(text: str, name: str = "page") -> Iterator[tuple[Block, Block | None, str]]:
    """Each block that runs, the block that shows what it prints if there is one, and what it printed.

    Files are read and written in the present directory.
    """
    os.environ["MPLBACKEND"] = "Agg"
    found = blocks(text)
    names: dict[str, Any] = {"__name__": "page"}
    for i, block in enumerate(found):
        if block.runs:
            shows = i + 1 < len(found) and found[i + 1].language == "text" and not block.below.strip()
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                _run(block, names, f"{name}, block {i}", may_fail=shows)
            yield block, found[i + 1] if shows else None, printed.getvalue()
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def _run(block: Block, names: dict[str, Any], place: str, may_fail: bool) -> None:
    if block.language == "python":
        exec(compile(block.text, place, "exec"), names)
        return
    from nepers.cli import main

    for line in block.text.replace("\\\n", " ").splitlines():
        # what a command complains of is shown as well
        with contextlib.redirect_stderr(sys.stdout):
            status = main(shlex.split(line, comments=True)[1:])
        if status and not may_fail:
            raise RuntimeError(f"{place}: exit status {status} of: {line}")


@contextlib.contextmanager
def elsewhere() -> Iterator[Path]:
    """A directory of its own for the files of a page, gone afterwards."""
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        yield Path(place)


def refreshed(text: str, name: str) -> str:
    """The page with what its code prints now."""
    result, taken = "", 0
    for _block, shown, printed in run(text, name):
        if shown:
            result += text[taken : shown.start] + wrapped(printed)
            taken = shown.end
    return result + text[taken:]


def wrapped(printed: str) -> str:
    """Long sentences cut into lines that fit; tables, which have columns, stay."""
    lines = (line if "  " in line else textwrap.fill(line, _WIDTH) for line in printed.splitlines())
    return "".join(f"{line}\n" for line in lines)


def draw(page: Path) -> None:
    """Make the page's pictures beside it, unless they are there and newer than the page and the package."""
    text = page.read_text(encoding="utf-8")
    places = [page.parent / name for name in pictures(text)]
    sources = [page, *(HOME / "src" / "nepers").rglob("*.py")]
    newest = max(source.stat().st_mtime for source in sources)
    if all(place.exists() and place.stat().st_mtime > newest for place in places):
        return
    with elsewhere() as made:
        for _ in run(text, page.name):
            pass
        for place in places:
            shutil.copyfile(made / place.name, place)


def script(text: str, name: str) -> str:
    """A tutorial as a script: its code, with the headings as comments."""
    title, opening = re.findall(r"\A# ([^\n]+)\n\n(.+?)\n\n", text, re.DOTALL)[0]
    about = textwrap.fill(" ".join(opening.split()), 110)
    head = f'"""{title}: {name} without the words between.\n\n{about}\n"""\n'
    parts = [head]
    taken = 0
    for block in blocks(text):
        headings = re.findall(r"^##+ (.+)$", text[taken : block.start], re.MULTILINE)
        taken = block.end
        if block.language == "python":
            parts.append("".join(f"# {heading}\n" for heading in headings[-1:]) + block.text)
    return "\n".join(parts)


def main(chosen: list[str]) -> None:
    """Refresh the pages chosen, or all, and the examples."""
    for page in [Path(name).resolve() for name in chosen] or pages():
        text = page.read_text(encoding="utf-8")
        with elsewhere():
            new = refreshed(text, page.name)
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"refreshed {page.relative_to(HOME)}")
    EXAMPLES.mkdir(exist_ok=True)
    for page in tutorials():
        made = script(page.read_text(encoding="utf-8"), str(page.relative_to(HOME)))
        (EXAMPLES / f"{page.stem}.py").write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

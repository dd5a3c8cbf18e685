"""The site, built by ./do docs. Nothing is fetched, to build it or to read it.

The pictures in the pages are drawn by the pages' own code, when they are not there or older than it.
"""

import sys
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import pages
from docstrings import as_rst

project = "nepers"
release = version = installed("nepers")
copyright = "the authors of nepers"
language = "en_GB"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = f"nepers {release}"
html_static_path = ["_static"]
html_css_files = ["house.css"]
html_copy_source = False
html_show_sphinx = False
highlight_language = "text"
smartquotes = False

autodoc_member_order = "bysource"
# every type that matters is said in words; the annotations are for mypy
autodoc_typehints = "none"

# results: what makes them is a function, so their own signature is of no use to a reader
_MADE_BY_USERS = {"nepers.ratios.Curves", "nepers.hierarchy.Mixture", "nepers.hierarchy.SkewStudent"}


def _plain_text(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = as_rst(lines)


def _no_constructor(
    app: Any, what: str, name: str, obj: Any, options: Any, signature: Any, returns: Any
) -> Any:
    return ("", None) if what == "class" and name not in _MADE_BY_USERS else None


def _pictures(app: Any) -> None:
    for page in pages.pages():
        pages.draw(page)


def setup(app: Any) -> None:
    app.connect("builder-inited", _pictures)
    app.connect("autodoc-process-docstring", _plain_text)
    app.connect("autodoc-process-signature", _no_constructor)

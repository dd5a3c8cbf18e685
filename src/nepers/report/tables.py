"""Tables: a caption, a heading for every column, the first cell of a row its heading, a box that scrolls."""

from __future__ import annotations

from collections.abc import Sequence

from nepers.report.markup import Markup, element, joined


def table(
    caption: str,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    words: Sequence[int] = (),
    class_: str = "",
) -> Markup:
    """A table of texts. All columns but the first and those in ``words`` are of numbers."""
    kinds = ["words" if i == 0 or i in words else "number" for i in range(len(headings))]
    head = element(
        "tr",
        [element("th", text, scope="col", class_=kind) for text, kind in zip(headings, kinds, strict=True)],
    )
    body = [_row(row, kinds) for row in rows]
    inside = element(
        "table", element("caption", caption), element("thead", head), element("tbody", body), class_=class_
    )
    return scrolling(caption, inside)


def scrolling(name: str, inside: Markup) -> Markup:
    """What is too wide for a small screen, in a box that the keyboard can reach, and so must have a name."""
    return element("div", inside, class_="scroll", tabindex="0", role="region", aria_label=name)


def pairs(caption: str, rows: Sequence[tuple[str, str]]) -> Markup:
    """A table of names and values."""
    body = [
        element("tr", element("th", name, scope="row"), element("td", value, class_="words"))
        for name, value in rows
    ]
    inside = element("table", element("caption", caption), element("tbody", body), class_="pairs")
    return scrolling(caption, inside)


def _row(row: Sequence[str], kinds: Sequence[str]) -> Markup:
    first, *others = row
    cells = [element("td", text, class_=kind) for text, kind in zip(others, kinds[1:], strict=True)]
    heading = first if isinstance(first, Markup) else label(first)
    return element("tr", element("th", heading, scope="row", class_="words"), cells)


def label(text: str, number: int | None = None) -> Markup:
    """The user's name of something, which has its own direction of writing, with its number in the table."""
    return joined("" if number is None else f"{number}. ", element("bdi", text))

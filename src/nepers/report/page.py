"""The skeleton of a report: one HTML file that is complete by itself."""

from __future__ import annotations

from collections.abc import Sequence

from nepers.report.markup import Markup, element, joined
from nepers.report.reliability import in_short
from nepers.report.style import STYLE

# even if a text became markup, the browser would load nothing for it and run nothing
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(title: str, verdict: Sequence[Markup], sections: Sequence[Sequence[Markup]], made_by: str) -> str:
    """The document: the title, the verdict in words, the sections, each beginning with its h2."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light"),
        element("meta", name="generator", content=f"nepers {made_by}"),
        element("link", rel="icon", href="data:,"),
        element("title", title),
        element("style", Markup(STYLE)),
    )
    body = element(
        "body",
        element("header", element("h1", title), element("div", verdict, class_="verdict")),
        element("main", [element("section", section) for section in sections if section]),
        element("footer", element("p", f"Written by nepers {made_by}.")),
    )
    return joined(Markup("<!DOCTYPE html>\n"), element("html", head, "\n", body, lang="en-GB"), "\n")


def paragraphs(sentences: Sequence[str], problems: Sequence[str]) -> list[Markup]:
    """The verdict: a warning stands first, in short, and the answer is larger than the rest."""
    warning = " ".join([f"{_WARNING}.", *in_short(problems)])
    answer, *others = (text for text in sentences if not text.startswith(_WARNING))
    return [
        *([element("p", warning, class_="warning")] if problems else []),
        element("p", answer, class_="answer"),
        *(element("p", text) for text in others),
    ]


_WARNING = "NOT YET RELIABLE"

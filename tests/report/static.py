"""A page read strictly: what a browser would do with it, told without one."""

import re
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"meta", "link", "br", "hr", "img", "input", "col"}
# these may name an address from which something is fetched
ADDRESSES = {"src", "href", "srcset", "action", "data", "poster", "xlink:href", "formaction", "background"}


class Page(HTMLParser):
    """``elements`` are (name, attributes, path of names above); ``words`` is the text outside the style."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.words, self.open, self.style, self.texts = [], [], [], "", {}
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"an attribute twice: {tag} {attrs}"
        self.elements.append((tag, dict(attrs), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), tuple(self.open)))

    def handle_endtag(self, tag):
        assert self.open
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.words.append(data)
            if self.open:
                self.texts.setdefault(self.open[-1], []).append(data)

    def all(self, name):
        return [attributes for tag, attributes, _ in self.elements if tag == name]

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def faults(page):
    """What is wrong with the page, in words."""
    return [*_fetches(page), *_runs(page), *_unreadable(page), *_out_of_order(page), *_ids(page)]


def _fetches(page):
    for tag, attributes, _ in page.elements:
        for name in ADDRESSES & set(attributes):
            if not attributes[name].startswith(("#", "data:,", "data:image/png;")):
                yield f"{tag} {name}={attributes[name]} is fetched"
    for found in re.findall(r"url\(\s*(?!#)[^)]*\)|@import[^;]*", page.style):
        yield f"style fetches {found}"
    for _, attributes, _ in page.elements:
        for value in attributes.values():
            if re.search(r"url\((?!#)", value or ""):
                yield f"an attribute fetches {value}"


def _runs(page):
    for tag, attributes, _ in page.elements:
        if tag in {"script", "iframe", "object", "embed", "foreignobject"}:
            yield f"{tag} runs or holds what runs"
        for name, value in attributes.items():
            if name.startswith("on") or "javascript:" in (value or ""):
                yield f"{tag} {name} runs"


def _unreadable(page):
    ids = {a["id"] for _, a, _ in page.elements if "id" in a}
    for tag, attributes, path in page.elements:
        if tag == "svg":
            named = attributes.get("aria-labelledby", "").split()
            if attributes.get("role") != "img" or len(named) != 2 or not set(named) <= ids:
                yield f"a figure without words: {attributes}"
        if tag == "th" and attributes.get("scope") not in ("col", "row"):
            yield "a heading of a table without its scope"
        if tag == "table" and "svg" in path:
            yield "a table in a figure"
        if attributes.get("tabindex") == "0" and not attributes.get("aria-label"):
            yield f"{tag} can be reached but has no name"
    if len(page.all("table")) != len(page.texts.get("caption", [])) and page.all("table"):
        yield "a table without a caption"
    (html,) = page.all("html")
    if not html.get("lang"):
        yield "the language is not said"
    if not page.all("title") or not page.all("h1"):
        yield "no title"


def _out_of_order(page):
    levels = [int(tag[1]) for tag, _, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    if levels[:1] != [1] or levels.count(1) != 1:
        yield f"not one h1, and first: {levels}"
    if any(after > before + 1 for before, after in pairwise(levels)):
        yield f"a level of headings is left out: {levels}"


def _ids(page):
    found = [a["id"] for _, a, _ in page.elements if "id" in a]
    if len(found) != len(set(found)):
        yield "an id twice"
    for _, attributes, _ in page.elements:
        for value in attributes.values():
            for used in re.findall(r"url\(#([^)]+)\)", value or ""):
                if used not in found:
                    yield f"#{used} is nowhere"
        if attributes.get("href", "").startswith("#") and attributes["href"][1:] not in found:
            yield f"{attributes['href']} is nowhere"


def contrast(one, other):
    """The ratio of two colours, #rrggbb or #rgb: 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour):
    digits = colour.lstrip("#")
    digits = "".join(2 * d for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[k : k + 2], 16) / 255.0 for k in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

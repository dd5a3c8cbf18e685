"""Figures inside the page: matplotlib's drawing as SVG elements of the document, with words for the blind.

Texts stay texts, drawn in the reader's fonts. What belongs to a file of its own goes (prolog, metadata with
its addresses, a style sheet that would reach the whole page), identifiers get the figure's own prefix, as
those of several figures would be the same, and coordinates are written to a hundredth of a point.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import numpy as np

from nepers.report.markup import Markup, element
from nepers.report.tables import scrolling

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDE = 5.0  # inches: above this a figure takes the whole width of the page
_DROPPED = ("metadata", "style")
_COORDINATES = ("d", "x", "y", "points", "cx", "cy", "r", "width", "height")
# characters that XML does not have
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True)
class Picture:
    """One figure of a report: what draws it, its title, what it shows in words, and how to read it.

    ``finding`` may be a function of what was drawn.
    """

    draw: Callable[[], Any]
    title: str
    finding: str | Callable[[Any], str]
    caption: str


def figures(pictures: Sequence[Picture], numbers: Iterator[int], *beside: Markup) -> Markup:
    """The pictures, with their numbers in the report, and what belongs beside them; two in a row."""
    return element("div", [figure(one, next(numbers)) for one in pictures], beside, class_="figures")


def figure(picture: Picture, number: int) -> Markup:
    """The picture with its caption."""
    axes = picture.draw()
    drawn = _figure_of(axes)
    finding = picture.finding if isinstance(picture.finding, str) else picture.finding(axes)
    words = element("figcaption", element("b", f"Figure {number}. {picture.title}."), " ", picture.caption)
    drawing = as_svg(drawn, f"figure{number}", picture.title, finding)
    if drawn.get_figwidth() <= _WIDE:
        return element("figure", drawing, words)
    return element("figure", scrolling(picture.title, drawing), words, class_="wide")


def as_svg(drawn: Figure, prefix: str, title: str, finding: str) -> Markup:
    """The figure as an svg element; what is read out instead of it is its title and its finding."""
    root = ElementTree.fromstring(_drawing(drawn, prefix))
    _into_the_document(root)
    _tidy(root, prefix)
    for key in ("width", "height", "version"):
        root.attrib.pop(key, None)
    ids = (f"{prefix}-title", f"{prefix}-finding")
    root.attrib.update({"role": "img", "aria-labelledby": " ".join(ids)})
    for place, (tag, own, text) in enumerate(zip(("title", "desc"), ids, (title, finding), strict=True)):
        words = ElementTree.Element(tag, {"id": own})
        words.text = text
        root.insert(place, words)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _figure_of(drawn: Any) -> Figure:
    """The figure of the axes, or of an array of them."""
    found: Figure = np.asarray(drawn, dtype=object).flat[0].get_figure(root=True)
    return found


def _drawing(drawn: Figure, salt: str) -> str:
    """Matplotlib's own SVG, the same every time."""
    from matplotlib import rc_context

    content = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}), warnings.catch_warnings():
        # the reader's fonts draw the texts, whatever those of this machine lack
        warnings.filterwarnings("ignore", r"Glyph \d+|Matplotlib currently does not support")
        drawn.savefig(content, format="svg", metadata={"Date": None, "Creator": None})
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", content.getvalue())


def _into_the_document(root: ElementTree.Element) -> None:
    """Inside HTML the elements of SVG need no namespaces, and its links none of their own."""
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) in _DROPPED:
                parent.remove(child)
    for node in root.iter():
        node.tag = _local(node.tag)
        node.attrib = {_local(key): value for key, value in node.attrib.items()}


def _tidy(root: ElementTree.Element, prefix: str) -> None:
    """Identifiers only where something refers to them, and with the prefix; coordinates short."""
    used = set(re.findall(r"(?:url\(|\")#([^)\"]+)", ElementTree.tostring(root, encoding="unicode")))
    for node in root.iter():
        own = node.attrib.pop("id", None)
        if own in used:
            node.attrib["id"] = f"{prefix}-{own}"
        for key, value in node.attrib.items():
            if key == "href" and value.startswith("#"):
                node.attrib[key] = f"#{prefix}-{value[1:]}"
            elif "url(#" in value:
                node.attrib[key] = value.replace("url(#", f"url(#{prefix}-")
            elif key in _COORDINATES:
                node.attrib[key] = re.sub(r"-?\d+\.\d{3,}", _shorter, value)


def _shorter(match: re.Match[str]) -> str:
    return f"{float(match[0]):z.2f}".rstrip("0").rstrip(".")


def _local(name: str) -> str:
    return name.rpartition("}")[2]

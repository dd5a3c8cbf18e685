"""HTML put together so that no text can become markup: text is escaped; only `Markup` is taken as it is."""

from __future__ import annotations

import html
from collections.abc import Iterable


class Markup(str):
    """Text that is HTML already, made by `element`."""

    __slots__ = ()


Child = str | Iterable[str]
_WITHOUT_END = frozenset({"col", "link", "meta"})


def element(name: str, /, *children: Child, **attributes: str | bool) -> Markup:
    """An element. Children that are no Markup are escaped; ``class_`` is class, ``aria_label`` aria-label."""
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _WITHOUT_END:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{joined(*children)}</{name}>")


def joined(*children: Child) -> Markup:
    """The children one after the other."""
    return Markup("".join(_inside(child) for child in children))


def _inside(child: Child) -> str:
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return html.escape(child)
    return joined(*child)


def _attribute(key: str, value: str | bool) -> str:
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {name}" if value else ""
    return f' {name}="{html.escape(value)}"'

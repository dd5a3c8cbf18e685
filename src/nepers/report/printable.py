"""Texts that came from the user, made fit to be shown: one line, without characters that have no shape.

A name may have line ends, control characters, halves of characters (lone surrogates), or marks that turn the
direction of the text after them. White space becomes one space, the others become the replacement
character or nothing. Of a very long name the middle is left out. Names that then look the same are numbered,
so that they stay apart.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nepers.assessment import Assessment, Label
    from nepers.cases import Case
    from nepers.comparison import Comparison

_MOST, _END = 120, 40  # characters of a name, and of its end where the middle is left out
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# marks that embed, override or isolate a direction, and would need their ends
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def one_line(label: object) -> str:
    """A name on one line, every character of it one that can be shown."""
    return sentence(_cut(" ".join(str(label).split())))


def sentence(words: str) -> str:
    """As `one_line`, of any length."""
    shown = "".join(_shown(character) for character in " ".join(words.split()))
    return shown if shown.strip() else "(no name)"


def _cut(text: str) -> str:
    """The beginning and the end of what would fill a page."""
    return text if len(text) <= _MOST else f"{text[: _MOST - _END - 1]}…{text[-_END:]}"


def _shown(character: str) -> str:
    if character in _TURNS:
        return ""
    code = ord(character)
    shapeless = (
        unicodedata.category(character) in ("Cc", "Cs") or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code < 0xFDF0
    )
    return _REPLACEMENT if shapeless else character


def distinct(labels: Sequence[object]) -> tuple[str, ...]:
    """`one_line` of each, with a number added to those that become the same as another."""
    taken: set[str] = set()
    found = []
    for label in labels:
        text, number = one_line(label), 2
        while text in taken:
            text, number = f"{one_line(label)} ({number})", number + 1
        taken.add(text)
        found.append(text)
    return tuple(found)


def of_assessment(a: Assessment) -> Assessment:
    """The assessment with texts that can be shown."""
    return dataclasses.replace(
        a,
        name=None if a.name is None else one_line(a.name),
        infinite_cases=_labels(a.infinite_cases),
        worst_cases=_cases(a.worst_cases),
    )


def of_comparison(c: Comparison) -> Comparison:
    """The comparison with texts that can be shown."""
    names = distinct(c.names)
    reference = dict(zip(c.names, names, strict=True)).get(c.reference, c.reference)
    return dataclasses.replace(
        c,
        names=names,
        reference=reference,
        infinite_cases=tuple(map(_labels, c.infinite_cases)),
        worst_cases=tuple(map(_cases, c.worst_cases)),
    )


def _labels(labels: tuple[Label, ...]) -> tuple[Any, ...]:
    return tuple(one_line(label) if isinstance(label, str) else label for label in labels)


def _cases(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    return tuple(
        case._replace(label=label)
        for case, label in zip(cases, _labels(tuple(case.label for case in cases)), strict=True)
    )

"""Texts on pictures: axis labels with units, names of any script and length, small print.

A name is the user's and may be anything: long, of several lines, with dollar signs, which matplotlib would
take for mathematics. `name` makes it one short line of plain text; nothing else goes near a picture.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nepers.display.canvas import GUIDE, tick
from nepers.words import as_known, decimals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.estimate import Posterior

MOST_CHARACTERS = 24
_ELLIPSIS = "…"


def name(label: object, most: int = MOST_CHARACTERS) -> str:
    """The user's name of something as one line of at most ``most`` columns, wide characters counting two."""
    text = _one_line(label)
    if _columns(text) > most:
        text = _cut(text, most - 1).rstrip() + _ELLIPSIS
    return _plain(text)


def names(labels: Sequence[object], most: int = MOST_CHARACTERS) -> list[str]:
    """`name` of each; those that the cut would make alike keep their ends instead of their middles."""
    short = [name(label, most) for label in labels]
    alike = {text for text in short if short.count(text) > 1} if len(short) <= 1000 else set()
    return [
        _both_ends(_one_line(label), most) if text in alike else text
        for label, text in zip(labels, short, strict=True)
    ]


def with_unit(words: str, unit: str) -> str:
    """The words of an axis label and the unit in which it is counted."""
    return f"{words} ({unit})"


def number(value: float, figures: int = 3) -> str:
    """A number for reading: so many significant figures, a true minus sign."""
    if 1e3 <= abs(value) < 1e6:
        return f"{value:,.0f}".replace("-", "−")
    return tick(float(f"{value:.{figures}g}"))


def rounded(value: float, sd: float) -> str:
    """A number with the decimals that its uncertainty leaves it."""
    digits = decimals(sd)
    plain = digits <= 6 and abs(value) < 1e6
    return f"{value:z.{digits}f}".replace("-", "−") if plain else number(value)


def estimated(result: Posterior) -> str:
    """The posterior mean and the 95% interval of one quantity."""
    lower, upper = (rounded(end, result.sd) for end in result.interval())
    return f"{rounded(result.mean, result.sd)} ({lower} to {upper})"


def probability(value: float, draws: float) -> str:
    """ "= 0.31", or "> 0.999" and "< 0.001": no surer than so many independent draws can be."""
    sign, p = as_known(value, draws)
    return f"{sign or '='} {p:.3g}"


def key(ax: Axes, title: str | None = None, columns: int = 1, beside: Axes | None = None) -> Any:
    """The legend, above the axes, where it covers nothing; ``title`` is the user's name of the result.

    It names what is drawn on these axes and on those ``beside`` them.
    """
    named = [each.get_legend_handles_labels() for each in (ax, beside) if each is not None]
    return ax.legend(
        [handle for handles, _ in named for handle in handles],
        [words for _, texts in named for words in texts],
        loc="lower left",
        bbox_to_anchor=(0.0, 1.02),
        borderaxespad=0.0,
        ncols=columns,
        title=None if title is None else name(title, 40),
        title_fontsize=8.0,
        alignment="left",
        labelspacing=0.3,
        columnspacing=1.2,
    )


def note(ax: Axes, text: str) -> Any:
    """Small print under the axes, below the label of the horizontal one, as wide as the axes allow."""
    return ax.annotate(
        wrapped(ax, text, 6.5),
        xy=(0.5, 0.0),
        xycoords=ax.xaxis.label,
        xytext=(0.0, -3.0),
        textcoords="offset points",
        ha="center",
        va="top",
        fontsize=6.5,
        color=GUIDE,
    )


def message(ax: Axes, text: str) -> Axes:
    """A picture of words where there is nothing to draw: why, in the middle of empty axes."""
    ax.set_axis_off()
    ax.text(0.5, 0.5, wrapped(ax, text, 8.0), ha="center", va="center", transform=ax.transAxes, fontsize=8.0)
    return ax


def wrapped(ax: Axes, text: str, size: float) -> str:
    """The text in lines that fit the axes' width at this size in points."""
    figure = ax.get_figure(root=True)
    inches = (figure.get_figwidth() if figure is not None else 3.5) * ax.get_position(original=True).width
    letters = max(20, int(inches * 72.0 / (0.52 * size)))  # a letter is about half as wide as it is high
    return "\n".join(textwrap.fill(line, letters) for line in text.splitlines())


def _one_line(label: object) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in str(label)).split()) or "(no name)"


def _columns(text: str) -> int:
    return sum(_width(c) for c in text)


def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _cut(text: str, columns: int) -> str:
    """The longest beginning that is no wider; an accent stays with its letter."""
    end, used = 0, 0
    for c in text:
        used += _width(c)
        if used > columns:
            break
        end += 1
    return text[:end]


def _both_ends(flat: str, most: int) -> str:
    if _columns(flat) <= most:
        return _plain(flat)
    tail = _cut(flat[::-1], (most - 1) // 2)[::-1]
    short = _cut(flat, most - 1 - _columns(tail)).rstrip() + _ELLIPSIS + tail
    return _plain(short)


def _plain(text: str) -> str:
    """Text that matplotlib takes as it is: no mathematics, and in legends even if it begins with "_"."""
    return ("\u200b" if text.startswith("_") else "") + text.replace("$", r"\$")

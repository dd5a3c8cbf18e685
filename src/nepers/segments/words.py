"""J by group in words: the whole in a sentence, the groups in a table, and what to make of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nepers.words import decimals

if TYPE_CHECKING:
    from nepers.segments.result import Segments

_ROWS = 20
_NAMES = 5
_WIDE = 24  # characters of a label that are shown
HEAD = ("group", "n", "share", "J", "95% interval", "above 0", "lost", "alone")
_LOST = (
    "lost: how much higher J would be if the group had the J of the other groups. "
    "alone: the group's mean from its own cases only."
)
_SHRUNK = (
    "J of a group draws on the other groups too, the more so the fewer cases it has; so its interval allows "
    "for looking at the best and the worst."
)


def describe(s: Segments) -> str:
    """The answer and what it means."""
    rows = s.rows()
    return "\n".join([whole(s), "", *_table(rows), "", *_notes(s, rows)]).rstrip()


def whole(s: Segments) -> str:
    """The answer for all groups together."""
    found = s.summary()
    source = f"over {found['n']:,} cases in {_count(s.groups)}"
    if math.isinf(found["mean"]):
        return f"J = -inf {source}: {_certain(s)}."
    mean, lower, upper = (f"{found[k]:z.{decimals(found['sd'])}f}" for k in ("mean", "lower", "upper"))
    return f"J = {mean} {s.unit}, 95% credible interval {lower} to {upper}, {source}."


def _certain(s: Segments) -> str:
    groups = [group for group, cases in zip(s.groups, s.infinite_cases, strict=True) if cases]
    noun = "group" if len(groups) == 1 else "groups"
    return f"the prediction gave the truth probability zero in {noun} {_names(groups)}"


def _table(rows: list[dict[str, Any]]) -> list[str]:
    digits = digits_lost(rows)
    every = [HEAD, *(cells(row, digits) for row in rows[:_ROWS])]
    widths = [max(len(line[k]) for line in every) for k in range(len(HEAD))]
    lines = [_line(line, widths) for line in every]
    if len(rows) > _ROWS:
        lines.append(f"... and {len(rows) - _ROWS:,} more groups: to_frame() has them all.")
    return lines


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    first, *others = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join([first.strip().ljust(widths[0]), *others])


def digits_lost(rows: Sequence[dict[str, Any]]) -> int:
    """The decimals that show two figures of the largest loss."""
    finite = [abs(row["lost"]) for row in rows if math.isfinite(row["lost"])]
    return decimals(max(finite, default=0.0))


def cells(row: dict[str, Any], digits: int) -> tuple[str, ...]:
    """A row of the table, under `HEAD`."""
    d = decimals(row["sd"])
    label = str(row["group"])
    return (
        label if len(label) <= _WIDE else label[: _WIDE - 3] + "...",
        f"{row['n']:,}",
        f"{row['share']:.1%}",
        f"{row['mean']:z.{d}f}",
        "certain" if math.isinf(row["mean"]) else f"{row['lower']:z.{d}f} to {row['upper']:z.{d}f}",
        f"{row['probability_above_0']:.3f}",
        "" if math.isnan(row["lost"]) else f"{row['lost']:z.{digits}f}",
        f"{row['alone_mean']:z.{d}f}",
    )


def _notes(s: Segments, rows: list[dict[str, Any]]) -> list[str]:
    notes = ["NOT YET RELIABLE. " + " ".join(s.problems)] if s.problems else []
    if len(s.groups) > 1:
        notes += [_LOST, _SHRUNK]
    apart = [row["group"] for row in rows if row["apart"] > 0.5]
    if apart:
        notes.append(f"Unlike the others, and so not drawn towards them: {_names(apart)}.")
    if any(s.infinite_cases):
        notes.append(f"J = -inf where {_certain(s)}; the other rows are not touched by it.")
    return notes


def _names(groups: Sequence[Any]) -> str:
    more = f" and {len(groups) - _NAMES:,} more" if len(groups) > _NAMES else ""
    return ", ".join(map(repr, groups[:_NAMES])) + more


def _count(groups: Sequence[Any]) -> str:
    return f"{len(groups):,} group{'' if len(groups) == 1 else 's'}"

"""Cases that the prediction has seen: found, listed, refused.

J is about new cases. On cases that the prediction was made from, or the same case twice, its log ratios say
something else, and no statistics afterwards can put that right. So the cases to be assessed are compared with
those of the training before anything else.

A case is known by an id (``by=``, one column or several, or 1-D ids), or else by its content: two rows are
the same if they are equal in every column that both tables have (`nepers.identity` says what is equal to
what). By content nothing is missed that was copied, but cases of few and coarse columns may agree by chance:
then name the columns that identify a case.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError
from nepers.identity.cells import common_kind, refuse_inexact
from nepers.identity.matching import Pair, first_match
from nepers.identity.tables import Cases, cases_of, chosen, refuse_missing_ids

_SHOWN = 5
_BY_CHANCE = "if cases can agree in all of these by chance, name the columns that identify a case with by="


@dataclass(frozen=True, eq=False)
class Matches:
    """Those of ``n`` cases that have an equal: their positions, ``rows``, and ``where`` the first equals are.

    ``by`` are the columns compared; ``certain`` if they identify a case. ``examples`` are the first in words.
    """

    n: int
    rows: NDArray[np.int64]
    where: NDArray[np.int64]
    by: tuple[Any, ...]
    certain: bool
    examples: tuple[str, ...]

    def __len__(self) -> int:
        return int(self.rows.size)

    def _listed(self) -> str:
        more = f" and {len(self) - _SHOWN:,} more" if len(self) > _SHOWN else ""
        return f"{'; '.join(self.examples)}{more}"

    def _how(self) -> str:
        if self.certain:
            return ""
        shown = ", ".join(repr(name) for name in self.by[:_SHOWN]) + (
            ", ..." if len(self.by) > _SHOWN else ""
        )
        return f", being equal in all of {shown}" if len(self.by) > 1 else f", being equal in {shown}"


class Seen(Matches):
    """The cases that were in training; true if there are any. ``where`` counts rows of the training."""

    def __str__(self) -> str:
        if not self:
            return f"None of the {self.n:,} cases was in training."
        were = "was" if len(self) == 1 else "were"
        return f"{len(self):,} of {self.n:,} cases {were} in training{self._how()}: {self._listed()}."


class Duplicates(Matches):
    """The cases that came before; true if there are any. ``where``: the first row of the same case."""

    def __str__(self) -> str:
        if not self:
            return f"None of the {self.n:,} cases is there twice."
        are = f"{_are(self)} {'' if self.certain else 'likely '}there already"
        return f"{len(self):,} of {self.n:,} cases {are}{self._how()}: {self._listed()}."


def _are(found: Matches) -> str:
    return "is" if len(found) == 1 else "are"


Found = TypeVar("Found", bound=Matches)


def find_seen(cases: Any, trained_on: Any, *, by: Any = None) -> Seen:
    """The ``cases`` that are also in ``trained_on``.

    cases, trained_on: dataframes of any library, mappings of columns, 2-D arrays, or 1-D ids; both alike.
    by: the column or columns that identify a case (their numbers in arrays); left out, all that both have.
    """
    return _find(Seen, cases_of("cases", cases), cases_of("trained_on", trained_on), by)


def refuse_seen(cases: Any, trained_on: Any, *, by: Any = None) -> None:
    """An error that lists the ``cases`` that are also in ``trained_on``, if there are any; as `find_seen`."""
    _refuse(find_seen(cases, trained_on, by=by), "trained_on")


def find_duplicates(cases: Any, *, by: Any = None) -> Duplicates:
    """The ``cases`` that are there already in an earlier row; ``by`` as for `find_seen`."""
    given = cases_of("cases", cases)
    return _find(Duplicates, given, given, by)


def refuse_duplicates(cases: Any, *, by: Any = None) -> Duplicates:
    """An error that lists the cases whose ids come twice; those with the same content, which are only likely
    to be the same case, are returned."""
    found = find_duplicates(cases, by=by)
    if found and found.certain:
        raise InputError(
            f"cases must have each case once; {len(found):,} of {found.n:,} {_are(found)} there already: "
            f"{found._listed()}"
        )
    return found


def find_seen_files(
    file: str | os.PathLike[str],
    training_file: str | os.PathLike[str],
    *,
    by: str | Sequence[str] | None = None,
    format: str | None = None,
    training_format: str | None = None,
) -> Seen:
    """`find_seen` for two tables in files; rows are counted from 0, the header not counted.

    The formats are those of `nepers.read_columns`; `nepers.reading.rows` says what is a number and what text.
    """
    from nepers.reading.rows import read_both

    names = None if by is None else [by] if isinstance(by, str) else list(by)
    mine, theirs = read_both(file, training_file, names, format, training_format)
    a, b = (cases_of(one.name, one.columns) for one in (mine, theirs))
    return _find(Seen, a, b, names)


def refuse_seen_files(
    file: str | os.PathLike[str],
    training_file: str | os.PathLike[str],
    *,
    by: str | Sequence[str] | None = None,
    format: str | None = None,
    training_format: str | None = None,
) -> None:
    """An error that lists the cases of ``file`` that are also in ``training_file``; as `find_seen_files`."""
    found = find_seen_files(file, training_file, by=by, format=format, training_format=training_format)
    _refuse(found, os.fspath(training_file), " (rows counted from 0, the header not counted)")


def _refuse(found: Seen, training: str, counted: str = "") -> None:
    if found:
        hint = "" if found.certain else f"; {_BY_CHANCE}"
        raise InputError(
            f"cases must not have been in training; {len(found):,} of {found.n:,} {_are(found)} in {training}"
            f"{found._how()}: {found._listed()}{counted}. Leave them out{hint}"
        )


def _find(kind: type[Found], cases: Cases, others: Cases, by: Any) -> Found:
    names = chosen(cases, others, by)
    certain = by is not None or cases.form == "ids"
    pairs: list[Pair] = []
    if certain:
        refuse_missing_ids(cases, names)
        refuse_missing_ids(others, names)
    for name in names:
        a, b = cases.columns[name], others.columns[name]
        if certain:
            refuse_inexact(a, b)
        pairs.append((a, b, common_kind(a, b)))
    where = first_match(pairs)
    rows = np.flatnonzero((where >= 0) if cases is not others else (where < np.arange(where.size)))
    ids = names if certain else []
    examples = tuple(_example(cases, others, ids, row, int(where[row])) for row in rows[:_SHOWN].tolist())
    return kind(cases.n, rows.astype(np.int64), where[rows], tuple(names), certain, examples)


def _example(cases: Cases, others: Cases, ids: list[Any], row: int, there: int) -> str:
    """One match in words: the id, if cases have one, and both rows."""
    named = f" ({', '.join(cases.columns[name].shown(row) for name in ids)})" if ids else ""
    place = f"row {others.label(there)}" + ("" if cases is others else " of the training")
    return f"row {cases.label(row)}{named} is {place}"

"""Which column of a table of probabilities is which class.

In this order:

1. Where ``labels`` are given, the columns are in their order. Column names that say otherwise are an error.
2. Where the columns have names, and they are the labels (or the labels as text), the names say it. Every
   outcome must be one of them; a class that did not come true is no matter. The numbers 0, 1, 2, ... and
   column_0, column_1, ... are what libraries call columns without names, and do not count.
3. Otherwise the columns are the sorted distinct outcomes, as in scikit-learn, if there are as many of them.
4. Of two columns, outcomes that are all 0 or 1 (or False or True) name both, even if only one occurs.

Anything else is an error: a class that happens not to occur would shift the columns of the others.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import Column
from nepers.errors import InputError
from nepers.matrices import Matrix
from nepers.outcomes import Outcomes, outcomes
from nepers.ratios.class_probabilities import blocks
from nepers.rows import name_rows

Places = dict[Any, int]

_SHOWN = 5
_REMEDY = "give labels=, the labels in the order of the columns (model.classes_)"


def label_places(truth: Outcomes, proba: Matrix | Column, labels: Any) -> Places:
    """The column of each label; of one dimension, the place in the order of two labels."""
    names = proba.names if isinstance(proba, Matrix) else None
    columns = proba.values.shape[1] if isinstance(proba, Matrix) else 2
    size = f"{columns}" if isinstance(proba, Matrix) else "2, being of one dimension"
    if labels is not None:
        return _given(labels, names, columns, size)
    found = _distinct(truth.values, columns)
    if names is not None and names not in _unnamed(columns):
        return _named(truth, found, names)
    if len(found) == columns:
        return _enumerated(_in_order(found))
    if columns == 2 and truth.values.dtype.kind in "biuf" and found <= {0, 1}:
        return {0: 0, 1: 1}
    many = f"{len(found)} ({listed(found)})" if len(found) <= columns else f"more than {columns}"
    raise InputError(
        "y_true must have as many distinct labels as y_proba has classes where labels is not given; "
        f"y_true has {many}, y_proba {size}: {_REMEDY}"
    )


def refuse_unknown(truth: Outcomes, known: Places, names: tuple[str, ...] = ()) -> None:
    """An error for the outcomes that are no label and, as text, no name; there must be one."""
    unknown = (value not in known and str(value) not in names for value in truth.values.tolist())
    wrong = np.fromiter(unknown, bool, truth.values.size)
    value = truth.values[wrong][:1].tolist()[0]
    raise InputError(
        f"y_true must have no outcome that is not a label of y_proba ({listed(names or known)}); {value!r} "
        f"in the first of {name_rows(wrong, truth.labels)}"
    )


def listed(labels: Collection[Any]) -> str:
    """The first few labels; a set, which has no order, by their text."""
    ordered = sorted(labels, key=str) if isinstance(labels, set) else list(labels)
    shown = [repr(label) for label in ordered[:_SHOWN]]
    return ", ".join(shown + ["..."] * (len(labels) > _SHOWN))


def _given(labels: Any, names: tuple[str, ...] | None, columns: int, size: str) -> Places:
    listing = outcomes("labels", labels).values.tolist()
    places = _enumerated(listing)
    if len(places) < len(listing):
        again = next(label for i, label in enumerate(listing) if places[label] != i)
        raise InputError(f"labels must have each label once; {again!r} is repeated")
    if len(listing) != columns:
        raise InputError(
            "labels must have a label for each class of y_proba; "
            f"labels has {len(listing)} ({listed(listing)}), y_proba {size}"
        )
    if names is not None:
        _refuse_other_names([str(label) for label in listing], names)
    return places


def _refuse_other_names(labels: list[str], names: tuple[str, ...]) -> None:
    if list(names) == labels or not set(names) & set(labels):
        return
    if set(names) == set(labels):
        raise InputError(
            "labels must be in the order of the columns of y_proba; the same classes are in another order: "
            f"labels has {listed(labels)}, y_proba {listed(names)}: leave labels out to go by the names"
        )
    if names not in _unnamed(len(names)):
        raise InputError(
            f"labels must be the names of the columns of y_proba where they share some; labels has "
            f"{listed(labels)}, y_proba {listed(names)}"
        )


def _named(truth: Outcomes, found: set[Any], names: tuple[str, ...]) -> Places:
    """The columns of those labels that have one."""
    places = {name: i for i, name in enumerate(names)}
    known = {label: places[str(label)] for label in found if str(label) in places}
    if found and not known:
        raise InputError(
            "y_proba must have columns called by the labels of y_true where labels is not given; "
            f"the columns are {listed(names)}, the labels {listed(found)}: {_REMEDY}"
        )
    if len(known) < len(found):
        refuse_unknown(truth, known, names)
    return known


def _unnamed(columns: int) -> tuple[tuple[str, ...], ...]:
    numbers = [str(i) for i in range(columns)]
    return tuple(numbers), tuple(f"column_{i}" for i in numbers)


def _distinct(values: NDArray[Any], most: int) -> set[Any]:
    """The distinct values, or the first few of them if there are more than ``most``."""
    found: set[Any] = set()
    for rows in blocks(values.size):
        block = values[rows]
        if values.dtype.kind in "biuf":
            block = block[~np.isin(block, np.array(list(found), dtype=values.dtype))]
        found.update(block.tolist())
        if len(found) > most:
            break
    return found


def _in_order(found: set[Any]) -> list[Any]:
    try:
        return sorted(found)
    except TypeError:
        raise InputError(f"y_true has labels of several types, which have no order: {_REMEDY}") from None


def _enumerated(labels: list[Any]) -> Places:
    return {label: i for i, label in enumerate(labels)}

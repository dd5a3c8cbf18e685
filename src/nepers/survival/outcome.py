"""The times that patients came to the event at, out of what scikit-learn's ``y`` may be.

| y | read as |
|---|---|
| `nepers.ratios.Times` | itself |
| a structured array, as scikit-survival's | its field of booleans is True at events, the other is the time |
| a table or a structured array with columns that ``time`` and ``event`` name | events: True or 1 |
| the same with columns ``lower`` and ``upper`` | the time lies between them; equal: an event; inf: later |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nepers.errors import InputError
from nepers.ratios.censoring import Times

ENDS = ("lower", "upper")


def times_of(y: Any, time: str | None, event: str | None) -> Times:
    """The times; ``time`` and ``event`` name columns of y."""
    if y is None:
        raise InputError(
            "requires y to be passed, but the target y is None: a structured array with the event and the "
            "time, or a table with columns that time= and event= name"
        )
    if isinstance(y, Times):
        return y
    names = _names(y)
    if names is None:
        raise InputError(
            "y must say which times are events: a structured array (event, time), a table with columns that "
            f"time= and event= name, or Times; it is {type(y).__name__} without names"
        )
    if set(ENDS) <= set(names) and time is None and event is None:
        return Times.interval(_field(y, "lower"), _field(y, "upper"))
    if isinstance(y, np.ndarray):
        return Times.structured(y, event=event, time=time)
    for role, name in (("time", time), ("event", event)):
        if name is None or name not in names:
            raise InputError(
                f"{role}= must name a column of y; it is {name!r}, and y has {', '.join(map(repr, names))}"
            )
    return Times.right_censored(_field(y, str(time)), event=_field(y, str(event)))


def _names(y: Any) -> list[str] | None:
    if isinstance(y, np.ndarray):
        return None if y.dtype.names is None else list(y.dtype.names)
    if isinstance(y, Mapping):
        return [str(name) for name in y]
    columns = getattr(y, "columns", None)
    return None if columns is None else [str(name) for name in columns]


def _field(y: Any, name: str) -> Any:
    return y[name]

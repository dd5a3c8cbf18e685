"""Times that came true, each known exactly or only to lie in a set.

For each case the truth is a time T > 0, and what is known of it is ``lower < T <= upper``, or T itself:

    an event at t               lower = upper = t
    right-censored at c         T > c:            lower = c,  upper = inf
    left-censored at c          T <= c:           lower = 0,  upper = c
    censored in an interval     lower < T <= upper

Libraries code censoring in opposite ways (True is an event in scikit-survival, 1 is censored in skpro, 2 is
an event in much of R), so the meaning of a code is always said by the name of the argument it is given as.

The censoring is taken to say nothing of T beyond the set: who leaves a study early is like who stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.columns import column
from nepers.errors import InputError
from nepers.outcomes import Outcomes, outcomes
from nepers.rows import name_rows, refuse, refuse_other_cases

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_ABOVE_ZERO = "must be above 0 (what is known only to be at or below c is Times.interval(0, c))"


@dataclass(frozen=True, eq=False)
class Times:
    """One known or censored time for each case: made by `right_censored`, `interval` or `structured`."""

    lower: Array
    upper: Array
    labels: NDArray[Any] | None

    @classmethod
    def right_censored(cls, time: Any, *, event: Any = None, censored: Any = None) -> Times:
        """Times of which some are right-censored: exactly one of ``event`` and ``censored`` says which.

        Its codes are True and False, or 1 and 0. Times are above 0 and finite.
        """
        if (event is None) == (censored is None):
            raise InputError(
                "give exactly one of event (True where the event was seen) and censored (True where it was "
                f"not); got {'neither' if event is None else 'both'}"
            )
        name, data = ("event", event) if censored is None else ("censored", censored)
        when, codes = column("time", time), outcomes(name, data)
        refuse_other_cases(when, codes)
        refuse(when, ~np.isfinite(when.values), "must be finite")
        refuse(when, when.values <= 0.0, _ABOVE_ZERO)
        seen = _flags(codes) == (name == "event")
        return cls._made(when.values, np.where(seen, when.values, np.inf), when.labels, codes.labels)

    @classmethod
    def interval(cls, lower: Any, upper: Any) -> Times:
        """What is known of each time is that it lies above ``lower`` and at or below ``upper``.

        Equal ends are an event seen at that time, an upper end of inf is right-censored, and a lower end of 0
        (or -inf, which is the same for a time) is left-censored.
        """
        low, high = column("lower", lower), column("upper", upper)
        refuse_other_cases(low, high)
        start = np.where(np.isneginf(low.values), 0.0, low.values)
        refuse(low, start < 0.0, "must be at or above 0, as times are, or -inf")
        refuse(low, np.isposinf(start), "must be below inf")
        refuse(high, high.values <= 0.0, "must be above 0, as times are")
        refuse(low, start > high.values, "must be at or below upper")
        everything = (start == 0.0) & np.isposinf(high.values)
        refuse(high, everything, "must be finite where lower is 0: such a row says nothing; leave it out")
        return cls._made(start, high.values, low.labels, high.labels)

    @classmethod
    def structured(cls, y: Any, *, event: str | None = None, time: str | None = None) -> Times:
        """The structured array of scikit-survival: a field that is True at events, and a field of times.

        The names may be left out if one field alone holds booleans and one alone numbers.
        """
        if not isinstance(y, np.ndarray) or y.dtype.names is None:
            raise InputError(
                f"y must be a structured array, with a field of events and one of times; it is "
                f"{type(y).__name__}: for two columns use Times.right_censored"
            )
        return cls.right_censored(
            y[_field(y, "time", time, "iuf", "numbers")], event=y[_field(y, "event", event, "b", "booleans")]
        )

    @classmethod
    def _made(cls, lower: Array, upper: Array, *labels: NDArray[Any] | None) -> Times:
        kept = [np.array(ends, dtype=np.float64) for ends in (lower, upper)]
        for ends in kept:
            ends.setflags(write=False)
        return cls(kept[0], kept[1], next((one for one in labels if one is not None), None))

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.lower.size)

    @property
    def exact(self) -> Mask:
        """Where the event was seen at a known time."""
        return np.asarray(self.lower == self.upper)

    @property
    def right(self) -> Mask:
        """Where the time is right-censored."""
        return np.asarray(np.isposinf(self.upper))


def _flags(codes: Outcomes) -> Mask:
    held = codes.values
    if held.dtype.kind == "O":
        held = np.array(held.tolist())
    wrong = (held != 0) & (held != 1) if held.dtype.kind in "biuf" else np.ones(held.size, dtype=bool)
    if wrong.any():
        shown = ", ".join(map(repr, list(dict.fromkeys(held.tolist()))[:5]))
        raise InputError(
            f"{codes.argument} must be True or False, or 1 or 0, so that its meaning is plain; it holds "
            f"{shown}: {name_rows(wrong, codes.labels)}"
        )
    return held.astype(bool)


def _field(y: NDArray[Any], role: str, name: str | None, kinds: str, what: str) -> str:
    fields: tuple[str, ...] = y.dtype.names or ()
    if name is not None:
        if name not in fields:
            raise InputError(
                f"{role} must be a field of y; {name!r} is not among {', '.join(map(repr, fields))}"
            )
        return name
    fitting = [field for field in fields if y.dtype[field].kind in kinds]
    if len(fitting) != 1:
        raise InputError(
            f"{role} must name a field of y, as not one field alone holds {what}; y has "
            + ", ".join(f"{field!r} ({y.dtype[field]})" for field in fields)
        )
    return fitting[0]

"""Which columns hold what: j; or the logs of Q and P; or their probabilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nepers.errors import InputError

Column = str | float


@dataclass(frozen=True)
class Given:
    """The names of ``q`` and ``p``, or of ``j`` alone; ``p`` may be a number, the same for all cases."""

    j: str | None
    q: str | None
    p: Column | None
    logs: bool

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to be read."""
        return tuple(dict.fromkeys(c for c in (self.j, self.q, self.p) if isinstance(c, str)))

    def expression(self, column: Callable[[str], Any], log: Callable[[Any], Any]) -> Any:
        """j from the columns; ``log`` is of probabilities, and knows that of 0."""
        if self.j is not None:
            return column(self.j)
        q: Any = column(str(self.q))
        p: Any = column(self.p) if isinstance(self.p, str) else self.p
        return q - p if self.logs else log(q) - log(p)


def read_given(
    j: str | None, log_q: str | None, log_p: Column | None, q: str | None, p: Column | None
) -> Given:
    """What was asked for, checked."""
    ways = {"j": j, "log_q": log_q, "log_p": log_p, "q": q, "p": p}
    got = [name for name, value in ways.items() if value is not None]
    if got not in (["j"], ["log_q", "log_p"], ["q", "p"]):
        raise InputError(
            "give the name of the column j, or of log_q and log_p, or of the probabilities q and p; got "
            + (" and ".join(got) or "none of them")
        )
    for name in got:
        value = ways[name]
        number = isinstance(value, int | float) and not isinstance(value, bool) and name in ("log_p", "p")
        if not (isinstance(value, str) or number):
            raise InputError(f"{name} must be the name of a column; it is {value!r}")
    if isinstance(p, int | float) and not 0.0 < p <= 1.0:
        raise InputError(f"p must be a probability above 0, or the name of a column; it is {p}")
    if j is None:
        return Given(None, log_q or q, log_p if q is None else p, q is None)
    return Given(j, None, None, True)


def refuse_absent(where: str, there: Sequence[str], wanted: Sequence[str]) -> None:
    """An error for columns that are not there."""
    for name in wanted:
        if name not in there:
            shown = ", ".join(map(repr, list(there)[:8])) + (", ..." if len(there) > 8 else "")
            raise InputError(f"{where} must have the column {name!r}; its columns are {shown}")

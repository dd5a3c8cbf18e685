"""What the input of an assessment looks like, where something else would serve it better: sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nepers.columns import column
from nepers.errors import InputWarning, warn

if TYPE_CHECKING:
    from nepers.atoms import Kinds
    from nepers.cases import LogRatios
    from nepers.options import Options
    from nepers.tally.tally import Tally

_TALLIED = (
    "The cases are many: the posterior was made from a tally of them in fine bins, which gives the same "
    "answer but for a small part of its spread, in less time."
)


def input_notes(
    cases: LogRatios | Tally, kinds: Kinds, options: Options, log_p: Any, tallied: bool = False
) -> tuple[str, ...]:
    """Rare classes and a tally in the place of the cases, which the answer mentions; an unexpected size, of
    which it warns too.

    Of a tally nothing is said: so many cases leave the prior no say.
    """
    if cases.infinite or kinds.points is not None:
        return ()
    from nepers.prior_check import conflict
    from nepers.rare.words import hint

    rare = None if log_p is None else hint(column("log_p", log_p).values)
    unexpected = conflict(kinds.remainder, options.hyperparameters, options.scale)
    if unexpected is not None:
        warn(unexpected, InputWarning)
    said = _TALLIED if tallied else None
    return tuple(note for note in (rare, unexpected, said) if note is not None)

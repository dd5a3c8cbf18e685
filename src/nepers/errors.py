"""What a user of the package meets when an input is wrong, or looks it."""

from __future__ import annotations

import sys
import warnings


class InputWarning(UserWarning):
    """An input that is legal but looks like a mistake: the message says which, and what would be right."""


class InputError(ValueError):
    """A wrong input: the message names the argument, the place in it, the rule and the offending value."""


def warn(message: str, kind: type[Warning]) -> None:
    """A warning at the user's own line: the nearest one that is not in this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "nepers":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)

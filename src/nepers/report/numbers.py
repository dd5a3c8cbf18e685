"""Numbers as they are written in a report."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nepers.assessment import geometric_factor
from nepers.words import as_known

if TYPE_CHECKING:
    from nepers.assessment import Assessment


def fixed(value: float, digits: int) -> str:
    """So many decimals; infinite numbers and undefined ones in words."""
    if math.isnan(value):
        return "undefined"
    return f"{value:z.{digits}f}" if math.isfinite(value) else f"{value}"


def significant(value: float, figures: int = 3) -> str:
    """So many figures; undefined ones in words."""
    return "undefined" if math.isnan(value) else f"{value:.{figures}g}"


def span(lower: float, upper: float, digits: int) -> str:
    """An interval; of what is infinite for certain there is none."""
    if lower == upper and math.isinf(lower):
        return "certain"
    return f"{fixed(lower, digits)} to {fixed(upper, digits)}"


def times(nats: float) -> str:
    """exp(j): how many times the prior's probability the prediction gave to the truth."""
    if nats == -math.inf:
        return "0"
    factor = geometric_factor(nats)
    if math.isinf(factor) or factor == 0.0:
        return f"10^{nats / math.log(10.0):.0f}"
    if 999.5 <= factor < 1e6:
        return f"{factor:,.0f}"
    return f"{factor:#.3g}".rstrip(".") if 1e-4 <= factor < 1e6 else f"{factor:.3g}"


def probability(p: float, draws: float) -> str:
    """A probability, no surer than so many independent draws can be."""
    sign, known = as_known(p, draws)
    return f"{sign} {known:g}" if sign else f"{known:.3f}"


def independent(a: Assessment) -> float:
    """How many independent draws those of J are worth."""
    return min(a.diagnostics.ess_J, float(a.nats.size))

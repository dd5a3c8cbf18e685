"""The log ratios of the cases as pictures need them: in the unit of the report, in order, within a window.

The window shows all cases where it can. Where the farthest ones would squeeze the rest into a few lines of
ink, it ends six widths of the middle nine tenths away on the left, and four on the right, and
the picture says how many cases lie beyond.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nepers.display import labels
from nepers.words import count

if TYPE_CHECKING:
    from nepers.assessment import Assessment

Array = NDArray[np.float64]

UNIT = {"nats": "nat", "bits": "bit"}
J_OF_CASE = "Log ratio j of a case"
J_OF_NEW = "J, the expected log ratio of a new case"
_LEFT, _RIGHT = 6.0, 4.0
_MOST_BINS, _FEWEST_BINS = 80, 8


@dataclass(frozen=True, eq=False)
class Sample:
    """The unrepeated values and the atoms, both ascending, and all cases together."""

    remainder: Array
    atom_values: Array
    atom_counts: NDArray[np.int64]
    every: Array

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.every.size


def sample_of(assessment: Assessment) -> Sample:
    """The cases of an assessment in its unit."""
    k, unit = assessment.kinds, in_report(assessment)
    remainder = np.sort(k.remainder) * unit
    atoms = k.atom_values * unit
    every = np.sort(np.concatenate([remainder, np.repeat(atoms, k.atom_counts)]))
    return Sample(remainder, atoms, k.atom_counts, every)


def in_report(assessment: Assessment) -> float:
    """What nats are multiplied by to be in the unit of the report."""
    return 1.0 if assessment.unit == "nats" else 1.0 / math.log(2.0)


def refusal(assessment: Assessment, needs_cases: bool = True) -> str | None:
    """Why there is nothing to draw, in a sentence or two; None if there is."""
    infinite = assessment.infinite_cases
    if infinite:
        shown = ", ".join(labels.name(label, 16) for label in infinite[:3])
        more = f" and {len(infinite) - 3:,} more" if len(infinite) > 3 else ""
        rows = "row" if len(infinite) == 1 else "rows"
        return (
            f"J = −inf for certain\nThe prediction gave the truth probability zero in {len(infinite):,} of "
            f"{count(assessment.n, 'case')} ({rows} {shown}{more}). No distribution was inferred, so there "
            "is none to draw."
        )
    if needs_cases and assessment.n == 0:
        return "There are no cases to draw: what is known of J is the prior."
    return None


def window(sample: Sample, J_interval: tuple[float, float]) -> tuple[float, float]:
    """From where to where a picture of j goes; the interval of J gives the scale if the cases have none."""
    every = sample.every
    if every.size == 0 or every[0] == every[-1]:
        low, high = min([*every[:1], J_interval[0]]), max([*every[:1], J_interval[1]])
    else:
        low, high = _shown(every)
        reach = high - low
        # J's interval too, where that does not make the cases small
        low = min(low, max(J_interval[0], low - reach))
        high = max(high, min(J_interval[1], high + reach))
    # few cases leave room for much beyond them
    pad = (0.03 + 1.0 / max(every.size, 2)) * (high - low) or 1.0
    return float(low - pad), float(high + pad)


def _shown(every: Array) -> tuple[float, float]:
    q05, q95 = np.quantile(every, (0.05, 0.95))
    middle = float(q95 - q05)
    if middle == 0.0:
        return float(every[0]), float(every[-1])
    return max(float(every[0]), q05 - _LEFT * middle), min(float(every[-1]), q95 + _RIGHT * middle)


def bin_edges(sample: Sample, low: float, high: float) -> Array:
    """Bins of Freedman and Diaconis's width, with an edge at zero, that cover the window."""
    values = sample.remainder
    wide, narrow = (high - low) / _FEWEST_BINS, (high - low) / _MOST_BINS
    width = wide
    if values.size > 1:
        q25, q75 = np.quantile(values, (0.25, 0.75))
        width = float(np.clip(2.0 * (q75 - q25) * values.size ** (-1.0 / 3.0), narrow, wide))
    return np.asarray(width * np.arange(math.floor(low / width), math.ceil(high / width) + 1))


def beyond(sample: Sample, low: float, high: float) -> str | None:
    """How many cases a picture from ``low`` to ``high`` leaves out, in words; None if it has them all."""
    every = sample.every
    below = int(np.searchsorted(every, low, side="left"))
    above = every.size - int(np.searchsorted(every, high, side="right"))
    said = []
    if below:
        lowest = labels.number(every[0])
        said.append(f"{count(below, 'case')} to the left of the picture, the lowest at {lowest}")
    if above:
        said.append(f"{count(above, 'case')} to the right of it, the highest at {labels.number(every[-1])}")
    return "; ".join(said) or None

"""What `nepers.assess_classes` answers."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.assessment import Label, geometric_factor
from nepers.diagnostics import INDEPENDENT, Diagnostics
from nepers.estimate import Posterior, Unit

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class ClassAssessment(Posterior):
    """The posterior of J from the probabilities of all classes; numbers in ``unit``, draws of J in ``nats``.

    ``slopes`` (draws,) and ``shifts`` (draws, K), the b of `nepers.rare`, are those of the recalibration;
    they belong to the draws of J. ``counts``: in how many cases each of ``labels`` came true. ``certain``:
    the number of cases of which Q called some class impossible.
    """

    n: int
    nats: Array
    labels: tuple[Any, ...]
    counts: tuple[int, ...]
    slopes: Array
    shifts: Array
    shift_sd: float
    slope_sd: float
    fresh: float
    certain: int
    infinite_cases: tuple[Label, ...]
    seed: int
    version: str
    name: str | None = None
    unit: Unit = "nats"

    @property
    def J(self) -> Array:
        """The posterior draws of J."""
        return self.nats * self._factor

    @property
    def geometric_factor(self) -> float:
        """exp(J) at the posterior mean: what Q gives the truth over what P gives it, on geometric average."""
        return geometric_factor(float(self.nats.mean()))

    @property
    def diagnostics(self) -> Diagnostics:
        """Nothing to judge: see `nepers.rare` for how the draws are made."""
        return INDEPENDENT

    def in_bits(self) -> ClassAssessment:
        """The same, reporting in bits."""
        return dataclasses.replace(self, unit="bits")

    def in_nats(self) -> ClassAssessment:
        """The same, reporting in nats."""
        return dataclasses.replace(self, unit="nats")

    def summary(self, level: float = 0.95) -> dict[str, Any]:
        """The answer as one row."""
        return {
            "name": self.name,
            "n": self.n,
            **self.row(level),
            "geometric_factor": self.geometric_factor,
            "seed": self.seed,
            "version": self.version,
        }

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """Everything but the draws, fit for JSON: infinite numbers are text, undefined ones None."""
        from nepers.cases import plain as plain_label
        from nepers.export import plain

        tail = (1.0 - level) / 2.0
        slopes = self.slopes if self.slopes.size else np.full(1, np.nan)
        shifts = self.shifts if self.shifts.size else np.full((1, len(self.labels)), np.nan)
        found: dict[str, Any] = plain(
            {
                **self.summary(level),
                "classes": [
                    {"label": plain_label(label), "cases": cases, "shift": float(shift)}
                    for label, cases, shift in zip(self.labels, self.counts, shifts.mean(axis=0), strict=True)
                ],
                "slope": {
                    "mean": float(slopes.mean()),
                    "lower": float(np.quantile(slopes, tail)),
                    "upper": float(np.quantile(slopes, 1.0 - tail)),
                },
                "infinite_cases": list(self.infinite_cases),
                "certain_cases": self.certain,
                "shift_sd": self.shift_sd,
                "slope_sd": self.slope_sd,
                "fresh": self.fresh,
                "draws": self.nats.size,
            }
        )
        return found

    def to_frame(self, native: str | None = None, level: float = 0.95) -> Any:
        """`summary` as a table of one row, of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        return as_frame({key: [value] for key, value in self.summary(level).items()}, native)

    def __str__(self) -> str:
        from nepers.rare.words import describe

        return describe(self)

    def __repr__(self) -> str:
        lower, upper = self.interval()
        return f"<ClassAssessment J = {self.mean:.4g} {self.unit} ({lower:.4g} to {upper:.4g}), n = {self.n}>"

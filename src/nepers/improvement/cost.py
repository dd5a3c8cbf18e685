"""The costliest cases, as an answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nepers.display.methods import CostlyPlots
from nepers.report.methods import InWords
from nepers.words import count, decimals, name_cases

if TYPE_CHECKING:
    from nepers.assessment import Assessment, Label


@dataclass(frozen=True, eq=False)
class CostlyCase:
    """A case, or several at one value, and the assessment without it; in nats.

    ``labels`` are the rows of all cases at that value ``j``; one of them is left out, or all if j is -inf.
    ``change`` is how much the posterior mean of J rises, ``plain_change`` how much the plain mean does.
    """

    labels: tuple[Label, ...]
    j: float
    without: Assessment
    change: float
    plain_change: float

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the mean of J without the case."""
        return monte_carlo_error(self.without)


@dataclass(frozen=True, eq=False)
class CostlyCases(CostlyPlots, InWords):
    """The assessment of all cases, and a row for each of the costliest."""

    everything: Assessment
    rows: tuple[CostlyCase, ...]
    seed: int

    def table(self, level: float = 0.95) -> dict[str, list[Any]]:
        """The rows as columns."""
        intervals = [row.without.interval(level) for row in self.rows]
        return {
            "row": [row.labels[0] for row in self.rows],
            "cases_alike": [len(row.labels) for row in self.rows],
            "j": [row.j for row in self.rows],
            "J": [self.everything.mean for _ in self.rows],
            "J_without": [row.without.mean for row in self.rows],
            "lower": [lower for lower, _ in intervals],
            "upper": [upper for _, upper in intervals],
            "change": [row.change for row in self.rows],
            "monte_carlo_error": [row.error for row in self.rows],
            "plain_change": [row.plain_change for row in self.rows],
        }

    def to_dict(self, level: float = 0.95) -> dict[str, Any]:
        """The table and the answer from all cases, fit for JSON."""
        from nepers.export import plain

        table = {**self.table(level), "labels": [list(row.labels) for row in self.rows]}
        whole = {**self.everything.summary(level), "level": level, "seed": self.seed}
        return {"everything": plain(whole), "rows": plain(table)}

    def to_frame(self, native: str | None = None, level: float = 0.95) -> Any:
        """`table` as a table of polars, pandas or pyarrow: the first installed if None."""
        from nepers.export import as_frame

        return as_frame(self.table(level), native)

    def __str__(self) -> str:
        a = self.everything
        lines = [f"From all {count(a.n, 'case')}, {_answer(a)}."]
        lines += [_sentence(row) for row in self.rows]
        if self.rows:
            lines.append(
                "This is how much hangs on single cases. It is no reason to leave them out: the answer is "
                "the one from all."
            )
        return "\n".join(lines)


def monte_carlo_error(a: Assessment) -> float:
    """Of the posterior mean of J, in nats; 0 where J is certain."""
    if a.infinite_cases:
        return 0.0
    return float(a.nats.std(ddof=1)) / math.sqrt(min(a.diagnostics.ess_J, float(a.nats.size)))


def _sentence(row: CostlyCase) -> str:
    if row.j == -math.inf:
        several = f"all {len(row.labels):,} cases" if len(row.labels) > 1 else "the case"
        return (
            f"Without {several} at -inf ({name_cases(row.labels)}), "
            f"{_answer(row.without)}. What follows leaves these out as well."
        )
    digits = decimals(row.without.sd)
    which = f"row {row.labels[0]}"
    if len(row.labels) > 1:
        which = f"one of {len(row.labels):,} cases alike ({name_cases(row.labels)})"
    return (
        f"Without {which}, at {row.j:.4g}, {_answer(row.without)}: {row.change:+z.{digits}f} "
        f"(the plain mean: {row.plain_change:+z.{digits}f})."
    )


def _answer(a: Assessment) -> str:
    if a.infinite_cases:
        return "J = -inf"
    digits = decimals(a.sd)
    lower, upper = a.interval()
    return f"J = {a.mean:z.{digits}f} nats ({lower:z.{digits}f} to {upper:z.{digits}f})"

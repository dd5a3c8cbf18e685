"""The cases that cost most, and what J would be without each.

One confident mistake can move J more than all other cases together. This shows how much of the answer hangs
on which case: it is sensitivity, and no licence to drop cases. Cases like them will come again, and the
answer is the one that counts them.

Cases that share one value, being alike, are one row. Where there are cases at minus infinity, the first row
is J without all of these; every further row leaves them out as well, and is compared with the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers import assessment
from nepers.assessment import Assessment
from nepers.cases import LogRatios, log_ratios, plain
from nepers.columns import column
from nepers.hierarchy.arrays import whole_number
from nepers.improvement.cost import CostlyCase, CostlyCases
from nepers.options import fresh_seed

Array = NDArray[np.float64]
Rows = NDArray[np.intp]


def costliest(
    j: Any = None,
    *,
    log_q: Any = None,
    log_p: Any = None,
    cases: int = 5,
    seed: int | None = None,
    **options: Any,
) -> CostlyCases:
    """J without each of the costliest cases, by assessing again without it.

    j, or log_q and log_p: as for `nepers.assess`.
    cases: how many rows at most; each costs an assessment, some seconds.
    seed: of every assessment; left out, one is taken from the system and recorded.
    options: the others of `nepers.assess`.
    """
    found = log_ratios(j, log_q=log_q, log_p=log_p)
    most = whole_number("cases", cases, 1)
    chosen = fresh_seed() if seed is None else whole_number("seed", seed, 0)
    given = {"j": j} if j is not None else {"log_q": log_q, "log_p": log_p}
    columns = {name: column(name, data).values for name, data in given.items()}

    def without(rows: Rows) -> Assessment:
        kept: dict[str, Any] = {name: np.delete(values, rows) for name, values in columns.items()}
        return assessment.assess(**kept, seed=chosen, **options)

    everything = without(np.empty(0, dtype=np.intp))
    infinite = np.flatnonzero(np.isneginf(found.values))
    first = [] if not infinite.size else [_case(found, infinite, infinite, everything, without(infinite))]
    base = first[0].without if first else everything
    rest = [
        _case(found, alike, np.append(infinite, alike[0]), base, without(np.append(infinite, alike[0])))
        for alike in _by_cost(found, most - len(first))
    ]
    return CostlyCases(everything=everything, rows=(*first, *rest), seed=chosen)


def _by_cost(found: LogRatios, most: int) -> list[Rows]:
    """The finite cases grouped by value, the lowest first."""
    order = np.argsort(found.values, kind="stable")
    order = order[np.isfinite(found.values[order])]
    apart = np.diff(found.values[order], prepend=-np.inf) > found.resolution
    starts = np.flatnonzero(apart)[: most + 1]
    ends = np.append(starts, order.size)[1:]
    return [np.sort(order[start:end]) for start, end in zip(starts, ends, strict=False)][:most]


def _case(found: LogRatios, alike: Rows, dropped: Rows, before: Assessment, after: Assessment) -> CostlyCase:
    """What leaving out ``dropped`` changes; ``before`` is the answer without the infinite ones among them."""
    infinite = bool(np.isneginf(found.values[alike[0]]))
    finite = found.values[np.isfinite(found.values)]
    kept = np.delete(found.values, dropped)
    return CostlyCase(
        labels=tuple(plain(label) for label in found.labels[alike]),
        j=float(found.values[alike[0]]),
        without=after,
        change=after.mean - before.mean,
        plain_change=np.inf if infinite else float(kept.mean() - finite.mean()) if kept.size else np.nan,
    )

"""benchmarks/survival.json from what `survival` kept: the mean j of each model, and ours less it.

Several seeds are so many partitions into folds of the same patients: j is averaged over them patient by
patient first. The posterior of J, and of what we have over another model, is nepers' own, from one value for
each patient. What is in the file already, and made from the same means, is not asked again.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nepers.files import write_whole

KEPT = Path(__file__).parent / "survival.json"
# partitions that were looked at while our model was chosen, and such as were not
SEEDS = {"fresh": (3, 4, 5), "seen": (0, 1, 2)}
OURS = "score"


def keep(folder: Path, names: Any) -> dict[str, Any]:
    """The file brought up to date, and what is in it."""
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for name in names:
        for part, seeds in SEEDS.items():
            tables = {seed: of_seed(folder, name, seed) for seed in seeds}
            known = found.setdefault(name, {}).setdefault(part, {})
            for model in models_in(tables):
                known[model] = of_model(model, tables, known.get(model, {}))
            write_whole(KEPT, json.dumps(found, indent=1).encode())
    return found


def of_seed(folder: Path, name: str, seed: int) -> pd.DataFrame:
    """The j of every patient by every model that has been run."""
    places = sorted(folder.glob(f"{name}.{seed}.*.csv"))
    parts = [pd.read_csv(place).set_index("row") for place in places]
    return pd.concat(parts, axis=1) if parts else pd.DataFrame()


def models_in(tables: dict[int, pd.DataFrame]) -> list[str]:
    """Those that have been run on some seed."""
    return list(dict.fromkeys(str(model) for table in tables.values() for model in table))


def of_model(model: str, tables: dict[int, pd.DataFrame], old: dict[str, Any]) -> dict[str, Any]:
    """The mean of j over patients, its standard error, its posterior, and that of what we have over it."""
    having = {seed: table for seed, table in tables.items() if model in table}
    j = mean_over_seeds([table[model] for table in having.values()])
    found = {"n": len(j), "seeds": list(having), "mean": rounded(j.mean()), "se": rounded(j.sem())}
    both = [table for table in having.values() if OURS in table]
    if model != OURS and both:
        less = mean_over_seeds([table[OURS] - table[model] for table in both])
        found["ours_less"] = told(less, old.get("ours_less", {}))
    if model == OURS:
        found["J"] = told(j, old.get("J", {}))
    return found


def mean_over_seeds(parts: list[pd.Series]) -> pd.Series:
    """Of each patient."""
    return sum(parts[1:], parts[0]) / len(parts)


def told(values: pd.Series, old: dict[str, Any]) -> dict[str, Any]:
    """What nepers says of the mean."""
    import nepers

    found = {"mean": rounded(values.mean()), "se": rounded(values.sem())}
    if old and all(old[key] == found[key] for key in found):
        return old
    if not np.isfinite(values).all():
        return found
    with warnings.catch_warnings(record=True) as problems:
        warnings.simplefilter("always")
        answer = nepers.assess(values.to_numpy(), seed=1, max_seconds=120.0, chains=4, progress=False)
    lower, upper = answer.interval(0.95)
    found |= {"J": rounded(answer.mean), "low": rounded(lower), "high": rounded(upper)}
    return found | {"above_0": rounded(answer.probability_above(0.0)), "doubt": bool(problems)}


def rounded(x: Any) -> float:
    return round(float(x), 5)

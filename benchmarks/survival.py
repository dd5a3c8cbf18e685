"""How much better than their marginal are predictions of times to recurrence? Cross-validated, beside others.

    ./do survival [SET ...] [--seeds 3 4 5] [--models score peers ...] [--folder DIR] [--page]

For each set of `survival_data`, seed and fold (5, stratified by event), the prior P is `survival_marginal` of
the training fold, each model is fitted to that, and j = log Q - log P of each patient of the test fold is
kept in DIR/SET.SEED.MODEL.csv. What is there is not run again. With --page, what these files say is put in
benchmarks/survival.json, and docs/survival.md is made from that.

Whatever is chosen within a model is chosen inside the training fold. Models: ``score`` is
`SkewStudentSurvival` as it comes, ``paper`` the paper's joint model with its table and noise, to the digit,
and ``peers`` are those of `survival_peers`, all in one run.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
from survival_data import NAMES, load

MODELS = ("score", "paper", "peers")
FOLDS = 5


def main() -> None:
    given = arguments()
    given.folder.mkdir(parents=True, exist_ok=True)
    for name in given.sets or NAMES:
        for seed in given.seeds:
            for model in given.models:
                run(name, seed, model, given)
    if given.page:
        from survival_page import write
        from survival_summary import keep

        write(keep(given.folder, given.sets or NAMES))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--seeds", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument("--models", nargs="+", default=["score", "peers"], choices=MODELS)
    parser.add_argument("--folder", type=Path, default=Path("survival-results"))
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--chains", type=int, default=2)
    parser.add_argument("--warm-up", type=int, default=300)
    parser.add_argument("--draws", type=int, default=200)
    return parser.parse_args()


def run(name: str, seed: int, model: str, given: argparse.Namespace) -> None:
    """Put the j of every patient in the file, unless they are there."""
    place = given.folder / f"{name}.{seed}.{model}.csv"
    if place.exists():
        return
    began, spent = time.perf_counter(), time.process_time()
    parts = [of_fold(name, seed, fold, model, given) for fold in range(FOLDS)]
    found = pd.concat(parts).sort_values("row")
    found.to_csv(place, index=False)
    means = found.drop(columns="row").mean().round(4).to_dict()
    print(
        f"{name} seed {seed} {model}: {means} {time.perf_counter() - began:.0f} s wall, "
        f"{time.process_time() - spent:.0f} core s, load {os.getloadavg()[0]:.1f} on {platform.machine()}",
        flush=True,
    )


def of_fold(name: str, seed: int, fold: int, model: str, given: argparse.Namespace) -> pd.DataFrame:
    from sklearn.model_selection import StratifiedKFold

    from nepers.priors import survival_marginal
    from nepers.ratios import Times

    X, t, e = load(name)
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, e)
    train, test = list(splits)[fold]
    known = Times.right_censored(t[train], event=e[train])
    new = Times.right_censored(t[test], event=e[test])
    log_p = survival_marginal(known).log_p(new)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without variation in a fold
        if model != "peers":
            log_q = ours(model, X.iloc[train], known, X.iloc[test], new, seed, given)
        else:
            from survival_peers import log_q_of_all

            log_q = log_q_of_all(X, t, e, train, test)
    return pd.DataFrame({"row": test, **{key: value - log_p for key, value in log_q.items()}})


def ours(model: str, X: Any, known: Any, X_new: Any, new: Any, seed: int, given: Any) -> dict[str, Any]:
    """log Q of the model."""
    from nepers.ratios import log_survival
    from nepers.survival import SkewStudentSurvival

    counts = {"chains": given.chains, "warm_up": given.warm_up, "draws": given.draws}
    fitted = SkewStudentSurvival(model="joint" if model == "paper" else "score", seed=seed, cores=1, **counts)
    fitted.fit(X, known)
    return {model: log_survival(new, fitted.predict_distribution(X_new))}


if __name__ == "__main__":
    main()

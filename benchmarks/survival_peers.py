"""The other models of `survival`, and what each gives to the test patients' times.

Covariates: XGBoost and the forest take missing values as they are; the others get the training fold's medians
and an indicator of missing for each covariate that at least 5% lack, all standardised. Times are in units of
the training fold's median event time inside, and j is free of that.

Penalties of the parametric models are chosen by 4-fold cross-validation within the training fold, the number
of rounds and the scale of XGBoost's by the same. What gives step functions only (Cox with Breslow's baseline,
the forest, boosting) has no density: its log cumulative hazard is interpolated monotonically in log time
through five quantiles of the event times, and mixed 95 to 5 with the prior P. ``pool`` is the equal mixture
of those in POOL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3)
SCALES = (0.7, 1.0, 1.4, 1.9)
POOL = ("LogNormal AFT", "LogLogistic AFT", "RSF", "Cox", "XGBoost AFT")


@dataclass(frozen=True, eq=False)
class Fold:
    """Raw and prepared covariates of both parts, times and events, and log density and survival of P."""

    raw: tuple[pd.DataFrame, pd.DataFrame]
    ready: tuple[pd.DataFrame, pd.DataFrame]
    t: np.ndarray
    e: np.ndarray
    t_new: np.ndarray
    prior: tuple[np.ndarray, np.ndarray]


Pair = tuple[np.ndarray, np.ndarray]  # log density and log survival at each new patient's time


def log_q_of(model: str, X: pd.DataFrame, t: Any, e: Any, train: Any, test: Any) -> np.ndarray:
    """The log of what the model gave to the truth."""
    from nepers.priors import survival_marginal
    from nepers.ratios import Times

    unit = np.median(t[train][e[train]])
    prior = survival_marginal(Times.right_censored(t[train] / unit, event=e[train]))
    at = t[test] / unit
    raw = X.iloc[train], X.iloc[test]
    fold = Fold(raw, prepared(*raw), t[train] / unit, e[train], at, (prior.logpdf(at), prior.logsf(at)))
    log_f, log_s = pool(fold) if model == "pool" else MODELS[model](fold)
    return np.where(e[test], log_f - np.log(unit), log_s)


def prepared(train: pd.DataFrame, test: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    middle = train.median()
    lacking = [name for name in train if train[name].isna().mean() >= 0.05]

    def filled(X: pd.DataFrame) -> pd.DataFrame:
        return X.fillna(middle).assign(**{f"no_{name}": X[name].isna().astype(float) for name in lacking})

    a, b = filled(train), filled(test)
    kept: list[str] = []
    for name in a.columns[a.std() > 1e-8]:
        if all(abs(np.corrcoef(a[name], a[other])[0, 1]) < 0.9999 for other in kept):
            kept.append(name)
    centre, unit = a[kept].mean(), a[kept].std()
    return (a[kept] - centre) / unit, (b[kept] - centre) / unit


def parametric(kind: str) -> Callable[[Fold], Pair]:
    def fit(X: pd.DataFrame, t: Any, e: Any, penalty: float) -> Any:
        import lifelines

        fitter = getattr(lifelines, f"{kind}AFTFitter")(penalizer=penalty)
        return fitter.fit(X.assign(T=t, E=e.astype(int)), "T", "E")

    def both(fitted: Any, X: pd.DataFrame, t: Any) -> Pair:
        """By the difference of the cumulative hazard over a small step of time."""
        step = 1e-4
        H, up, down = (
            np.array([_hazard(fitted, X.iloc[i : i + 1], s) for i, s in enumerate(t * factor)])
            for factor in (1.0, 1.0 + step, 1.0 - step)
        )
        return np.log((up - down) / (2.0 * step * t)) - H, -H

    def run(fold: Fold) -> Pair:
        X, X_new = fold.ready
        scores = dict.fromkeys(PENALTIES, 0.0)
        for a, b in _inner(fold):
            for p in PENALTIES:
                found = fit(X.iloc[a], fold.t[a], fold.e[a], p)
                log_f, log_s = both(found, X.iloc[b], fold.t[b])
                scores[p] += float(np.where(fold.e[b], log_f, log_s).sum())
        return both(fit(X, fold.t, fold.e, max(scores, key=lambda p: scores[p])), X_new, fold.t_new)

    return run


def _hazard(fitted: Any, one: pd.DataFrame, t: float) -> float:
    return float(fitted.predict_cumulative_hazard(one, times=[t]).iloc[0, 0])


def stepwise(make: Callable[[], Any], raw: bool = False) -> Callable[[Fold], Pair]:
    def run(fold: Fold) -> Pair:
        X, X_new = fold.raw if raw else fold.ready
        y = np.array(list(zip(fold.e, fold.t, strict=True)), dtype=[("e", bool), ("t", float)])
        fitted = make().fit(X.to_numpy(np.float32 if raw else float), y)
        curves = fitted.predict_survival_function(X_new.to_numpy(np.float32 if raw else float))
        knots = np.unique(np.quantile(fold.t[fold.e], np.linspace(0.03, 0.97, 5)))
        S = np.array([[curve(np.clip(k, *curve.domain)) for k in knots] for curve in curves])
        return smoothed(S, knots, fold.t_new, fold.prior)

    return run


def smoothed(S: np.ndarray, knots: np.ndarray, t: np.ndarray, prior: Pair, share: float = 0.05) -> Pair:
    from scipy.interpolate import PchipInterpolator

    H = np.maximum.accumulate(-np.log(np.clip(S, 1e-4, 1.0 - 1e-4)), axis=1) * (
        1.0 + 1e-3 * np.arange(len(knots))
    )
    x, y, at = np.log(knots), np.log(H), np.log(t)
    log_f, log_s = np.empty(len(t)), np.empty(len(t))
    for i, v in enumerate(at):
        curve = PchipInterpolator(x, y[i])
        end = 0 if v < x[0] else -2
        slope = (y[i, end + 1] - y[i, end]) / (x[end + 1] - x[end])
        edge = x[0] if v < x[0] else x[-1]
        inside = x[0] <= v <= x[-1]
        log_H = float(curve(v)) if inside else float(curve(edge)) + slope * (v - edge)
        slope = float(curve.derivative()(v)) if inside else slope
        log_s[i] = -np.exp(log_H)
        log_f[i] = np.log(slope) + log_H - v + log_s[i] if slope > 0.0 else -np.inf
    mix = [
        np.logaddexp(np.log1p(-share) + q, np.log(share) + p)
        for q, p in ((log_f, prior[0]), (log_s, prior[1]))
    ]
    return mix[0], mix[1]


def boosted_aft(fold: Fold) -> Pair:
    import xgboost
    from scipy import stats

    def matrix(X: pd.DataFrame, t: Any, e: Any) -> Any:
        found = xgboost.DMatrix(X.to_numpy())
        found.set_float_info("label_lower_bound", t)
        found.set_float_info("label_upper_bound", np.where(e, t, np.inf))
        return found

    def settings(scale: float) -> dict[str, Any]:
        return {
            "objective": "survival:aft",
            "eval_metric": "aft-nloglik",
            "aft_loss_distribution": "normal",
            "aft_loss_distribution_scale": scale,
            "tree_method": "hist",
            **{"max_depth": 2, "eta": 0.05, "subsample": 0.7, "colsample_bytree": 0.7},
            **{"min_child_weight": 3, "lambda": 5.0, "nthread": 1, "seed": 0},
        }

    X, X_new = fold.raw
    best: tuple[float, float, int] | None = None
    for scale in SCALES:
        losses = []
        for a, b in _inner(fold):
            seen: dict[str, Any] = {}
            held_out = [(matrix(X.iloc[b], fold.t[b], fold.e[b]), "held out")]
            given = matrix(X.iloc[a], fold.t[a], fold.e[a])
            xgboost.train(settings(scale), given, 300, evals=held_out, evals_result=seen, verbose_eval=False)
            losses.append(seen["held out"]["aft-nloglik"])
        loss = np.mean(losses, axis=0)
        if best is None or loss.min() < best[0]:
            best = float(loss.min()), scale, int(loss.argmin()) + 1
    assert best is not None
    _loss, scale, rounds = best
    fitted = xgboost.train(settings(scale), matrix(X, fold.t, fold.e), rounds)
    z = (np.log(fold.t_new) - np.log(fitted.predict(xgboost.DMatrix(X_new.to_numpy())))) / scale
    return stats.norm.logpdf(z) - np.log(scale * fold.t_new), stats.norm.logsf(z)


def pool(fold: Fold) -> Pair:
    parts = [MODELS[name](fold) for name in POOL]
    mean = [np.logaddexp.reduce([part[k] for part in parts]) - np.log(len(parts)) for k in (0, 1)]
    return mean[0], mean[1]


def _inner(fold: Fold) -> Any:
    from sklearn.model_selection import StratifiedKFold

    return StratifiedKFold(4, shuffle=True, random_state=1).split(fold.ready[0], fold.e)


def _cox() -> Any:
    from sksurv.linear_model import CoxPHSurvivalAnalysis

    return CoxPHSurvivalAnalysis(alpha=0.1)


def _forest() -> Any:
    from sksurv.ensemble import RandomSurvivalForest

    return RandomSurvivalForest(300, min_samples_leaf=15, max_features="sqrt", n_jobs=1, random_state=0)


def _boosting() -> Any:
    from sksurv.ensemble import GradientBoostingSurvivalAnalysis

    return GradientBoostingSurvivalAnalysis(
        n_estimators=100, learning_rate=0.05, max_depth=2, subsample=0.6, random_state=0
    )


MODELS: dict[str, Callable[[Fold], Pair]] = {
    "LogNormal AFT": parametric("LogNormal"),
    "LogLogistic AFT": parametric("LogLogistic"),
    "Weibull AFT": parametric("Weibull"),
    "Cox": stepwise(_cox),
    "RSF": stepwise(_forest, raw=True),
    "gradient boosting": stepwise(_boosting),
    "XGBoost AFT": boosted_aft,
}

"""The other models of `survival`, and what each gives to the test patients' times.

Covariates: XGBoost and the forest take missing values as they are; the others get the training fold's medians
and an indicator of missing for each covariate that at least 5% lack, all standardised. Times are in units of
the training fold's median event time inside, and j is free of that.

Penalties of the parametric models and of Cox's are chosen by 4-fold cross-validation of the log score within
the training fold, the number of rounds and the scale of XGBoost's by the same. Two kinds need help to have a
density at every time, and are mixed 95 to 5 with the prior P for it:

- what gives step functions only (Cox with Breslow's baseline, the forest, boosting): the log cumulative
  hazard is interpolated monotonically in log time through five quantiles of the event times;
- Cox with a spline for its baseline, as lifelines has it. The cumulative hazard of such a fit may fall. If it
  does so where times are, the fit has failed, which lifelines does not say, and one of fewer knots or a
  greater penalty is taken; where it falls outside of them, it stays where it was highest.

The pool is the equal mixture of the six in POOL.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

PENALTIES = (0.003, 0.01, 0.03, 0.1, 0.3)
RIDGES = (1.0, 3.0, 10.0, 30.0, 100.0)
SCALES = (0.7, 1.0, 1.4, 1.9)
POOL = ("log-normal AFT", "log-logistic AFT", "Cox (smoothed)", "random survival forest")
POOL = (*POOL, "gradient boosting", "XGBoost AFT")

Pair = tuple[np.ndarray, np.ndarray]  # log density and log survival at each new patient's time


@dataclass(frozen=True, eq=False)
class Fold:
    """Raw and prepared covariates of both parts, times and events, and log density and survival of P."""

    raw: tuple[pd.DataFrame, pd.DataFrame]
    ready: tuple[pd.DataFrame, pd.DataFrame]
    t: np.ndarray
    e: np.ndarray
    t_new: np.ndarray
    prior: Any

    @property
    def log_p(self) -> Pair:
        """Of the prior, for the new patients."""
        return self.prior.logpdf(self.t_new), self.prior.logsf(self.t_new)

    def inner(self) -> list[tuple[Fold, np.ndarray]]:
        """The training part in four, each with the events of the quarter that is left out."""
        from sklearn.model_selection import StratifiedKFold

        def part(a: Any, b: Any) -> tuple[Fold, np.ndarray]:
            raw, ready = ((X.iloc[a], X.iloc[b]) for X in (self.raw[0], self.ready[0]))
            return replace(self, raw=raw, ready=ready, t=self.t[a], e=self.e[a], t_new=self.t[b]), self.e[b]

        splits = StratifiedKFold(4, shuffle=True, random_state=1).split(self.ready[0], self.e)
        return [part(a, b) for a, b in splits]


def log_q_of_all(X: pd.DataFrame, t: Any, e: Any, train: Any, test: Any) -> dict[str, np.ndarray]:
    """The log of what each model gave to the truth."""
    from nepers.priors import survival_marginal
    from nepers.ratios import Times

    unit = np.median(t[train][e[train]])
    prior = survival_marginal(Times.right_censored(t[train] / unit, event=e[train]))
    raw = X.iloc[train], X.iloc[test]
    fold = Fold(raw, prepared(*raw), t[train] / unit, e[train], t[test] / unit, prior)
    found = {}
    for name, model in MODELS.items():
        log_f, log_s = model(fold)
        found[name] = np.where(e[test], log_f - np.log(unit), log_s)
    # of densities at events and of survival elsewhere alike
    found["pool of six"] = np.logaddexp.reduce([found[name] for name in POOL]) - np.log(len(POOL))
    return found


def prepared(train: pd.DataFrame, test: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Without gaps, constants and repetitions, and standardised."""
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


def best(run: Callable[[Fold, float], Pair], penalties: tuple[float, ...], fold: Fold) -> float:
    """The penalty of the greatest log score within the training fold."""

    def held_out(penalty: float) -> float:
        pairs = [(run(part, penalty), e) for part, e in fold.inner()]
        return sum(float(np.where(e, log_f, log_s).sum()) for (log_f, log_s), e in pairs)

    return max(penalties, key=held_out)


def tuned(run: Callable[[Fold, float], Pair], penalties: tuple[float, ...]) -> Callable[[Fold], Pair]:
    """The model with the best of these penalties."""
    return lambda fold: run(fold, best(run, penalties, fold))


def parametric(kind: str) -> Callable[[Fold, float], Pair]:
    """A regression of log time."""

    def run(fold: Fold, penalty: float) -> Pair:
        X, X_new = (part.to_numpy() for part in fold.ready)
        theta = aft(kind, X, fold.t, fold.e, penalty)
        z = (np.log(fold.t_new) - theta[0] - X_new @ theta[2:]) / np.exp(theta[1])
        log_f, log_s, _, _ = _error(kind, z)
        return log_f - theta[1] - np.log(fold.t_new), log_s

    return run


def aft(kind: str, X: np.ndarray, t: np.ndarray, e: np.ndarray, penalty: float) -> np.ndarray:
    """Intercept, log sigma and b of log T = intercept + x'b + sigma * error.

    The greatest mean log likelihood less penalty / 2 times the squares of b and log sigma: what lifelines'
    fitters find with this ``penalizer``, in a hundredth of their time.
    """
    from scipy.optimize import minimize

    u = np.log(t)

    def objective(theta: np.ndarray) -> tuple[float, np.ndarray]:
        z = (u - theta[0] - X @ theta[2:]) / np.exp(theta[1])
        log_f, log_s, d_f, d_s = _error(kind, z)
        d = np.where(e, d_f, d_s)
        value = np.where(e, log_f - theta[1] - u, log_s).mean() - 0.5 * penalty * (theta[1:] @ theta[1:])
        by_middle = -d / np.exp(theta[1]) / len(u)
        slope = np.array([by_middle.sum(), -(d * z + e).mean(), *(by_middle @ X)])
        slope[1:] -= penalty * theta[1:]
        return -value, -slope

    start = np.zeros(2 + X.shape[1])
    start[:2] = u.mean(), np.log(u.std())
    return minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x


def _error(kind: str, z: np.ndarray) -> tuple[np.ndarray, ...]:
    """Log density and log survival of the error, and their slopes."""
    from scipy import special, stats

    if kind == "normal":
        log_f, log_s = stats.norm.logpdf(z), stats.norm.logsf(z)
        return log_f, log_s, -z, -np.exp(log_f - log_s)
    if kind == "logistic":
        F = special.expit(z)
        return stats.logistic.logpdf(z), stats.logistic.logsf(z), 1.0 - 2.0 * F, -F
    with np.errstate(over="ignore"):
        H = np.exp(np.minimum(z, 700.0))
    return z - H, -H, 1.0 - H, -H  # the log of a Weibull time


def spline_cox(fold: Fold, ridge: float) -> Pair:
    """Proportional hazards on a spline, by lifelines: four knots, or two if that fit fails."""
    import lifelines
    from lifelines.exceptions import ConvergenceError

    X, X_new = fold.ready
    given = X.assign(T=fold.t, E=fold.e.astype(int))
    times = np.geomspace(0.2 * fold.t.min(), 5.0 * fold.t.max(), 2000)
    inside = (times > fold.t[fold.e].min()) & (times < fold.t.max())
    for knots, more in ((4, 1.0), (2, 1.0), (2, 3.0), (2, 10.0)):
        fitter = lifelines.CoxPHFitter(
            baseline_estimation_method="spline", n_baseline_knots=knots, penalizer=more * ridge / len(X)
        )
        try:
            fitted = fitter.fit(given, "T", "E")
        except ConvergenceError:
            continue
        H = fitted.predict_cumulative_hazard(X.iloc[:1], times=times).iloc[:, 0].to_numpy()
        if (np.diff(H[inside]) > 0.0).all():
            break
    else:
        return fold.log_p
    b = fitted.params_["beta_"][list(X.columns)].to_numpy()
    away = np.exp((X_new - X.iloc[0]).to_numpy() @ b)
    # straight in logs between points so near one another
    x, y = np.log(times), np.log(np.maximum.accumulate(H))
    at = np.clip(np.log(fold.t_new), x[0], x[-1])
    slope = (np.diff(y) / np.diff(x))[np.clip(np.searchsorted(x, at) - 1, 0, x.size - 2)]
    total = np.exp(np.interp(at, x, y)) * away
    with np.errstate(divide="ignore"):
        return mixed((np.log(slope * total / fold.t_new) - total, -total), fold.log_p)


def stepwise(make: Callable[..., Any], raw: bool = False) -> Callable[..., Pair]:
    """A model of scikit-survival."""

    def run(fold: Fold, *penalty: float) -> Pair:
        X, X_new = fold.raw if raw else fold.ready
        y = np.array(list(zip(fold.e, fold.t, strict=True)), dtype=[("e", bool), ("t", float)])
        fitted = make(*penalty).fit(X.to_numpy(np.float32 if raw else float), y)
        curves = fitted.predict_survival_function(X_new.to_numpy(np.float32 if raw else float))
        knots = np.unique(np.quantile(fold.t[fold.e], np.linspace(0.03, 0.97, 5)))
        S = np.array([[curve(np.clip(k, *curve.domain)) for k in knots] for curve in curves])
        return mixed(smoothed(S, knots, fold.t_new), fold.log_p)

    return run


def smoothed(S: np.ndarray, knots: np.ndarray, t: np.ndarray) -> Pair:
    """Through the survival at the knots; beyond them the log cumulative hazard is straight in log time."""
    from scipy.interpolate import PchipInterpolator

    H = np.maximum.accumulate(-np.log(np.clip(S, 1e-4, 1.0 - 1e-4)), axis=1)
    x, y = np.log(knots), np.log(H * (1.0 + 1e-3 * np.arange(len(knots))))
    log_f, log_s = np.empty(len(t)), np.empty(len(t))
    for i, v in enumerate(np.log(t)):
        curve = PchipInterpolator(x, y[i])
        end = 0 if v < x[0] else -2
        slope = (y[i, end + 1] - y[i, end]) / (x[end + 1] - x[end])
        edge = float(np.clip(v, x[0], x[-1]))
        slope = float(curve.derivative()(v)) if edge == v else slope
        log_H = float(curve(edge)) + slope * (v - edge)
        log_s[i] = -np.exp(log_H)
        log_f[i] = np.log(slope) + log_H - v + log_s[i] if slope > 0.0 else -np.inf
    return log_f, log_s


def mixed(one: Pair, prior: Pair, share: float = 0.05) -> Pair:
    """With the prior."""
    log_f, log_s = (
        np.logaddexp(np.log1p(-share) + q, np.log(share) + p) for q, p in zip(one, prior, strict=True)
    )
    return log_f, log_s


def boosted_aft(fold: Fold) -> Pair:
    """XGBoost's accelerated failure times."""
    import xgboost
    from scipy import stats

    best = min((_rounds(fold, scale) for scale in SCALES), key=lambda found: found[0])
    _loss, scale, rounds = best
    fitted = xgboost.train(_settings(scale), _matrix(fold.raw[0], fold.t, fold.e), rounds)
    middle = np.log(fitted.predict(xgboost.DMatrix(fold.raw[1].to_numpy())))
    z = (np.log(fold.t_new) - middle) / scale
    return stats.norm.logpdf(z) - np.log(scale * fold.t_new), stats.norm.logsf(z)


def _rounds(fold: Fold, scale: float) -> tuple[float, float, int]:
    """The least loss within the training fold, the scale, and the rounds it takes."""
    import xgboost

    losses = []
    for part, e in fold.inner():
        seen: dict[str, Any] = {}
        held_out = [(_matrix(part.raw[1], part.t_new, e), "left")]
        given = _matrix(part.raw[0], part.t, part.e)
        xgboost.train(_settings(scale), given, 300, evals=held_out, evals_result=seen, verbose_eval=False)
        losses.append(seen["left"]["aft-nloglik"])
    loss = np.mean(losses, axis=0)
    return float(loss.min()), scale, int(loss.argmin()) + 1


def _matrix(X: pd.DataFrame, t: Any, e: Any) -> Any:
    import xgboost

    found = xgboost.DMatrix(X.to_numpy())
    found.set_float_info("label_lower_bound", t)
    found.set_float_info("label_upper_bound", np.where(e, t, np.inf))
    return found


def _settings(scale: float) -> dict[str, Any]:
    return {
        "objective": "survival:aft",
        "eval_metric": "aft-nloglik",
        "aft_loss_distribution": "normal",
        "aft_loss_distribution_scale": scale,
        "tree_method": "hist",
        **{"max_depth": 2, "eta": 0.05, "subsample": 0.7, "colsample_bytree": 0.7},
        **{"min_child_weight": 3, "lambda": 5.0, "nthread": 1, "seed": 0},
    }


def _cox(ridge: float) -> Any:
    from sksurv.linear_model import CoxPHSurvivalAnalysis

    return CoxPHSurvivalAnalysis(alpha=ridge)


def _forest() -> Any:
    from sksurv.ensemble import RandomSurvivalForest

    return RandomSurvivalForest(300, min_samples_leaf=15, max_features="sqrt", n_jobs=1, random_state=0)


def _boosting() -> Any:
    from sksurv.ensemble import GradientBoostingSurvivalAnalysis

    return GradientBoostingSurvivalAnalysis(
        n_estimators=100, learning_rate=0.05, max_depth=2, subsample=0.6, random_state=0
    )


MODELS: dict[str, Callable[[Fold], Pair]] = {
    "log-normal AFT": tuned(parametric("normal"), PENALTIES),
    "log-logistic AFT": tuned(parametric("logistic"), PENALTIES),
    "Weibull AFT": tuned(parametric("extreme"), PENALTIES),
    "Cox (smoothed)": tuned(stepwise(_cox), RIDGES),
    # the penalty on the coefficients is that of the one before
    "Cox (spline)": lambda fold: spline_cox(fold, best(stepwise(_cox), RIDGES, fold)),
    "random survival forest": stepwise(_forest, raw=True),
    "gradient boosting": stepwise(_boosting),
    "XGBoost AFT": boosted_aft,
}

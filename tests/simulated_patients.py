"""Simulated patients: log time falls with a log marker and with age; some censored, some values missing."""

import numpy as np
import pandas as pd


def simulated(n, seed, missing=0.1):
    rng = np.random.default_rng(seed)
    marker = rng.normal(size=n)
    age = rng.normal(size=n)
    high = rng.random(n) < 0.3
    log_t = 1.0 - 0.8 * marker - 0.3 * age - 0.7 * high + 0.5 * rng.standard_t(5, size=n)
    leaves = rng.normal(1.3, 0.8, size=n)
    X = pd.DataFrame(
        {"psa": np.exp(2.0 + marker), "age": 65.0 + 7.0 * age, "grade": np.where(high, "high", "low")}
    )
    for name in ("psa", "age"):
        X.loc[rng.random(n) < missing, name] = np.nan
    y = np.zeros(n, dtype=[("event", bool), ("time", float)])
    y["event"], y["time"] = log_t <= leaves, np.exp(np.minimum(log_t, leaves))
    return X, y

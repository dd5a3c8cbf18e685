"""Survival: docs/tutorials/survival.md without the words between.

Two models predict when breast cancer comes back. For many patients nobody knows: they were well when they
were last seen. Such times are *censored*, and they count all the same. The data, the German Breast Cancer
Study Group's 686 patients, come with scikit-survival; one model is from lifelines, the other from scikit-
survival.
"""

# Times, of which some are censored
import numpy as np
import pandas as pd
from lifelines import LogNormalAFTFitter
from scipy import stats
from sklearn.model_selection import train_test_split
from sksurv.datasets import load_gbsg2
from sksurv.ensemble import RandomSurvivalForest
from sksurv.util import Surv

import nepers
from nepers.priors import survival_marginal
from nepers.ratios import Curves, Times, log_survival

X, y = load_gbsg2()
X = pd.get_dummies(X, drop_first=True, dtype=float)
for name in ("pnodes", "progrec", "estrec"):
    X[name] = np.log1p(X[name])
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, stratify=y["cens"], random_state=2)

train = Times.right_censored(y_train["time"], event=y_train["cens"])
test = Times.right_censored(y_test["time"], event=y_test["cens"])
print(f"{test.n} patients to test on, {test.exact.sum()} of them with a recurrence")

# The prior: the same curve for everybody
prior = survival_marginal(train)
log_p = prior.log_p(test)
print(f"well for five years: {float(prior.survival(5 * 365.25)):.2f} of the training patients")

# A model with a formula
columns = X_train.assign(time=y_train["time"], event=y_train["cens"])
lognormal = LogNormalAFTFitter().fit(columns, duration_col="time", event_col="event")
spread = np.exp(lognormal.params_.loc[("sigma_", "Intercept")])
predicted = stats.lognorm(s=spread, scale=lognormal.predict_median(X_test).to_numpy())
log_q = {"log-normal": log_survival(test, predicted)}

# A model that gives staircases
forest = RandomSurvivalForest(n_estimators=100, min_samples_leaf=15, random_state=0)
forest.fit(X_train, Surv.from_arrays(y_train["cens"], y_train["time"]))
grid = np.quantile(y_train["time"][y_train["cens"]], np.linspace(0.05, 0.95, 10))
curves = Curves.of(forest.predict_survival_function(X_test)).at(grid)
log_q["forest"] = log_survival(test, curves, density="log_linear", tail="exponential")

# What are they worth?
comparison = nepers.compare(log_q=log_q, log_p=log_p, seed=1)
print(comparison)

comparison.plot_intervals().figure.savefig("survival.svg")

# Would both together know more?
mixture = nepers.improvement.stack(log_q, log_p=log_p)
print(mixture)

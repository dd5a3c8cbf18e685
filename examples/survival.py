"""Survival

Two models predict when breast cancer comes back. For many patients nobody knows: they were well when they were last
seen. Such times are *censored*, and they count all the same. The data, the German Breast Cancer Study Group's 686
patients, come with scikit-survival; one model is from lifelines, the other from scikit-survival.

## Times, of which some are censored

```python
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
```

```text
275 patients to test on, 120 of them with a recurrence
```

`event=` says that True means "it happened". Libraries disagree about that, so nepers has no default: if in your data 1
means censored, write `censored=`.

## The prior: the same curve for everybody

Without any measurement one would give every patient the survival curve of the training patients:

```python
prior = survival_marginal(train)
log_p = prior.log_p(test)
print(f"well for five years: {float(prior.survival(5 * 365.25)):.2f} of the training patients")
```

```text
well for five years: 0.49 of the training patients
```

It is smooth, and not Kaplan and Meier's staircase, because a staircase gives every new time the density zero.

## A model with a formula

A log-normal model of lifelines gives each patient a distribution. Hand it over as one:

```python
columns = X_train.assign(time=y_train["time"], event=y_train["cens"])
lognormal = LogNormalAFTFitter().fit(columns, duration_col="time", event_col="event")
spread = np.exp(lognormal.params_.loc[("sigma_", "Intercept")])
predicted = stats.lognorm(s=spread, scale=lognormal.predict_median(X_test).to_numpy())
log_q = {"log-normal": log_survival(test, predicted)}
```

For a recurrence on day t that is the log of the density at t; for a patient who was well on day c, the log of the
probability of being well beyond c.

## A model that gives staircases

A random survival forest gives curves that fall in steps. Between the steps they say nothing, so it has to be said how
they are read: here at ten times taken from the *training* recurrences, with a constant hazard between them and beyond.

```python
forest = RandomSurvivalForest(n_estimators=100, min_samples_leaf=15, random_state=0)
forest.fit(X_train, Surv.from_arrays(y_train["cens"], y_train["time"]))
grid = np.quantile(y_train["time"][y_train["cens"]], np.linspace(0.05, 0.95, 10))
curves = Curves.of(forest.predict_survival_function(X_test)).at(grid)
log_q["forest"] = log_survival(test, curves, density="log_linear", tail="exponential")
```

The reading is part of the prediction; name it when you report J.

## What are they worth?

```python
comparison = nepers.compare(log_q=log_q, log_p=log_p, seed=1)
print(comparison)
```

```text
            J      95% interval    P(better)  P(best)  verdict
forest      0.085  0.041 to 0.127  1.000      0.647    better
log-normal  0.075  0.019 to 0.127  0.996      0.353    better

J in nats, relative to the prior, from 275 unseen cases. The verdict is against the
prior; gains within 0.01 nats of 0 count as equivalent.
'forest' may be the best of these, which is not yet known (probability 0.647).
It holds for these algorithms as they stand, on new cases like these, if made without
these.
```

```python
comparison.plot_intervals().figure.savefig("survival.svg")
```

![J of both models with their 95% intervals](survival.svg)

J is small, as it is for most predictions of survival: much of what decides is in no table. It is above zero all the
same, and which of the two is better these patients do not tell.

## Would both together know more?

```python
mixture = nepers.improvement.stack(log_q, log_p=log_p)
print(mixture)
```

```text
The mixture of 2 algorithms that scores best: 0.533 forest, 0.467 log-normal.
Over the best single algorithm here, forest, it gains 0.010 (standard error 0.012) nats,
the plain mean.
Over the average with equal weights, it gains -0.0091 (standard error 0.0028) nats, the
plain mean.
Over the prior, it gains 0.091 (standard error 0.020) nats, the plain mean.
The scores are cross-fitted over 10 folds; the weights are from all 275 cases: judge
them on new ones.
```

About half of each. Their plain average, which needs no fitting at all, does as well or better.: docs/tutorials/survival.md without the words between.

## What to keep in mind
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

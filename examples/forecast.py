"""A forecast that is an ensemble

A weather service runs its model fifty times, each time from a slightly different start. The fifty temperatures for
tomorrow are its forecast. Is it worth more than the climate? Is it too sure of itself? The temperatures here are
simulated, with a fault that real ensembles often have: the runs are too much alike.

## Two hundred days

```python
import numpy as np
from scipy import stats

import nepers
from nepers.improvement import recalibrate_pit
from nepers.priors import fitted_marginal
from nepers.ratios import ensemble_bias, log_ensemble

rng = np.random.default_rng(7)


def climate(days):
    """Temperatures of so many days far apart: a part that can be foreseen, and one that cannot."""
    foreseeable = rng.normal(0.0, 4.0, days)
    return foreseeable, 10.0 + foreseeable + rng.normal(0.0, 1.5, days)


past = climate(300)[1]
foreseeable, truth = climate(200)
common_error = rng.normal(0.0, 0.8, 200)  # of all the runs of a day, so that they do not show it
runs = 10.0 + (foreseeable + common_error)[:, None] + rng.normal(0.0, 0.9, (200, 50))
```

`runs` has a row for each day and a column for each run.

## The prior: the climate

What would one say of a day without the forecast? The distribution of the temperature in the past. `fitted_marginal`
fits one to the past days, whatever its shape:

```python
prior = fitted_marginal(past, seed=1)
log_p = prior.log_p(truth)
```

## Fifty runs are not yet a distribution

To say what the runs give to the truth, they have to be read as a density, and the reading is part of the forecast.
Two are common: a Gaussian with their mean and standard deviation, and a little bump around each run.

```python
log_q = {
    "Gaussian": log_ensemble(truth, runs, method="normal"),
    "bumps": log_ensemble(truth, runs, method="kde"),
}
for name, values in log_q.items():
    print(f"{name}: mean j {np.mean(values - log_p):.2f}, lowest {np.min(values - log_p):.1f}")
```

```text
Gaussian: mean j 0.46, lowest -16.0
bumps: mean j 0.11, lowest -34.7
```

Beyond the runs the bumps end soon, and a truth out there is expensive. How much of that comes from having only fifty
runs? `ensemble_bias` scores halves and quarters of them and extrapolates:

```python
print(ensemble_bias(truth, runs, method="normal"))
```

```text
Mean log Q is -2.667 nats with a quarter of the 50 members, -2.46 with half and -2.381
with all; infinitely many would change it by about +0.073 (standard error 0.01 over 200
cases), if the loss falls as m^-1.
```

More runs would help a little. The greater fault is elsewhere.

## What is it worth?

```python
answer = nepers.assess(log_q=log_q["Gaussian"], log_p=log_p, seed=1)
print(answer)
```

```text
J = 0.55 nats, 95% credible interval 0.25 to 0.82, from 200 unseen cases (posterior
mean; median 0.56).
The prediction is better than the prior with probability more than 0.999.
On geometric average it gives what comes true 1.74 times the probability that the prior
gives it (1.28 to 2.27).
It holds for this prediction as it stands, on new cases like these, if made without
these.
```

```python
answer.plot_histogram().figure.savefig("forecast_j.svg")
```

![The log ratios of the 200 days: a long tail of days on which the forecast was sure and wrong](forecast_j.svg)

A few days undo what most of them earn: the forecast was sure, and the truth lay outside.

## Too sure by how much?

Where in its forecast does each truth lie? If the probabilities are right, the share of the forecast that lies below the
truth is as often near 0.1 as near 0.5 or 0.9. Here it is too often near 0 and 1. `recalibrate_pit` finds the map that
mends this, fits it on part of the days and judges it on the others:

```python
below = stats.norm.cdf(truth, runs.mean(axis=1), runs.std(axis=1, ddof=1))
found = recalibrate_pit(below, log_q=log_q["Gaussian"])
print(found)
found.plot_recalibration().figure.savefig("forecast_map.svg")
```

```text
Recalibration would raise J by 0.50 (standard error 0.11) nats, the plain mean over 200
cases, each recalibrated by a map fitted on the other 9 of 10 folds.
The map fitted on all cases: on the normal scale the truths lie 0.175 off, 1.76 times as
wide. Judge it on new ones.
```

![The recalibration map: what the forecast gives, against what comes true](forecast_map.svg)

## And after that?

```python
both = {"as it is": log_q["Gaussian"], "recalibrated": found.log_q}
comparison = nepers.compare(log_q=both, log_p=log_p, reference="as it is", seed=1)
print(comparison)
```

```text
              J      95% interval    gain   95% interval    P(better)  P(best)  verdict
recalibrated  1.002  0.862 to 1.135  0.457  0.265 to 0.662  1.000      1.000    better
as it is      0.545  0.246 to 0.819  0.000  0.000 to 0.000  0.000      0.000    reference

J in nats, relative to the prior, from 200 unseen cases. The verdict is against 'as it
is'; gains within 0.01 nats of 0 count as equivalent.
'recalibrated' is the best of these (probability 1.000).
It holds for these algorithms as they stand, on new cases like these, if made without
these.
```

The recalibrated log scores are those of maps that were fitted on other days. `found.map`, fitted on all of them, is
the one to use from tomorrow on; what it is worth, only new days can tell.

How much could be had at all? Nobody can foresee the last 1.5 degrees of the simulation, so J is at most the log of the
ratio of the two spreads:: docs/tutorials/forecast.md without the words between.

```python
print(f"{np.log(np.hypot(4.0, 1.5) / 1.5):.2f} nats")
```
"""

# Two hundred days
import numpy as np
from scipy import stats

import nepers
from nepers.improvement import recalibrate_pit
from nepers.priors import fitted_marginal
from nepers.ratios import ensemble_bias, log_ensemble

rng = np.random.default_rng(7)


def climate(days):
    """Temperatures of so many days far apart: a part that can be foreseen, and one that cannot."""
    foreseeable = rng.normal(0.0, 4.0, days)
    return foreseeable, 10.0 + foreseeable + rng.normal(0.0, 1.5, days)


past = climate(300)[1]
foreseeable, truth = climate(200)
common_error = rng.normal(0.0, 0.8, 200)  # of all the runs of a day, so that they do not show it
runs = 10.0 + (foreseeable + common_error)[:, None] + rng.normal(0.0, 0.9, (200, 50))

# The prior: the climate
prior = fitted_marginal(past, seed=1)
log_p = prior.log_p(truth)

# Fifty runs are not yet a distribution
log_q = {
    "Gaussian": log_ensemble(truth, runs, method="normal"),
    "bumps": log_ensemble(truth, runs, method="kde"),
}
for name, values in log_q.items():
    print(f"{name}: mean j {np.mean(values - log_p):.2f}, lowest {np.min(values - log_p):.1f}")

print(ensemble_bias(truth, runs, method="normal"))

# What is it worth?
answer = nepers.assess(log_q=log_q["Gaussian"], log_p=log_p, seed=1)
print(answer)

answer.plot_histogram().figure.savefig("forecast_j.svg")

# Too sure by how much?
below = stats.norm.cdf(truth, runs.mean(axis=1), runs.std(axis=1, ddof=1))
found = recalibrate_pit(below, log_q=log_q["Gaussian"])
print(found)
found.plot_recalibration().figure.savefig("forecast_map.svg")

# And after that?
both = {"as it is": log_q["Gaussian"], "recalibrated": found.log_q}
comparison = nepers.compare(log_q=both, log_p=log_p, reference="as it is", seed=1)
print(comparison)

print(f"{np.log(np.hypot(4.0, 1.5) / 1.5):.2f} nats")

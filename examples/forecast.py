"""A forecast that is an ensemble: docs/tutorials/forecast.md without the words between.

A weather service runs its model fifty times, each time from a slightly different start. The fifty
temperatures for tomorrow are its forecast. Is it worth more than the climate? Is it too sure of itself? The
temperatures here are simulated, with a fault that real ensembles often have: the runs are too much alike.
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

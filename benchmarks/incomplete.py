"""How fast the sampler is on incomplete data of many dimensions.

Cases of 14 dimensions from a mixture of the paper's prior for prostate cancer, 30% of the times censored, 10%
of the values missing, with its noise. Reported: the effective number of independent draws (ESS) of the log
predictive density of 60 new cases, over chains that start apart, for each second of one core; and the time of
a sweep for more and more cases.

    python benchmarks/incomplete.py [draws]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from arviz_stats.base import array_stats
from machine import machine

from nepers.hierarchy import prostate, sample_prior
from nepers.prediction.moments import robust_moments
from nepers.prediction.observations import Noise, Observations
from nepers.prediction.sampling import make_sampler

PAGE = Path(__file__).parent.parent / "docs" / "incomplete.md"
N, CHAINS, WARM_UP, THIN = 14, 4, 300, 2
NOISE = Noise(5.0, 100.0 * np.eye(N))
INTRODUCTION = """# Speed on incomplete data

Cases of {N} dimensions from a mixture of C skew-Student distributions drawn from the paper's prior; 30% of
the times are censored, 10% of the values missing, and the paper's noise is on all. The model is the paper's
for prostate cancer, with C unknown and the mean and covariance of the data themselves. {CHAINS} chains start
from the prior; the log predictive density is that of 60 new cases together. Seconds are of one core.

{machine}.

"""
FIRST = """| true C | seconds | ESS | ESS a second | seconds to ESS 400 | R-hat | mean C of each chain |
|---|---|---|---|---|---|---|
"""
SECOND = """
| cases | mean C | ms a sweep | microseconds a sweep and case |
|---|---|---|---|
"""
CLOSING = """
Components that lie over one another come and go rarely: with C = 1 or 2, chains of this length still stand
at different numbers of them, which the R-hat of the log predictive density shows; their ESS is then rough.
Run longer, or more chains, where it is above 1.01.
"""


def cases(n: int, C: int, seed: int) -> tuple[Observations, Any]:
    """Observations, and new cases from the same mixture."""
    rng = np.random.default_rng(seed)
    prior = prostate(np.zeros(N), 0.6 * np.eye(N) + 0.4)
    mixture = sample_prior(prior.replace(C=C), rng=rng).mixture
    beta = rng.gamma(NOISE.m, 1.0 / NOISE.m, (n, 1))
    y = mixture.rvs(n, rng=rng) + 0.1 * rng.standard_normal((n, N)) / np.sqrt(beta)
    cut = np.quantile(y[:, 0], 0.72) + 0.8 * y[:, 0].std() * rng.standard_normal(n)
    lower = np.minimum(y[:, 0], cut)
    values = np.where(rng.random((n, N)) < 0.1, np.nan, y)
    return Observations(values, lower, np.where(y[:, 0] > cut, np.inf, lower)), mixture.rvs(60, rng=rng)


def mixing(C: int, seed: int, draws: int) -> str:
    """A line of the first table."""
    given, new = cases(500, C, seed)
    hyperparameters = prostate(*robust_moments(given))
    sampler = make_sampler(given, NOISE, hyperparameters, seed=1, chains=CHAINS, cores=1)
    sampler.warm_up(1)  # compiles
    began = time.process_time()
    sampler.warm_up(WARM_UP)
    found = sampler.run(draws, THIN)
    seconds = time.process_time() - began
    log_density = np.array(
        [[found.mixture(i, k).logpdf(new).sum() for k in range(draws)] for i in range(CHAINS)]
    )
    ess = float(array_stats.ess(log_density, chain_axis=0, draw_axis=1))
    r_hat = float(array_stats.rhat(log_density, chain_axis=0, draw_axis=1))
    counts = ", ".join(f"{c:.2f}" for c in found.C.mean(axis=1))
    numbers = f"{seconds:.0f} | {ess:.0f} | {ess / seconds:.1f} | {400 * seconds / ess:.0f} | {r_hat:.3f}"
    return f"| {C} | {numbers} | {counts} |\n"


def cost(n: int) -> str:
    """A line of the second table."""
    given, _ = cases(n, 2, 1)
    hyperparameters = prostate(*robust_moments(given))
    sampler = make_sampler(given, NOISE, hyperparameters, seed=1, chains=1, cores=1)
    sampler.warm_up(3)
    sweeps = max(5, 40_000 // n)
    began = time.process_time()
    found = sampler.run(sweeps)
    seconds = time.process_time() - began
    each = seconds / sweeps
    return f"| {n:,} | {found.C.mean():.1f} | {1e3 * each:.2f} | {1e6 * each / n:.2f} |\n"


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    text = INTRODUCTION.format(N=N, CHAINS=CHAINS, machine=machine()) + FIRST
    for C, seed in ((1, 5), (2, 9), (3, 10)):
        text += mixing(C, seed, draws)
        print(text.splitlines()[-1], flush=True)
    text += SECOND
    for n in (500, 5_000, 100_000):
        text += cost(n)
        print(text.splitlines()[-1], flush=True)
    text += CLOSING
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

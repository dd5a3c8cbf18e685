"""How fast the sampler is on incomplete data of many dimensions, and beside NUTS.

Cases of 14 dimensions from a mixture of the paper's prior for prostate cancer, 30% of the times censored, 10%
of the values missing, with its noise. Reported: the effective number of independent draws (ESS) of the log
predictive density of 60 new cases, over chains that start apart, for each second of one core; the same beside
NumPyro's NUTS, where the number of components is fixed; the time and memory of predictions; and the time of a
sweep for more and more cases.

    python benchmarks/incomplete.py [draws] [draws of NUTS]
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import numpy as np
from arviz_stats.base import array_stats
from incomplete_beside import beside
from incomplete_cases import NOISE, N, cases
from machine import machine, versions

from nepers.conditional.cases import Conditionals
from nepers.draw_sets import pooled
from nepers.hierarchy import prostate
from nepers.prediction.moments import robust_moments
from nepers.prediction.sampling import make_sampler
from nepers.survival.posterior import POOLED
from nepers.survival.predicted import PredictedTimes

PAGE = Path(__file__).parent.parent / "docs" / "incomplete.md"
CHAINS, WARM_UP, THIN = 4, 500, 8
INTRODUCTION = """# Speed on incomplete data

Cases of {N} dimensions from a mixture of C skew-Student distributions drawn from the paper's prior; 30% of
the times are censored, 10% of the values missing, and the paper's noise is on all. The model is the paper's
for prostate cancer, with C unknown and the mean and covariance of the data themselves. {CHAINS} chains start
from the prior; the log predictive density is that of 60 new cases together. Seconds are of one core.

{machine}; {versions}.

"""
FIRST = """| true C | seconds | ESS | ESS a second | seconds to ESS 400 | R-hat | C by chain | nats apart |
|---|---|---|---|---|---|---|---|
"""
AFTER = """
"Nats apart": how far the chains' means of the log predictive density are from one another, for each new case.
Components that lie over one another come and go rarely. Where R-hat is above 1.01 the chains have not seen
enough of that, and the ESS is rough: run longer, or more chains. The estimators warn where it is above 1.1.
"""
PREDICTION = """
## Predictions

Survival of 1,000 new patients at 200 times, averaged over {draws} posterior draws ({components} components
in all), the draws weighted by what they give to a patient's own {known} covariates, of which 10% are missing:

| noise | cores | seconds |
|---|---|---|
"""
MEMORY = """
The most memory of this process until then, posterior and all: {memory:,.0f} MB.
"""
SWEEPS = """
## More cases

| cases | mean C | ms a sweep | microseconds a sweep and case |
|---|---|---|---|
"""


def mixing(C: int, seed: int, draws: int) -> str:
    """A line of the first table."""
    given, new = cases(500, C, seed)
    sampler = make_sampler(given, NOISE, prostate(*robust_moments(given)), seed=1, chains=CHAINS, cores=1)
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
    apart = float(np.ptp(log_density.mean(axis=1))) / len(new)
    return f"| {C} | {numbers} | {counts} | {apart:.3f} |\n"


def prediction() -> str:
    """The section on predictions."""
    given, _ = cases(500, 2, 9)
    sampler = make_sampler(given, NOISE, prostate(*robust_moments(given)), seed=1, chains=4, cores=1)
    sampler.warm_up(300)
    mixture = pooled(sampler.run(100), POOLED)
    known = cases(1_000, 2, 9)[0].known.copy()
    known[:, 0] = np.nan
    times = np.exp(np.linspace(-4.0, 4.0, 200))
    text = PREDICTION.format(draws=POOLED, components=mixture.C, known=N - 1)
    for noise in (NOISE, None):
        PredictedTimes(Conditionals(mixture, noise, known[:2]), 0.0).survival(times)  # compiles
        for cores in (1, 2):
            began = time.perf_counter()
            PredictedTimes(Conditionals(mixture, noise, known, cores=cores), 0.0).survival(times)
            seconds = time.perf_counter() - began
            text += f"| {'the paper' if noise else 'none'} | {cores} | {seconds:.1f} |\n"
    unit = 1 if sys.platform == "darwin" else 1024
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    return text.replace("the paper |", "the paper's |") + MEMORY.format(memory=memory)


def cost(n: int) -> str:
    """A line of the last table."""
    given, _ = cases(n, 2, 1)
    sampler = make_sampler(given, NOISE, prostate(*robust_moments(given)), seed=1, chains=1, cores=1)
    sampler.warm_up(3)
    sweeps = max(5, 40_000 // n)
    began = time.process_time()
    found = sampler.run(sweeps)
    seconds = time.process_time() - began
    each = seconds / sweeps
    return f"| {n:,} | {found.C.mean():.1f} | {1e3 * each:.2f} | {1e6 * each / n:.2f} |\n"


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    peer_draws = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    used = versions("nepers", "numpy", "numba")
    text = INTRODUCTION.format(N=N, CHAINS=CHAINS, machine=machine(), versions=used) + FIRST
    for C, seed in ((1, 5), (2, 9), (3, 10)):
        text += mixing(C, seed, draws)
        print(text.splitlines()[-1], flush=True)
    text += AFTER + beside(peer_draws) + prediction()
    print(text, flush=True)
    text += SWEEPS
    for n in (500, 5_000, 100_000):
        text += cost(n)
        print(text.splitlines()[-1], flush=True)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

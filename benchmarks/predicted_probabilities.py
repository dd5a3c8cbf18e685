"""Are predicted probabilities right, on data from the prior? With censoring, noise and missing values all on.

Parameters are drawn from the prior of the paper's hierarchy in 4 dimensions, then 40 cases to learn from and
one to predict. Where the predictive distribution is the posterior's, the probability that it gives to a time
up to the true one (PIT) is uniform, whatever is known of the new case; and so are censored cases with each
counted evenly over what is left above its cut (D-calibration).

    python benchmarks/predicted_probabilities.py [data sets]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from nepers.conditional.cases import Conditionals
from nepers.draw_sets import pooled
from nepers.hierarchy import prostate, sample_prior
from nepers.prediction.observations import Noise, Observations
from nepers.prediction.sampling import draw_posterior

Array = NDArray[np.float64]

PAGE = Path(__file__).parent.parent / "docs" / "predicted-probabilities.md"
N, CASES, BINS = 4, 40, 10
CONSTANTS = prostate(np.zeros(N), 0.6 * np.eye(N) + 0.4)
NOISE = Noise(5.0, 100.0 * np.eye(N))
TEXT = """# Are predicted probabilities right?

{count} data sets from the prior of the paper's hierarchy for prostate cancer, in {N} dimensions: each time
another mixture of unknown C, {cases} patients to learn from, about 35% of their times censored, 15% of all
values missing, the paper's noise on all, and one new patient to predict, some of whose covariates are missing
too. The probability predicted for a time up to the one that comes true must then be uniform.

| | share of the new patients in each tenth | p |
|---|---|---|
| all times known | {pit} | {pit_p:.2f} |
| censored, each counted evenly over what is left above its cut | {d} | {d_p:.2f} |

p is that of Kolmogorov and Smirnov's test in the first line, and of chi-squared in the second, where the
parts of a case are not independent, so that p is on the large side. The second moment, which is too large
where predictions are too narrow: the mean of (2u - 1)^2 is {spread:.3f}, give or take {error:.3f}; it should
be 1/3.
"""


def cases(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """True times as observed, with their covariates, of patients and of a new one; and a cut for each."""
    mixture = sample_prior(CONSTANTS, rng=rng).mixture
    beta = rng.gamma(NOISE.m, 1.0 / NOISE.m, (CASES + 1, 1))
    y = mixture.rvs(CASES + 1, rng=rng) + 0.1 * rng.standard_normal((CASES + 1, N)) / np.sqrt(beta)
    return y, np.where(rng.random(y.shape) < 0.15, np.nan, y), 0.5 + rng.standard_normal(CASES + 1)


def predicted(seed: int) -> tuple[float, float]:
    """The probability predicted for a time up to the true one, and up to its cut."""
    y, values, cut = cases(np.random.default_rng([7, seed]))
    lower = np.minimum(y[:-1, 0], cut[:-1])
    given = Observations(values[:-1], lower, np.where(y[:-1, 0] > cut[:-1], np.inf, lower))
    draws = draw_posterior(
        given, NOISE, CONSTANTS, seed=seed, chains=1, draws=100, warm_up=300, thin=5, cores=1
    )
    new = values[-1:].copy()
    new[0, 0] = np.nan
    found = Conditionals(pooled(draws, 100), NOISE, new, cores=1)
    at = np.array([y[-1, 0], cut[-1]])
    u, c = np.exp(found.each(lambda _i, one: one.logcdf(at))[0])
    return float(u), float(c)


def spread_over(u: Array, cut: Array) -> Array:
    """How many cases each of the bins counts, where those above their cut are censored there."""
    ends = np.linspace(0.0, 1.0, BINS + 1)
    bins = np.zeros(BINS)
    for one, c in zip(u, cut, strict=True):
        if one <= c:
            bins += np.histogram(one, ends)[0]
        else:
            bins += np.maximum(ends[1:] - np.maximum(ends[:-1], c), 0.0) / (1.0 - c)
    return bins


def page(u: Array, cut: Array) -> str:
    """The page, from what was predicted."""
    pit, d = np.histogram(u, BINS, (0.0, 1.0))[0], spread_over(u, cut)
    squares = np.square(2.0 * u - 1.0)
    numbers: dict[str, Any] = {
        "pit": " ".join(f"{one:.3f}" for one in pit / u.size),
        "pit_p": stats.kstest(u, "uniform").pvalue,
        "d": " ".join(f"{one:.3f}" for one in d / u.size),
        "d_p": stats.chisquare(d).pvalue,
        "spread": squares.mean(),
        "error": squares.std() / np.sqrt(u.size),
    }
    return TEXT.format(count=u.size, N=N, cases=CASES, **numbers)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    began = time.perf_counter()
    pairs = []
    for i in range(count):
        pairs.append(predicted(i))
        if (i + 1) % 50 == 0:
            print(f"{i + 1} data sets, {time.perf_counter() - began:.0f} s", flush=True)
            if i + 1 >= 100:
                PAGE.write_text(page(*np.array(pairs).T), encoding="utf-8")
    u, cut = np.array(pairs).T
    PAGE.write_text(page(u, cut), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()

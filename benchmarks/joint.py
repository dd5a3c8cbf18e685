"""Joint posteriors of several J: do their intervals keep their promise?

Log ratios of k algorithms are made with known J: Gaussian predictions of a quantity with Student errors, and
classifiers of one event. Each set of cases is assessed in four ways, all by 95% intervals of every J and of
the difference between the first algorithm and every other one:

    t          Student's t on the column, or on the column of differences
    alone      `nepers.assess` on the same, one at a time
    compare    `nepers.compare`: one joint posterior
    N = k      the paper's hierarchy with N = k, its constants at unit matrices (chains of 1,500 draws)

    ./do joint [sets]
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from scipy import special, stats

from nepers.hierarchy import Hyperparameters, paper

PAGE = Path(__file__).parent.parent / "docs" / "joint.md"
CASES = 200
INTRODUCTION = """# Joint posteriors of several J, measured

`nepers.compare` models uncorrelated combinations of the algorithms' log ratios, one mixture each. This page
compares it with one-at-a-time assessments, with Student's t, and with the paper's hierarchy in N = k
dimensions, on {cases} cases of k algorithms whose J are known ({sets} sets of cases in a row;
benchmarks/joint.py defines them). *Covered* is the share of 95% intervals that hold the true value, *above*
the share that lie wholly above it (wanted at most 0.025), *width* the median width relative to Student's t.
The standard error of a share of 0.95 is {error:.3f} for a single interval per set, and less as there are
several.

Made by `./do joint {sets}` on {machine}.

| data | k | quantity | way | covered | above | width |
|---|---|---|---|---|---|---|
"""


def forecasts(n: int, k: int, rng: np.random.Generator) -> Any:
    """Gaussian predictions whose observation of the mean gets worse from one to the next; t errors, 5 df."""
    variance = 5.0 / 3.0
    m = rng.normal(0.0, 1.5, n)
    y = m + rng.standard_t(5, n)
    own = 0.2 + 0.15 * np.arange(k)
    seen = m[:, None] + own * rng.normal(size=(n, k))
    log_p = stats.norm.logpdf(y, 0.0, np.sqrt(1.5**2 + variance))
    return stats.norm.logpdf(y[:, None], seen, np.sqrt(variance + own**2)) - log_p[:, None]


def classifiers(n: int, k: int, rng: np.random.Generator) -> Any:
    """Probabilities of an event of logit 1.5 z from noisy views of z, against one half."""
    z = rng.normal(size=n)
    sign = np.where(rng.random(n) < special.expit(1.5 * z), 1.0, -1.0)
    logit = (1.5 - 0.1 * np.arange(k)) * z[:, None] + (0.2 + 0.1 * np.arange(k)) * rng.normal(size=(n, k))
    return special.log_expit(sign[:, None] * logit) + np.log(2.0)


DATA: dict[str, Callable[[int, int, np.random.Generator], Any]] = {
    "forecasts": forecasts,
    "classifiers": classifiers,
}


def quantities(x: Any) -> Any:
    """Every J and the difference of the first from every other: columns whose means are the truth."""
    return np.column_stack([x, x[:, [0]] - x[:, 1:]])


def by_t(x: Any) -> Any:
    values = quantities(x)
    half = stats.t.ppf(0.975, len(x) - 1) * values.std(axis=0, ddof=1) / np.sqrt(len(x))
    return np.stack([values.mean(axis=0) - half, values.mean(axis=0) + half])


def alone(x: Any, seed: int) -> Any:
    import nepers

    found = [
        nepers.assess(v, hyperparameters="paper", seed=seed, cores=1, max_seconds=600.0, target_ess=400.0)
        for v in quantities(x).T
    ]
    return np.array([one.interval() for one in found]).T


def together(x: Any, seed: int) -> Any:
    import nepers

    c = nepers.compare(x, hyperparameters="paper", seed=seed, cores=1, max_seconds=600.0, target_ess=400.0)
    return np.quantile(quantities(c.nats), (0.025, 0.975), axis=0)


def hierarchy(x: Any, seed: int) -> Any:
    from nepers.gibbs.chains import Sampler

    sampler = Sampler(x, constants(x.shape[1]), seed=seed, cores=1)
    sampler.warm_up(500)
    drawn = sampler.run(1500).J.reshape(-1, x.shape[1])
    return np.quantile(quantities(drawn), (0.025, 0.975), axis=0)


def constants(k: int) -> Hyperparameters:
    """The paper's table for j, with unit matrices in the place of 1."""
    values = paper().to_dict()
    identity = np.eye(k)
    values.update(N=k, mu_mu_mu=np.zeros(k))
    values.update({name: np.ravel(values[name])[0] * identity for name in ("S_mu_mu", "R_R_S_mu", "R_R_S")})
    return Hyperparameters.from_dict(values)


def one_set(data: str, k: int, i: int) -> dict[str, Any]:
    """The intervals of each way on set i, (2, quantities)."""
    warnings.simplefilter("ignore")  # that a chain was cut short is part of what is measured
    x = DATA[data](CASES, k, np.random.default_rng([2026, k, i]))
    ways = {"t": by_t(x), "alone": alone(x, i), "compare": together(x, i), "N = k": hierarchy(x, i)}
    return ways


def rows(data: str, k: int, sets: int, pool: ProcessPoolExecutor) -> Iterator[str]:
    """The lines of the table for one kind of data."""
    truth = quantities(DATA[data](4_000_000 // k, k, np.random.default_rng(1))).mean(axis=0)
    found = list(pool.map(one_set, [data] * sets, [k] * sets, range(sets)))
    for name, chosen in (("J", slice(0, k)), ("difference", slice(k, None))):
        reference = None
        for way in found[0]:
            lower, upper = (np.array([one[way][side][chosen] for one in found]) for side in (0, 1))
            covered = ((lower <= truth[chosen]) & (truth[chosen] <= upper)).mean()
            above = (lower > truth[chosen]).mean()
            width = np.median(upper - lower)
            reference = width if reference is None else reference
            shares = f"{covered:.3f} | {above:.3f} | {width / reference:.2f}"
            yield f"| {data} | {k} | {name} | {way} | {shares} |\n"


def main() -> None:
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    text = INTRODUCTION.format(cases=CASES, sets=sets, error=np.sqrt(0.95 * 0.05 / sets), machine=machine())
    with ProcessPoolExecutor() as pool:
        for data in DATA:
            for k in (2, 5):
                for line in rows(data, k, sets, pool):
                    print(line, end="", flush=True)
                    text += line
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

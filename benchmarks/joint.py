"""Joint posteriors of several J: do their intervals keep their promise?

Log ratios of k algorithms are made with known J: Gaussian predictions of a quantity with Student errors, and
classifiers of one event. Each set of cases is assessed in four ways, all by 95% intervals of every J and of
the difference between the first algorithm and every other one:

    t          Student's t on the column, or on the column of differences
    alone      `nepers.assess` on the same, one at a time; again: with another seed
    compare    `nepers.compare`: one joint posterior
    N = k      the paper's hierarchy with N = k, its constants at unit matrices (chains of 1,500 draws)

    ./do joint [sets [minutes [processes]]]

The page is written anew after every set, so that a run that the minutes end has a page of what was done.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine
from scipy import special, stats

from nepers.hierarchy import Hyperparameters, paper

PAGE = Path(__file__).parent.parent / "docs" / "joint.md"
CASES = 200
K = 3
RUN: dict[str, Any] = {
    "hyperparameters": "paper",
    "chains": 2,
    "cores": 1,
    "max_seconds": 600.0,
    "target_ess": 200.0,
}
INTRODUCTION = """# Joint posteriors of several J, measured

`nepers.compare` models uncorrelated combinations of the algorithms' log ratios, one mixture each. Here it is
held against one-at-a-time assessments, Student's t, and the paper's hierarchy in N = k dimensions, by the 95%
intervals of every J and of the difference between the first algorithm and every other one, on {sets} sets of
{cases} cases of {k} algorithms. `benchmarks/joint.py` defines the data.

*Width* and *shift* are taken set by set against the one-at-a-time assessment of the same numbers: the median
of the ratio of the widths, and the median distance of the middles as a share of its width. What two runs with
different seeds differ by is in the rows *again*. *Covered* is the share of intervals that hold the true
value; with so few sets it can show a gross fault only: one interval a set would know a share of 0.95 with a
standard error of {error:.2f}.

Made by `./do joint {arguments}` on {machine}, with {chains} chains to an effective sample size of {ess:.0f}.

| data | quantity | way | width | shift | covered |
|---|---|---|---|---|---|
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

    found = [nepers.assess(v, seed=seed, **RUN) for v in quantities(x).T]
    return np.array([one.interval() for one in found]).T


def together(x: Any, seed: int) -> Any:
    import nepers

    c = nepers.compare(x, seed=seed, **RUN)
    return np.quantile(quantities(c.nats), (0.025, 0.975), axis=0)


def hierarchy(x: Any, seed: int) -> Any:
    from nepers.gibbs.chains import Sampler

    sampler = Sampler(x, constants(x.shape[1]), seed=seed, chains=RUN["chains"], cores=1)
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


def one_set(data: str, i: int) -> dict[str, Any]:
    """The intervals of each way on set i, (2, quantities)."""
    warnings.simplefilter("ignore")  # that a chain was cut short is part of what is measured
    x = DATA[data](CASES, K, np.random.default_rng([2026, K, i]))
    return {
        "alone": alone(x, i),
        "again": alone(x, i + 1_000_000),
        "compare": together(x, i),
        "N = k": hierarchy(x, i),
        "t": by_t(x),
    }


@cache
def truth(data: str) -> Any:
    """The true values, to 0.001 or so."""
    return quantities(DATA[data](1_000_000, K, np.random.default_rng(1))).mean(axis=0)


def rows(data: str, found: list[dict[str, Any]]) -> Iterator[str]:
    """The lines of the table for one kind of data."""
    for name, chosen in (("J", slice(0, K)), ("difference", slice(K, None))):
        true = truth(data)[chosen]
        own = np.array([one["alone"][:, chosen] for one in found])
        for way in found[0]:
            ends = np.array([one[way][:, chosen] for one in found])
            width = np.median((ends[:, 1] - ends[:, 0]) / (own[:, 1] - own[:, 0]))
            shift = np.median(np.abs(ends.sum(axis=1) - own.sum(axis=1)) / 2.0 / (own[:, 1] - own[:, 0]))
            covered = ((ends[:, 0] <= true) & (true <= ends[:, 1])).mean()
            yield f"| {data} | {name} | {way} | {width:.2f} | {shift:.2f} | {covered:.2f} |\n"


def page(found: dict[str, list[dict[str, Any]]]) -> str:
    """The page of what has been found so far."""
    sets = min(len(one) for one in found.values())
    head = INTRODUCTION.format(
        cases=CASES,
        k=K,
        sets=sets,
        error=np.sqrt(0.95 * 0.05 / sets),
        arguments=" ".join(sys.argv[1:]),
        machine=machine(),
        chains=RUN["chains"],
        ess=RUN["target_ess"],
    )
    return head + "".join(line for data, one in found.items() for line in rows(data, one))


def main() -> None:
    given = [float(text) for text in sys.argv[1:]]
    sets, minutes, processes = given + [100.0, np.inf, np.inf][len(given) :]
    end = time.perf_counter() + 60.0 * minutes
    found: dict[str, list[dict[str, Any]]] = {data: [] for data in DATA}
    with ProcessPoolExecutor(None if np.isinf(processes) else int(processes)) as pool:
        for i in range(int(sets)):
            if time.perf_counter() > end:
                break
            for data, one in zip(DATA, pool.map(one_set, DATA, [i] * len(DATA)), strict=True):
                found[data].append(one)
            print(f"{i + 1} of {sets:g} sets", file=sys.stderr, flush=True)
            PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()

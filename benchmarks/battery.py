"""Does the 95% interval hold the true J in 95% of samples? nepers beside the usual intervals.

For each truth of `truths` and each number of cases, samples are drawn and every way makes its interval. What
has been done is kept, a line for each sample, in benchmarks/results/battery/: a run may be cut off and goes
on where it was. Each run ends by counting what there is into benchmarks/battery.json and docs/battery.md.

    ./do battery [SAMPLES] [--n 50 --n 200 ...] [--half tune|report] [--ways t,calibrated,...] [--workers 2]
    ./do battery --check     are the chains long enough?
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from battery_page import write_page
from intervals import bayesian_bootstrap, bootstraps, student
from truths import truths

HOME = Path(__file__).parent.parent
KEPT = HOME / "benchmarks" / "results" / "battery"
SEED = 2027
PEERS = ("t", "BCa", "bootstrap-t", "Bayesian bootstrap")
NEPERS = ("calibrated", "paper")
SIZES = {30: 400, 50: 400, 200: 400, 1000: 400, 5000: 100}  # cases and samples
# One chain: its warm-up and its draws. `--check` compares the ends with those of long runs.
WARM_UP, DRAWS = 300, 1500
Interval = tuple[float, float]


def by_nepers(x: Any, table: str, seed: int, *, draws: int = DRAWS, chains: int = 1) -> Any:
    """Posterior draws of J as `nepers.assess` makes them, from chains of a length that is fixed."""
    from nepers.atoms import total
    from nepers.cases import RESOLUTION, LogRatios
    from nepers.gibbs.chains import Sampler
    from nepers.options import read_options
    from nepers.posterior import Branch, branch, kinds_of, posterior_of

    options = read_options(table, 1.0, seed, chains, 400.0, 60.0, 1)
    cases = LogRatios(x, np.arange(x.size), None, RESOLUTION * float(np.abs(x).max()))
    kinds = kinds_of(cases, options)
    if kinds.remainder.size == 0:  # no chains are needed
        return posterior_of(cases, options, False).nats.ravel()
    sampler = Sampler(kinds.remainder, options.scaled, seed=seed, chains=chains, cores=1)
    sampler.warm_up(WARM_UP)
    return total(kinds, sampler.run(draws).J[:, :, 0], branch(seed, Branch.WEIGHTS)).ravel()


def intervals(truth: int, n: int, sample: int, ways: Sequence[str]) -> dict[str, Any]:
    """Every way's interval on one sample, and nepers' core-seconds."""
    x = truths()[truth].draw(n, np.random.default_rng([SEED, truth, n, sample]))
    rng = np.random.default_rng([SEED, truth, n, sample, 1])
    row: dict[str, Any] = {"truth": truth, "n": n, "sample": sample}
    if "t" in ways:
        row["t"] = student(x)
    if "BCa" in ways or "bootstrap-t" in ways:
        row |= bootstraps(x, rng)
    if "Bayesian bootstrap" in ways:
        row["Bayesian bootstrap"] = bayesian_bootstrap(x, rng)
    for way in ways:
        if way not in PEERS:
            began = time.process_time()
            row[way] = tuple(float(end) for end in np.quantile(by_nepers(x, way, sample), (0.025, 0.975)))
            row[f"seconds {way}"] = round(time.process_time() - began, 4)
    return row


def kept(home: Path = KEPT) -> dict[tuple[int, int, int], dict[str, Any]]:
    """What there is by truth, number of cases and sample; a line that was cut off is not there."""
    found: dict[tuple[int, int, int], dict[str, Any]] = {}
    for path in sorted(home.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                continue
            found.setdefault((row["truth"], row["n"], row["sample"]), {}).update(row)
    return found


Work = tuple[int, int, int, tuple[str, ...]]


def missing(chosen: Sequence[int], sizes: dict[int, int], ways: Sequence[str], there: Any) -> Iterator[Work]:
    """The samples that lack some of the ways, and which; all truths have their first samples first."""
    for n, samples in sizes.items():
        for sample in range(samples):
            for truth in chosen:
                row = there.get((truth, n, sample), {})
                wanted = tuple(way for way in ways if way not in row)
                if wanted:
                    yield truth, n, sample, wanted


def run(work: Sequence[Work], workers: int, home: Path = KEPT) -> None:
    """Draw what is missing; each sample is written as soon as it is done."""
    home.mkdir(parents=True, exist_ok=True)
    # a file for each run, so that runs at the same time do not write into one another's lines
    with (home / f"{time.time_ns()}.jsonl").open("a", encoding="utf-8") as file:
        for done, row in enumerate(_rows(work, workers), start=1):
            file.write(json.dumps(row) + "\n")
            file.flush()
            if done % 500 == 0:
                print(f"{done} of {len(work)}", file=sys.stderr, flush=True)


def _rows(work: Sequence[Work], workers: int) -> Iterator[dict[str, Any]]:
    if workers == 1:
        yield from (intervals(*one) for one in work)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(intervals, *zip(*work, strict=True), chunksize=20)


def check(samples: int, draws: int = 4 * DRAWS, chains: int = 4) -> None:
    """How far the ends are from those of runs 16 times as long, in posterior standard deviations."""
    for way in NEPERS:
        for n in SIZES:
            apart = []
            for truth, one in enumerate(truths()):
                for sample in range(samples):
                    x = one.draw(n, np.random.default_rng([SEED, truth, n, sample]))
                    short = by_nepers(x, way, sample)
                    long = by_nepers(x, way, 10_000 + sample, draws=draws, chains=chains)
                    ends = np.quantile(short, (0.025, 0.975)) - np.quantile(long, (0.025, 0.975))
                    apart.append(ends / long.std())
            middle, bias = np.median(np.abs(apart)), np.mean(apart, axis=0)
            print(f"{way}, n = {n}: median |difference| {middle:.3f} sd, mean {bias.round(3)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", type=int, nargs="?", help="of each cell; by default, what the page needs")
    parser.add_argument("--n", type=int, action="append")
    parser.add_argument("--half", choices=("tune", "report"))
    parser.add_argument("--truths", help="their numbers, with commas")
    parser.add_argument("--ways", default=",".join((*PEERS, *NEPERS)))
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.check:
        return check(given.samples or 2)
    chosen = [i for i, truth in enumerate(truths()) if given.half in (None, truth.half)]
    if given.truths is not None:
        chosen = [int(number) for number in given.truths.split(",")]
    sizes = {n: given.samples or SIZES[n] for n in given.n or SIZES}
    run(list(missing(chosen, sizes, given.ways.split(","), kept())), given.workers)
    write_page(kept().values(), HOME)
    return None


if __name__ == "__main__":
    main()

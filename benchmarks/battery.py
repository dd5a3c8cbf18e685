"""Does the 95% interval hold the true J in 95% of samples? nepers beside the usual intervals.

For each truth of `truths` and each number of cases, samples are drawn and every way makes its interval. Each
interval of each sample is kept in benchmarks/battery/, so that a run may be cut off and go on; the page is
made from what is there.

    ./do battery [SAMPLES] [--n 50 --n 200 ...] [--half tune|report] [--ways paper,wide,...]
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from intervals import PEERS
from machine import machine, versions
from truths import FAMILIES, Truth, truths

HOME = Path(__file__).parent.parent
KEPT = HOME / "benchmarks" / "battery"
PAGE = HOME / "docs" / "battery.md"
SEED = 2027
# from the widest tails on, where the cost matters most
NEPERS = ("paper", "wide")
INTRODUCTION = """# Does the interval keep its promise?

Samples of n log ratios come from distributions whose mean J is known, and every way makes its 95%
interval from each. *Covered* is the share of intervals that hold J; *above* and *below* are the
shares that lie wholly above it (an overclaim; wanted at most 0.025) and below it; *width* is the
median width relative to Student's t on the same samples. The truths marked *tune* are there to
choose hyperparameters by; those marked *report* were not looked at for it. `paper` is the paper's
table of hyperparameters; `wide` has r = m and shapes down to 0.55, so that tails may be heavier
than any with a finite variance. The standard error of a share of 0.95 is 0.22/sqrt(samples).

Made by `./do battery` on {machine}, with {versions}. nepers took {seconds:.1f} core-seconds a sample on
average.

"""


def hyperparameters(way: str) -> Any:
    """The constants that a way of nepers stands for."""
    from nepers.hierarchy import paper

    return {"paper": paper(), "wide": paper().replace(shape_type=2, m_lower=0.55)}[way]


def by_nepers(x: Any, way: str, seed: int) -> tuple[float, float]:
    """The interval of `nepers.assess`, from draws enough for an interval: an ESS of 400."""
    import nepers

    found = nepers.assess(
        x, hyperparameters=hyperparameters(way), seed=seed, cores=1, target_ess=400.0, max_seconds=120.0
    )
    return found.interval()


def one_sample(truth: int, n: int, sample: int, ways: tuple[str, ...]) -> dict[str, Any]:
    """Every way's interval on one sample."""
    warnings.simplefilter("ignore")  # a run that is cut short counts as it is
    x = truths()[truth].draw(n, np.random.default_rng([SEED, truth, n, sample]))
    row: dict[str, Any] = {"sample": sample}
    for way in ways:
        began = time.process_time()
        if way in PEERS:
            row[way] = PEERS[way](x, np.random.default_rng([SEED, truth, n, sample, 1]))
        else:
            row[way] = by_nepers(x, way, sample)
            row[f"seconds {way}"] = time.process_time() - began
    return row


def cell_file(truth: int, n: int) -> Path:
    """Where the samples of one truth and number of cases are kept, one JSON object a line."""
    return KEPT / f"truth-{truth:02d}-n-{n}.jsonl"


def kept(truth: int, n: int) -> dict[int, dict[str, Any]]:
    """The samples there are; a line that was cut off is not there."""
    path = cell_file(truth, n)
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[row["sample"]].update(row)
    return found


def missing(truth: int, n: int, samples: int, ways: tuple[str, ...]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The samples that lack some of the ways, and which."""
    there = kept(truth, n)
    for sample in range(samples):
        wanted = tuple(way for way in ways if way not in there.get(sample, {}))
        if wanted:
            yield sample, wanted


def run(chosen: list[int], sizes: list[int], samples: int, ways: tuple[str, ...]) -> None:
    """Draw what is missing; each sample is written as soon as it is done."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        for n in sizes:
            for truth in chosen:
                todo = list(missing(truth, n, samples, ways))
                work = [pool.submit(one_sample, truth, n, sample, wanted) for sample, wanted in todo]
                with cell_file(truth, n).open("a", encoding="utf-8") as file:
                    for done in work:
                        file.write(json.dumps(done.result()) + "\n")
                        file.flush()
                print(f"{truths()[truth].name}, n = {n}: {samples} samples", flush=True)


def cell_rows(truth: Truth, number: int, n: int) -> Iterator[dict[str, Any]]:
    """A row for each way that has samples in the cell."""
    there = kept(number, n).values()
    width_of_t = [row["t"][1] - row["t"][0] for row in there if "t" in row]
    for way in (*PEERS, *NEPERS):
        found = np.array([row[way] for row in there if way in row])
        if not len(found):
            continue
        low, high = found.T
        yield {
            "way": way,
            "samples": len(found),
            "covered": float(((low <= truth.mean) & (truth.mean <= high)).mean()),
            "above": float((low > truth.mean).mean()),
            "below": float((high < truth.mean).mean()),
            "width": float(np.median(high - low) / np.median(width_of_t)),
        }


def page() -> str:
    """The tables of all that is kept, a table for each truth."""
    sizes = sorted({int(path.stem.rpartition("-")[2]) for path in KEPT.glob("truth-*.jsonl")})
    seconds: list[float] = []
    tables = []
    for family in FAMILIES:
        for number, truth in enumerate(truths()):
            if truth.family != family:
                continue
            lines = []
            for n in sizes:
                there = kept(number, n).values()
                seconds += [v for row in there for key, v in row.items() if key.startswith("seconds")]
                lines += [_line(n, row) for row in cell_rows(truth, number, n)]
            if lines:
                head = (
                    f"## {truth.name}\n\n{family.capitalize()}; {truth.half}; J = {truth.mean:.4f} nats.\n\n"
                )
                head += (
                    "| n | way | samples | covered | above | below | width |\n|---|---|---|---|---|---|---|\n"
                )
                tables.append(head + "\n".join(lines) + "\n")
    introduction = INTRODUCTION.format(
        machine=machine(),
        versions=versions("nepers", "numpy", "scipy"),
        seconds=np.mean(seconds) if seconds else float("nan"),
    )
    return introduction + "\n".join(tables)


def _line(n: int, row: dict[str, Any]) -> str:
    shares = " | ".join(f"{row[name]:.3f}" for name in ("covered", "above", "below"))
    return f"| {n} | {row['way']} | {row['samples']} | {shares} | {row['width']:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", type=int, nargs="?", default=400)
    parser.add_argument("--n", type=int, action="append")
    parser.add_argument("--half", choices=("tune", "report"))
    parser.add_argument("--ways", default=",".join((*PEERS, *NEPERS)))
    given = parser.parse_args()
    chosen = [i for i, truth in enumerate(truths()) if given.half in (None, truth.half)]
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    run(chosen, given.n or [30, 50, 200, 1000], given.samples, tuple(given.ways.split(",")))
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Simulation-based calibration: does the sampler sample the posterior that the hierarchy defines?

A truth is drawn from the prior, and data from the truth. Among draws from the posterior given those data, the
truth is then one more: its rank among them is uniform, whatever is looked at. Ranks that pile up at the ends,
in the middle or to one side show a posterior too narrow, too wide or shifted (Talts and others 2018).

Every fit is kept in a file as it ends, so a run that was stopped goes on where it was:

    python benchmarks/sbc.py --fits 500 --cores 2

The page docs/sbc.md is written from that file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine, versions
from numpy.typing import NDArray

Array = NDArray[np.float64]

HOME = Path(__file__).resolve().parent
RANKED = 99  # draws that the truth is ranked among
WORTH = 200.0  # effective draws wanted of the slowest quantity, so that 99 of them are nearly independent
CHAINS, WARM_UP, BATCH, THIN, LONGEST = 2, 2_000, 1_000, 10, 32_000
BINS = 20
LEAST_CASES, MOST_CASES = 5, 60
SHARED = ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S")
NAMES = {
    "J": "J",
    "log_likelihood": "log likelihood of the data",
    "C": "number of components, C",
    "largest": "largest weight",
    "heaviest": "smallest m_c: the heaviest tail",
    "below": "probability of a case below -1",
    "mu_mu": "mu_mu",
    "S_mu": "S_mu",
    "R_S_mu": "R_S_mu",
    "m_S": "m_S",
    "R_S": "R_S",
}


def fit(seed: int, number: int) -> dict[str, Any]:
    """The ranks of one truth among the draws given its data."""
    from nepers.gibbs.chains import Sampler
    from nepers.hierarchy import paper, sample_prior

    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    n = int(rng.integers(LEAST_CASES, MOST_CASES + 1))
    truth = sample_prior(paper(), rng=rng)
    x = truth.mixture.rvs(n, rng=rng)
    sampler = Sampler(x, paper(), seed=int(rng.integers(2**32)), chains=CHAINS, cores=1)
    sampler.warm_up(WARM_UP)
    batch = BATCH
    while True:
        draws = sampler.run(batch, THIN)
        worth = min(_worth(values) for values in _quick(draws).values())
        if worth >= WORTH or draws.draws >= LONGEST:
            break
        batch = draws.draws
    chosen = np.linspace(0, CHAINS * draws.draws - 1, RANKED).round().astype(int)
    among = _of_draws(draws, chosen)
    return {
        "n": n,
        "worth": worth,
        "sweeps": CHAINS * draws.draws * THIN,
        "ranks": {name: _rank(value, among[name], rng) for name, value in _of_truth(truth, x).items()},
    }


def _rank(value: float, among: Array, rng: np.random.Generator) -> int:
    """How many lie below; the place among equals is random."""
    equal = int((among == value).sum())
    return int((among < value).sum()) + int(rng.integers(equal + 1))


def _of_truth(truth: Any, x: Array) -> dict[str, float]:
    mixture = truth.mixture
    return {
        "J": float(mixture.mean()[0]),
        "log_likelihood": float(mixture.logpdf(x).sum()),
        "C": float(mixture.C),
        "largest": float(mixture.p.max()),
        "heaviest": float(mixture.m.min()),
        "below": float(mixture.cdf(-1.0)),
        **{
            name: float(np.squeeze(getattr(truth, name)))
            for name in ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S")
        },
    }


def _quick(draws: Any) -> dict[str, Array]:
    """What costs nothing, for every draw, (chains, draws)."""
    columns = {name: getattr(draws, name) for name in ("log_likelihood", "C", "m_S")}
    columns |= {name: getattr(draws, name)[:, :, 0] for name in ("J", "mu_mu")}
    columns |= {name: getattr(draws, name)[:, :, 0, 0] for name in ("S_mu", "R_S_mu", "R_S")}
    return {name: values.astype(float) for name, values in columns.items()}


def _of_draws(draws: Any, chosen: NDArray[np.int_]) -> dict[str, Array]:
    """Every quantity in the draws chosen, counted chain by chain."""
    among = {name: values.ravel()[chosen] for name, values in _quick(draws).items()}
    mixtures = [draws.mixture(*divmod(int(i), draws.draws)) for i in chosen]
    among["largest"] = np.array([mixture.p.max() for mixture in mixtures])
    among["heaviest"] = np.array([mixture.m.min() for mixture in mixtures])
    among["below"] = np.array([float(mixture.cdf(-1.0)) for mixture in mixtures])
    return among


def _worth(values: Array) -> float:
    import arviz_stats.base

    stats: Any = arviz_stats.base
    return float(stats.array_stats.ess(values, chain_axis=0, draw_axis=1))


# the file of fits


def sampler_text() -> str:
    """A name for the sampler and the hierarchy as they are: fits of different ones are never mixed."""
    import nepers

    text = hashlib.sha256()
    rooms = (Path(nepers.__file__).parent / name for name in ("gibbs", "hierarchy"))
    for source in sorted(path for room in rooms for path in room.glob("*.py")):
        text.update(source.read_bytes())
    return text.hexdigest()[:12]


def read(path: Path, head: dict[str, Any]) -> dict[str, Any]:
    """The fits of an earlier run of the same sampler and seed, or none."""
    if path.exists():
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if kept["head"] == head:
            return kept
        print(f"{path} is of another sampler or seed: beginning anew")
    return {"head": head, "fits": {}, "seconds": 0.0}


def write(path: Path, kept: dict[str, Any]) -> None:
    """All or nothing: the new file takes the old one's place when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_suffix(".new")
    whole.write_text(json.dumps(kept), encoding="utf-8")
    os.replace(whole, path)


def run(path: Path, seed: int, fits: int, cores: int) -> dict[str, Any]:
    """The fits that are missing, on the cores."""
    kept = read(path, {"sampler": sampler_text(), "seed": seed})
    missing = [number for number in range(fits) if str(number) not in kept["fits"]]
    began, before = time.perf_counter(), kept["seconds"]
    with ProcessPoolExecutor(cores, multiprocessing.get_context("spawn")) as pool:
        jobs = {pool.submit(fit, seed, number): number for number in missing}
        for job in as_completed(jobs):
            kept["fits"][str(jobs[job])] = job.result()
            kept["seconds"] = before + time.perf_counter() - began
            write(path, kept)
            print(f"\r{len(kept['fits'])} of {fits} fits, {kept['seconds']:.0f} s", end="", flush=True)
    print()
    return kept


# the page


def tests(ranks: Array) -> tuple[float, float]:
    """p-values that the ranks are uniform: of chi-square over bins, and of Kolmogorov and Smirnov."""
    from scipy import stats

    counts = np.bincount((ranks * BINS // (RANKED + 1)).astype(int), minlength=BINS)
    places = (ranks + np.random.default_rng(0).random(ranks.size)) / (RANKED + 1)
    return float(stats.chisquare(counts).pvalue), float(stats.kstest(places, "uniform").pvalue)


def histogram(ranks: Array) -> str:
    """A bar for each bin, and where 99 bars of 100 would end if the ranks were uniform."""
    from scipy import stats

    counts = np.bincount((ranks * BINS // (RANKED + 1)).astype(int), minlength=BINS)
    marks = " ▁▂▃▄▅▆▇█"
    low, high = stats.binom(ranks.size, 1.0 / BINS).ppf([0.005, 0.995])
    bars = "".join(marks[min(math.ceil(4.0 * count * BINS / ranks.size), 8)] for count in counts)
    return f"{bars}  {counts.min()} to {counts.max()} a bin; 99% of bins between {low:.0f} and {high:.0f}"


def page(kept: dict[str, Any], command: str) -> str:
    """docs/sbc.md."""
    fits = list(kept["fits"].values())
    ranks = {name: np.array([one["ranks"][name] for one in fits]) for name in NAMES}
    values = {name: tests(these) for name, these in ranks.items()}
    short = sum(one["worth"] < WORTH for one in fits)
    lines = [
        "# Does the sampler sample the right posterior?",
        "",
        "A truth is drawn from the prior of the hierarchy, and data from that truth. Given the data, the",
        "truth is then just another draw from the posterior: whatever is looked at, its rank among the",
        "sampler's draws is uniform. A posterior that is too narrow piles the ranks up at both ends, one",
        "that is too wide in the middle, a biased one on one side.",
        "",
        f"{len(fits)} truths with {LEAST_CASES} to {MOST_CASES} cases each (any number equally likely), the",
        f"paper's hyperparameters, C unknown. Each fit is {CHAINS} chains from the prior, {WARM_UP:,}",
        f"sweeps of warm-up, and drawing until the slowest quantity is worth {WORTH:.0f} independent",
        "draws or a chain has",
        f"{LONGEST * THIN:,} sweeps; {RANKED} draws, evenly spread, are ranked against. "
        f"{short} of {len(fits)} fits ended at the limit.",
        "",
        "| quantity | p, chi-square | p, Kolmogorov-Smirnov | mean rank / 99 |",
        "|---|---|---|---|",
    ]
    for name, words in NAMES.items():
        chi, ks = values[name]
        lines.append(f"| {words} | {chi:.3f} | {ks:.3f} | {ranks[name].mean() / RANKED:.3f} |")
    least = min(min(pair) for pair in values.values())
    tried = 2 * len(values)
    lines += [
        "",
        f"The mean rank of a right sampler is 0.500 ± {1 / math.sqrt(12 * len(fits)):.3f}. The smallest",
        f"of the {tried} p-values is {least:.3f}; of {tried} independent ones, the smallest is below",
        f"{1 - 0.95 ** (1 / tried):.4f} in one run of twenty.",
        "",
        f"The ranks in {BINS} bins, from the lowest to the highest:",
        "",
        "```",
        *(f"{name:<15s}{histogram(these)}" for name, these in ranks.items()),
        "```",
        "",
        f"Made by `{command}` in {kept['seconds'] / 60:.0f} minutes on",
        f"{machine()}; {versions('nepers', 'numpy', 'numba')}.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Simulation-based calibration of the sampler.")
    parser.add_argument("--fits", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--file", type=Path, default=HOME / "results" / "sbc.json", help="where fits are kept"
    )
    parser.add_argument("--page", type=Path, default=HOME.parent / "docs" / "sbc.md")
    given = parser.parse_args()
    print(f"{machine()}\n{versions('nepers', 'numpy', 'numba', 'scipy')}", flush=True)
    kept = run(given.file, given.seed, given.fits, given.cores)
    text = page(kept, f"./do sbc --fits {given.fits} --seed {given.seed}")
    given.page.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

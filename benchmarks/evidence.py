"""What a log evidence costs, whether its error is right, and whether exchange helps the sampler.

    ./do evidence [repetitions]

The log evidence of the 418 cases of `benchmarks/oracle_418.csv` under the paper's hyperparameters is found
again and again with other seeds, each until its standard error is below 0.1. Processor time is counted. The
page docs/evidence-speed.md is written from what is measured.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine, versions
from scipy import stats

from nepers.evidence import log_evidence
from nepers.evidence.run import Run
from nepers.gibbs.chains import Sampler
from nepers.hierarchy import paper

HOME = Path(__file__).resolve().parent
PAGE = HOME.parent / "docs" / "evidence-speed.md"
SETS = {
    "oracle_418": HOME / "oracle_418.csv",
    "paper_like_j": HOME.parent / "src" / "nepers" / "data" / "paper_like_j.csv",
}
TARGET = 0.1
CONCLUSION = (
    "A draw of C from the last chain is independent of the one some ten or twenty rounds earlier, where the",
    "sampler needs some three hundred sweeps; but a round is a sweep of every station. `assess` therefore",
    "samples without exchange.",
)
_SECONDS = 10.0  # of each sampler, on each set


def repeated(x: Any, C: int | None, repetitions: int) -> dict[str, Any]:
    """Values, errors and core-seconds of runs with other seeds."""
    value, error, seconds = [], [], []
    for seed in range(repetitions):
        began = time.process_time()
        found = log_evidence(
            x, paper().replace(C=C), seed=seed, target_error=TARGET, max_seconds=900, cores=1
        )
        seconds.append(time.process_time() - began)
        value.append(found.value)
        error.append(found.error)
        print(f"C {C}: {found.value:.3f} ± {found.error:.3f} in {seconds[-1]:.1f} s", flush=True)
    return {"value": np.array(value), "error": np.array(error), "seconds": np.array(seconds)}


def rates(x: Any) -> dict[str, dict[str, float]]:
    """Effective draws of J and C a core-second: of the sampler, and of the last chain of ladders."""
    import arviz_stats.base

    ess: Any = arviz_stats.base.array_stats  # type: ignore[attr-defined]

    def worth(J: Any, C: Any, spent: float) -> dict[str, float]:
        found = {"J": J, "C": C}
        return {
            k: float(ess.ess(v, method="mean", chain_axis=0, draw_axis=1)) / spent for k, v in found.items()
        }

    sampler = Sampler(x, paper(), seed=1, chains=4, cores=1)
    sampler.warm_up(2_000)
    began, draws = time.process_time(), None
    while time.process_time() - began < _SECONDS:
        draws = sampler.run(2_000)
    assert draws is not None
    plain = worth(draws.J[..., 0], draws.C.astype(float), time.process_time() - began)

    run = Run(x[:, None], paper(), 1, 4)
    run.prepare(1, lambda _words: None)
    began = time.process_time()
    J: list[list[float]] = [[] for _ in run.ladders]
    C: list[list[float]] = [[] for _ in run.ladders]
    while time.process_time() - began < _SECONDS:
        for i, ladder in enumerate(run.ladders):
            ladder.round()
            J[i].append(float(ladder.replicas[-1].kept["J"][0, 0]))
            C[i].append(float(ladder.replicas[-1].kept["C"][0]))
    return {"sampler": plain, "ladders": worth(np.array(J), np.array(C), time.process_time() - began)}


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    x = np.loadtxt(SETS["oracle_418"], skiprows=1)
    log_evidence(x, paper(), seed=0, target_error=10.0, cores=1)  # makes the machine code
    lines = [
        "# What does a log evidence cost?",
        "",
        f"Made by `./do evidence {repetitions}` on {machine()}; {versions('nepers', 'numpy', 'numba')}.",
        "",
        "The log evidence of 418 log ratios under the paper's hyperparameters, until the standard error is",
        f"below {TARGET}, on one core; wanted: 60 core-seconds. {repetitions} runs with other seeds: where",
        "the errors are right, the sum of the squared z-scores about their mean is chi-squared.",
        "",
        "| C | log evidence | core-seconds, median (range) | spread | mean error | p of the z-scores |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for C in (None, 1):
        found = repeated(x, C, repetitions)
        weight = found["error"] ** -2
        mean = np.average(found["value"], weights=weight)
        square = (((found["value"] - mean) / found["error"]) ** 2).sum()
        p = 2.0 * min(stats.chi2.sf(square, repetitions - 1), stats.chi2.cdf(square, repetitions - 1))
        s = found["seconds"]
        cells = [
            "unknown" if C is None else str(C),
            f"{mean:.3f} ± {weight.sum() ** -0.5:.3f}",
            f"{np.median(s):.1f} ({s.min():.1f} to {s.max():.1f})",
            f"{found['value'].std(ddof=1):.3f}",
            f"{found['error'].mean():.3f}",
            f"{p:.2f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    lines += [
        "",
        "## Does exchange help the sampler?",
        "",
        "Effective draws a core-second, C unknown: of the sampler that `assess` uses, and of the last chain",
        "of the ladders, whose other chains' time is counted too.",
        "",
        "| cases | C, sampler | C, ladders | J, sampler | J, ladders |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, path in SETS.items():
        r = rates(np.loadtxt(path, skiprows=1))
        numbers = [r[who][what] for what in ("C", "J") for who in ("sampler", "ladders")]
        lines.append(f"| {name} | " + " | ".join(f"{one:,.0f}" for one in numbers) + " |")
        print(lines[-1], flush=True)
    lines += ["", *CONCLUSION]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Do chains forget where they began? The paper's test of convergence.

Chains start from the truth (where it is known), from the prior, from one component and from fifteen. For J,
the log likelihood, C and the levels above, the rank-normalised R-hat over the chains says how far they are
apart.

    ./do convergence [draws]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine

from nepers import convergence as study
from nepers.gibbs.chains import Sampler
from nepers.hierarchy import paper

HOME = Path(__file__).parent.parent
DATA = HOME / "tests" / "data"
PAGE = HOME / "docs" / "convergence.md"
INTRODUCTION = """# Do chains forget where they began?

Chains start from the truth (of synthetic data), from draws of the prior, from one component and from fifteen:
two of each. R-hat (rank-normalised, ArviZ) compares them with one another; at 1 nothing of the start is left.
Synthetic data are 300 values from a draw of the prior each. {draws:,} draws of each chain, one every 4
sweeps, after a warm-up of {warm_up:,} sweeps.

Made by `./do convergence {draws}` on {machine}.

"""


def synthetic(i: int, n: int = 300) -> tuple[Any, Any]:
    """Data set i, and the parameters it was drawn from: those of a draw of the paper's prior."""
    return study.synthetic(paper(), n, np.random.default_rng([2026, i]))


def paper_like() -> Any:
    return np.loadtxt(DATA / "paper_like_j.csv", skiprows=1)


def compare(
    x: Any, truth: Any, *, draws: int, seed: int, cores: int, warm_up: int | None = None
) -> dict[str, float]:
    """R-hat of each quantity over two chains from each kind of start."""
    h = paper()
    kinds = [None, 1, 15] + ([] if truth is None else [truth])
    starts = study.starts_of(h, kinds, 2, np.random.default_rng(seed))
    sampler = Sampler(x, h, seed=seed, chains=len(starts), cores=cores, start=starts)
    sampler.warm_up(draws // 4 if warm_up is None else warm_up)
    return study.apart(sampler.run(draws, thin=4), 0, draws)


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    sets = {"like the paper's": (paper_like(), None)} | {f"synthetic {i}": synthetic(i) for i in range(10)}
    rows = []
    for name, (x, truth) in sets.items():
        found = compare(x, truth, draws=draws, seed=1, cores=2)
        if not rows:
            rows += [["data", *found], ["---"] * (1 + len(found))]
        rows.append([name, *(f"{value:.4f}" for value in found.values())])
        print("  ".join(rows[-1]), flush=True)
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    PAGE.write_text(INTRODUCTION.format(draws=draws, warm_up=draws // 4, machine=machine()) + table + "\n")


if __name__ == "__main__":
    main()

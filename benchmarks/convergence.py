"""Do chains forget where they began? The paper's test of convergence.

Chains start from the truth (where it is known), from the prior, from one component and from fifteen. For J,
the log likelihood, C and the levels above, the rank-normalised R-hat over the chains says how far they are
apart.

    python benchmarks/convergence.py [draws]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from arviz_stats.base import array_stats

from nepers.gibbs.chains import Sampler
from nepers.hierarchy import paper, sample_prior

DATA = Path(__file__).parent.parent / "tests" / "data"


def synthetic(i: int, n: int = 300) -> tuple[Any, Any]:
    """Data set i, and the parameters it was drawn from: those of a draw of the paper's prior."""
    rng = np.random.default_rng([2026, i])
    truth = sample_prior(paper(), rng=rng)
    return truth.mixture.rvs(n, rng=rng), truth


def paper_like() -> Any:
    return np.loadtxt(DATA / "paper_like_j.csv", skiprows=1)


def compare(
    x: Any, truth: Any, *, draws: int, seed: int, cores: int, warm_up: int | None = None
) -> dict[str, float]:
    """R-hat of each quantity over two chains from each kind of start."""
    h = paper()
    rng = np.random.default_rng(seed)
    starts = [sample_prior(one, rng=rng) for one in (h, h, *[h.replace(C=1)] * 2, *[h.replace(C=15)] * 2)]
    starts += [] if truth is None else [truth, truth]
    sampler = Sampler(x, h, seed=seed, chains=len(starts), cores=cores, start=starts)
    sampler.warm_up(draws // 4 if warm_up is None else warm_up)
    d = sampler.run(draws, thin=4)
    values = {
        "J": d.J[..., 0],
        "log likelihood": d.log_likelihood,
        "C": d.C.astype(float),
        "mu_mu": d.mu_mu[..., 0],
        "log S_mu": np.log(d.S_mu[..., 0, 0]),
        "log R_S": np.log(d.R_S[..., 0, 0]),
        "log m_S": np.log(d.m_S),
    }
    return {name: float(array_stats.rhat(one, chain_axis=0, draw_axis=1)) for name, one in values.items()}


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for name, (x, truth) in {
        "like the paper's": (paper_like(), None),
        **{f"{i}": synthetic(i) for i in range(10)},
    }.items():
        found = compare(x, truth, draws=draws, seed=1, cores=2)
        print(f"{name:>16}  " + "  ".join(f"{key} {value:.4f}" for key, value in found.items()), flush=True)


if __name__ == "__main__":
    main()

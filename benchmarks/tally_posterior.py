"""The posterior from a tally: is it that from all cases, and what does it cost?

Several truths of `truths`, by tally and by the exact sampler on every case. The exact chains start where
those of the tally have come to, since from the prior they may take longer than anybody waits at such n. And
tallies of more and more cases, simulated bin by bin: processor time until the draws of J are worth 1,000.

    ./do tally [--draws 2000] [--quick] [--large]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from machine import machine, versions
from scipy import stats
from simulated_tally import simulated
from truths import truths

HOME = Path(__file__).parent.parent
PAGE = HOME / "docs" / "tally.md"
AGAINST = (
    (10_000, "left skew-t3"),
    (10_000, "Gaussian forecast, t5 errors"),
    (10_000, "0.3% at -8"),
    (10_000, "overconfident event"),
    (10_000, "two kinds of case"),
)
LARGE = ((100_000, "0.3% at -8"), (100_000, "two kinds of case"))
SIZES = (1e5, 1e7, 1e9)
WANTED = 1000.0
MOST = 12_000  # draws of each chain
PAGE_TEXT = """# The posterior from a tally

Made by `{command}` on {machine}, with {versions}.

## Is it the same answer?

Posterior mean of J and both ends of the 95% interval, from the tally less from every case, in units of the
posterior's standard deviation. Wanted: within 0.05. "Monte Carlo" is the standard error of the difference of
the means, from the effective sample sizes of both; that of an end is about 2.3 times as large. The exact
chains start where those of the tally have come to, and each chain has a stream of its own.

| truth | n | points | mean | lower end | upper end | Monte Carlo | J by tally | J by cases |
|---|---|---|---|---|---|---|---|---|
{same}

## What does it cost?

Processor time, of one core, from the tally to draws of J worth 1,000 (bulk effective sample size, R-hat below
1.01), warm-up and all. The tallies are simulated bin by bin. Wanted: at 1e9 at most 3 times that at 1e5, and
30 seconds.

| truth | n | bins | points | seconds | of 1e5 | draws | ESS of J | mean C | J less the mean of j, in sd |
|---|---|---|---|---|---|---|---|---|---|
{cost}
"""


@dataclass(frozen=True)
class Ran:
    """Draws of one posterior."""

    draws: Any
    seconds: float
    ess: float
    r_hat: float

    @property
    def J(self) -> Any:
        return self.draws.J[:, :, 0]

    def three(self) -> Any:
        return np.array([self.J.mean(), *np.quantile(self.J, (0.025, 0.975))])


def sampled(
    x: Any, points: Any, seed: int, draws: int, start: Any = None, target: float | None = None
) -> Ran:
    """So many draws of each chain, or until J is worth ``target``."""
    from nepers.diagnostics import diagnose
    from nepers.gibbs.chains import Sampler
    from nepers.hierarchy import paper

    began = time.process_time()
    chains = Sampler(x[:, None], paper(), seed=seed, cores=1, points=points, start=start)
    chains.warm_up(500)
    kept, more = chains.run(1), 500 if target else draws
    while True:
        kept = chains.run(more)
        row = diagnose(kept).rows[0]
        if target is None or (row.ess_bulk >= target and row.r_hat < 1.01) or kept.draws >= MOST:
            return Ran(kept, time.process_time() - began, row.ess_bulk, row.r_hat)
        more = min(kept.draws, MOST - kept.draws)


def states(draws: Any) -> list[Any]:
    """The last state of every chain, to start others from."""
    from nepers.hierarchy import Parameters

    names = ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S")
    return [
        Parameters(
            mixture=draws.mixture(chain, draws.draws - 1),
            **{name: getattr(draws, name)[chain, -1] for name in names},
        )
        for chain in range(draws.chains)
    ]


def same(n: int, name: str, draws: int) -> str:
    """A row: tally against every case."""
    from nepers.cases import log_ratios
    from nepers.tally import from_arrays

    truth = next(one for one in truths() if one.name == name)
    x = truth.draw(n, np.random.default_rng(2028))
    kinds, exact = from_arrays(x).kinds(), log_ratios(x).kinds()
    mine = sampled(kinds.remainder, kinds.points, 1, draws)
    theirs = sampled(exact.remainder, None, 2, draws, start=states(mine.draws))
    sd = theirs.J.std()
    off = (mine.three() - theirs.three()) / sd
    error = np.sqrt(1.0 / mine.ess + 1.0 / theirs.ess)
    shown = " | ".join(f"{one:+.3f}" for one in off)
    return (
        f"| {name} | {n:,} | {kinds.remainder.size:,} | {shown} | {error:.3f} | "
        f"{mine.J.mean():.5f} ± {mine.J.std():.5f} | {theirs.J.mean():.5f} ± {sd:.5f} |"
    )


def two_kinds(x: Any) -> Any:
    """The density of that truth."""
    return 0.6 * stats.norm.pdf(x, 0.3, 0.2) + 0.4 * stats.norm.pdf(x, -0.2, 0.5)


def skew_t(x: Any) -> Any:
    """The density of the truth "left skew-t3"."""
    z = (x - 0.4) / 0.4
    return np.where(z > 0.0, stats.t.pdf(2.0 * z, 3.0), stats.t.pdf(0.5 * z, 3.0)) * 2.0 / 2.5 / 0.4


def cost(name: str, pdf: Callable[[Any], Any], sizes: tuple[float, ...]) -> list[str]:
    """Rows: the cost at each number of cases."""
    rows, first = [], 0.0
    for n in sizes:
        tally = simulated(pdf, n, np.random.default_rng(3))
        kinds = tally.kinds()
        ran = sampled(kinds.remainder, kinds.points, 1, 0, target=WANTED)
        first = first or ran.seconds
        off = (ran.J.mean() - tally.mean) / (tally.sd / np.sqrt(tally.n))
        rows.append(
            f"| {name} | {n:.0e} | {tally.bins.key.size:,} | {kinds.remainder.size:,} | {ran.seconds:.1f} | "
            f"{ran.seconds / first:.1f} | {ran.J.size:,} | {ran.ess:.0f} | {ran.draws.C.mean():.1f} | "
            f"{off:+.2f} |"
        )
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="one truth by size, two against all cases")
    parser.add_argument("--large", action="store_true", help="100,000 cases one by one too")
    given = parser.parse_args()
    warm = simulated(two_kinds, 1e3, np.random.default_rng(1)).kinds()
    sampled(warm.remainder, warm.points, 1, 10)  # so that compiling is not counted
    densities = {"two kinds of case": two_kinds, "left skew-t3": skew_t}
    chosen = list(densities.items())[: 1 if given.quick else None]
    spent = [row for name, pdf in chosen for row in cost(name, pdf, (1e5, 1e9) if given.quick else SIZES)]
    found = []
    for n, name in AGAINST[-2:] if given.quick else AGAINST + LARGE * given.large:
        found.append(same(n, name, given.draws))
        print(found[-1], flush=True)
    PAGE.write_text(
        PAGE_TEXT.format(
            command=" ".join(["./do tally", *sys.argv[1:]]),
            machine=machine(),
            versions=versions("nepers", "numpy", "numba"),
            same="\n".join(found),
            cost="\n".join(spent),
        ),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()

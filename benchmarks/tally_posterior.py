"""The posterior from a tally: is it that from all cases, and what does it cost?

Every truth of `truths`, by tally, and the draws reweighted to what every case by itself says
(`tally_weights`); where weights cannot tell, by the exact sampler too, whose chains start where those of the
tally have come to. And tallies of more and more cases, simulated bin by bin: processor time until the draws
of J are worth 1,000.

    ./do tally [--sizes 1e4 1e5] [--draws 1000] [--quick]
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
from tally_weights import compared, log_weights, near_limit
from truths import Truth, truths

HOME = Path(__file__).parent.parent
PAGE = HOME / "docs" / "tally.md"
SIZES = (1e5, 1e7, 1e9)
ENOUGH = 400.0  # effective draws of J for a comparison
WEIGHED = 1000  # draws
NEAR = 0.05  # of the draws, from which on the exact sampler is asked too
WANTED = 1000.0
MOST = 3_000  # draws of each chain, for the cost
PAGE_TEXT = """# The posterior from a tally

Made by `{command}` on {machine}, with {versions}, under the default hyperparameters.

## Is it the same answer?

Posterior mean of J and both ends of the 95% interval, from the tally less from every case, in units of the
posterior's standard deviation. Wanted: within 0.05. The prior is the same, so each draw from the tally's
posterior counts in that of the cases with the likelihood of all cases over that of the tally, and both
answers come from the same draws: there is no need of chains on the cases, which take too long at such n.
"Error" is the largest standard error of the three differences; "worth" is the share of their number that the
draws are worth after reweighting, 1 where all weights are equal. "Near" is the share of draws that have a
component less than twice as wide as the bins allow: of narrower ones the weights say nothing.

| truth | n | points | mean | lower end | upper end | error | worth | near | J by tally |
|---|---|---|---|---|---|---|---|---|---|
{same}

The overconfident event and the events of 2% have heaps: a tenth to a third of their cases lie within one bin
at what can be gained at most, without being equal, and no bin of the others holds a two-hundredth. A tally
hides the shape of such heaps, and its answer is then not shown to be the same; `assess` takes such cases one
by one, however many.

Where more than {near:.0%} of the draws are near, {small:,} cases are put to the exact sampler too, its
chains starting where those of the tally have come to. "Error" is here the standard error of the difference of
the means, from the effective sample sizes of both; that of an end is about 2.3 times as large.

| truth | n | mean | lower end | upper end | error | J by tally | J by cases |
|---|---|---|---|---|---|---|---|
{exact}

## What does it cost?

Processor time, of one core, from the tally to draws of J worth 1,000 (bulk effective sample size, R-hat below
1.01), or to {most:,} draws of each of four chains, warm-up and all. The tallies are simulated bin by bin.
Wanted: at 1e9 at most 3 times that at 1e5, and 30 seconds.

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
    """So many draws of each chain at most, or until J is worth ``target``."""
    from nepers.diagnostics import diagnose
    from nepers.gibbs.chains import Sampler
    from nepers.hierarchy import calibrated

    began = time.process_time()
    chains = Sampler(x[:, None], calibrated(), seed=seed, cores=1, points=points, start=start)
    chains.warm_up(500)
    kept, more = chains.run(1), 500 if target else draws
    while True:
        kept = chains.run(more)
        row = diagnose(kept, J_alone=True).rows[0]
        if target is None or (row.ess_bulk >= target and row.r_hat < 1.01) or kept.draws >= draws:
            return Ran(kept, time.process_time() - began, row.ess_bulk, row.r_hat)
        more = min(kept.draws, draws - kept.draws)


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


def same(n: int, truth: Truth, draws: int) -> tuple[str, str | None]:
    """A row: the tally's answer against that of the cases; and one by the exact sampler where that is due."""
    from nepers.atoms import total, with_unseen
    from nepers.cases import log_ratios
    from nepers.hierarchy import calibrated
    from nepers.tally import from_arrays

    x = truth.draw(n, np.random.default_rng(2028))
    far = calibrated().unseen
    tallied, exact = (with_unseen(found.kinds(), far) for found in (from_arrays(x), log_ratios(x)))
    if not exact.remainder.size:
        return f"| {truth.name} | {n:,} | all values repeat: exact | | | | | | | |", None
    mine = sampled(tallied.remainder, tallied.points, 1, draws, target=ENOUGH)
    size = mine.J.size
    chosen = np.arange(0, size, max(1, size // WEIGHED))
    J, J_cases = (total(k, mine.J, np.random.SeedSequence(5)).ravel()[chosen] for k in (tallied, exact))
    weights = tallied.points.weights
    found = compared(
        J, J_cases, log_weights(mine.draws, chosen, exact.remainder, tallied.remainder, weights), mine.ess
    )
    near = near_limit(mine.draws, chosen, tallied.points, n)
    row = (
        f"| {truth.name} | {n:,} | {tallied.remainder.size:,} | {shown(found.off)} | "
        f"{found.error.max():.3f} | {found.worth:.2f} | {near:.2f} | {found.mean:.5f} ± {found.sd:.5f} |"
    )
    return row, by_chains(n, truth.name, mine, exact.remainder, draws) if near > NEAR and n < 1e5 else None


def by_chains(n: int, name: str, mine: Ran, cases: Any, draws: int) -> str:
    """A row: the tally's draws against those of the exact sampler, of J of the continuous part."""
    theirs = sampled(cases, None, 2, draws, start=states(mine.draws), target=ENOUGH)
    sd = theirs.J.std()
    off = (mine.three() - theirs.three()) / sd
    error = np.sqrt(1.0 / mine.ess + 1.0 / theirs.ess)
    return (
        f"| {name} | {n:,} | {shown(off)} | {error:.3f} | {mine.J.mean():.5f} ± {mine.J.std():.5f} | "
        f"{theirs.J.mean():.5f} ± {sd:.5f} |"
    )


def shown(off: Any) -> str:
    return " | ".join(f"{one:+.3f}" for one in off)


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
        ran = sampled(kinds.remainder, kinds.points, 1, MOST, target=WANTED)
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
    parser.add_argument("--sizes", type=float, nargs="+", default=[1e4, 1e5], help="of the comparisons")
    parser.add_argument("--draws", type=int, default=1000, help="of each chain, at most, in comparisons")
    parser.add_argument("--quick", action="store_true", help="the cost of one truth only, at two sizes")
    given = parser.parse_args()
    warm = simulated(two_kinds, 1e3, np.random.default_rng(1)).kinds()
    sampled(warm.remainder, warm.points, 1, 10)  # so that compiling is not counted
    densities = {"two kinds of case": two_kinds, "left skew-t3": skew_t}
    chosen = list(densities.items())[: 1 if given.quick else None]
    spent = [row for name, pdf in chosen for row in cost(name, pdf, (1e5, 1e9) if given.quick else SIZES)]
    found, exact = [], []
    for n in map(int, given.sizes):
        for truth in truths():
            row, more = same(n, truth, given.draws)
            found.append(row)
            exact += [] if more is None else [more]
            print(row, more or "", sep="\n", flush=True)
    PAGE.write_text(
        PAGE_TEXT.format(
            command=" ".join(["./do tally", *sys.argv[1:]]),
            machine=machine(),
            versions=versions("nepers", "numpy", "numba"),
            near=NEAR,
            most=MOST,
            small=int(min(given.sizes)),
            same="\n".join(found),
            exact="\n".join(exact),
            cost="\n".join(spent),
        ),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()

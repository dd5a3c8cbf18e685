"""Ours and NumPyro's NUTS on one posterior of incomplete data in 14 dimensions, C fixed at 2, no noise."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from arviz_stats.base import array_stats
from incomplete_cases import N, cases
from speed import peer_python

from nepers.hierarchy import Hyperparameters, Mixture, prostate
from nepers.prediction.moments import robust_moments
from nepers.prediction.observations import Observations
from nepers.prediction.sampling import make_sampler

CHAINS, SEED = 2, 9
TEXT = """
## Beside NUTS

The same posterior at C = 2, for 500 cases as in the second line, taken without noise, by NumPyro's NUTS
({versions}). NUTS has {size:,} coordinates: allocations, alphas and the rates of the Wisharts are integrated
out for it, the missing values and censored times are not. After {tune} draws of tuning a chain, each of its
{peer_draws:,} draws took {per_draw:.0f} gradients; {divergent} of them diverged.

| | seconds | ESS of the log predictive density | ESS a second | mean | its error |
|---|---|---|---|---|---|
| nepers | {ours} |
| NUTS | {peers} |

Ours has {ratio:.0f} times the ESS a second; its warm-up took {warm:.1f} s, NUTS's tuning {tuning:.0f} s,
which are not counted. Of {count} posterior means (the log predictive density, the mean of the mixture,
`mu_mu`, the logs of `m_S - 1` and of the diagonal of `S_mu`, and the greater weight), {beyond} differ between
the two by more than two standard errors of the difference, and the most by {most:.1f}.
"""


def ess(values: Any) -> float:
    """Of (chains, draws)."""
    return min(float(array_stats.ess(values, chain_axis=0, draw_axis=1)), float(values.size))


def quantities(mixtures: Any, m_S: Any, mu_mu: Any, S_mu: Any, new: Any) -> dict[str, Any]:
    """What is compared, each (chains, draws)."""
    found = {"log density": np.array([[one.logpdf(new).sum() for one in row] for row in mixtures])}
    means = np.array([[one.mean() for one in row] for row in mixtures])
    found |= {f"mean[{i}]": means[..., i] for i in range(N)} | {"log (m_S - 1)": np.log(m_S - 1.0)}
    found |= {f"mu_mu[{i}]": mu_mu[..., i] for i in range(N)}
    found |= {f"log S_mu[{i}]": np.log(S_mu[..., i, i]) for i in range(N)}
    return found | {"weight": np.array([[one.p.max() for one in row] for row in mixtures])}


def ours(
    given: Observations, h: Hyperparameters, draws: int, new: Any
) -> tuple[dict[str, Any], float, float]:
    """The quantities, the seconds of the draws, and those of the warm-up."""
    sampler = make_sampler(given, None, h, seed=1, chains=4, cores=1)
    sampler.warm_up(1)  # compiles
    began = time.process_time()
    sampler.warm_up(500)
    between = time.process_time()
    found = sampler.run(draws, 2)
    seconds = time.process_time() - between
    mixtures = [[found.mixture(i, k) for k in range(draws)] for i in range(4)]
    return quantities(mixtures, found.m_S, found.mu_mu, found.S_mu, new), seconds, between - began


def peer(given: Observations, h: Hyperparameters, draws: int, new: Any) -> tuple[dict[str, Any], Any]:
    """The quantities, and what the peer says of its run."""
    with tempfile.TemporaryDirectory() as folder:
        data, out = Path(folder) / "given.npz", Path(folder) / "draws.npz"
        np.savez(
            data, known=given.known, lower=given.lower, upper=given.upper, constants=json.dumps(h.to_dict())
        )
        script = str(Path(__file__).parent / "incomplete_peer.py")
        sizes = ["--chains", str(CHAINS), "--tune", str(draws), "--draws", str(draws)]
        call = [peer_python(), script, str(data), str(out), *sizes]
        said = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
        with np.load(out) as kept:
            found = {name: kept[name] for name in kept.files}
    parts = ("p", "mu", "nu", "S", "m", "m")  # r = m
    mixtures = [
        [Mixture(*(found[name][i, k] for name in parts)) for k in range(draws)] for i in range(CHAINS)
    ]
    return quantities(mixtures, found["m_S"], found["mu_mu"], found["S_mu"], new), said


def beside(draws: int) -> str:
    """The section of the page; with so many draws of each chain of the peer."""
    given, new = cases(500, 2, SEED, noise=None)
    h = prostate(*robust_moments(given)).replace(C=2)
    own, seconds, warm = ours(given, h, 2_000, new)
    other, said = peer(given, h, draws, new)

    def z(a: Any, b: Any) -> float:
        return abs(float((a.mean() - b.mean()) / np.sqrt(a.var() / ess(a) + b.var() / ess(b))))

    def line(found: dict[str, Any], spent: float) -> str:
        values = found["log density"]
        size = ess(values)
        numbers = f"{spent:.0f} | {size:,.0f} | {size / spent:,.1f}"
        return f"{numbers} | {values.mean():.2f} | {values.std() / np.sqrt(size):.2f}"

    apart = [z(own[name], other[name]) for name in own]
    rates = [ess(own["log density"]) / seconds, ess(other["log density"]) / said["sampling"]]
    return TEXT.format(
        **{name: said[name] for name in ("versions", "size", "divergent", "tuning")},
        tune=draws,
        peer_draws=CHAINS * draws,
        per_draw=said["gradients"] / (CHAINS * draws),
        ours=line(own, seconds),
        peers=line(other, said["sampling"]),
        ratio=rates[0] / rates[1],
        warm=warm,
        count=len(apart),
        beyond=sum(one > 2.0 for one in apart),
        most=max(apart),
    )

"""How long must chains run until they have forgotten where they began? The paper's own test.

Data are made from known parameters, a draw of the prior each. Chains start from those parameters, the truth,
and from draws of the prior. A truth that was drawn from the prior is, given the data made from it, a draw
from the posterior: chains from it are where they should be from the first sweep on, and what sets the others
apart from them is the start that is not yet forgotten.

After t sweeps the two kinds are compared by what they did in the second half of t: for every quantity of
`nepers.diagnostics`, R-hat of all chains with one another, whatever their kind. That is repeated over data
sets, and the run length is the shortest t at which, in nearly all of them, and at every longer t looked at,
no quantity tells chains apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.diagnostics import J_R_HAT, OTHER_R_HAT, quantities

if TYPE_CHECKING:
    from nepers.gibbs.draws import Draws
    from nepers.hierarchy import Hyperparameters, Parameters

Array = NDArray[np.float64]

_CHAINS = 4  # of each kind
_SHARE = 0.9  # of the data sets that must agree
_FIRST = 50  # sweeps


@dataclass(frozen=True)
class ConvergenceStudy:
    """What `convergence_study` found.

    ``sweeps`` are the lengths looked at; ``J`` and ``other`` hold for each data set and length the R-hat of J
    and the worst of the other quantities. ``needed`` is the run length, None if none of them is enough.
    """

    n: int
    sweeps: tuple[int, ...]
    J: Array
    other: Array
    needed: int | None
    seed: int

    @property
    def agreeing(self) -> Array:
        """The share of data sets in which the two kinds cannot be told apart, at each length."""
        return np.asarray(_agree(self.J, self.other).mean(axis=0))

    def __str__(self) -> str:
        told = ", ".join(f"{share:.2f} at {t}" for share, t in zip(self.agreeing, self.sweeps, strict=True))
        needed = "none of these is enough" if self.needed is None else f"{self.needed} sweeps are enough"
        return (
            f"Chains from the truth and from the prior agree in a share of {told} sweeps: {needed} for "
            f"n = {self.n}."
        )


def convergence_study(
    n: int,
    hyperparameters: str | Hyperparameters = "paper",
    *,
    data_sets: int = 20,
    most: int = 3200,
    seed: int = 1,
    cores: int | None = None,
) -> ConvergenceStudy:
    """The run length, in sweeps, after which chains on n cases no longer show where they began.

    data_sets: how many sets of n log ratios are made, each from a draw of the hyperparameters' prior.
    most: the longest run looked at; the others are its halves.
    """
    from nepers.gibbs.chains import Sampler
    from nepers.hierarchy.arrays import whole_number
    from nepers.options import named_hyperparameters

    h = named_hyperparameters(hyperparameters)
    cases, sets = whole_number("n", n, 1), whole_number("data_sets", data_sets, 1)
    lengths = _lengths(whole_number("most", most, _FIRST))
    J, other = np.empty((sets, len(lengths))), np.empty((sets, len(lengths)))
    for i in range(sets):
        x, truth = synthetic(h, cases, np.random.default_rng([whole_number("seed", seed, 0), i]))
        starts = starts_of(h, (truth, None), _CHAINS, np.random.default_rng([seed, i, 1]))
        sampler = Sampler(x, h, seed=seed + i, chains=len(starts), cores=cores, start=starts)
        draws = sampler.run(lengths[-1])
        for k, t in enumerate(lengths):
            found = apart(draws, t // 2, t)
            J[i, k] = found.pop("J")
            other[i, k] = max(found.values())
    return ConvergenceStudy(cases, lengths, J, other, _needed(lengths, J, other), seed)


def synthetic(h: Hyperparameters, n: int, rng: np.random.Generator) -> tuple[Array, Parameters]:
    """n log ratios from a draw of the prior, and that draw: the truth."""
    from nepers.hierarchy import sample_prior

    truth = sample_prior(h, rng=rng)
    return truth.mixture.rvs(n, rng=rng), truth


def starts_of(
    h: Hyperparameters, kinds: Sequence[Parameters | int | None], each: int, rng: np.random.Generator
) -> list[Parameters]:
    """So many starts of each kind: given parameters, or draws of the prior with that number of components.

    None stands for the prior as it is.
    """
    from nepers.hierarchy import sample_prior

    found: list[Parameters] = []
    for kind in kinds:
        if kind is None or isinstance(kind, int):
            found += [sample_prior(h if kind is None else h.replace(C=kind), rng=rng) for _ in range(each)]
        else:
            found += [kind] * each
    return found


def apart(draws: Draws, start: int, stop: int) -> dict[str, float]:
    """R-hat of every quantity over the draws from start to stop."""
    return {name: r_hat(values[:, start:stop]) for name, values in quantities(draws)}


def r_hat(chains: Array) -> float:
    """Rank-normalised R-hat, by ArviZ; 1 for what never changes."""
    import arviz_stats.base

    if np.ptp(chains) == 0.0:
        return 1.0
    stats: Any = arviz_stats.base
    return float(stats.array_stats.rhat(chains, chain_axis=0, draw_axis=1))


def _lengths(most: int) -> tuple[int, ...]:
    halvings = int(math.log2(most / _FIRST))
    return tuple(most // 2**k for k in range(halvings, -1, -1))


def _agree(J: Array, other: Array) -> Array:
    """J is what is reported, so it is held to the stricter rule, as in `nepers.diagnostics`."""
    return np.asarray((J < J_R_HAT) & (other < OTHER_R_HAT))


def _needed(lengths: Sequence[int], J: Array, other: Array) -> int | None:
    enough = _agree(J, other).mean(axis=0) >= _SHARE
    for k, t in enumerate(lengths):
        if enough[k:].all():
            return t
    return None

"""What a proposed change of the mixture does to the density of every case, allocations integrated out.

With A the factor by which the weights of untouched components change, a case's density D becomes

    D' = A D + sum over touched components (p' - A p) f + sum over new components p' f.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.cases import Bench
from nepers.gibbs.compiled import step
from nepers.gibbs.density import block_density
from nepers.gibbs.state import BLOCK, Components, make_components

# Below this the terms above have cancelled, and D' is summed afresh.
_CANCELLED = 1e-7


class Proposal(NamedTuple):
    """A proposed change, and room to weigh it."""

    log_p: np.ndarray  # (room,): of the present components after the change; -inf: removed
    touched: np.ndarray  # (room,) int64: 1 where the weight changes by another factor than A
    fresh: Components  # new components, in the first fresh.C[0] rows
    ratio: np.ndarray  # (BLOCK,)
    log_density: np.ndarray  # (n,): of each case after the change


@step
def make_proposal(room, N, n):
    return Proposal(
        np.zeros(room), np.zeros(room, np.int64), make_components(room, N), np.zeros(BLOCK), np.zeros(n)
    )


@step
def keep_all(proposal, components):
    """Begin from no change at all."""
    for c in range(components.C[0]):
        proposal.log_p[c] = components.log_p[c]
        proposal.touched[c] = 0
    proposal.fresh.C[0] = 0


@step
def _add_component(x, start, size, components, c, weight, log_density, bench, ratio):
    out = bench.log_f[0]
    block_density(x, start, size, components, c, bench.q, bench.l, bench.y, bench.bs[0], bench.ts[0], out)
    for k in range(size):
        ratio[k] += weight * vector_math.exp(out[k] - log_density[start + k])


@step
def _sum_afresh(x, k, components, proposal, log_density, bench):
    """D'/D of one case, from all components."""
    total = 0.0
    out = bench.log_f[0]
    for store in range(2):
        these = components if store == 0 else proposal.fresh
        log_p = proposal.log_p if store == 0 else these.log_p
        for c in range(these.C[0]):
            block_density(x, k, 1, these, c, bench.q, bench.l, bench.y, bench.bs[0], bench.ts[0], out)
            total += math.exp(log_p[c] + out[0] - log_density[k])
    return total


@step
def log_likelihood_ratio(x, components, proposal, factor, log_density, bench: Bench):
    """log of the likelihood after the change over that before; fills proposal.log_density."""
    n = x.shape[1]
    fresh = proposal.fresh
    ratio = proposal.ratio
    total = 0.0
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        for k in range(size):
            ratio[k] = factor
        for c in range(components.C[0]):
            if proposal.touched[c] == 1:
                weight = math.exp(proposal.log_p[c]) - factor * math.exp(components.log_p[c])
                _add_component(x, start, size, components, c, weight, log_density, bench, ratio)
        for c in range(fresh.C[0]):
            _add_component(x, start, size, fresh, c, math.exp(fresh.log_p[c]), log_density, bench, ratio)
        for k in range(size):
            if ratio[k] < _CANCELLED * factor:
                ratio[k] = max(_sum_afresh(x, start + k, components, proposal, log_density, bench), 1e-300)
        for k in range(size):
            change = vector_math.log(ratio[k])
            proposal.log_density[start + k] = log_density[start + k] + change
            total += change
    return total


@step
def log_dirichlet(log_p, C, eta):
    """The log density of the symmetric Dirichlet(eta) at the first C weights."""
    total = 0.0
    for c in range(C):
        total += log_p[c]
    return log_dirichlet_of_sum(total, C, eta)


@step
def log_dirichlet_of_sum(sum_log_p, C, eta):
    return math.lgamma(C * eta) - C * math.lgamma(eta) + (eta - 1.0) * sum_log_p

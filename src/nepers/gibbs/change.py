"""A proposed change of the mixture, weighed with allocations and alpha integrated out.

The change is written into the records: `next_log_p` of the present components (-inf: to be removed),
`touched` for those whose weight changes otherwise than by the common factor A, and new components with their
`log_p`. Then a case's density D becomes

    D' = A D + sum over touched components (p' - A p) f + sum over new components p' f.
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs import vector_math
from nepers.gibbs.cases import RATIO, L, Q, Y
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.gaps import block_size
from nepers.gibbs.marginal import case_density

# Where D'/(A D) is below this, the terms above have cancelled, and D' is summed afresh over all components.
_CANCELLED = 1e-7


@inner
def keep_all(components, C):
    """Begin from no change at all."""
    for c in range(C):
        components[c].next_log_p = components[c].log_p
        components[c].touched = 0


@step
def log_likelihood_ratio(x, components, C, fresh, new, factor, bench, before, after, cases=None, gaps=None):
    """log of the likelihood after over that before, from the log densities before; fills `after`.

    With `cases`, a point stands for so many.
    """
    line = bench.line
    ratio = line[RATIO]
    out = bench.weight[0]
    total = 0.0
    start = 0
    while start < x.shape[1]:
        size = block_size(gaps, start, x.shape[1])
        for afresh in range(2):
            for k in range(size):
                ratio[k] = 0.0 if afresh else factor
            for i in range(C + new):
                component = components[i] if i < C else fresh[i - C]
                weight = math.exp(component.next_log_p if i < C else component.log_p)
                if i < C and not afresh:
                    if component.touched == 0:
                        continue
                    weight -= factor * math.exp(component.log_p)
                case_density(
                    x, gaps, start, size, component, line[Q], line[L], line[Y], bench.b[0], bench.t[0], out
                )
                for k in range(size):
                    ratio[k] += weight * vector_math.exp(out[k] - before[start + k])
            least = np.inf
            for k in range(size):
                least = ratio[k] if ratio[k] < least else least
            if least > _CANCELLED * factor:
                break
        for k in range(size):
            change = vector_math.log(ratio[k] if ratio[k] > 1e-300 else 1e-300)
            after[start + k] = before[start + k] + change
            total += change if cases is None else cases[start + k] * change
        start += size
    return total


@step
def make_change(components, C, fresh, new):
    """Carry the change out; returns the new C."""
    left = 0
    for c in range(C):
        if components[c].next_log_p > -math.inf:
            if left != c:
                components[left] = components[c]
            components[left].log_p = components[c].next_log_p
            left += 1
    for i in range(new):
        components[left + i] = fresh[i]
    return left + new


@step
def log_dirichlet(sum_log_p, C, eta):
    """The log density of the symmetric Dirichlet(eta) at C weights, from the sum of their logs."""
    return math.lgamma(C * eta) - C * math.lgamma(eta) + (eta - 1.0) * sum_log_p

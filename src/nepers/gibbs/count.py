"""C given the sizes of the filled components: the telescoping step, exact and without a largest C.

With K components filled and eta = kappa_eta / C,

    p(C | sizes) prop. to kappa_C^C A(C),   A(C) = C!/((C-K)! C^K) prod_j C (eta)_(n_j),

(x)_n the rising factorial. C (eta)_(n) = kappa_eta prod_{i=1}^{n-1} (i + eta) falls with C and the first
factor is below one, so what lies beyond C0 is at most kappa_C^C0/(1 - kappa_C) times those products at C0.
A uniform is compared with the sums so far, and terms are added, until this bound leaves no doubt.
"""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs.compiled import step
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.state import copy_component
from nepers.gibbs.stream import uniform


@step
def gather_filled(components, sums):
    """Move filled components to the front, in order, and return their number."""
    C = components.C[0]
    filled = 0
    for c in range(C):
        if sums.count[c] > 0.0:
            if c != filled:
                _move(components, sums, c, filled)
            filled += 1
    return filled


@step
def _move(components, sums, k, i):
    """Component k goes to the empty place i."""
    copy_component(components, k, components, i)
    sums.count[i] = sums.count[k]
    sums.alpha[i] = sums.alpha[k]
    sums.root[i] = sums.root[k]
    sums.log[i] = sums.log[k]
    sums.alpha_x[i] = sums.alpha_x[k]
    sums.root_x[i] = sums.root_x[k]
    sums.alpha_xx[i] = sums.alpha_xx[k]
    sums.count[k] = 0.0
    sums.alpha[k] = 0.0
    sums.root[k] = 0.0
    sums.log[k] = 0.0
    sums.alpha_x[k] = 0.0
    sums.root_x[k] = 0.0
    sums.alpha_xx[k] = 0.0


@step
def _log_products(kappa_eta, C, sizes, filled):
    """sum_j log prod_{i=1}^{n_j - 1} (i + kappa_eta/C)."""
    eta = kappa_eta / C
    total = -filled * log_gamma_function(1.0 + eta)
    for j in range(filled):
        total += log_gamma_function(sizes[j] + eta)
    return total


@step
def draw_count(stream, kappa_C, kappa_eta, sizes, filled):
    """C given the first `filled` sizes."""
    u = uniform(stream)
    first = max(filled, 1)
    sums = np.empty(64)  # sums[i]: of the terms of first, ..., first + i
    total = 0.0
    answer = 0  # as far as is known, C >= first + answer
    last = 0
    C = first
    # C!/((C-K)! C^K), kept from one C to the next
    log_places = 0.0
    for i in range(filled):
        log_places += math.log((C - i) / C)
    log_products = _log_products(kappa_eta, C, sizes, filled)
    reference = log_products + log_places
    while True:
        if last == sums.size:
            longer = np.empty(2 * last)
            longer[:last] = sums
            sums = longer
        log_power = (C - first) * math.log(kappa_C)
        total += math.exp(log_power + log_places + log_products - reference)
        sums[last] = total
        last += 1
        log_places += filled * math.log(C / (C + 1.0)) + math.log((C + 1.0) / (C + 1.0 - filled))
        C += 1
        log_products = _log_products(kappa_eta, C, sizes, filled)
        beyond = math.exp(log_power + math.log(kappa_C) + log_products - reference) / (1.0 - kappa_C)
        while answer < last and sums[answer] < u * total:
            answer += 1
        if answer < last and sums[answer] >= u * (total + beyond):
            return first + answer

"""C given the sizes of the filled components: the telescoping step, exact and without a largest C.

With K components filled and eta = kappa_eta / C,

    p(C | sizes) prop. to kappa_C^C A(C),   A(C) = C!/((C-K)! C^K) prod_j C (eta)_(n_j),

(x)_n the rising factorial. C (eta)_(n) = kappa_eta prod_{i=1}^{n-1} (i + eta) falls with C and the first
factor is below one, so what lies beyond C0 is at most kappa_C^C0/(1 - kappa_C) times those products at C0.
A uniform is compared with the sums so far, and terms are added, until this bound leaves no doubt.
"""

from __future__ import annotations

import math

from nepers.gibbs.compiled import inner, step
from nepers.gibbs.records import clear_sums
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.stream import uniform


@step
def gather_filled(components, C, sums):
    """Move filled components to the front, in order, and return their number."""
    filled = 0
    for c in range(C):
        if sums[c].count > 0.0:
            if c != filled:
                components[filled] = components[c]
                sums[filled] = sums[c]
            filled += 1
    for c in range(filled, C):
        clear_sums(sums[c])
    return filled


@inner
def log_term(kappa_C, kappa_eta, C, sums, count, filled):
    """log of kappa_C^C A(C), and of the bound on A beyond it, without kappa_C.

    The groups are the `filled` ones among the first `count`.
    """
    eta = kappa_eta / C
    bound = -filled * log_gamma_function(1.0 + eta)
    places = 0.0
    j = 0
    for c in range(count):
        if sums[c].count > 0.0:
            bound += log_gamma_function(sums[c].count + eta)
            places += math.log((C - j) / C)
            j += 1
    return C * math.log(kappa_C) + places + bound, bound


@step
def draw_count(stream, constants, sums, filled):
    """C given the sizes of the first `filled` components."""
    kappa_C = constants.kappa_C
    kappa_eta = constants.kappa_eta
    u = uniform(stream)
    first = max(filled, 1)
    reference, _ = log_term(kappa_C, kappa_eta, first, sums, filled, filled)
    answer = first  # as far as is known, C is no less
    up_to_answer = 1.0  # the sum of the terms up to it
    last = first
    total = 1.0  # the sum of the terms up to `last`
    while True:
        _, bound = log_term(kappa_C, kappa_eta, last + 1, sums, filled, filled)
        beyond = math.exp((last + 1) * math.log(kappa_C) + bound - reference) / (1.0 - kappa_C)
        while up_to_answer < u * total:
            answer += 1
            term, _ = log_term(kappa_C, kappa_eta, answer, sums, filled, filled)
            up_to_answer += math.exp(term - reference)
        if up_to_answer >= u * (total + beyond):
            return answer
        last += 1
        term, _ = log_term(kappa_C, kappa_eta, last, sums, filled, filled)
        total += math.exp(term - reference)

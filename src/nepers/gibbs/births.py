"""Births and deaths: several components come or go at once, the others sharing their weight in proportion.

A birth of k components draws their parameters from the prior given the levels above, and their weights from
the Dirichlet with eta' = kappa_eta/(C+k), given the proportions of the old ones. A death removes every
component with its own probability, h(p) = 1/(2 + 2 n p / g): the light ones, mostly. With h for the
components of the larger state, and T(k) the probability of a birth of k, a birth is accepted with probability

    (C+k choose k) kappa_C^k Dirichlet(p; eta')/Dirichlet(p; eta) * prod_new h prod_old (1 - h) / T(k)
    * likelihood ratio,

the binomial counting the places among the others where the new components may stand.
"""

from __future__ import annotations

import math

from nepers.gibbs.change import keep_all, log_dirichlet
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.location import draw_location
from nepers.gibbs.narrow import derive_within
from nepers.gibbs.precision import draw_precision
from nepers.gibbs.shape import draw_shape
from nepers.gibbs.skewness import draw_skewness
from nepers.gibbs.stream import log_gamma, uniform

_LIGHT = 4.0  # g: components of fewer cases than this are likely to be chosen for removal
_MOST = 0.2  # the mean number of births is 1 + this times C


@inner
def most_births(C):
    """No more than this at once, in either direction; for want of space, and hardly ever met."""
    return 3 * C + 64


@inner
def _log_number(k, C):
    """log T(k): geometric from 1, with ratio MOST C/(1 + MOST C)."""
    return (k - 1) * math.log(_MOST * C) - k * math.log1p(_MOST * C)


@inner
def _removal(log_p, n):
    return 0.5 / (1.0 + math.exp(log_p) * n / _LIGHT)


@inner
def _log_choose(n, k):
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)


@step
def draw_from_prior(stream, constants, upper, component, nothing, table, desk):
    """All of a component but its weight, given the levels above; `nothing` is the sums over no case."""
    draw_location(stream, constants, upper, component, nothing, desk)
    draw_precision(stream, constants, upper, component, nothing, desk)
    draw_skewness(stream, constants, component, nothing, desk)
    # where the search for the mode begins; what stood there before depends on how a run was cut in pieces
    component.m = constants.m_lower
    draw_shape(stream, constants, component, nothing, desk)
    derive_within(constants, component, table)


@inner
def _draw_weights(stream, fresh, C, k, eta):
    """Weights of k new components beside C old ones; returns the log of the old ones' share."""
    old = log_gamma(stream, C * eta)
    top = old
    for i in range(k):
        fresh[i].log_p = log_gamma(stream, eta)
        top = max(top, fresh[i].log_p)
    total = math.exp(old - top)
    for i in range(k):
        total += math.exp(fresh[i].log_p - top)
    norm = top + math.log(total)
    for i in range(k):
        fresh[i].log_p -= norm
    return old - norm


@step
def propose_birth(stream, n, constants, upper, components, C, fresh, nothing, table, desk):
    """As `nepers.gibbs.jumps.propose`."""
    ratio = _MOST * C / (1.0 + _MOST * C)
    k = 1 + int(math.log(uniform(stream)) / math.log(ratio))
    if k > most_births(C):
        return -math.inf, 0, 1.0
    eta = constants.kappa_eta / C
    eta_after = constants.kappa_eta / (C + k)
    log_share = _draw_weights(stream, fresh, C, k, eta_after)
    log_ratio = _log_choose(C + k, k) + k * math.log(constants.kappa_C) - _log_number(k, C)
    for i in range(k):
        draw_from_prior(stream, constants, upper, fresh[i], nothing, table, desk)
        log_ratio += math.log(_removal(fresh[i].log_p, n))
    keep_all(components, C)
    sum_log_p = 0.0
    for c in range(C):
        sum_log_p += components[c].log_p
        components[c].next_log_p += log_share
        log_ratio += math.log1p(-_removal(components[c].next_log_p, n))
    log_ratio += log_dirichlet(sum_log_p, C, eta_after) - log_dirichlet(sum_log_p, C, eta)
    return log_ratio, k, math.exp(log_share)


@step
def propose_death(stream, n, constants, components, C):
    """As `nepers.gibbs.jumps.propose`."""
    keep_all(components, C)
    k = 0
    share = 0.0
    log_ratio = 0.0
    for c in range(C):
        h = _removal(components[c].log_p, n)
        if uniform(stream) < h:
            components[c].touched = 1
            components[c].next_log_p = -math.inf
            log_ratio -= math.log(h)
            k += 1
        else:
            log_ratio -= math.log1p(-h)
            share += math.exp(components[c].log_p)
    left = C - k
    if k == 0 or left == 0 or k > most_births(left):
        return -math.inf, 0, 1.0
    sum_log_p = 0.0
    for c in range(C):
        if components[c].touched == 0:
            components[c].next_log_p -= math.log(share)
            sum_log_p += components[c].next_log_p
    log_ratio += _log_number(k, left) - _log_choose(C, k) - k * math.log(constants.kappa_C)
    log_ratio += log_dirichlet(sum_log_p, left, constants.kappa_eta / left)
    log_ratio -= log_dirichlet(sum_log_p, left, constants.kappa_eta / C)
    return log_ratio, 0, 1.0 / share

"""Births and deaths: several components come or go at once, the others sharing their weight in proportion.

A birth of k components draws their parameters from the prior given the levels above, and their weights from
the Dirichlet with eta' = kappa_eta/(C+k), given the proportions of the old ones. A death removes every
component with its own probability, h(p) = 1/(2 + 2 n p / g): the light ones, mostly. With h for the
components of the larger state, T(k) the probability of a birth of k, a birth is accepted with probability

    (C+k choose k) kappa_C^k Dirichlet(p; eta')/Dirichlet(p; eta) * prod_new h prod_old (1 - h) / T(k)
    * likelihood ratio,

the binomial counting the places among the others where the new components may stand.
"""

from __future__ import annotations

import math

from nepers.gibbs.change import keep_all, log_dirichlet, log_dirichlet_of_sum, log_likelihood_ratio
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.density import derive
from nepers.gibbs.gaussians import draw_gaussian, draw_wishart
from nepers.gibbs.linear import solve_upper, upper_factor
from nepers.gibbs.progamma import draw_progamma
from nepers.gibbs.state import copy_component
from nepers.gibbs.stream import log_gamma, normal, uniform

_LIGHT = 4.0  # g: components of fewer cases than this are likely to be chosen for removal
_MOST = 0.2  # the mean number of births is about 1 + this times C


@step
def draw_component_from_prior(stream, constants, upper, components, c, table, desk, tangents):
    """Component c of a store, given the levels above; all but its weight."""
    N = constants.N
    for i in range(N):
        for j in range(N):
            desk.A[i, j] = (upper.m_S[0] - 1.0) * upper.R_S[i, j]
    draw_wishart(stream, upper.m_S[0], desk.A, components.S[c], desk)
    for i in range(N):
        desk.b[i] = 0.0
    draw_gaussian(stream, upper.S_mu, desk.b, components.mu[c], desk)
    upper_factor(components.S[c], desk.U)
    for i in range(N):
        components.mu[c, i] += upper.mu_mu[i]
        desk.b[i] = normal(stream) * math.sqrt(constants.kappa_nu)
    solve_upper(desk.U, desk.b, components.nu[c])
    lower = constants.m_lower
    components.m[c] = draw_progamma(
        stream, constants.a_m, constants.b_m, 1, constants.shape_type, lower, lower + 1.0, tangents
    )
    derive(components, c, constants.shape_type, table)


@inner
def _log_number(k, C):
    """log T(k): geometric from 1, with ratio MOST C/(1 + MOST C)."""
    return (k - 1) * math.log(_MOST * C) - k * math.log1p(_MOST * C)


@inner
def _removal(log_p, n):
    return 0.5 / (1.0 + math.exp(log_p) * n / _LIGHT)


@step
def _log_choose(n, k):
    return math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)


@step
def _draw_weights(stream, proposal, C, k, eta):
    """Weights of k new components beside C old ones; returns the log of the old ones' share."""
    fresh = proposal.fresh
    old = log_gamma(stream, C * eta)
    top = old
    for i in range(k):
        fresh.log_p[i] = log_gamma(stream, eta)
        top = max(top, fresh.log_p[i])
    total = math.exp(old - top)
    for i in range(k):
        total += math.exp(fresh.log_p[i] - top)
    norm = top + math.log(total)
    for i in range(k):
        fresh.log_p[i] -= norm
    return old - norm


@step
def try_birth(stream, x, constants, upper, components, proposal, table, log_density, bench, desk, tangents):
    """Returns whether components were added."""
    C = components.C[0]
    n = x.shape[1]
    ratio = _MOST * C / (1.0 + _MOST * C)
    k = 1 + int(math.log(uniform(stream)) / math.log(ratio))
    if C + k > components.m.size:
        return False
    eta = constants.kappa_eta / C
    eta_after = constants.kappa_eta / (C + k)
    keep_all(proposal, components)
    fresh = proposal.fresh
    fresh.C[0] = k
    log_share = _draw_weights(stream, proposal, C, k, eta_after)
    log_ratio = _log_choose(C + k, k) + k * math.log(constants.kappa_C) - _log_number(k, C)
    log_ratio += log_dirichlet(components.log_p, C, eta_after) - log_dirichlet(components.log_p, C, eta)
    for i in range(k):
        draw_component_from_prior(stream, constants, upper, fresh, i, table, desk, tangents)
        log_ratio += math.log(_removal(fresh.log_p[i], n))
    for c in range(C):
        proposal.log_p[c] += log_share
        log_ratio += math.log1p(-_removal(proposal.log_p[c], n))
    log_ratio += log_likelihood_ratio(x, components, proposal, math.exp(log_share), log_density, bench)
    if not math.log(uniform(stream)) < log_ratio:
        return False
    for c in range(C):
        components.log_p[c] = proposal.log_p[c]
    for i in range(k):
        copy_component(fresh, i, components, C + i)
    components.C[0] = C + k
    log_density[:] = proposal.log_density
    return True


@step
def try_death(stream, x, constants, components, proposal, log_density, bench):
    """Returns whether components were removed."""
    C = components.C[0]
    n = x.shape[1]
    keep_all(proposal, components)
    k = 0
    share = 0.0
    log_ratio = 0.0
    for c in range(C):
        h = _removal(components.log_p[c], n)
        if uniform(stream) < h:
            proposal.touched[c] = 1
            proposal.log_p[c] = -math.inf
            log_ratio -= math.log(h)
            k += 1
        else:
            log_ratio -= math.log1p(-h)
            share += math.exp(components.log_p[c])
    left = C - k
    if k == 0 or left == 0:
        return False
    log_share = math.log(share)
    sum_log_p = 0.0
    for c in range(C):
        if proposal.touched[c] == 0:
            proposal.log_p[c] -= log_share
            sum_log_p += proposal.log_p[c]
    eta = constants.kappa_eta / left
    eta_before = constants.kappa_eta / C
    log_ratio += _log_number(k, left) - _log_choose(C, k) - k * math.log(constants.kappa_C)
    log_ratio += log_dirichlet_of_sum(sum_log_p, left, eta) - log_dirichlet_of_sum(sum_log_p, left, eta_before)
    log_ratio += log_likelihood_ratio(x, components, proposal, 1.0 / share, log_density, bench)
    if not math.log(uniform(stream)) < log_ratio:
        return False
    place = 0
    for c in range(C):
        if proposal.touched[c] == 0:
            if place != c:
                copy_component(components, c, components, place)
            components.log_p[place] = proposal.log_p[c]
            place += 1
    components.C[0] = left
    log_density[:] = proposal.log_density
    return True

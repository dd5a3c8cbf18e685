"""Splits and merges: one component becomes two around it, or two become the one between them.

A component is described by y = (mu, log of the diagonal of U, U above the diagonal, w = U nu,
log(m - lower)), S = U'U. A component with weight p and place y splits into

    (1 - u) p  at  y - u d,        u p  at  y + (1 - u) d,

so that the average place stays; this map (y, d) -> (y1, y2) has Jacobian 1 and (p, u) -> (p1, p2) has p.
u is drawn from its prior Beta(eta', eta'), eta' = kappa_eta/(C+1), and d from logistic densities q whose
widths follow the component's own scale. The split is accepted with probability

    kappa_C Dirichlet(p'; eta')/Dirichlet(p; eta) * prior(y1) prior(y2)/prior(y) * p / (Beta(u) q(d))
    * likelihood ratio;

the choice of the component, of the place for the new one, and of the ordered pair to merge cancel.
"""

from __future__ import annotations

import math

from nepers.gibbs.change import keep_all, log_dirichlet
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.density import derive
from nepers.gibbs.linear import log_determinant, trace_of_product, upper_factor
from nepers.gibbs.narrow import hide_if_narrow
from nepers.gibbs.progamma import log_progamma
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.stream import log_gamma, uniform

# widths of the logistic densities of d
_LOCATION = 0.4  # in standard deviations of the component
_DIAGONAL = 0.2
_ABOVE = 0.2  # in units of the diagonal element below
_SKEWNESS = 0.6
_SHAPE = 0.5
_LOG_2PI = 1.8378770664093453


@step
def log_component_prior(constants, upper, component, desk):
    """The log prior density of y, given the levels above.

    In these coordinates dS = prod_i 2 U_ii^(N - i + 2) d(log diagonal) d(above), i from 1, and w is Gaussian
    with precision 1/kappa_nu.
    """
    N = component.mu.size
    m_S = upper.m_S
    U = component.U
    upper_factor(upper.R_S, desk.U)
    log_rate = log_determinant(desk.U) + N * math.log(upper.r_S)
    total = (m_S + 0.5 * (N - 1)) * log_rate + (m_S - 1.0) * log_determinant(U)
    total -= upper.r_S * trace_of_product(upper.R_S, component.S)
    total -= 0.25 * N * (N - 1) * math.log(math.pi)
    upper_factor(upper.S_mu, desk.U)
    total += 0.5 * (log_determinant(desk.U) - N * _LOG_2PI)
    for i in range(N):
        total -= log_gamma_function(m_S + 0.5 * i)
        total += math.log(2.0) + (N - i + 1) * math.log(U[i, i])
        whitened = 0.0
        for j in range(i, N):
            whitened += desk.U[i, j] * (component.mu[j] - upper.mu_mu[j])
        w = component.w[i]
        total -= 0.5 * (whitened * whitened + w * w / constants.kappa_nu)
        total -= 0.5 * (math.log(constants.kappa_nu) + _LOG_2PI)
    d = component.m - constants.m_lower
    total += log_progamma(
        d, constants.m_lower, constants.a_m, constants.b_m, constants.N_m, constants.shape_type
    )
    return total + math.log(d) - constants.log_norm_m


@inner
def _logistic(stream):
    u = uniform(stream)
    return math.log(u / (1.0 - u))


@step
def _log_logistic(d, width):
    e = abs(d) / width
    return -e - 2.0 * math.log1p(math.exp(-e)) - math.log(width)


@step
def _log_difference_density(lower, first, second, middle):
    """log q(d), d = y of the second minus y of the first component, about the middle one."""
    U = middle.U
    N = middle.mu.size
    total = _log_logistic(math.log((second.m - lower) / (first.m - lower)), _SHAPE)
    for i in range(N):
        whitened = 0.0
        for j in range(i, N):
            whitened += U[i, j] * (second.mu[j] - first.mu[j])
        total += _log_logistic(whitened, _LOCATION) + math.log(U[i, i])
        total += _log_logistic(math.log(second.U[i, i] / first.U[i, i]), _DIAGONAL)
        total += _log_logistic(second.w[i] - first.w[i], _SKEWNESS)
        for j in range(i + 1, N):
            total += _log_logistic(second.U[i, j] - first.U[i, j], _ABOVE * U[j, j])
    return total


@step
def _finish(component, constants, table):
    """Set S and nu from U and w, and what else follows."""
    N = component.mu.size
    U = component.U
    for i in range(N - 1, -1, -1):
        total = component.w[i]
        for k in range(i + 1, N):
            total -= U[i, k] * component.nu[k]
        component.nu[i] = total / U[i, i]
        for j in range(N):
            total = 0.0
            for k in range(min(i, j) + 1):
                total += U[k, i] * U[k, j]
            component.S[i, j] = total
    derive(component, constants.shape_type, table, constants.power)


@step
def _place(constants, middle, difference, share, out, table):
    """Set `out` to y of the middle component plus share times the difference.

    `difference` is a component whose fields mu, U, w and m hold d.
    """
    N = middle.mu.size
    for i in range(N):
        out.mu[i] = middle.mu[i] + share * difference.mu[i]
        out.w[i] = middle.w[i] + share * difference.w[i]
        out.U[i, i] = middle.U[i, i] * math.exp(share * difference.U[i, i])
        for j in range(i + 1, N):
            out.U[i, j] = middle.U[i, j] + share * difference.U[i, j]
    out.m = constants.m_lower + (middle.m - constants.m_lower) * math.exp(share * difference.m)
    _finish(out, constants, table)
    hide_if_narrow(constants, out)


@step
def _draw_difference(stream, middle, out):
    N = middle.mu.size
    U = middle.U
    out.m = _SHAPE * _logistic(stream)
    for i in range(N - 1, -1, -1):
        total = _LOCATION * _logistic(stream)
        for k in range(i + 1, N):
            total -= U[i, k] * out.mu[k]
        out.mu[i] = total / U[i, i]
        out.U[i, i] = _DIAGONAL * _logistic(stream)
        out.w[i] = _SKEWNESS * _logistic(stream)
        for j in range(i + 1, N):
            out.U[i, j] = _ABOVE * U[j, j] * _logistic(stream)


@step
def _set_difference(lower, first, second, out):
    N = first.mu.size
    out.m = math.log((second.m - lower) / (first.m - lower))
    for i in range(N):
        out.mu[i] = second.mu[i] - first.mu[i]
        out.w[i] = second.w[i] - first.w[i]
        out.U[i, i] = math.log(second.U[i, i] / first.U[i, i])
        for j in range(i + 1, N):
            out.U[i, j] = second.U[i, j] - first.U[i, j]


@step
def _log_ratio(constants, upper, whole, first, second, C, sum_log_p, desk):
    """The log ratio, but for the likelihood, of splitting one of C components into two.

    sum_log_p is over the C weights before the split.
    """
    eta = constants.kappa_eta / C
    eta_after = constants.kappa_eta / (C + 1)
    parts = first.log_p + second.log_p
    log_beta = math.lgamma(2.0 * eta_after) - 2.0 * math.lgamma(eta_after)
    log_beta += (eta_after - 1.0) * (parts - 2.0 * whole.log_p)
    return (
        math.log(constants.kappa_C)
        + log_dirichlet(sum_log_p - whole.log_p + parts, C + 1, eta_after)
        - log_dirichlet(sum_log_p, C, eta)
        + whole.log_p
        - log_beta
        + log_component_prior(constants, upper, first, desk)
        + log_component_prior(constants, upper, second, desk)
        - log_component_prior(constants, upper, whole, desk)
        - _log_difference_density(constants.m_lower, first, second, whole)
    )


@step
def propose_split(stream, constants, upper, components, C, fresh, table, desk):
    """As `nepers.gibbs.jumps.propose`."""
    keep_all(components, C)
    sum_log_p = 0.0
    for c in range(C):
        sum_log_p += components[c].log_p
    whole = components[int(uniform(stream) * C)]
    whole.touched = 1
    whole.next_log_p = -math.inf
    eta = constants.kappa_eta / (C + 1)
    low = log_gamma(stream, eta)
    high = log_gamma(stream, eta)
    norm = max(low, high) + math.log1p(math.exp(-abs(low - high)))
    u = math.exp(high - norm)
    difference = fresh[2]
    _draw_difference(stream, whole, difference)
    _place(constants, whole, difference, -u, fresh[0], table)
    _place(constants, whole, difference, 1.0 - u, fresh[1], table)
    fresh[0].log_p = whole.log_p + low - norm
    fresh[1].log_p = whole.log_p + high - norm
    return _log_ratio(constants, upper, whole, fresh[0], fresh[1], C, sum_log_p, desk), 2, 1.0


@step
def propose_merge(stream, constants, upper, components, C, fresh, table, desk):
    """As `nepers.gibbs.jumps.propose`."""
    if C < 2:
        return -math.inf, 0, 1.0
    keep_all(components, C)
    a = int(uniform(stream) * C)
    b = int(uniform(stream) * (C - 1))
    b += 1 if b >= a else 0
    first = components[a]
    second = components[b]
    sum_log_p = 0.0
    for c in range(C):
        sum_log_p += components[c].log_p if c != a and c != b else 0.0
    first.touched = 1
    second.touched = 1
    first.next_log_p = -math.inf
    second.next_log_p = -math.inf
    whole = fresh[0]
    whole.log_p = max(first.log_p, second.log_p) + math.log1p(math.exp(-abs(first.log_p - second.log_p)))
    difference = fresh[2]
    _set_difference(constants.m_lower, first, second, difference)
    _place(constants, first, difference, math.exp(second.log_p - whole.log_p), whole, table)
    split = _log_ratio(constants, upper, whole, first, second, C - 1, sum_log_p + whole.log_p, desk)
    return -split, 1, 1.0

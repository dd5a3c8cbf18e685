"""Splits and merges: one component becomes two around it, or two become the one between them.

A component is described by y = (mu, log of the diagonal of U, U above the diagonal, w = U nu,
log(m - lower)), S = U'U. A component with weight p and place y splits into

    (1 - u) p  at  y - u d,        u p  at  y + (1 - u) d,

so that the average place stays; this map (y, d) -> (y1, y2) has Jacobian 1 and (p, u) -> (p1, p2) has p.
u is drawn from its prior Beta(eta', eta'), eta' = kappa_eta/(C+1), and d from logistic densities q whose widths
follow the component's own scale. The split is accepted with probability

    kappa_C Dirichlet(p'; eta')/Dirichlet(p; eta) * prior(y1) prior(y2)/prior(y) * p / (Beta(u) q(d))
    * likelihood ratio;

the choice of the component, of the place for the new one, and of the ordered pair to merge cancel.
"""

from __future__ import annotations

import math

from nepers.gibbs.change import keep_all, log_dirichlet_of_sum, log_likelihood_ratio
from nepers.gibbs.compiled import inner, step
from nepers.gibbs.density import derive
from nepers.gibbs.linear import log_determinant, trace_of_product, upper_factor
from nepers.gibbs.progamma import log_progamma
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.state import copy_component
from nepers.gibbs.stream import log_gamma, uniform

# widths of the logistic densities of d
_LOCATION = 0.4  # in standard deviations of the component
_DIAGONAL = 0.2
_ABOVE = 0.2  # in units of the diagonal element below
_SKEWNESS = 0.6
_SHAPE = 0.5
_LOG_2PI = 1.8378770664093453


@step
def log_component_prior(constants, upper, components, c, desk):
    """The log prior density of y of component c, given the levels above.

    In these coordinates dS = 2^N prod_i U_ii^(N - i + 2) d(log diagonal) d(above), i from 1, and w is
    Gaussian with precision 1/kappa_nu.
    """
    N = constants.N
    m_S = upper.m_S[0]
    U = components.U[c]
    upper_factor(upper.R_S, desk.U)
    log_rate = log_determinant(desk.U) + N * math.log(m_S - 1.0)
    total = (m_S + 0.5 * (N - 1)) * log_rate + (m_S - 1.0) * log_determinant(U)
    total -= (m_S - 1.0) * trace_of_product(upper.R_S, components.S[c])
    total -= 0.25 * N * (N - 1) * math.log(math.pi)
    for j in range(N):
        total -= log_gamma_function(m_S + 0.5 * j)
        total += math.log(2.0) + (N - j + 1) * math.log(U[j, j])
    upper_factor(upper.S_mu, desk.U)
    total += 0.5 * (log_determinant(desk.U) - N * _LOG_2PI)
    for i in range(N):
        whitened = 0.0
        for j in range(i, N):
            whitened += desk.U[i, j] * (components.mu[c, j] - upper.mu_mu[j])
        total -= 0.5 * whitened * whitened
        w = components.w[c, i]
        total -= 0.5 * (w * w / constants.kappa_nu + math.log(constants.kappa_nu) + _LOG_2PI)
    m = components.m[c]
    total += log_progamma(m, constants.a_m, constants.b_m, 1, constants.shape_type)
    return total + math.log(m - constants.m_lower) - constants.log_norm_m


@inner
def _logistic(stream):
    u = uniform(stream)
    return math.log(u / (1.0 - u))


@inner
def _log_logistic(d, width):
    e = abs(d) / width
    return -e - 2.0 * math.log1p(math.exp(-e)) - math.log(width)


@step
def _log_difference_density(constants, first, a, second, b, middle, c):
    """log q(d), d = y of component b of `second` minus y of component a of `first`, about `middle`."""
    N = constants.N
    U = middle.U[c]
    total = _log_logistic(_log_shape(constants, second, b) - _log_shape(constants, first, a), _SHAPE)
    for i in range(N):
        whitened = 0.0
        for j in range(i, N):
            whitened += U[i, j] * (second.mu[b, j] - first.mu[a, j])
        total += _log_logistic(whitened, _LOCATION) + math.log(U[i, i])
        total += _log_logistic(math.log(second.U[b, i, i] / first.U[a, i, i]), _DIAGONAL)
        total += _log_logistic(second.w[b, i] - first.w[a, i], _SKEWNESS)
        for j in range(i + 1, N):
            total += _log_logistic(second.U[b, i, j] - first.U[a, i, j], _ABOVE * U[j, j])
    return total


@inner
def _log_shape(constants, components, c):
    return math.log(components.m[c] - constants.m_lower)


@step
def _finish(components, c, constants, table):
    """Set S and nu from U and w, and what else follows."""
    N = constants.N
    U = components.U[c]
    for i in range(N):
        for j in range(N):
            total = 0.0
            for k in range(min(i, j) + 1):
                total += U[k, i] * U[k, j]
            components.S[c, i, j] = total
    for i in range(N - 1, -1, -1):
        total = components.w[c, i]
        for k in range(i + 1, N):
            total -= U[i, k] * components.nu[c, k]
        components.nu[c, i] = total / U[i, i]
    derive(components, c, constants.shape_type, table)


@step
def _draw_pair(stream, constants, components, c, u, fresh, desk, table):
    """Two components at y - u d and y + (1 - u) d, in rows 0 and 1 of `fresh`."""
    N = constants.N
    U = components.U[c]
    low = -u
    high = 1.0 - u
    for i in range(N - 1, -1, -1):
        # the difference of mu, through U d = logistic
        total = _LOCATION * _logistic(stream)
        for k in range(i + 1, N):
            total -= U[i, k] * desk.d[k]
        desk.d[i] = total / U[i, i]
        stretch = _DIAGONAL * _logistic(stream)
        tilt = _SKEWNESS * _logistic(stream)
        fresh.mu[0, i] = components.mu[c, i] + low * desk.d[i]
        fresh.mu[1, i] = components.mu[c, i] + high * desk.d[i]
        fresh.U[0, i, i] = U[i, i] * math.exp(low * stretch)
        fresh.U[1, i, i] = U[i, i] * math.exp(high * stretch)
        fresh.w[0, i] = components.w[c, i] + low * tilt
        fresh.w[1, i] = components.w[c, i] + high * tilt
        for j in range(i + 1, N):
            shear = _ABOVE * U[j, j] * _logistic(stream)
            fresh.U[0, i, j] = U[i, j] + low * shear
            fresh.U[1, i, j] = U[i, j] + high * shear
    growth = _SHAPE * _logistic(stream)
    reach = components.m[c] - constants.m_lower
    fresh.m[0] = constants.m_lower + reach * math.exp(low * growth)
    fresh.m[1] = constants.m_lower + reach * math.exp(high * growth)
    _finish(fresh, 0, constants, table)
    _finish(fresh, 1, constants, table)


@step
def _average(constants, components, a, b, u, fresh, table):
    """The component between a and b at (1 - u) y_a + u y_b, in row 0 of `fresh`."""
    N = constants.N
    for i in range(N):
        fresh.mu[0, i] = (1.0 - u) * components.mu[a, i] + u * components.mu[b, i]
        fresh.w[0, i] = (1.0 - u) * components.w[a, i] + u * components.w[b, i]
        fresh.U[0, i, i] = components.U[a, i, i] ** (1.0 - u) * components.U[b, i, i] ** u
        for j in range(i + 1, N):
            fresh.U[0, i, j] = (1.0 - u) * components.U[a, i, j] + u * components.U[b, i, j]
    log_shape = (1.0 - u) * _log_shape(constants, components, a) + u * _log_shape(constants, components, b)
    fresh.m[0] = constants.m_lower + math.exp(log_shape)
    _finish(fresh, 0, constants, table)


@step
def _log_weights_ratio(constants, components, C, log_p, log_low, log_high):
    """log of kappa_C Dirichlet(p')/Dirichlet(p) p / Beta(u): C weights before, one of them split in two.

    `components` has either state; log_p, log_low and log_high are of the whole and of its two parts.
    """
    eta = constants.kappa_eta / C
    eta_after = constants.kappa_eta / (C + 1)
    others = 0.0
    for c in range(components.C[0]):
        others += components.log_p[c]
    others -= log_p if components.C[0] == C else log_low + log_high
    log_beta = math.lgamma(2.0 * eta_after) - 2.0 * math.lgamma(eta_after)
    log_beta += (eta_after - 1.0) * (log_low + log_high - 2.0 * log_p)
    return (
        math.log(constants.kappa_C)
        + log_dirichlet_of_sum(others + log_low + log_high, C + 1, eta_after)
        - log_dirichlet_of_sum(others + log_p, C, eta)
        + log_p
        - log_beta
    )


@step
def try_split(stream, x, constants, upper, components, proposal, table, log_density, bench, desk):
    """Returns whether a component was split."""
    C = components.C[0]
    if C + 1 > components.m.size:
        return False
    c = int(uniform(stream) * C)
    eta = constants.kappa_eta / (C + 1)
    first = log_gamma(stream, eta)
    second = log_gamma(stream, eta)
    top = max(first, second)
    norm = top + math.log(math.exp(first - top) + math.exp(second - top))
    log_p = components.log_p[c]
    log_low = log_p + first - norm
    log_high = log_p + second - norm
    keep_all(proposal, components)
    fresh = proposal.fresh
    fresh.C[0] = 2
    _draw_pair(stream, constants, components, c, math.exp(second - norm), fresh, desk, table)
    fresh.log_p[0] = log_low
    fresh.log_p[1] = log_high
    proposal.touched[c] = 1
    proposal.log_p[c] = -math.inf
    log_ratio = _log_weights_ratio(constants, components, C, log_p, log_low, log_high)
    log_ratio += log_component_prior(constants, upper, fresh, 0, desk)
    log_ratio += log_component_prior(constants, upper, fresh, 1, desk)
    log_ratio -= log_component_prior(constants, upper, components, c, desk)
    log_ratio -= _log_difference_density(constants, fresh, 0, fresh, 1, components, c)
    log_ratio += log_likelihood_ratio(x, components, proposal, 1.0, log_density, bench)
    if not math.log(uniform(stream)) < log_ratio:
        return False
    copy_component(fresh, 0, components, c)
    copy_component(fresh, 1, components, C)
    components.C[0] = C + 1
    log_density[:] = proposal.log_density
    return True


@step
def try_merge(stream, x, constants, upper, components, proposal, table, log_density, bench, desk):
    """Returns whether two components were merged."""
    C = components.C[0]
    if C < 2:
        return False
    a = int(uniform(stream) * C)
    b = int(uniform(stream) * (C - 1))
    b += 1 if b >= a else 0
    log_low = components.log_p[a]
    log_high = components.log_p[b]
    top = max(log_low, log_high)
    log_p = top + math.log(math.exp(log_low - top) + math.exp(log_high - top))
    keep_all(proposal, components)
    fresh = proposal.fresh
    fresh.C[0] = 1
    _average(constants, components, a, b, math.exp(log_high - log_p), fresh, table)
    fresh.log_p[0] = log_p
    for c in (a, b):
        proposal.touched[c] = 1
        proposal.log_p[c] = -math.inf
    log_ratio = _log_weights_ratio(constants, components, C - 1, log_p, log_low, log_high)
    log_ratio += log_component_prior(constants, upper, components, a, desk)
    log_ratio += log_component_prior(constants, upper, components, b, desk)
    log_ratio -= log_component_prior(constants, upper, fresh, 0, desk)
    log_ratio -= _log_difference_density(constants, components, a, components, b, fresh, 0)
    log_likelihood = log_likelihood_ratio(x, components, proposal, 1.0, log_density, bench)
    if not math.log(uniform(stream)) < log_likelihood - log_ratio:
        return False
    copy_component(fresh, 0, components, a)
    if b != C - 1:
        copy_component(components, C - 1, components, b)
    components.C[0] = C - 1
    log_density[:] = proposal.log_density
    return True

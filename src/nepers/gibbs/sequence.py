"""How a group of cases would fall in two, one case after another.

From two cases, one on either side, the others come in a random order, and each is given to a side by its
density given the cases already there. That of `nepers.gibbs.launch` finds groups that lie apart; this reaches
any of the many ways in which cases that lie together may be grouped, each with its own small probability.

Given its alphas, a side is taken as Gaussian without skewness, with the conjugate prior of mean m and
precision kappa S. With Psi the rate of S after its cases, m_S + n/2 its shape, and e = x - m, a case more has
the density

    (kappa/(kappa + alpha))^(N/2) Gamma(s)/Gamma(s - N/2) det(Psi)^-1/2 (1 + c e'Psi^-1 e/2)^-s,

s = m_S + (n + N)/2 and c = kappa alpha/(kappa + alpha); Psi becomes Psi + c ee'/2.
"""

from __future__ import annotations

import math

from nepers.gibbs.compiled import step
from nepers.gibbs.linear import log_determinant, upper_factor
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.stream import uniform

_KAPPA = 0.05  # of the prior of a side's mean


@step
def _add_outer(U, v):
    """Turn the factor of U'U into that of U'U + vv'; v is lost."""
    N = U.shape[0]
    for i in range(N):
        norm = math.sqrt(U[i, i] * U[i, i] + v[i] * v[i])
        c = norm / U[i, i]
        s = v[i] / U[i, i]
        U[i, i] = norm
        for j in range(i + 1, N):
            U[i, j] = (U[i, j] + s * v[j]) / c
            v[j] = c * v[j] - s * U[i, j]


@step
def _log_density(x, k, alpha, m_S, of, d):
    N = of.mu.size
    q = 0.0
    for i in range(N):
        y = x[i, k] - of.mu[i]
        for p in range(i):
            y -= of.U[p, i] * d[p]
        d[i] = y / of.U[i, i]
        q += d[i] * d[i]
    c = of.weight * alpha / (of.weight + alpha)
    s = m_S + 0.5 * (of.count + N)
    return (
        0.5 * N * math.log(of.weight / (of.weight + alpha))
        + log_gamma_function(s)
        - log_gamma_function(s - 0.5 * N)
        - 0.5 * log_determinant(of.U)
        - s * math.log1p(0.5 * c * q)
    )


@step
def _add(x, k, alpha, of, d):
    N = of.mu.size
    root = math.sqrt(0.5 * of.weight * alpha / (of.weight + alpha))
    share = alpha / (of.weight + alpha)
    for i in range(N):
        gap = x[i, k] - of.mu[i]
        d[i] = root * gap
        of.mu[i] += share * gap
    of.weight += alpha
    of.count += 1.0
    _add_outer(of.U, d)


@step
def _begin(x, upper, a, b, gaps, desk):
    """Both sides without a case, about the mean of all; returns how many there are, listed in `order`."""
    N = x.shape[0]
    first = gaps.sides[0]
    count = 0
    total = 0.0
    for i in range(N):
        first.mu[i] = 0.0
        for j in range(N):
            desk.A[i, j] = upper.r_S * upper.R_S[i, j]
    for k in range(x.shape[1]):
        if gaps.place[k] == a or gaps.place[k] == b:
            gaps.order[count] = k
            count += 1
            alpha = gaps.root[k] * gaps.root[k]
            total += alpha
            for i in range(N):
                first.mu[i] += alpha * (x[i, k] - first.mu[i]) / total
    first.weight = _KAPPA
    first.count = 0.0
    upper_factor(desk.A, first.U)
    gaps.sides[1] = gaps.sides[0]
    return count


@step
def sort_in_turn(stream, x, upper, i, j, gaps, desk):
    """As `nepers.gibbs.launch.find_sides`."""
    a, b = gaps.place[i], gaps.place[j]
    count = _begin(x, upper, a, b, gaps, desk)
    for k, side in ((i, 0), (j, 1)):
        gaps.side[k] = side
        _add(x, k, gaps.root[k] * gaps.root[k], gaps.sides[side], desk.d)
    log_chance = 0.0
    for p in range(count - 1, -1, -1):
        other = int(uniform(stream) * (p + 1))
        k = gaps.order[other]
        gaps.order[other] = gaps.order[p]
        if k in (i, j):
            continue
        alpha = gaps.root[k] * gaps.root[k]
        odds = math.log((gaps.sides[1].count + 1.0) / (gaps.sides[0].count + 1.0))
        odds += _log_density(x, k, alpha, upper.m_S, gaps.sides[1], desk.d)
        odds -= _log_density(x, k, alpha, upper.m_S, gaps.sides[0], desk.d)
        log_chance += take_side(stream, k, a, b, odds, gaps)
        _add(x, k, alpha, gaps.sides[gaps.side[k]], desk.d)
    return log_chance


@step
def take_side(stream, k, a, b, odds, gaps):
    """The side of case k by its log odds, or as it stands; returns the log probability of it."""
    second = gaps.place[k] == b
    if a == b:
        second = uniform(stream) * (1.0 + math.exp(-odds)) < 1.0
    gaps.side[k] = 1 if second else 0
    odds = odds if second else -odds
    return -math.log1p(math.exp(-odds)) if odds > -30.0 else odds

"""How a group of cases would fall in two, by two of its cases: some steps of an EM algorithm from there.

It looks at the cases of the group with their alphas, at the two cases, and at the levels above, and not at
how the cases are grouped now: so a merge finds the same probabilities as the split that would undo it. On
either side the cases are taken as Gaussian given alpha; mu, nu and S are their weighted estimates.
"""

from __future__ import annotations

import math

from nepers.gibbs.cases import add_case
from nepers.gibbs.compiled import step
from nepers.gibbs.linear import log_determinant, upper_factor
from nepers.gibbs.precision import precision_rate
from nepers.gibbs.records import clear_sums
from nepers.gibbs.sequence import take_side

_ITERATIONS = 4


@step
def _estimate(constants, upper, sums, gaps, side, desk):
    """Write mu, nu and the factor of the inverse of S of one side; returns the log of its weight."""
    at = gaps.sides[side]
    N = at.mu.size
    shrink = 1.0 / (sums.count + 1.0 / constants.kappa_nu)
    weight = sums.alpha - shrink * sums.root * sums.root
    for i in range(N):
        at.mu[i] = sums.origin[i] + (sums.alpha_x[i] - shrink * sums.root * sums.root_x[i]) / weight
    for i in range(N):
        at.nu[i] = shrink * (sums.root_x[i] - sums.root * (at.mu[i] - sums.origin[i]))
    precision_rate(constants, upper, at.mu, sums, desk)
    shape = upper.m_S + 0.5 * (sums.count + N - 1)
    for i in range(N):
        for j in range(N):
            desk.A[i, j] /= shape
    upper_factor(desk.A, at.U)
    return math.log(sums.count) - 0.5 * log_determinant(at.U)


@step
def _distance(x, k, root, mu, nu, U, d):
    """|root (x - mu) - nu|^2 by the inverse of U'U."""
    N = mu.size
    total = 0.0
    for i in range(N):
        y = root * (x[i, k] - mu[i]) - nu[i]
        for p in range(i):
            y -= U[p, i] * d[p]
        d[i] = y / U[i, i]
        total += d[i] * d[i]
    return total


@step
def _add_share(x, k, root, share, of):
    """As `nepers.gibbs.cases.add_case`, for a share of a case."""
    N = x.shape[0]
    alpha = root * root
    of.count += share
    of.alpha += share * alpha
    of.root += share * root
    for i in range(N):
        xi = x[i, k] - of.origin[i]
        of.root_x[i] += share * root * xi
        weighted = share * alpha * xi
        of.alpha_x[i] += weighted
        for j in range(i, N):
            of.alpha_xx[i, j] += weighted * (x[j, k] - of.origin[j])


@step
def _rest(whole, part, of):
    """The sums of what is not in the part."""
    N = of.alpha_x.size
    of.count = whole.count - part.count
    of.alpha = whole.alpha - part.alpha
    of.root = whole.root - part.root
    for i in range(N):
        of.root_x[i] = whole.root_x[i] - part.root_x[i]
        of.alpha_x[i] = whole.alpha_x[i] - part.alpha_x[i]
        for j in range(i, N):
            of.alpha_xx[i, j] = whole.alpha_xx[i, j] - part.alpha_xx[i, j]


@step
def _begin(x, constants, upper, i, j, gaps, desk):
    """Both sides with the S of the whole, one about each of the two cases."""
    log_weight = _estimate(constants, upper, gaps.trial[2], gaps, 0, desk)
    gaps.sides[1] = gaps.sides[0]
    for p in range(x.shape[0]):
        gaps.sides[0].mu[p] = x[p, i]
        gaps.sides[1].mu[p] = x[p, j]
        gaps.sides[0].nu[p] = 0.0
        gaps.sides[1].nu[p] = 0.0
    return log_weight


@step
def _set_odds(x, a, b, log_first, log_second, gaps, d):
    """The log odds of the second side, of every case of groups a and b."""
    one, two = gaps.sides[0], gaps.sides[1]
    for k in range(x.shape[1]):
        if gaps.place[k] == a or gaps.place[k] == b:
            root = gaps.root[k]
            apart = _distance(x, k, root, one.mu, one.nu, one.U, d)
            apart -= _distance(x, k, root, two.mu, two.nu, two.U, d)
            gaps.odds[k] = log_second - log_first + 0.5 * apart


@step
def find_sides(stream, x, constants, upper, i, j, gaps, desk):
    """Write the side of every case of the groups of i and j; returns the log probability of these sides.

    Those of one group are drawn; those of two are as they stand, the group of i first.
    """
    N = x.shape[0]
    a, b = gaps.place[i], gaps.place[j]
    for side in range(3):
        clear_sums(gaps.trial[side])
        for p in range(N):
            gaps.trial[side].origin[p] = x[p, i]
    for k in range(x.shape[1]):
        if gaps.place[k] == a or gaps.place[k] == b:
            add_case(x, k, gaps.root[k], gaps.root[k] * gaps.root[k], gaps.trial[2])
    log_first = _begin(x, constants, upper, i, j, gaps, desk)
    log_second = log_first
    for _ in range(_ITERATIONS):
        _set_odds(x, a, b, log_first, log_second, gaps, desk.d)
        part = gaps.trial[1]
        clear_sums(part)
        for p in range(N):
            part.origin[p] = x[p, i]
        for k in range(x.shape[1]):
            if gaps.place[k] == a or gaps.place[k] == b:
                share = 1.0 if k == j else 0.0 if k == i else 1.0 / (1.0 + math.exp(-gaps.odds[k]))
                _add_share(x, k, gaps.root[k], share, part)
        _rest(gaps.trial[2], part, gaps.trial[0])
        log_first = _estimate(constants, upper, gaps.trial[0], gaps, 0, desk)
        log_second = _estimate(constants, upper, part, gaps, 1, desk)
    _set_odds(x, a, b, log_first, log_second, gaps, desk.d)
    return _choose(stream, x, i, j, gaps)


@step
def _choose(stream, x, i, j, gaps):
    a, b = gaps.place[i], gaps.place[j]
    log_chance = 0.0
    for k in range(x.shape[1]):
        if gaps.place[k] != a and gaps.place[k] != b:
            continue
        if k in (i, j):
            gaps.side[k] = 1 if k == j else 0
            continue
        log_chance += take_side(stream, k, a, b, gaps.odds[k], gaps)
    return log_chance

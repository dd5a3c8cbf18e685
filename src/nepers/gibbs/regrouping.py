"""Splits and merges of the groups of cases, given their alphas, with everything else of a component but mu
integrated out: C, p, nu, S and m. In many dimensions a component made without a look at its cases hardly ever
fits them, so that the jumps of `nepers.gibbs.splits` are refused; here the cases say what it is.

Two cases i, j are picked at random. If they are in one group, it is split; if not, their groups are merged. A
split gives each other case of the group to j with a probability that `nepers.gibbs.launch` or
`nepers.gibbs.sequence`, one or the other by chance, finds from i, j and the cases of the group alone, so that
it is known for a merge too; and mu of every group that comes is drawn from a density q, a Gaussian close to
its conditional. With d_k = sqrt(alpha_k) (x_k - mu), a group of n has

    log Z(a_m + sum(alpha - log alpha - 1), b_m + n) + log Gaussian(mu; mu_mu, S_mu) - N/2 log(1 + kappa_nu n)
    + log G(m_S + n/2) - (m_S + (n + N - 1)/2) log det((m_S - 1) R_S + A/2)
    - log Z(a_m, b_m) - log G(m_S) + (m_S + (N - 1)/2) log det((m_S - 1) R_S),

Z the integral of the proGamma kernel, G(m) = prod_j Gamma(m + j/2), and A = sum dd' - s (sum d)(sum d)' as in
`nepers.gibbs.precision`; and all K groups together, C summed over,

    kappa_eta^K sum_C kappa_C^C C!/((C-K)! C^K) prod_groups Gamma(n + eta)/Gamma(1 + eta),  eta = kappa_eta/C.

A split is accepted with the ratio of these, times q of the old mu, over q of the new ones and the probability
of the split. What was integrated out is then drawn anew.
"""

from __future__ import annotations

import math

from nepers.gibbs import vector_math
from nepers.gibbs.cases import add_case
from nepers.gibbs.compiled import step
from nepers.gibbs.count import log_term
from nepers.gibbs.density import derive
from nepers.gibbs.launch import find_sides
from nepers.gibbs.linear import log_determinant, solve_upper, solve_upper_transposed, upper_factor
from nepers.gibbs.precision import draw_precision, precision_rate
from nepers.gibbs.progamma import log_progamma_integral
from nepers.gibbs.records import clear_sums
from nepers.gibbs.sequence import sort_in_turn
from nepers.gibbs.shape import draw_shape
from nepers.gibbs.skewness import draw_skewness
from nepers.gibbs.special import log_gamma_function
from nepers.gibbs.stream import normal, uniform

FIRST, SECOND, WHOLE = range(3)
_ITERATIONS = 2  # of the place where q is centred
_LOG_2PI = 1.8378770664093453


@step
def log_grouping(constants, sums, C):
    """The last formula above, of the groups among the first C."""
    filled = 0
    for c in range(C):
        filled += 1 if sums[c].count > 0.0 else 0
    top, _ = log_term(constants.kappa_C, constants.kappa_eta, filled, sums, C, filled)
    total = 1.0
    last = filled
    while True:
        last += 1
        term, bound = log_term(constants.kappa_C, constants.kappa_eta, last, sums, C, filled)
        total += math.exp(term - top)
        beyond = math.exp(last * math.log(constants.kappa_C) + bound - top) / (1.0 - constants.kappa_C)
        # so written, what is not a number ends it
        if not beyond > 1e-14 * total:
            return filled * math.log(constants.kappa_eta) + top + math.log(total)


@step
def _log_G(m, N):
    total = 0.0
    for j in range(N):
        total += log_gamma_function(m + 0.5 * j)
    return total


@step
def log_group(constants, upper, mu, sums, guess, desk):
    """The first formula above."""
    N = mu.size
    n = sums.count
    a = constants.a_m + sums.alpha - sums.log - n
    total = log_progamma_integral(
        a, constants.b_m + n, constants.N_m, constants.shape_type, constants.m_lower, guess
    )
    total -= constants.log_norm_m + 0.5 * N * math.log(1.0 + constants.kappa_nu * n)
    upper_factor(upper.S_mu, desk.U)
    total += 0.5 * (log_determinant(desk.U) - N * _LOG_2PI)
    for i in range(N):
        whitened = 0.0
        for j in range(i, N):
            whitened += desk.U[i, j] * (mu[j] - upper.mu_mu[j])
        total -= 0.5 * whitened * whitened
    m = upper.m_S
    total += _log_G(m + 0.5 * n, N) - _log_G(m, N)
    upper_factor(upper.R_S, desk.U)
    total += (m + 0.5 * (N - 1)) * (log_determinant(desk.U) + N * math.log(upper.r_S))
    precision_rate(constants, upper, mu, sums, desk)
    upper_factor(desk.A, desk.U)
    return total - (m + 0.5 * (n + N - 1)) * log_determinant(desk.U)


@step
def _centre_q(constants, upper, sums, desk, mean):
    """Write the mean of q; desk.U becomes the factor of its precision.

    As in `nepers.gibbs.location`, with S at its mean given mu, for the mu that was found before.
    """
    N = mean.size
    n = sums.count
    shrink = 1.0 / (n + 1.0 / constants.kappa_nu)
    weight = sums.alpha - shrink * sums.root * sums.root
    for i in range(N):
        mean[i] = sums.origin[i] + (sums.alpha_x[i] - shrink * sums.root * sums.root_x[i]) / weight
    shape = upper.m_S + 0.5 * (n + N - 1)
    for _ in range(_ITERATIONS):
        precision_rate(constants, upper, mean, sums, desk)
        upper_factor(desk.A, desk.U)
        for j in range(N):
            # column j of S, the inverse
            for i in range(N):
                desk.d[i] = shape if i == j else 0.0
            solve_upper_transposed(desk.U, desk.d, desk.d)
            solve_upper(desk.U, desk.d, desk.d)
            for i in range(N):
                desk.T[i, j] = desk.d[i]
        for i in range(N):
            total = 0.0
            for j in range(N):
                pull = sums.alpha_x[j] - shrink * sums.root * sums.root_x[j]
                total += desk.T[i, j] * pull + upper.S_mu[i, j] * (upper.mu_mu[j] - sums.origin[j])
                desk.A[i, j] = weight * desk.T[i, j] + upper.S_mu[i, j]
            desk.b[i] = total
        upper_factor(desk.A, desk.U)
        solve_upper_transposed(desk.U, desk.b, desk.b)
        solve_upper(desk.U, desk.b, desk.b)
        for i in range(N):
            mean[i] = desk.b[i] + sums.origin[i]


@step
def _log_q(mu, mean, U):
    N = mu.size
    total = 0.5 * (log_determinant(U) - N * _LOG_2PI)
    for i in range(N):
        whitened = 0.0
        for j in range(i, N):
            whitened += U[i, j] * (mu[j] - mean[j])
        total -= 0.5 * whitened * whitened
    return total


@step
def _draw_q(stream, mean, U, b, mu):
    N = mu.size
    for i in range(N):
        b[i] = normal(stream)
    solve_upper(U, b, b)
    for i in range(N):
        mu[i] = mean[i] + b[i]


@step
def _sum_sides(x, a, b, origin, gaps):
    """The sums of both sides of the cases of groups a and b, and of all of them."""
    for side in range(3):
        clear_sums(gaps.trial[side])
        for i in range(x.shape[0]):
            gaps.trial[side].origin[i] = origin[i]
    for k in range(x.shape[1]):
        if gaps.place[k] == a or gaps.place[k] == b:
            root = gaps.root[k]
            alpha = root * root
            log_alpha = vector_math.log(alpha)
            add_case(x, k, root, alpha, gaps.trial[gaps.side[k]])
            add_case(x, k, root, alpha, gaps.trial[WHOLE])
            gaps.trial[gaps.side[k]].log += log_alpha
            gaps.trial[WHOLE].log += log_alpha


@step
def _redraw(stream, constants, upper, component, sums, table, desk):
    """What was integrated out of a group that is new."""
    draw_precision(stream, constants, upper, component, sums, desk)
    draw_skewness(stream, constants, component, sums, desk)
    draw_shape(stream, constants, component, sums, desk)
    derive(component, constants.shape_type, table)


@step
def _log_half(constants, upper, mu, sums, guess, desk, mean):
    """What a group adds to the ratio, its q taken away; `_centre_q` has been done."""
    return -_log_q(mu, mean, desk.U) + log_group(constants, upper, mu, sums, guess, desk)


@step
def _split(stream, x, constants, upper, components, C, sums, c, log_chance, gaps, desk):
    """Group c becomes two, the second at C; returns the new C."""
    components[C] = components[c]
    trial, mean = gaps.trial, gaps.desk[0].mean
    guess = components[c].m - constants.m_lower
    log_ratio = -log_grouping(constants, sums, C) - log_chance
    _centre_q(constants, upper, trial[WHOLE], desk, mean)
    log_ratio -= _log_half(constants, upper, components[c].mu, trial[WHOLE], guess, desk, mean)
    for i in range(mean.size):
        gaps.desk[0].old[i] = components[c].mu[i]
    for side in range(2):
        one = components[c if side == FIRST else C]
        _centre_q(constants, upper, trial[side], desk, mean)
        _draw_q(stream, mean, desk.U, desk.b, one.mu)
        log_ratio += _log_half(constants, upper, one.mu, trial[side], guess, desk, mean)
    sums[c] = trial[FIRST]
    sums[C] = trial[SECOND]
    log_ratio += log_grouping(constants, sums, C + 1)
    if math.log(uniform(stream)) < log_ratio:
        for k in range(x.shape[1]):
            if gaps.place[k] == c and gaps.side[k] == SECOND:
                gaps.place[k] = C
        _redraw(stream, constants, upper, components[c], sums[c], gaps.table, desk)
        _redraw(stream, constants, upper, components[C], sums[C], gaps.table, desk)
        return C + 1
    sums[c] = trial[WHOLE]
    clear_sums(sums[C])
    for i in range(mean.size):
        components[c].mu[i] = gaps.desk[0].old[i]
    return C


@step
def _merge(stream, x, constants, upper, components, C, sums, a, b, log_chance, gaps, desk):
    """Groups a and b become one, at a, the other left empty; returns whether they do."""
    trial, mean, mu = gaps.trial, gaps.desk[0].mean, gaps.desk[0].old
    guess = components[a].m - constants.m_lower
    log_ratio = -log_grouping(constants, sums, C) + log_chance
    for side in range(2):
        one = components[a if side == FIRST else b]
        _centre_q(constants, upper, trial[side], desk, mean)
        log_ratio -= _log_half(constants, upper, one.mu, trial[side], guess, desk, mean)
    _centre_q(constants, upper, trial[WHOLE], desk, mean)
    _draw_q(stream, mean, desk.U, desk.b, mu)
    log_ratio += _log_half(constants, upper, mu, trial[WHOLE], guess, desk, mean)
    sums[a] = trial[WHOLE]
    clear_sums(sums[b])
    log_ratio += log_grouping(constants, sums, C)
    if math.log(uniform(stream)) < log_ratio:
        for k in range(x.shape[1]):
            if gaps.place[k] == b:
                gaps.place[k] = a
        for i in range(mean.size):
            components[a].mu[i] = mu[i]
        _redraw(stream, constants, upper, components[a], sums[a], gaps.table, desk)
        return True
    sums[a] = trial[FIRST]
    sums[b] = trial[SECOND]
    return False


@step
def regroup(stream, x, constants, upper, components, C, sums, gaps, desk):
    """One attempt; there is room for one component more. Returns how many stand in the records."""
    n = x.shape[1]
    if n < 2:
        return C
    i = int(uniform(stream) * n)
    j = int(uniform(stream) * (n - 1))
    j += 1 if j >= i else 0
    a = gaps.place[i]
    b = gaps.place[j]
    in_turn = uniform(stream) < 0.5
    if in_turn:
        log_chance = sort_in_turn(stream, x, upper, i, j, gaps, desk)
    else:
        log_chance = find_sides(stream, x, constants, upper, i, j, gaps, desk)
    _sum_sides(x, a, b, components[a].mu, gaps)
    after = C
    if a == b:
        after = _split(stream, x, constants, upper, components, C, sums, a, log_chance, gaps, desk)
        changed = after != C
    else:
        changed = _merge(stream, x, constants, upper, components, C, sums, a, b, log_chance, gaps, desk)
    gaps.accepted[1 if in_turn else 0] += 1 if changed else 0
    return after

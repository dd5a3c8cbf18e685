"""x of each case given its component, its alpha and what was observed of it; and then the sums over x.

Without noise, v = sqrt(alpha) (x - mu) - nu is Gaussian of mean 0 and precision S. Its unknown entries u
given the known ones k have precision S_uu, and mean -S_uu^-1 S_uk v_k. Where an interval of coordinate 0 is
known, that comes last in the factor S_uu = U'U: it is drawn first, between its ends, and the others given it.

With noise every entry is unknown. With e = x - mu - nu / sqrt(alpha), beta and P as in `nepers.gibbs.noise`,

    alpha e'S e + beta n'P n,    n_i = y_i - mu_i - nu_i / sqrt(alpha) - e_i  where y_i is known.

Where an interval of y_0 is known, f = y_0 - mu_0 - nu_0 / sqrt(alpha) is unknown too, and comes last; n_0
takes the place of e_0 = f - n_0 among the unknown, so that little noise does not cancel to nothing.
"""

from __future__ import annotations

from nepers.gibbs import vector_math
from nepers.gibbs.cases import add_case, begin_sums
from nepers.gibbs.compiled import step
from nepers.gibbs.linear import solve_upper, solve_upper_transposed, upper_factor
from nepers.gibbs.noise import draw_noise_scale, set_noise_precision
from nepers.gibbs.stream import normal
from nepers.gibbs.truncated import draw_truncated


@step
def _draw_unknown(stream, A, U, b, bounded, low, high):
    """Write into b a draw of the Gaussian of precision A and mean A^-1 b, the last entry between two ends."""
    last = b.size - 1
    upper_factor(A, U)
    solve_upper_transposed(U, b, b)
    for i in range(last):
        b[i] += normal(stream)
    if bounded:
        scale = U[last, last]
        b[last] += draw_truncated(stream, low * scale - b[last], high * scale - b[last])
    else:
        b[last] += normal(stream)
    solve_upper(U, b, b)


@step
def _fill_gaps(stream, x, k, component, root, gaps, bounded):
    """Without noise; coordinate 0 where it is `bounded`."""
    desk = gaps.desk[0]
    unknown, v = desk.unknown, desk.d
    N = component.mu.size
    size = gaps.absent[k] + bounded
    for p in range(gaps.absent[k]):
        unknown[p] = gaps.missing[p, k]
    if bounded:
        unknown[size - 1] = 0
    for i in range(N):
        v[i] = root * (x[i, k] - component.mu[i]) - component.nu[i]
    for p in range(size):
        v[unknown[p]] = 0.0
    A, U, b = desk.A[:size, :size], desk.U[:size, :size], desk.b[:size]
    for p in range(size):
        total = 0.0
        for j in range(N):
            total -= component.S[unknown[p], j] * v[j]
        b[p] = total
        for q in range(size):
            A[p, q] = component.S[unknown[p], unknown[q]]
    low = root * (gaps.lower[k] - component.mu[0]) - component.nu[0]
    high = root * (gaps.upper[k] - component.mu[0]) - component.nu[0]
    _draw_unknown(stream, A, U, b, bounded, low, high)
    for p in range(size):
        i = unknown[p]
        x[i, k] = component.mu[i] + (b[p] + component.nu[i]) / root


@step
def _set_noisy(component, alpha, beta, P, f, bounded, A, b):
    """Precision and linear term of the unknown; f is y - mu - nu / sqrt(alpha) where y is known, else 0."""
    N = component.mu.size
    for i in range(N):
        sign = -1.0 if bounded and i == 0 else 1.0
        total = 0.0
        for j in range(N):
            total += P[i, j] * f[j]
            other = -1.0 if bounded and j == 0 else 1.0
            A[i, j] = sign * other * alpha * component.S[i, j] + sign * other * beta * P[i, j]
        b[i] = sign * beta * total
    if bounded:
        for i in range(N):
            A[i, N] = alpha * component.S[i, 0]
            A[N, i] = A[i, N]
        A[0, N] = -A[0, N]
        A[N, 0] = A[0, N]
        A[N, N] = alpha * component.S[0, 0]
        b[N] = 0.0


@step
def _redraw(stream, x, k, component, root, gaps):
    """With noise: x and then beta."""
    desk = gaps.desk[0]
    P, f = desk.P, desk.d
    N = component.mu.size
    bounded = gaps.bounded[k]
    size = N + bounded
    set_noise_precision(gaps, k, P)
    for i in range(N):
        f[i] = gaps.y[i, k] - component.mu[i] - component.nu[i] / root
    for p in range(gaps.absent[k]):
        f[gaps.missing[p, k]] = 0.0
    low, high = 0.0, 0.0
    if bounded:
        f[0] = 0.0
        low = gaps.lower[k] - component.mu[0] - component.nu[0] / root
        high = gaps.upper[k] - component.mu[0] - component.nu[0] / root
    A, U, b = desk.A[:size, :size], desk.U[:size, :size], desk.b[:size]
    _set_noisy(component, root * root, gaps.beta[k], P, f, bounded, A, b)
    _draw_unknown(stream, A, U, b, bounded, low, high)
    if bounded:
        n_0 = b[0]
        f[0] = b[N]
        b[0] = f[0] - n_0
    for i in range(N):
        x[i, k] = component.mu[i] + component.nu[i] / root + b[i]
        f[i] -= b[i]
    if bounded:
        f[0] = n_0
    draw_noise_scale(stream, gaps, k, f, P)


@step
def complete_cases(stream, x, components, C, sums, gaps):
    """Redraw what is not known of every case, and sum what the components need."""
    for k in range(x.shape[1]):
        component = components[gaps.place[k]]
        if gaps.noise_m > 0.0:
            _redraw(stream, x, k, component, gaps.root[k], gaps)
        elif gaps.absent[k] + gaps.bounded[k] > 0:
            _fill_gaps(stream, x, k, component, gaps.root[k], gaps, gaps.bounded[k])
    sum_cases(x, components, C, sums, gaps)


@step
def fill_and_sum(stream, x, components, C, sums, gaps):
    """Redraw what is missing of every case, and no more, and sum what the components need."""
    for k in range(x.shape[1]):
        if gaps.absent[k] > 0:
            _fill_gaps(stream, x, k, components[gaps.place[k]], gaps.root[k], gaps, 0)
    sum_cases(x, components, C, sums, gaps)


@step
def sum_cases(x, components, C, sums, gaps):
    """Sum what the components need."""
    begin_sums(x, components, C, sums)
    for k in range(x.shape[1]):
        root = gaps.root[k]
        c = gaps.place[k]
        alpha = root * root
        add_case(x, k, root, alpha, sums[c])
        sums[c].log += vector_math.log(alpha)

"""Where the Gaussians of one case lie, and their weights, compiled. Symbols: `nepers.conditional`."""

from __future__ import annotations

import math

import numpy as np

from nepers.gibbs.compiled import kernel, maker, step
from nepers.gibbs.tilt import DEGREES, WIDEST, tilt_at_zero, tilt_integral, tilt_polynomial

_NODE_REACH = 6.0  # of log delta at least, to either side of 0
# beyond so many, weights are below e^-100 of the largest whatever the shape
_MOST_NODES, _MOST_BETAS = 400, 20_000


@step
def _whitened(y, K, form, row, z):
    """The known coordinates measured from mu, in the basis of `nepers.conditional`."""
    for i in range(K):
        total = 0.0
        for j in range(K):
            total += form[row, i, j] * y[j]
        z[i] = total


@step
def _skewness_term(A, t, tilt, span):
    """The integral over beta, by a polynomial where there is one."""
    if span < 0:
        return tilt_integral(A - 1.0, t)
    total = 0.0
    for k in range(DEGREES[span], -1, -1):
        total = total * t + tilt[k]
    return total


@step
def _at_delta(delta, K, z, d, nu, c, c_n, number, m_n, tilt, span, node):
    """Of one delta: the log of its weight, beta integrated out, and how y_1 lies: a, b, V and t."""
    q = 0.0
    l = 0.0
    k = 0.0
    log_v = 0.0
    product = 1.0
    a = number[3]
    b = number[4]
    V = number[5] + number[6] * delta
    for i in range(K):
        v = 1.0 + d[i] * delta
        inverse = 1.0 / v
        y_v = z[i] * inverse
        nu_v = nu[i] * inverse
        q += z[i] * y_v
        l += z[i] * nu_v
        k += nu[i] * nu_v
        product *= v
        if product > 1e200:  # a log takes long; another factor is below 1e100
            log_v += math.log(product)
            product = 1.0
        with_1 = c[i] + c_n[i] * delta
        a += with_1 * y_v
        b -= with_1 * nu_v
        V -= with_1 * with_1 * inverse
    log_v += math.log(product)
    A = number[1]
    R = number[2] + 0.5 * q
    log_w = number[0] - 0.5 * (k + log_v)
    if m_n > 0.0:
        R += m_n / delta
        log_w -= m_n * math.log(delta)
    root = math.sqrt(2.0 * R)
    t = l / root
    node[1] = a
    node[2] = b * root
    node[3] = math.sqrt(V) * root
    node[4] = t
    node[0] = log_w - A * math.log(root) + _skewness_term(A, t, tilt, span)


@step
def _over_delta(K, z, d, nu, c, c_n, number, m_n, reach, table, tilt, nodes):
    """Fill nodes for one component: one without noise, else the trapezoid sum in log(delta); how many.

    Steps are a fraction of the narrowest that the integrand can be; they go on to either side until it has
    fallen by ``reach`` below its highest and the range searched at first is passed.
    """
    if m_n == 0.0:
        _at_delta(0.0, K, z, d, nu, c, c_n, number, m_n, tilt, -1, nodes[0])
        return 1
    widest = 0.0
    for i in range(K):
        widest += nu[i] * nu[i]
    a = number[1] - 1.0
    # |t| is at most |nu|, by Cauchy's inequality
    span = tilt_polynomial(table, a, math.sqrt(widest) * (1.0 + 1e-12), tilt)
    tilt[0] += tilt_at_zero(a)
    h = min(0.5, 2.5 / math.sqrt(number[1]))
    highest = -math.inf
    used = 0
    for side in range(2):
        x = 0.0 if side == 0 else h
        move = -h if side == 0 else h
        while used < nodes.shape[0] - 1:
            node = nodes[used]
            _at_delta(math.exp(x), K, z, d, nu, c, c_n, number, m_n, tilt, span, node)
            node[0] += math.log(h)
            highest = max(highest, node[0])
            if node[0] < highest - reach:
                if abs(x) > _NODE_REACH:
                    break
            else:
                used += 1
            x += move
    return used


@step
def _over_beta(A, t, reach, s, w):
    """Nodes s = beta sqrt(2R) of the trapezoid sum in log(s), and their weights, that sum to 1.

    The sum is used with Gaussian distribution functions in it, which change from 0 to 1 while log(s)
    changes by 1/8: the steps are shorter for that where beta is little known.
    """
    mode = 0.5 * (t + math.sqrt(t * t + 4.0 * A)) if t > 0.0 else 2.0 * A / (math.sqrt(t * t + 4.0 * A) - t)
    half = 0.5 * mode * mode
    width = 1.0 / math.sqrt(mode * mode + A)
    h = width / math.sqrt(1.0 + 64.0 * width * width)
    used = 0
    total = 0.0
    for side in range(2):
        x = 0.0 if side == 0 else h
        move = -h if side == 0 else h
        while used < s.size:
            e = math.expm1(x)
            fall = A * (x - e) - half * e * e
            if fall < -reach:
                break
            s[used] = mode * (1.0 + e if x > -1.0 else math.exp(x))  # 1 + e loses digits far below
            w[used] = math.exp(fall)
            total += w[used]
            used += 1
            x += move
    for i in range(used):
        w[i] /= total
    return used


@maker
def _longer(old, room):
    new = np.empty(room)
    new[: old.size] = old
    return new


@kernel
def place_gaussians(y, form, centre, d, nu, c, c_n, numbers, m_n, reach, table):
    """The Gaussians of a case with known values y: weights that sum to 1, places, 1 / widths; and log p(y).

    ``numbers`` has for each component the log of its constant, A, r, and of coordinate 1 mu, nu, Sigma and
    Sigma_n. What is below exp(-reach) of the largest is left out. ``table`` is that of `nepers.gibbs.tilt`.
    """
    count, K = centre.shape
    node_room = _MOST_NODES if m_n > 0.0 else 1
    nodes = np.empty((count, node_room, 5))
    used = np.empty(count, np.int64)
    tilt = np.empty(WIDEST)
    z = np.empty(K)
    away = np.empty(K)
    highest = -math.inf
    for row in range(count):
        for i in range(K):
            away[i] = y[i] - centre[row, i]
        _whitened(away, K, form, row, z)
        used[row] = _over_delta(
            K, z, d[row], nu[row], c[row], c_n[row], numbers[row], m_n, reach, table, tilt, nodes[row]
        )
        for j in range(used[row]):
            highest = max(highest, nodes[row, j, 0])
    total = 0.0
    kept = 0
    for row in range(count):
        for j in range(used[row]):
            share = math.exp(nodes[row, j, 0] - highest)
            total += share
            if nodes[row, j, 0] > highest - reach:
                kept += 1
    s = np.empty(_MOST_BETAS)
    w = np.empty(_MOST_BETAS)
    room = 64 * kept
    weight = np.empty(room)
    place = np.empty(room)
    scale = np.empty(room)
    end = 0
    sum_w = 0.0
    for row in range(count):
        for j in range(used[row]):
            node = nodes[row, j]
            if not (node[0] > highest - reach):
                continue
            log_share = node[0] - highest - math.log(total)
            share = math.exp(log_share)
            betas = _over_beta(numbers[row, 1], node[4], reach + log_share, s, w)
            if end + betas > room:
                room = 2 * room + betas
                weight = _longer(weight, room)
                place = _longer(place, room)
                scale = _longer(scale, room)
            for i in range(betas):
                weight[end] = share * w[i]
                sum_w += weight[end]
                place[end] = node[1] + node[2] / s[i]
                scale[end] = s[i] / node[3]
                end += 1
    for i in range(end):
        weight[i] /= sum_w
    return weight[:end].copy(), place[:end].copy(), scale[:end].copy(), highest + math.log(total)

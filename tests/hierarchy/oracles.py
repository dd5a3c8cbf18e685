"""The definitions of the hierarchy in mpmath: slow, plain, and written apart from the package."""

import mpmath as mp
import numpy as np


def log_skew_student(x, mu, nu, S, m, r, digits=60):
    """log of ``integral Gamma(alpha; m, r) Gaussian(x; mu + nu / sqrt(alpha), alpha S) d alpha``.

    The trapezoid sum in log(sqrt(alpha)) about the peak, a twelfth of its width a step.
    """
    mp.mp.dps = digits
    x, mu, nu = (mp.matrix([mp.mpf(float(v)) for v in np.atleast_1d(a)]) for a in (x, mu, nu))
    S = mp.matrix(np.atleast_2d(np.asarray(S, dtype=float)).tolist())
    m, r, N = mp.mpf(float(m)), mp.mpf(float(r)), len(mu)
    y = x - mu
    yy, yn, nn = (y.T * S * y)[0], (y.T * S * nu)[0], (nu.T * S * nu)[0]

    def log_integrand(beta, w):
        return 2 * m * w - r * beta**2 + N * w - (beta**2 * yy - 2 * beta * yn + nn) / 2

    A, Q = 2 * m + N, 2 * r + yy
    peak = (yn + mp.sqrt(yn**2 + 4 * A * Q)) / (2 * Q)
    top = log_integrand(peak, mp.log(peak))
    step = min(1 / mp.sqrt(2 * Q * peak**2 - yn * peak) / 12, mp.mpf("0.04"))
    total = mp.mpf(1)
    for factor, direction in ((mp.exp(step), 1), (mp.exp(-step), -1)):
        beta, w, term = peak, mp.log(peak), mp.mpf(1)
        while term > mp.mpf(10) ** -20:
            beta, w = beta * factor, w + direction * step
            term = mp.exp(log_integrand(beta, w) - top)
            total += term
    constant = mp.log(2) + m * mp.log(r) - mp.loggamma(m) + mp.log(mp.det(S / (2 * mp.pi))) / 2
    return constant + top + mp.log(total * step)


def log_skew_student_by_1F1(x, mu, nu, S, m, r, digits=80):
    """The paper's own formula, for N = 1."""
    mp.mp.dps = digits
    x, mu, nu, S, m, r = (mp.mpf(float(v)) for v in (x, mu, nu, S, m, r))
    half, y = mp.mpf(1) / 2, x - mu
    Q = r + y * S * y / 2
    l = y * S * nu
    even = mp.gamma(m + half) * mp.hyp1f1(m + half, half, l**2 / (4 * Q))
    odd = l / mp.sqrt(Q) * mp.gamma(m + 1) * mp.hyp1f1(m + 1, 3 * half, l**2 / (4 * Q))
    front = r**m / mp.gamma(m) * mp.sqrt(S / (2 * mp.pi)) / Q ** (m + half) * mp.exp(-nu * S * nu / 2)
    return mp.log(front * (even + odd))


def skew_student_cdf(x, mu, nu, S, m, r, digits=25):
    """``E[Phi(sqrt(S) ((x - mu) sqrt(alpha) - nu))]`` over alpha, a trapezoid sum in log(sqrt(alpha))."""
    mp.mp.dps = digits
    x, mu, nu, S, m, r = (mp.mpf(float(v)) for v in (x, mu, nu, S, m, r))
    q, z, centre = (x - mu) * mp.sqrt(S), nu * mp.sqrt(S), mp.sqrt(m / r)
    step = min(mp.mpf("0.05"), mp.mpf("0.35") / mp.sqrt(4 * m + z**2))
    mass = total = mp.mpf(0)
    for direction, k in ((1, 0), (-1, 1)):
        weight = mp.mpf(1)
        while weight > mp.mpf(10) ** -18:
            v = direction * k * step
            weight = mp.exp(-m * (mp.expm1(2 * v) - 2 * v))
            mass += weight
            total += weight * mp.ncdf(q * centre * mp.exp(v) - z)
            k += 1
    return total / mass


def log_progamma_kernel(m, a, b, N, type):
    """The paper's kernels."""
    m, a, b = mp.mpf(float(m)) if not isinstance(m, mp.mpf) else m, mp.mpf(float(a)), mp.mpf(float(b))
    value = -(a + N * b) * m - b * sum(mp.loggamma(m + mp.mpf(j) / 2) for j in range(N))
    h = mp.mpf(N - 1) / 2
    if type == 1:
        value += N * b * (m + h) * mp.log(m - 1)
    if type == 2:
        value += N * b * (m + h) * mp.log(m + h)
    return value


def progamma_moments(a, b, N, type, lower, scale):
    """log of the kernel's integral, E[m], Var[m], by quadrature; ``scale`` is a typical m - lower."""
    mp.mp.dps = 30
    start, scale = mp.mpf(float(lower)), mp.mpf(float(scale))
    top = log_progamma_kernel(start + scale, a, b, N, type)
    cuts = [start + scale * mp.mpf(c) for c in ("0", "0.01", "0.1", "0.5", "1", "2", "4", "8", "20", "60")]

    def moment(power):
        return mp.quad(lambda m: m**power * mp.exp(log_progamma_kernel(m, a, b, N, type) - top), cuts)

    mass = moment(0)
    mean = moment(1) / mass
    return top + mp.log(mass), mean, moment(2) / mass - mean**2

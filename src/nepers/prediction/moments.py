"""The mean and covariance of cases that are not wholly known, for the paper's table of hyperparameters.

Where all is known they are the sample's own mean and covariance (divisor n - 1), the paper's mean(T) and
cov(T). Otherwise they are those of the Gaussian under which what was observed is most likely, found by the EM
algorithm: every missing value, and every value of which an interval is known, is replaced by its mean given
what else is known of the case, and the covariance that was left is added. A censored time so counts as what
it says, and neither as an event nor not at all.

Few cases with many gaps can leave a covariance that has no inverse. So with a share f of the values not known
exactly, (N + 1) f cases more are taken to have been seen, of uncorrelated coordinates of the same variances:
none where all is known.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array
from nepers.prediction.observations import Observations

_ITERATIONS = 2_000
_CHANGE = 1e-6  # at which the iteration ends, in standard deviations
_SINGULAR = 1e-10  # the least eigenvalue of a correlation matrix
_CHUNK = 4_096
_NARROW = 1e-4  # intervals over which a Gaussian is as good as flat, in standard deviations


def robust_moments(observations: Observations) -> tuple[Array, Array]:
    """Mean (N,) and covariance (N, N), which is positive definite; otherwise an error says why not."""
    known = observations.known
    _refuse_too_few(observations, known)
    centre, unit = np.nanmean(known, axis=0), np.nanstd(known, axis=0)
    # in units of the columns, whatever those of the data are
    z = (known - centre) / unit
    ends = [(end - centre[0]) / unit[0] for end in (observations.lower, observations.upper)]
    mean, cov = _plain(z) if observations.complete else _iterate(z, *ends)
    _refuse_singular(cov)
    return centre + unit * mean, cov * np.outer(unit, unit)


def _plain(z: Array) -> tuple[Array, Array]:
    return z.mean(axis=0), np.atleast_2d(np.cov(z.T))


def _iterate(z: Array, lower: Array, upper: Array) -> tuple[Array, Array]:
    n, N = z.shape
    mean, cov = np.zeros(N), np.eye(N)
    more = (N + 1) * float(np.isnan(z).mean())
    order = np.lexsort(np.isnan(z).T)  # cases with the same gaps side by side
    z, lower, upper = z[order], lower[order], upper[order]
    for _ in range(_ITERATIONS):
        filled, left = np.empty_like(z), np.zeros((N, N))
        for start in range(0, n, _CHUNK):
            rows = slice(start, start + _CHUNK)
            filled[rows], rest = _expected(z[rows], lower[rows], upper[rows], mean, cov)
            left += rest
        new_mean = filled.mean(axis=0)
        scatter = (filled - new_mean).T @ (filled - new_mean) + left
        new_cov = (scatter + more * np.diag(np.diag(scatter)) / n) / (n + more)
        change = max(np.abs(new_mean - mean).max(), np.abs(new_cov - cov).max())
        mean, cov = new_mean, new_cov
        if change < _CHANGE:
            break
    return mean, cov * (n / (n - 1))


def _expected(z: Array, lower: Array, upper: Array, mean: Array, cov: Array) -> tuple[Array, Array]:
    """Each case's mean given what is known of it, and the sum of the covariances that are left."""
    gone = np.isnan(z)
    patterns, which = np.unique(gone, axis=0, return_inverse=True)
    which = which.ravel()
    there = ~patterns
    inner = np.where(there[:, :, None] & there[:, None, :], cov, np.eye(z.shape[1]))
    inverse = np.where(there[:, :, None] & there[:, None, :], np.linalg.inv(inner), 0.0)
    slopes = cov @ inverse
    spread = np.where(patterns[:, :, None] & patterns[:, None, :], cov - slopes @ cov, 0.0)
    apart = np.where(gone, 0.0, z - mean)
    filled = np.where(gone, mean + np.einsum("kij,kj->ki", slopes[which], apart), z)
    counts = np.bincount(which, minlength=len(patterns)).astype(np.float64)
    left = np.einsum("p,pij->ij", counts, spread)
    told = np.flatnonzero(gone[:, 0] & (np.isfinite(lower) | np.isfinite(upper)))
    if told.size:
        column = spread[which[told]][:, :, 0]
        variance = column[:, 0]
        sd, middle = np.sqrt(variance), filled[told, 0]
        shift, ratio = _truncated((lower[told] - middle) / sd, (upper[told] - middle) / sd)
        weights = column / variance[:, None]
        filled[told] += weights * (shift * sd)[:, None]
        left -= np.einsum("k,ki,kj->ij", variance * (1.0 - ratio), weights, weights)
    return filled, left


def _truncated(a: Array, b: Array) -> tuple[Array, Array]:
    """Mean and variance of a standard normal between a and b."""
    mirrored = a + b > 0.0
    low, high = np.where(mirrored, -b, a), np.where(mirrored, -a, b)  # in the lower tail, which keeps digits
    flat = (high - low) * np.maximum(1.0, np.abs(high)) < _NARROW
    top = log_ndtr(high)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log_mass = top + np.log(-np.expm1(log_ndtr(low) - top))
        at_low, at_high = (np.exp(-0.5 * e * e - 0.9189385332046727 - log_mass) for e in (low, high))
        mean = at_low - at_high
        edges = np.where(np.isinf(low), 0.0, low * at_low) - np.where(np.isinf(high), 0.0, high * at_high)
        variance = 1.0 + edges - mean * mean
        mean = np.where(flat, 0.5 * (low + high), mean)
        variance = np.where(flat, (high - low) ** 2 / 12.0, variance)
    # far out in a tail the variance is small, and its rounding error may be negative
    return np.where(mirrored, -mean, mean), np.maximum(variance, 0.0)


def _refuse_too_few(observations: Observations, known: Array) -> None:
    n, N = known.shape
    if n <= N:
        raise InputError(f"values must have more cases than coordinates; it has {n} and {N}")
    for i in range(N):
        values = known[~np.isnan(known[:, i]), i]
        if values.size < 2 or np.ptp(values) == 0.0:
            where = "lower and upper" if i == 0 else f"values[:, {i}]"
            what = "no exact value" if not values.size else f"only {values[0]:g}"
            raise InputError(f"{where} must hold two different exact values at least; they hold {what}")


def _refuse_singular(cov: Array) -> None:
    sd = np.sqrt(np.diag(cov))
    eigenvalues, vectors = np.linalg.eigh(cov / np.outer(sd, sd))
    if eigenvalues[0] < _SINGULAR:
        involved: NDArray[np.intp] = np.flatnonzero(np.abs(vectors[:, 0]) > 0.05)
        columns = " and ".join(str(i) for i in involved)
        raise InputError(f"values must have columns that do not determine one another; {columns} do")

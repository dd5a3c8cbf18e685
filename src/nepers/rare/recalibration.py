"""The posterior of the recalibration: what the cases say of p(x|y) = softmax(b_k + slope log Q(k)).

The b add up to zero: b = H u with the columns of H orthonormal and orthogonal to (1, ..., 1). A row of
``theta`` is (u_1, ..., u_{K-1}, slope - 1), a priori Gaussian and independent about 0. Logs of Q are arrays
(K, groups); where Q is zero the log is held as 0 and ``possible`` is False, and p is zero there whatever
theta is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Array = NDArray[np.float64]

_BLOCK = 1 << 15  # numbers in one array of a block: it stays in the cache
_COARSE, _FINE = (17, 8.0), (41, 6.0)  # points along an axis of the grid, and its half width in sd
_CHAINS, _WARM_UP = 50, 30
_LARGE = 600.0  # exp of it is still a float


@dataclass(frozen=True, eq=False)
class Told:
    """What Q said in each group of cases that it said the same of, and how often each class came true there.

    ``logs`` and ``possible`` are (K, groups), ``seen`` too.
    """

    logs: Array
    possible: NDArray[np.bool_]
    seen: Array

    @property
    def K(self) -> int:
        """The number of classes."""
        return int(self.logs.shape[0])


def prior_sds(K: int, shift_sd: float, slope_sd: float) -> Array:
    """Of theta: the difference of two b has standard deviation ``shift_sd``."""
    return np.append(np.full(K - 1, shift_sd / math.sqrt(2.0)), slope_sd)


def contrasts(K: int) -> Array:
    """H, (K, K - 1); for two classes b = (-u, u)/sqrt(2)."""
    H = np.zeros((K, K - 1))
    for k in range(1, K):
        H[:k, k - 1] = -1.0
        H[k, k - 1] = k
        H[:, k - 1] /= math.sqrt(k * (k + 1.0))
    return H


def log_posterior(theta: Array, told: Told, sds: Array) -> Array:
    """The log of prior times likelihood for each row of ``theta``, up to a constant."""
    b, slope = offsets(theta), 1.0 + theta[:, -1]
    result: Array = b @ told.seen.sum(axis=1) + slope * float((told.seen * told.logs).sum())
    result -= 0.5 * np.square(theta / sds).sum(axis=1)
    cases = told.seen.sum(axis=0)
    logs, most = _below_zero(told.logs[:, None], told.possible[:, None])
    result -= slope * float(most[0] @ cases)
    step = max(1, _BLOCK // cases.size)
    for start in range(0, len(theta), step):
        part = slice(start, start + step)
        total, _none, top = _sums(b[part], slope[part], logs, told.possible[:, None], None)
        result[part] -= (np.log(total) + top) @ cases
    return result


def offsets(theta: Array) -> Array:
    """b of each row of ``theta``, (thetas, K)."""
    return np.asarray(theta[:, :-1] @ contrasts(theta.shape[1]).T)


def expected(theta: Array, logs: Array, possible: NDArray[np.bool_], values: Array) -> Array:
    """sum_k p(k) values_k for each theta, (thetas, rows); the others are (K, 1 or thetas, rows)."""
    b, slope = offsets(theta), 1.0 + theta[:, -1]
    if len(logs) == 2 and possible.all():
        p = expit((b[:, 1] - b[:, 0])[:, None] + slope[:, None] * (logs[1] - logs[0]))
        return np.asarray(values[0] + p * (values[1] - values[0]))
    total, weighted, _top = _sums(b, slope, _below_zero(logs, possible)[0], possible, values)
    return np.asarray(weighted / total)


def _below_zero(logs: Array, possible: NDArray[np.bool_]) -> tuple[Array, Array]:
    """The logs less the largest of each row, and that."""
    most = np.where(possible, logs, -np.inf).max(axis=0)
    return logs - most, most


def _sums(
    b: Array, slope: Array, logs: Array, possible: NDArray[np.bool_], values: Array | None
) -> tuple[Array, Array | float, Array | float]:
    """sum_k exp(z_k - top) and the same with values_k as weights; a class at a time, which holds little."""

    everywhere = bool(possible.all())

    def z(k: int) -> Array:
        found = slope[:, None] * logs[k]
        found += b[:, k, None]
        return found if everywhere else np.where(possible[k], found, -np.inf)

    # the logs are 0 or less, so only a negative slope, or none at all, can make exp overflow
    top: Array | float = 0.0
    if np.abs(b).max() - min(float(slope.min()), 0.0) * float(np.abs(logs).max()) > _LARGE:
        top = np.max([z(k) for k in range(len(logs))], axis=0)
    total, weighted = np.zeros((len(b), logs.shape[2])), 0.0
    for k in range(len(logs)):
        e = z(k)
        if not isinstance(top, float):
            e -= top
        np.exp(e, out=e)
        total += e
        if values is not None:
            weighted = weighted + e * values[k]
    return total, weighted, top


def mode(told: Told, sds: Array) -> tuple[Array, Array]:
    """The most probable theta, and a root of the inverse Hessian there, by Newton's method with halving."""
    theta, height = np.zeros(told.K), -math.inf
    for _ in range(100):
        slope, curvature = _derivatives(theta, told, sds)
        step, reach = np.linalg.solve(curvature, slope), 1.0
        height = float(log_posterior(theta[None], told, sds)[0])
        while (
            float(log_posterior((theta + reach * step)[None], told, sds)[0]) < height - 1e-9 and reach > 1e-9
        ):
            reach *= 0.5
        theta = theta + reach * step
        if float(slope @ step) < 1e-10:
            break
    curvature = _derivatives(theta, told, sds)[1]
    return theta, np.asarray(np.linalg.inv(np.linalg.cholesky(curvature)).T)


def _derivatives(theta: Array, told: Told, sds: Array) -> tuple[Array, Array]:
    """The gradient of the log posterior, and minus its Hessian."""
    H, cases = contrasts(told.K), told.seen.sum(axis=0)
    # of the indicator of one class the expected value is its p
    possible, each = told.possible[:, None], np.eye(told.K)[:, :, None, None]
    p = np.stack([expected(theta[None], told.logs[:, None], possible, one)[0] for one in each])
    missed = told.seen - cases * p
    gradient = np.append(missed.sum(axis=1) @ H, (missed * told.logs).sum()) - theta / np.square(sds)
    weighted, mean_log = cases * p, (p * told.logs).sum(axis=0)
    of_b = np.diag(weighted.sum(axis=1)) - weighted @ p.T
    cross = (weighted * (told.logs - mean_log)).sum(axis=1)
    curvature = np.diag(1.0 / np.square(sds))
    curvature[:-1, :-1] += H.T @ of_b @ H
    curvature[:-1, -1] += H.T @ cross
    curvature[-1, :-1] += H.T @ cross
    curvature[-1, -1] += float((weighted * np.square(told.logs - mean_log)).sum())
    return gradient, curvature


def draw(told: Told, sds: Array, size: int, rng: np.random.Generator) -> Array:
    """Posterior draws of theta, (size, K): of two classes by quadrature, of more by elliptical slices."""
    if told.K == 2:
        return _from_grid(told, sds, size, rng)
    return _from_slices(told, sds, size, rng)


def _from_grid(told: Told, sds: Array, size: int, rng: np.random.Generator) -> Array:
    """From the density on a grid in the plane, a rough one first to see where its weight is.

    Within a cell the draw is uniform, which adds h^2/12 to the variance for cells h wide: 0.8% at h = 0.3.
    """
    centre, root = mode(told, sds)
    for points, half in (_COARSE, _FINE):
        axis = np.linspace(-half, half, points)
        white = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
        theta = centre + white @ root.T
        logs = log_posterior(theta, told, sds)
        weight = np.exp(logs - logs.max())
        weight /= weight.sum()
        if points == _FINE[0]:
            break
        centre = weight @ theta
        apart = theta - centre
        root = np.linalg.cholesky((weight[:, None] * apart).T @ apart + 1e-12 * root @ root.T)
    chosen = np.searchsorted(np.cumsum(weight), (rng.permutation(size) + rng.random(size)) / size)
    h = axis[1] - axis[0]
    jitter = rng.uniform(-h / 2.0, h / 2.0, (size, 2))
    return np.asarray(theta[np.minimum(chosen, weight.size - 1)] + jitter @ root.T)


def _from_slices(told: Told, sds: Array, size: int, rng: np.random.Generator) -> Array:
    """Elliptical slice sampling about the Gaussian at the mode, many short chains side by side.

    The chains start from that Gaussian, which is the posterior but for its skewness.
    """
    centre, root = mode(told, sds)
    chains = min(_CHAINS, size)
    each = math.ceil(size / chains)
    now = rng.standard_normal((chains, told.K))

    def log_ratio(white: Array) -> Array:
        return np.asarray(
            log_posterior(centre + white @ root.T, told, sds) + np.square(white).sum(axis=1) / 2.0
        )

    height, kept = log_ratio(now), []
    for sweep in range(_WARM_UP + each):
        now, height = _slice(now, height, log_ratio, rng)
        if sweep >= _WARM_UP:
            kept.append(now)
    return np.asarray(centre + np.concatenate(kept)[:size] @ root.T)


def _slice(
    now: Array, height: Array, log_ratio: Callable[[Array], Array], rng: np.random.Generator
) -> tuple[Array, Array]:
    """One move of every chain along an ellipse through a fresh Gaussian draw."""
    other, level = rng.standard_normal(now.shape), height - rng.standard_exponential(len(now))
    angle = rng.uniform(0.0, 2.0 * math.pi, len(now))
    low, high = angle - 2.0 * math.pi, angle.copy()
    new, new_height = now.copy(), height.copy()
    waiting = np.arange(len(now))
    while waiting.size:
        a = angle[waiting, None]
        tried = now[waiting] * np.cos(a) + other[waiting] * np.sin(a)
        found = log_ratio(tried)
        good = found >= level[waiting]
        new[waiting[good]], new_height[waiting[good]] = tried[good], found[good]
        waiting = waiting[~good]
        below = angle[waiting] < 0.0
        low[waiting[below]] = angle[waiting[below]]
        high[waiting[~below]] = angle[waiting[~below]]
        angle[waiting] = rng.uniform(low[waiting], high[waiting])
    return new, new_height

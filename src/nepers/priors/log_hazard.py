"""A hazard whose log is a natural cubic spline in log time: its basis and its cumulative hazard.

With knots k_1 < ... < k_K in log time, v = log t - k_1, and coefficients theta,

    eta(v) = log h(t) + k_1 = sum_j theta_j B_j(v)          the log hazard per unit of the first knot
    H(t)   = integral from -inf to v of exp(eta(u) + u) du

B_1 = 1, B_2 = x = v / (k_K - k_1), and the other K - 2 are cubics in x between the knots and straight outside
them. There eta has the slopes ``ends @ theta``: a on the left, b on the right. The distribution has all its
probability on times above 0 and below infinity if and only if a > -1 (H starts at 0) and b > -1 (H goes to
infinity). The outer parts of H are in closed form; between the knots it is Gauss-Legendre quadrature.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_PANELS = 32  # between two neighbouring knots
_NODES = 4


class LogHazard:
    """The spline's basis for given knots (log times, increasing)."""

    def __init__(self, knots: Array) -> None:
        self.knots = knots
        self.width = float(knots[-1] - knots[0])
        self._x = (knots - knots[0]) / self.width

    def basis(self, v: Array) -> Array:
        """(..., K): each B_j at ``v``, log time less the first knot."""
        x = v / self.width
        cubes = [np.maximum(np.minimum(x, 1.0) - a, 0.0) ** 3 / (1.0 - a) for a in self._x[:-1]]
        inside = np.stack(
            [np.ones_like(x), np.minimum(x, 1.0), *(c - cubes[-1] for c in cubes[:-1])], axis=-1
        )
        return np.asarray(inside + np.maximum(v - self.width, 0.0)[..., None] * self.ends[1])

    @property
    def ends(self) -> Array:
        """(2, K): the slopes of eta left and right of the knots, for ``ends @ theta``."""
        k = self._x
        left = np.concatenate([[0.0, 1.0], np.zeros(k.size - 2)])
        right = np.concatenate([[0.0, 1.0], 3.0 * (k[-2] - k[:-2])])
        return np.stack([left, right]) / self.width

    def cumulative(self, v: Array) -> Cumulative:
        """H at the points ``v``, as a function of theta."""
        return Cumulative(self, v)


class Cumulative:
    """H and its gradient at fixed points: what does not depend on theta is worked out once."""

    def __init__(self, spline: LogHazard, v: Array) -> None:
        last = spline.knots - spline.knots[0]
        steps = np.linspace(last[:-1], last[1:], _PANELS, endpoint=False, axis=1).ravel()
        edges = np.append(steps, last[-1])
        inside = np.clip(v, 0.0, last[-1])
        self._panel = np.clip(np.searchsorted(edges, inside, side="right") - 1, 0, edges.size - 2)
        self._whole = _Pieces(spline, edges[:-1], edges[1:])
        self._part = _Pieces(spline, edges[self._panel], inside)
        self._left, self._right = v < 0.0, v > last[-1]
        self._out_left, self._out_right = v[self._left], v[self._right] - last[-1]
        self._first, self._final = spline.basis(np.array([0.0, last[-1]]))
        self._log_t = float(last[-1])
        self._ends = spline.ends

    def __call__(self, theta: Array) -> tuple[Array, Array]:
        """H (n,) and its gradient (n, K)."""
        start, d_start = self._until_first(theta, np.zeros(1))
        whole, d_whole = self._whole(theta)
        before = np.concatenate([start, start + np.cumsum(whole)])
        d_before = np.concatenate([d_start, d_start + np.cumsum(d_whole, axis=0)])
        part, d_part = self._part(theta)
        H, dH = before[self._panel] + part, d_before[self._panel] + d_part
        H[self._left], dH[self._left] = self._until_first(theta, self._out_left)
        more, d_more = self._from_last(theta)
        H[self._right] += more
        dH[self._right] += d_more
        return H, dH

    def _until_first(self, theta: Array, v: Array) -> tuple[Array, Array]:
        """exp(eta(0) + (a + 1) v) / (a + 1), for v up to 0."""
        grow = 1.0 + self._ends[0] @ theta
        H = np.exp(self._first @ theta + grow * v) / grow
        return H, H[:, None] * (self._first + (v - 1.0 / grow)[:, None] * self._ends[0])

    def _from_last(self, theta: Array) -> tuple[Array, Array]:
        """exp(eta(k) + k) (exp((b + 1) d) - 1) / (b + 1), d beyond the last knot k."""
        d, grow = self._out_right, 1.0 + self._ends[1] @ theta
        scale = np.exp(self._final @ theta + self._log_t)
        H = scale * np.expm1(grow * d) / grow
        d_grow = (scale * d * np.exp(grow * d) - H) / grow
        return H, H[:, None] * self._final + d_grow[:, None] * self._ends[1]


class _Pieces:
    """The integrals of exp(eta(u) + u) from each ``start`` to each ``end``."""

    def __init__(self, spline: LogHazard, start: Array, end: Array) -> None:
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        half = 0.5 * (end - start)
        self._u = (start + half)[:, None] + half[:, None] * nodes
        self._weights = half[:, None] * weights
        self._basis = spline.basis(self._u)

    def __call__(self, theta: Array) -> tuple[Array, Array]:
        mass = self._weights * np.exp(self._basis @ theta + self._u)
        return mass.sum(axis=1), np.einsum("pq,pqk->pk", mass, self._basis)

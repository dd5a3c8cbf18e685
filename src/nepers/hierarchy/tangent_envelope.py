"""Exact draws from a log-concave density on a half line, by rejection from its tangents.

A concave log density lies below each of its tangents, so the least of several tangents is an envelope
made of exponential pieces: easy to draw from, and close to the density where the points are well placed.
"""

from collections.abc import Callable

import numpy as np

from nepers.hierarchy.arrays import Array


class TangentEnvelope:
    """Tangents at increasing ``points``, with the log density's ``heights`` and ``slopes`` there.

    The last slope is negative; ``lower`` is the left end of the support.
    """

    def __init__(self, points: Array, heights: Array, slopes: Array, lower: float) -> None:
        self._points, self._heights, self._slopes = points, heights - heights.max(), slopes
        gap = np.diff(points)
        crossing = points[:-1] + (np.diff(heights) - slopes[1:] * gap) / (slopes[:-1] - slopes[1:])
        crossing = np.clip(crossing, points[:-1], points[1:])
        self._left = np.concatenate([[lower], crossing])
        self._right = np.concatenate([crossing, [np.inf]])
        length, steepness = self._right - self._left, np.abs(slopes)
        # each piece is measured from its higher end: the right one where the tangent rises
        self._high_end = np.where(slopes > 0.0, self._right, self._left)
        top = self._heights + slopes * (self._high_end - points)
        with np.errstate(divide="ignore", invalid="ignore"):
            area = np.where(steepness * length > 1e-12, -np.expm1(-steepness * length) / steepness, length)
        mass = np.exp(top) * area
        self._probability = mass / mass.sum()

    def draws(self, log_density: Callable[[Array], Array], n: int, rng: np.random.Generator) -> Array:
        """n independent draws from ``exp(log_density)``, of which the tangents were taken."""
        shift = float(log_density(self._points[np.argmax(self._heights)]))
        result = np.empty(n)
        filled = 0
        while filled < n:
            x, log_envelope = self._propose(n - filled + 8, rng)
            below = np.log1p(-rng.random(x.size)) <= log_density(x) - shift - log_envelope
            kept = x[below][: n - filled]
            result[filled : filled + kept.size] = kept
            filled += kept.size
        return result

    def _propose(self, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
        piece = rng.choice(self._probability.size, size=n, p=self._probability)
        u = rng.random(n)
        slope, length = self._slopes[piece], (self._right - self._left)[piece]
        steepness = np.abs(slope)
        flat = steepness * length <= 1e-12
        with np.errstate(divide="ignore", invalid="ignore"):
            bent = -np.log1p(u * np.expm1(-steepness * length)) / steepness
        distance = np.where(flat, u * np.where(flat, length, 0.0), bent)
        x = self._high_end[piece] - np.where(slope > 0.0, distance, -distance)
        return x, self._heights[piece] + slope * (x - self._points[piece])

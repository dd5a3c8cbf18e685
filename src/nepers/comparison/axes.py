"""One joint posterior of several J, from the posteriors of uncorrelated combinations of them.

Let the row vector x hold the log ratios of k algorithms in one case, and let the columns of the orthogonal
matrix V be the eigenvectors of the covariance of x over the cases. The coordinates z = x V, the *axes*, are
uncorrelated over the cases: the first is about what makes a case easy or hard for all algorithms, the others
are about what sets the algorithms apart. Each axis has its own distribution, a skew-Student mixture from the
hierarchy with N = 1, taken to be independent of the others' given V; a draw of all the J is

    J = E[z] V'

Any basis would serve for the means, as the mean is linear; this one makes the means of the axes uncorrelated
given the data, so that the joint posterior has the covariance that the cases show. What it leaves out is
dependence between axes beyond correlation, as when the same case is far out on several of them. A kind of
case that has not been seen yet (`nepers.atoms`) is added to the draws of J, and is bad for all at once.

V is orthogonal, so the prior of each J has the centre and spread that it has for one algorithm alone. With
one algorithm the axis is j itself.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nepers import atoms
from nepers.cases import RESOLUTION, LogRatios
from nepers.posterior import Posterior, posterior_of

if TYPE_CHECKING:
    from nepers.options import Options

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Axes:
    """The eigenvectors V (k, k), the widest first, and the posterior of each axis."""

    V: Array
    posteriors: tuple[Posterior, ...]

    @property
    def stopped(self) -> str:
        """Why the drawing ended: "budget" if the time was up on any axis."""
        reasons = {posterior.stopped for posterior in self.posteriors}
        return next((why for why in ("budget", "target", "independent") if why in reasons), "certain")

    def joint_draws(self, seed: np.random.SeedSequence) -> Array:
        """Draws of J, (draws, k), in nats: the axes' own draws in random order, put together."""
        if not self.posteriors:
            return np.empty((1, 0))
        pooled = [posterior.nats.ravel() for posterior in self.posteriors]
        size = min(draws.size for draws in pooled)
        streams = np.random.default_rng(seed).spawn(len(pooled))
        chosen = [rng.permutation(draws)[:size] for rng, draws in zip(streams, pooled, strict=True)]
        return np.asarray(np.column_stack(chosen) @ self.V.T)


def fit_axes(x: Array, options: Options, progress: bool | None) -> Axes:
    """The axes of the cases x (n, k) and their posteriors; the budget of time is for all of them together."""
    V = eigenvectors(x)
    # by rows one after the other, so that equal rows stay equal to the last digit
    z = np.einsum("ij,jk->ik", x, V)
    resolution = RESOLUTION * float(np.abs(x).max(initial=0.0))
    end = time.perf_counter() + options.max_seconds
    found = []
    # a kind of case that has not been seen is one for all algorithms: see `with_unseen`
    options = dataclasses.replace(options, hyperparameters=options.hyperparameters.replace(unseen=0.0))
    for i in range(V.shape[1]):
        left = max(end - time.perf_counter(), 0.0) / (V.shape[1] - i)
        own = dataclasses.replace(options, seed=_seed(options.seed, i), max_seconds=max(left, 1e-3))
        axis = LogRatios(z[:, i].copy(), np.arange(len(z)), None, resolution)
        found.append(posterior_of(axis, own, progress))
    return Axes(V, tuple(found))


def with_unseen(nats: Array, x: Array, distance: float, seed: np.random.SeedSequence) -> Array:
    """The draws of J with the unseen kind of `nepers.atoms`: cases that are bad for all algorithms at once.

    Its value is each algorithm's own, and none for one whose j only repeats.
    """
    resolution = RESOLUTION * float(np.abs(x).max(initial=0.0))
    result = nats.copy()
    for i, column in enumerate(x.T):
        kinds = atoms.with_unseen(atoms.split(column, resolution), distance)
        if kinds.unseen is not None:
            weights = atoms.unseen_weights(kinds, seed, len(nats))
            result[:, i] += weights * (kinds.unseen - nats[:, i])
    return result


def eigenvectors(x: Array) -> Array:
    """V (k, k), by falling eigenvalue; the largest entry of each is positive, so that V is unique."""
    n, k = x.shape
    if n < 2 or k < 2:
        return np.eye(k)
    _values, V = np.linalg.eigh(np.cov(x, rowvar=False).reshape(k, k))
    V = V[:, ::-1]
    largest = V[np.abs(V).argmax(axis=0), np.arange(k)]
    return np.asarray(V * np.where(largest < 0.0, -1.0, 1.0))


def _seed(seed: int, axis: int) -> int:
    """The seed itself for the first axis, so that one algorithm is assessed as it is alone."""
    return seed if axis == 0 else int(np.random.SeedSequence([seed, axis]).generate_state(1)[0])

"""The groups together say of the whole what the cases together say.

From each group's cases by themselves nothing is known of how bad the rare cases are that it has not met, and
much of how bad they are in a group that has met one: that group's posterior is wide. A family then leans on
the groups that were lucky, and the whole comes out too high. The posterior from all cases at once does not
have this fault, as it learns one tail from all. So the joint posterior of the J_g, in which the whole is

    J = sum_g w_g J_g

is given the J of that posterior for its whole, and otherwise changed as little as may be (Jeffrey's rule):
what is known of the J_g and the w_g given J stays. With J' the increasing map of J to its new law, and d the
step J' - J in units of J's variance,

    J_g' = J_g + d Cov(J_g, J),        w_g' proportional to w_g exp(d Cov(log w_g, J))

which is exact for Gaussians; what the curvature of w J leaves is added to the J_g in the same proportions.
So what moves most is what is least certain, and a group with many cases and a J_g of its own moves hardly at
all. The covariances are those of the draws with the outer 5% of each J_g drawn in, so that single draws in a
heavy tail do not decide.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_OUTER = 0.05


def anchored(nats: Array, weights: Array, whole: Array) -> tuple[Array, Array]:
    """Draws of J_g and w_g, (draws, groups), whose sums w_g J_g are at the quantiles of ``whole``'s draws."""
    J = (weights * nats).sum(axis=1)
    wanted = np.empty(J.size)
    wanted[np.argsort(J)] = np.quantile(whole, (np.arange(J.size) + 0.5) / J.size, method="hazen")
    inner = np.clip(nats, *np.quantile(nats, [_OUTER, 1.0 - _OUTER], axis=0))
    about = _centred((weights * inner).sum(axis=1))
    with_J = np.maximum(_covariances(inner, about), 1e-12 * inner.std())
    d = ((wanted - J) / (about @ about / J.size))[:, None]
    moved = weights * np.exp(d * _covariances(np.log(weights), about))
    moved /= moved.sum(axis=1, keepdims=True)
    nats = nats + d * with_J
    left = (wanted - (moved * nats).sum(axis=1)) / (moved @ with_J)
    return nats + left[:, None] * with_J, moved


def _covariances(x: Array, about: Array) -> Array:
    return np.asarray(about @ _centred(x) / about.size)


def _centred(x: Array) -> Array:
    return np.asarray(x - x.mean(axis=0))

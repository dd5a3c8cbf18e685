"""Do the log ratios look like anything that the prior expects? If not, they may be in another unit.

Samples are drawn from the prior: parameters, then as many j as there are, up to a hundred. Three numbers of
the cases (of a hundred of them, if there are more) are held against those of the samples: the median, the
middle distance from it, and the farthest. Where one is beyond all but one in a thousand of the samples, on
either side, the prior did not expect it. Of data from the prior itself that happens to six samples in a
thousand, or fewer.

The prior of s j under scale s is that of j, so the samples are made once for a table of hyperparameters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

Array = NDArray[np.float64]

_SAMPLES, _LONGEST, _FEWEST = 4000, 100, 5
_RARE = 0.001
_SEED = 20261  # any fixed one: the check is then a function of the cases


def conflict(values: Array, hyperparameters: Hyperparameters, scale: float) -> str | None:
    """What the prior did not expect of these values, and the remedy, in words; None if it did."""
    if values.size < _FEWEST:
        return None
    if values.size > _LONGEST:
        values = np.random.default_rng(_SEED).choice(values, _LONGEST, replace=False)
    own = _numbers(values[None] / scale)[:, 0]
    low, high = _usual(hyperparameters, values.size)
    for name, x, least, most in zip(_NAMES, own, low, high, strict=True):
        if x < least or x > most:
            return _words(name, x * scale, (least * scale, most * scale), own, scale)
    return None


_NAMES = ("median", "middle distance from the median", "largest distance from the median")


def _numbers(samples: Array) -> Array:
    """The three numbers of each row, (3, rows)."""
    median = np.median(samples, axis=1)
    apart = np.abs(samples - median[:, None])
    return np.stack([median, np.median(apart, axis=1), apart.max(axis=1)])


@lru_cache(maxsize=256)
def _usual(hyperparameters: Hyperparameters, size: int) -> tuple[Array, Array]:
    """Between what the three numbers lie in nearly all samples of this size."""
    low, high = np.quantile(_numbers(_samples(hyperparameters)[:, :size]), (_RARE, 1.0 - _RARE), axis=1)
    return low, high


@lru_cache(maxsize=8)
def _samples(hyperparameters: Hyperparameters) -> Array:
    """Samples of j, each from its own draw of the parameters, (samples, cases)."""
    from nepers.hierarchy.prior import cases_of_each, prior_rows

    rng = np.random.default_rng(_SEED)
    return cases_of_each(prior_rows(hyperparameters, _SAMPLES, rng), _LONGEST, rng)


def _words(name: str, x: float, usual: tuple[float, float], own: Array, scale: float) -> str:
    size = max(abs(own[0]), own[1]) * scale
    return (
        f"The prior did not expect these log ratios: their {name} is {x:.3g} nats, and in nearly all of "
        f"{_SAMPLES:,} samples from the prior it was {usual[0]:.2g} to {usual[1]:.2g}. See that they are "
        "log Q - log P in nats, with both logs natural and of the same thing. If they are, give "
        f"scale={size:.2g}, the size of a typical one, or hyperparameters widened by Hyperparameters.widen."
    )

"""A mixture made ready for all cases of which the same coordinates are known, as in `nepers.conditional`."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from nepers.conditional.gaussians import Gaussians
from nepers.hierarchy import Mixture
from nepers.prediction.observations import Noise

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

# what is below exp(-REACH) of the largest is left out, unless it is wanted far out in the tails
REACH, FAR_REACH = 30.0, 600.0


@dataclass(frozen=True, eq=False)
class Pattern:
    """Of each component what the kernel needs: see `nepers.conditional.places.place_gaussians`."""

    form: Array  # (R, K, K)
    centre: Array  # (R, K)
    d: Array
    nu: Array
    c: Array
    c_n: Array
    numbers: Array  # (R, 7)
    m_n: float

    def gaussians(self, y: Array, reach: float = REACH) -> Gaussians:
        """The distribution of the coordinate asked for, given the known ones y (K,)."""
        from nepers.conditional.places import place_gaussians
        from nepers.gibbs.tilt import tilt_table

        y = np.ascontiguousarray(y)
        parts = (self.form, self.centre, self.d, self.nu, self.c, self.c_n, self.numbers)
        found = place_gaussians(y, *parts, self.m_n, reach, tilt_table())
        wider = None if reach == FAR_REACH else lambda: self.gaussians(y, FAR_REACH)
        return Gaussians(found[0], found[1], found[2], float(found[3]), wider)


def pattern(
    mixture: Mixture, covariances: Array, noise: Noise | None, target: int, known: Rows, noisy: bool
) -> Pattern:
    """For the coordinate ``target``, given those numbered ``known``; with its own noise if ``noisy``.

    ``covariances`` are the inverses of the mixture's S.
    """
    used = np.flatnonzero(mixture.p > 0.0)
    Sigma = covariances[used]
    root = np.linalg.cholesky(Sigma[:, known[:, None], known])
    form: Array = np.asarray(np.linalg.inv(root), dtype=np.float64)
    d: Array = np.zeros((used.size, known.size))
    m_n = 0.0
    of_noise: Array = np.zeros((mixture.N, mixture.N))
    if noise is not None:
        m_n, of_noise = noise.m, np.asarray(np.linalg.inv(noise.S), dtype=np.float64)
        within = form @ of_noise[known[:, None], known] @ form.transpose(0, 2, 1)
        scales, basis = np.linalg.eigh(within)
        d = np.maximum(scales, 0.0)  # rounding may put a zero just below
        form = np.asarray(basis.transpose(0, 2, 1) @ form, dtype=np.float64)

    def whitened(columns: Array) -> Array:
        return np.ascontiguousarray(np.einsum("rij,rj->ri", form, columns))

    m, r = mixture.m[used], mixture.r[used]
    constant = np.log(mixture.p[used]) + m * np.log(r) - gammaln(m) + math.log(2.0)
    constant -= np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
    constant -= 0.5 * known.size * math.log(2.0 * math.pi)
    if m_n > 0.0:
        constant += m_n * math.log(m_n) - gammaln(m_n)
    own = float(of_noise[target, target]) if noisy else 0.0
    with_noise = of_noise[target, known] if noisy else np.zeros(known.size)
    columns = (
        constant,
        2.0 * (m + m_n) + known.size,
        r,
        mixture.mu[used, target],
        mixture.nu[used, target],
        Sigma[:, target, target],
        np.full(used.size, own),
    )
    return Pattern(
        form=np.ascontiguousarray(form),
        centre=np.ascontiguousarray(mixture.mu[used][:, known]),
        d=d,
        nu=whitened(mixture.nu[used][:, known]),
        c=whitened(Sigma[:, target, known]),
        c_n=whitened(np.broadcast_to(with_noise, (used.size, known.size))),
        numbers=np.ascontiguousarray(np.column_stack(columns)),
        m_n=m_n,
    )

"""What the chains return: posterior draws of the hierarchy, chains side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Draws:
    """Posterior draws; every array begins with the axes (chain, draw).

    The components of all draws lie end to end: those of chain i, draw k are rows
    `first[i, k]` to `first[i, k] + C[i, k]` of p, mu, nu, S and m.
    """

    J: Array  # (chains, draws, N): the mean of the mixture
    log_likelihood: Array  # (chains, draws)
    C: NDArray[np.int64]  # (chains, draws)
    mu_mu: Array  # (chains, draws, N)
    S_mu: Array  # (chains, draws, N, N)
    R_S_mu: Array  # (chains, draws, N, N)
    m_S: Array  # (chains, draws)
    R_S: Array  # (chains, draws, N, N)
    first: NDArray[np.int64]  # (chains, draws)
    p: Array  # (rows,)
    mu: Array  # (rows, N)
    nu: Array  # (rows, N)
    S: Array  # (rows, N, N)
    m: Array  # (rows,)
    shape_type: int  # 1: r = m - 1; 2: r = m

    @property
    def chains(self) -> int:
        return self.C.shape[0]

    @property
    def draws(self) -> int:
        return self.C.shape[1]

    @property
    def r(self) -> Array:
        return self.m - 1.0 if self.shape_type == 1 else self.m

    def mixture(self, chain: int, draw: int) -> Any:
        """The mixture of one draw, as a `nepers.hierarchy.Mixture`."""
        from nepers.hierarchy import Mixture

        start = self.first[chain, draw]
        rows = slice(start, start + self.C[chain, draw])
        return Mixture(
            p=self.p[rows], mu=self.mu[rows], nu=self.nu[rows], S=self.S[rows], m=self.m[rows], r=self.r[rows]
        )

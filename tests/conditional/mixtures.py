"""Mixtures to test with: lopsided, correlated, with skewness in every direction."""

import numpy as np

from nepers.hierarchy import Mixture


def some_mixture(C, N, seed, m=(0.8, 6.0)):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(C, N, N))
    shape = rng.uniform(*m, C)
    return Mixture(
        p=rng.dirichlet(np.full(C, 3.0)),
        mu=rng.normal(size=(C, N)),
        nu=0.8 * rng.normal(size=(C, N)),
        S=root @ root.transpose(0, 2, 1) + 0.5 * np.eye(N),
        m=shape,
        r=0.8 * shape,
    )


def marginal_of(mixture, coordinates):
    """What coordinates have by themselves: the same alphas, and these of mu, nu and S^-1."""
    covariances = np.linalg.inv(mixture.S)[:, coordinates][:, :, coordinates]
    chosen = {name: getattr(mixture, name)[:, coordinates] for name in ("mu", "nu")}
    return Mixture(p=mixture.p, S=np.linalg.inv(covariances), m=mixture.m, r=mixture.r, **chosen)

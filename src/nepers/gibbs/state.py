"""What a chain holds: constants, hyperparameters being inferred, components, and sums over cases.

The names are the paper's; N is the dimension, `room` the number of components there is space for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nepers.gibbs.compiled import step
from nepers.gibbs.tilt import WIDEST

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

BLOCK = 512  # cases handled together, so that their densities stay in the fast cache


class Constants(NamedTuple):
    """The hyperparameters of the top of the hierarchy, as the kernels take them."""

    N: int
    shape_type: int
    m_lower: float
    fixed_C: int  # 0: unknown
    kappa_nu: float
    kappa_eta: float
    kappa_C: float
    mu_mu_mu: np.ndarray
    S_mu_mu: np.ndarray
    m_S_mu: float
    m_R_S_mu: float
    R_R_S_mu: np.ndarray
    a_m: float
    b_m: float
    m_R_S: float
    R_R_S: np.ndarray
    a_m_S: float
    b_m_S: float


class Upper(NamedTuple):
    """What is inferred above the components."""

    mu_mu: np.ndarray  # (N,)
    S_mu: np.ndarray  # (N, N)
    R_S_mu: np.ndarray  # (N, N)
    m_S: np.ndarray  # (1,)
    R_S: np.ndarray  # (N, N)


class Components(NamedTuple):
    """The components, in the first C[0] rows, and what is derived from them for their densities."""

    C: np.ndarray  # (1,) int64
    log_p: np.ndarray  # (room,)
    mu: np.ndarray  # (room, N)
    nu: np.ndarray  # (room, N)
    S: np.ndarray  # (room, N, N)
    m: np.ndarray  # (room,)
    # derived
    U: np.ndarray  # (room, N, N): S = U'U
    w: np.ndarray  # (room, N): U nu
    a: np.ndarray  # (room,): 2m + N - 1
    r: np.ndarray  # (room,)
    level: np.ndarray  # (room,): the part of the log density that no case changes
    tilt: np.ndarray  # (room, WIDEST): the polynomial of `nepers.gibbs.tilt`
    span: np.ndarray  # (room,) int64: which of its ranges, -1 for none


class Sums(NamedTuple):
    """Sums over the cases of each component, given allocations and alpha."""

    count: np.ndarray  # (room,)
    alpha: np.ndarray  # (room,)
    root: np.ndarray  # (room,): of sqrt(alpha)
    log: np.ndarray  # (room,): of log(alpha)
    alpha_x: np.ndarray  # (room, N)
    root_x: np.ndarray  # (room, N)
    alpha_xx: np.ndarray  # (room, N, N), upper triangle


def make_constants(h: Hyperparameters) -> Constants:
    return Constants(
        N=h.N,
        shape_type=h.shape_type,
        m_lower=float(h.m_lower),
        fixed_C=0 if h.C is None else h.C,
        kappa_nu=float(h.kappa_nu),
        kappa_eta=float(h.kappa_eta),
        kappa_C=float(h.kappa_C),
        mu_mu_mu=np.array(h.mu_mu_mu),
        S_mu_mu=np.array(h.S_mu_mu),
        m_S_mu=float(h.m_S_mu),
        m_R_S_mu=float(h.m_R_S_mu),
        R_R_S_mu=np.array(h.R_R_S_mu),
        a_m=float(h.a_m),
        b_m=float(h.b_m),
        m_R_S=float(h.m_R_S),
        R_R_S=np.array(h.R_R_S),
        a_m_S=float(h.a_m_S),
        b_m_S=float(h.b_m_S),
    )


@step
def make_upper(N):
    return Upper(np.zeros(N), np.eye(N), np.eye(N), np.array([2.0]), np.eye(N))


@step
def make_components(room, N):
    return Components(
        np.zeros(1, np.int64),
        np.zeros(room),
        np.zeros((room, N)),
        np.zeros((room, N)),
        np.zeros((room, N, N)),
        np.zeros(room),
        np.zeros((room, N, N)),
        np.zeros((room, N)),
        np.zeros(room),
        np.zeros(room),
        np.zeros(room),
        np.zeros((room, WIDEST)),
        np.zeros(room, np.int64),
    )


@step
def make_sums(room, N):
    return Sums(
        np.zeros(room),
        np.zeros(room),
        np.zeros(room),
        np.zeros(room),
        np.zeros((room, N)),
        np.zeros((room, N)),
        np.zeros((room, N, N)),
    )


@step
def copy_component(source, i, target, k):
    """Make component k of target a copy of component i of source."""
    target.log_p[k] = source.log_p[i]
    target.mu[k] = source.mu[i]
    target.nu[k] = source.nu[i]
    target.S[k] = source.S[i]
    target.m[k] = source.m[i]
    target.U[k] = source.U[i]
    target.w[k] = source.w[i]
    target.a[k] = source.a[i]
    target.r[k] = source.r[i]
    target.level[k] = source.level[i]
    target.tilt[k] = source.tilt[i]
    target.span[k] = source.span[i]


@step
def with_room(components, room):
    """The same components with space for more."""
    grown = make_components(room, components.mu.shape[1])
    grown.C[0] = components.C[0]
    for c in range(components.C[0]):
        copy_component(components, c, grown, c)
    return grown

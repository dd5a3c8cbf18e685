"""What a chain holds, as records: one type for each, made for the dimension N.

The names are the paper's. N is part of the types, so the compiler knows it, and one dimension costs nothing.
Kernels take single records by reference and change them in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.gibbs.compiled import inner, maker
from nepers.gibbs.tilt import WIDEST

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters, Parameters

Fields = Sequence[tuple[str, str, tuple[int, ...]]]


def _record(fields: Fields) -> np.dtype[Any]:
    return np.dtype(list(fields), align=True)


def constants_type(N: int) -> np.dtype[Any]:
    """The hyperparameters, as the kernels take them."""
    scalars = [
        "m_lower",
        "kappa_nu",
        "kappa_eta",
        "kappa_C",
        "m_S_mu",
        "m_R_S_mu",
        "a_m",
        "b_m",
        "m_R_S",
        "a_m_S",
        "b_m_S",
    ]
    scalars.append("log_norm_m")  # log of the integral of the proGamma kernel of m
    scalars.append("power")  # of the Gaussian factor of the likelihood: 1 but on the way to the evidence
    scalars += ["finest", "finest_unit"]  # of points with weights: see `nepers.gibbs.narrow`
    matrices = ["S_mu_mu", "R_R_S_mu", "R_R_S"]
    return _record(
        [(name, "i8", ()) for name in ("shape_type", "m_S_type", "N_m", "fixed_C", "renewals")]
        + [("mu_mu_mu", "f8", (N,))]
        + [(name, "f8", ()) for name in scalars]
        + [(name, "f8", (N, N)) for name in matrices]
    )


def upper_type(N: int) -> np.dtype[Any]:
    """What is inferred above the components; r_S is m_S - 1, without its rounding error."""
    return _record(
        [("C", "i8", ()), ("m_S", "f8", ()), ("r_S", "f8", ()), ("mu_mu", "f8", (N,))]
        + [(name, "f8", (N, N)) for name in ("S_mu", "R_S_mu", "R_S")]
    )


def component_type(N: int) -> np.dtype[Any]:
    """A component, what is derived from it for its density, and what a jump would change."""
    return _record(
        [
            ("log_p", "f8", ()),
            ("mu", "f8", (N,)),
            ("nu", "f8", (N,)),
            ("S", "f8", (N, N)),
            ("m", "f8", ()),
            # derived
            ("U", "f8", (N, N)),  # S = U'U
            ("w", "f8", (N,)),  # U nu
            # derived for its density, to the power of the constants
            ("V", "f8", (N, N)),  # sqrt(power) U
            ("v", "f8", (N,)),  # sqrt(power) w
            ("a", "f8", ()),  # 2m + power N - 1
            ("r", "f8", ()),
            ("level", "f8", ()),  # the part of the log density that no case changes
            ("tilt", "f8", (WIDEST,)),  # the polynomial of nepers.gibbs.tilt
            ("span", "i8", ()),  # which of its ranges; -1: none
            # proposed
            ("next_log_p", "f8", ()),  # -inf: to be removed
            ("touched", "i8", ()),  # 1: the weight changes otherwise than in proportion with the others
        ]
    )


def sums_type(N: int) -> np.dtype[Any]:
    """Sums over the cases of one component, given allocations and alpha.

    x is measured from an origin near them, or the sums of far and narrow clusters would cancel to nothing.
    """
    scalars = ["count", "alpha", "root", "log"]  # of 1, alpha, sqrt(alpha), log(alpha)
    return _record(
        [(name, "f8", ()) for name in scalars]
        + [(name, "f8", (N,)) for name in ("origin", "alpha_x", "root_x")]
        + [("alpha_xx", "f8", (N, N))]
    )


def desk_type(N: int) -> np.dtype[Any]:
    """Room to work on matrices and vectors of dimension N, and on the three tangents of an envelope."""
    return _record(
        [(name, "f8", (N, N)) for name in ("A", "U", "T")]
        + [(name, "f8", (N,)) for name in ("b", "d")]
        + [(name, "f8", (3,)) for name in ("touch", "height", "slope", "start", "area")]
    )


def gap_desk_type(N: int) -> np.dtype[Any]:
    """Room to work on the unknown entries of a case, and on its y_0."""
    return _record(
        [(name, "f8", (N + 1, N + 1)) for name in ("A", "U")]
        + [("P", "f8", (N, N))]
        + [(name, "f8", (N + 1,)) for name in ("b", "d", "e")]
        + [(name, "f8", (N,)) for name in ("mean", "old")]
        + [("unknown", "i8", (N + 1,))]
    )


def side_type(N: int) -> np.dtype[Any]:
    """Estimates of one side of a split: U'U is the inverse of S, or the rate of S and the weight of mu."""
    return _record(
        [
            ("mu", "f8", (N,)),
            ("nu", "f8", (N,)),
            ("U", "f8", (N, N)),
            ("weight", "f8", ()),
            ("count", "f8", ()),
        ]
    )


def kept_type(N: int) -> np.dtype[Any]:
    """What is kept of one draw, but for its components."""
    return _record(
        [("J", "f8", (N,)), ("log_likelihood", "f8", ()), ("C", "i8", ())]
        + [("mu_mu", "f8", (N,)), ("m_S", "f8", ())]
        + [(name, "f8", (N, N)) for name in ("S_mu", "R_S_mu", "R_S")]
    )


def row_type(N: int) -> np.dtype[Any]:
    """What is kept of one component."""
    return _record(
        [("p", "f8", ()), ("m", "f8", ()), ("mu", "f8", (N,)), ("nu", "f8", (N,)), ("S", "f8", (N, N))]
    )


def make_constants(h: Hyperparameters, power: float = 1.0, renewals: int = 0) -> NDArray[Any]:
    from nepers.hierarchy import ProGamma

    constants = np.zeros(1, constants_type(h.N))
    given = {name: getattr(h, name) for name in constants.dtype.names or () if hasattr(h, name)}
    prior = ProGamma(h.a_m, h.b_m, N=1, type=h.shape_type, lower=h.m_lower)
    somewhere = h.m_lower + 1.0
    log_norm = float(prior.log_kernel(somewhere) - prior.logpdf(somewhere))
    own = {"fixed_C": h.C or 0, "m_S_type": 1, "log_norm_m": log_norm, "power": power, "renewals": renewals}
    for name, value in (given | own).items():
        constants[name] = value
    return constants


def make_upper(start: Parameters) -> NDArray[Any]:
    C, N = start.mixture.mu.shape
    upper = np.zeros(1, upper_type(N))
    upper["C"] = C
    upper["r_S"] = start.m_S - 1.0
    for name in ("mu_mu", "S_mu", "R_S_mu", "m_S", "R_S"):
        upper[name] = np.reshape(getattr(start, name), upper[name].shape[1:])
    return upper


def make_components(start: Parameters, room: int) -> NDArray[Any]:
    C, N = start.mixture.mu.shape
    components = np.zeros(max(room, C), component_type(N))
    components["log_p"][:C] = np.log(start.mixture.p)
    for name in ("mu", "nu", "S", "m"):
        components[name][:C] = getattr(start.mixture, name)
    return components


@inner
def clear_sums(sums):
    sums.count = 0.0
    sums.alpha = 0.0
    sums.root = 0.0
    sums.log = 0.0
    N = sums.alpha_x.size
    for i in range(N):
        sums.origin[i] = 0.0
        sums.alpha_x[i] = 0.0
        sums.root_x[i] = 0.0
        for j in range(N):
            sums.alpha_xx[i, j] = 0.0


@inner
def temper_sums(sums, power, out):
    """The sums as they count where each case's Gaussian factor has this power."""
    out.count = power * sums.count
    out.alpha = power * sums.alpha
    out.root = power * sums.root
    N = sums.alpha_x.size
    for i in range(N):
        out.origin[i] = sums.origin[i]
        out.alpha_x[i] = power * sums.alpha_x[i]
        out.root_x[i] = power * sums.root_x[i]
        for j in range(N):
            out.alpha_xx[i, j] = power * sums.alpha_xx[i, j]


@maker
def with_room(records, room):
    """The same records, with space for more."""
    more = np.zeros(room, records.dtype)
    for i in range(records.size):
        more[i] = records[i]
    return more

"""The constants of the hierarchy, as one frozen object, and the two tables of them in the paper."""

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nepers.errors import InputError
from nepers.hierarchy.arrays import Array, number, positive, precision_matrix, read_only, vector, whole_number

_POSITIVE = ("kappa_nu", "kappa_eta", "m_S_mu", "m_R_S_mu", "a_m", "b_m", "m_R_S", "a_m_S", "b_m_S")
_MATRICES = ("S_mu_mu", "R_R_S_mu", "R_R_S")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Hyperparameters:
    """The constants at the top of the hierarchy; ``nepers.hierarchy`` says where each one enters.

    For N = 1 the vector and the matrices may be given as plain numbers. Beyond the paper's constants:

    shape_type: 1 takes r = m - 1 and a type 1 proGamma for m_c (every component has a finite variance);
        2 takes r = m and type 2.
    m_lower: cut of the prior of m_c from below; left out, it is 1 for type 1 and 0 for type 2. A type 2
        component has a mean for m_c > 1/2 only.
    C: None for an unknown number of components under the geometric prior, or the number itself.
    unseen: how far below the mean a kind of case lies that has not been seen yet, c of `nepers.atoms`; 0 for
        no such kind. It stands beside the hierarchy, for N = 1 only.
    """

    N: int
    N_m: int = 1
    kappa_nu: float
    kappa_eta: float
    kappa_C: float
    mu_mu_mu: Array
    S_mu_mu: Array
    m_S_mu: float
    m_R_S_mu: float
    R_R_S_mu: Array
    a_m: float
    b_m: float
    m_R_S: float
    R_R_S: Array
    a_m_S: float
    b_m_S: float
    shape_type: int = 1
    m_lower: float = math.nan
    C: int | None = None
    unseen: float = 0.0

    def __post_init__(self) -> None:
        N = whole_number("N", self.N, 1)
        checked: dict[str, Any] = {"N": N, "N_m": whole_number("N_m", self.N_m, 1)}
        checked.update((name, positive(name, getattr(self, name))) for name in _POSITIVE)
        checked.update((name, precision_matrix(name, getattr(self, name), N)) for name in _MATRICES)
        checked["mu_mu_mu"] = vector("mu_mu_mu", self.mu_mu_mu, N)
        checked["kappa_C"] = number("kappa_C", self.kappa_C)
        if not 0.0 < checked["kappa_C"] < 1.0:
            raise InputError(f"kappa_C must lie between 0 and 1; it is {self.kappa_C}")
        if self.shape_type not in (1, 2):
            raise InputError(f"shape_type must be 1 or 2; it is {self.shape_type!r}")
        checked["shape_type"] = int(self.shape_type)
        checked["m_lower"] = _lower_cut(self.shape_type, self.m_lower)
        checked["C"] = None if self.C is None else whole_number("C", self.C, 1)
        checked["unseen"] = number("unseen", self.unseen)
        if checked["unseen"] < 0.0:
            raise InputError(f"unseen must be 0 or above; it is {self.unseen}")
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def scaled(self, unit: float) -> "Hyperparameters":
        """The same model of data that are all multiplied by ``unit``.

        Locations take one factor, precisions two inverse ones; a Wishart's rate, being an inverse
        precision, takes two, and the rate of that rate two inverse ones again.
        """
        unit = positive("unit", unit)
        inverse_square = {name: getattr(self, name) / unit**2 for name in _MATRICES}
        return self.replace(mu_mu_mu=self.mu_mu_mu * unit, **inverse_square)

    def widen(self, size: float) -> "Hyperparameters":
        """The same with J between -size and size nats a priori with probability 0.95: for much information.

        Locations spread by as much as that takes; the components stay as narrow as they were. ``scaled``
        stretches everything instead: for j in another unit, or larger in every way. `nepers.look_at_prior`
        shows the result.
        """
        from nepers.hierarchy.widening import widened

        return widened(self, size)

    def replace(self, **changes: Any) -> "Hyperparameters":
        """A copy with some fields changed; a new ``shape_type`` brings its own ``m_lower``."""
        current = {field.name: getattr(self, field.name) for field in fields(self)}
        unknown = sorted(set(changes) - set(current))
        if unknown:
            raise InputError(f"{unknown[0]} must be a field of Hyperparameters, one of {', '.join(current)}")
        if changes.get("shape_type", self.shape_type) != self.shape_type:
            current["m_lower"] = math.nan
        return Hyperparameters(**{**current, **changes})

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain numbers and nested lists, fit for JSON; exact."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in values.items()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Hyperparameters":
        """The inverse of ``to_dict``."""
        known = {field.name for field in fields(cls)}
        for name in values:
            if name not in known:
                raise InputError(f"{name} must be a field of Hyperparameters")
        missing = [n for n in known - {"N_m", "shape_type", "m_lower", "C", "unseen"} if n not in values]
        if missing:
            raise InputError(f"{min(missing)} must be given; it is missing")
        return cls(**values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hyperparameters) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(tuple(np.asarray(v).tobytes() for v in self.to_dict().values() if v is not None))

    def __repr__(self) -> str:
        count = "unknown" if self.C is None else self.C
        return (
            f"Hyperparameters(N={self.N}, C {count}, shape_type={self.shape_type}, m_lower={self.m_lower:g})"
        )


def paper() -> Hyperparameters:
    """The paper's table for log ratios j in nats, to the digit."""
    return Hyperparameters(
        N=1,
        N_m=1,
        kappa_nu=1.0,
        kappa_eta=10.0,
        kappa_C=0.9,
        mu_mu_mu=np.zeros(1),
        S_mu_mu=np.ones((1, 1)),
        m_S_mu=1.1,
        m_R_S_mu=2.0,
        R_R_S_mu=np.full((1, 1), 2.8),
        a_m=1.0,
        b_m=3.0,
        m_R_S=2.0,
        R_R_S=np.full((1, 1), 200.0),
        a_m_S=1.0,
        b_m_S=2.0,
    )


def calibrated() -> Hyperparameters:
    """For log ratios j in nats, chosen so that the 95% interval of J should keep its promise.

    It differs from the paper's table in six places: r = m with shapes down to 0.9, so that a component may
    have an infinite variance; the scale of components is learned (a wide prior of R_S); fewer components,
    whose weights may be small, so that a few far cases may be a component of their own; and a kind of case
    that has not been seen yet.
    """
    return paper().replace(
        kappa_eta=1.0,
        kappa_C=0.6,
        m_R_S=0.5,
        R_R_S=np.full((1, 1), 2.0),
        shape_type=2,
        m_lower=0.9,
        unseen=0.5,
    )


def prostate(mean: ArrayLike, covariance: ArrayLike) -> Hyperparameters:
    """The paper's table for the recurrence of prostate cancer, given the training data's mean and covariance.

    The paper's data have N = 14 columns; here N is the length of ``mean``. The constants of the noise and
    of the censoring belong to the prediction and not to this hierarchy.
    """
    centre = vector("mean", mean)
    inverse = read_only(np.linalg.inv(precision_matrix("covariance", covariance, centre.size)))
    return Hyperparameters(
        N=centre.size,
        N_m=1,
        kappa_nu=0.1,
        kappa_eta=10.0,
        kappa_C=0.09,
        mu_mu_mu=centre,
        S_mu_mu=6.25 * inverse,
        m_S_mu=2.5,
        m_R_S_mu=2.0,
        R_R_S_mu=24.0 * inverse,
        a_m=1.0,
        b_m=20.0,
        m_R_S=133.0,
        R_R_S=140.0 * inverse,
        a_m_S=1.0,
        b_m_S=0.01,
        shape_type=2,
    )


def _lower_cut(shape_type: int, m_lower: Any) -> float:
    end = 1.0 if shape_type == 1 else 0.0
    if isinstance(m_lower, float) and math.isnan(m_lower):
        return end
    cut = number("m_lower", m_lower)
    if cut < end:
        raise InputError(f"m_lower must be at least {end:g} for shape_type {shape_type}; it is {cut}")
    return cut

"""Have the chains run long enough to be believed? R-hat and effective sample sizes, and what to do.

R-hat compares chains with one another: at 1 they agree. The effective sample size (ESS) is the number of
independent draws that would know as much: *bulk* for the middle of the distribution, *tail* for the 5% and
95% quantiles. The numbers are ArviZ's. Positive quantities are looked at in logs. All are in nats.

J is what is reported, so it is held to the strict rule: R-hat below 1.01 and 400 effective draws of either
kind, which put an end of the 95% interval within about a tenth of J's standard deviation.

The other quantities are not reported. They are looked at because J may depend on one that moves more slowly
than J itself, as the number of components C does. Chains that live at different C and have different J show
in the R-hat of J; chains that have hardly moved in C may not. A quantity with correlation rho to J, known
with E effective draws, adds rho^2/E to the squared Monte Carlo error of the mean of J, in units of J's
variance: with f(C) = E[J | C], the mean of J is off by the mean of f over the C that were drawn, less that
over the posterior, and the variance of f is rho^2 times that of J if f is linear. J's own 1000 draws put
1/1000 there. For C, rho^2 is mostly below 0.01, so E = 50 is ample, and still enough at rho^2 = 0.05. Four
chains that agree then have an R-hat of about sqrt(1 + 8/E), 1.08, by chance, so the limit for it is 1.1.

A quantity that falls short of this does no harm where J keeps its promise all the same, that is where

    1/(ESS of J) + rho^2/(E - 3) <= 1/400

with rho^2 of that quantity itself, and E less the three differences between four chains that never move,
which are worth four draws: what the draws of J leave of the error that J may have is then enough for
what the other adds, however badly it is known. So it is of many cases, for which chains can stay at different
C with the same J. rho^2 is the largest of the squared correlations with J, with whether J is in its lowest
2.5%, and with whether it is in its highest, so that it serves the ends of the interval as well. It is
measured over all chains together, so that what sets chains apart in J counts in full, and not relied on with
fewer than four of them. Where rho is 0, rho^2 is measured as about 1 over the effective draws of J. Where
more draws of J are asked for, their number stands in the place of 400.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nepers.gibbs.draws import Draws

Array = NDArray[np.float64]

J_R_HAT, J_ESS = 1.01, 400.0
OTHER_R_HAT, OTHER_ESS = 1.1, 50.0
_CHAINS = 4  # from which on the bearing of other quantities on J is believed
_TAIL = 0.025
_SHOWN = 3  # of the quantities that a sentence names, and of the sentences about several posteriors


class ConvergenceWarning(UserWarning):
    """The chains did not run long enough: what they say of J is not yet to be relied on."""


@dataclass(frozen=True)
class Row:
    """One quantity. ``constant``: the same in every draw, so that there is nothing to judge.

    ``bearing`` is rho^2 of this page; ``harmless`` says that J keeps its promise however badly this quantity
    is known.
    """

    name: str
    mean: float
    sd: float
    mcse: float
    r_hat: float
    ess_bulk: float
    ess_tail: float
    constant: bool = False
    bearing: float = 1.0
    harmless: bool = False

    @property
    def is_J(self) -> bool:
        """Whether this is J or one of its coordinates, and so under the strict rule."""
        return self.name == "J" or self.name.startswith("J[")

    @property
    def adds(self) -> float:
        """What this quantity may add to the squared error of the mean of J, in units of J's variance."""
        worth = min(self.ess_bulk, self.ess_tail) - (_CHAINS - 1)
        return self.bearing / worth if worth > 0.0 else math.inf

    @property
    def agrees(self) -> bool:
        """Whether the chains agree on this quantity."""
        return self.constant or self.harmless or self.r_hat < (J_R_HAT if self.is_J else OTHER_R_HAT)

    @property
    def enough(self) -> bool:
        """Whether the draws are worth enough independent ones for this quantity."""
        least = J_ESS if self.is_J else OTHER_ESS
        return self.constant or self.harmless or min(self.ess_bulk, self.ess_tail) >= least


@dataclass(frozen=True)
class Diagnostics:
    """A row for each quantity; no rows where the draws are independent, and there is nothing to judge."""

    rows: tuple[Row, ...]

    def __getitem__(self, name: str) -> Row:
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)

    @property
    def ess_J(self) -> float:
        """The smallest bulk ESS of J; infinite where the draws are independent or J is constant."""
        return min((row.ess_bulk for row in self.rows if row.is_J and not row.constant), default=math.inf)

    @property
    def worth_J(self) -> float:
        """`ess_J` less what quantities may add to the error that are harmless, but known badly."""
        added = max((row.adds for row in self.rows if row.harmless), default=0.0)
        return 1.0 / (1.0 / self.ess_J + added) if added else self.ess_J

    def agree(self) -> bool:
        """Whether the chains agree on every quantity."""
        return all(row.agrees for row in self.rows)

    def good(self) -> bool:
        """Whether J can be relied on: the chains agree, and the draws are enough, on every quantity."""
        return all(row.agrees and row.enough for row in self.rows)

    def problems(self) -> list[str]:
        """What is wrong and what to do about it, in sentences; empty when all is well."""
        apart = [row for row in self.rows if not row.agrees]
        few = [row for row in self.rows if not row.enough]
        return [*([_disagreement(apart)] if apart else []), *([_shortage(few)] if few else [])]

    def table(self) -> dict[str, list[Any]]:
        """The rows as columns, fit for any dataframe library."""
        return {field.name: [getattr(row, field.name) for row in self.rows] for field in fields(Row)}


INDEPENDENT = Diagnostics(rows=())


def in_short(problems: Sequence[str]) -> str:
    """The first of the problems of several posteriors, as one text."""
    more = len(problems) - _SHOWN
    return " ".join([*problems[:_SHOWN], *([f"And {more} more: see problems."] if more > 0 else [])])


def diagnose(draws: Draws, J_alone: bool = False) -> Diagnostics:
    """The diagnostics of J, C, the log likelihood and the hyperparameters being inferred; or those of J."""
    of = _coordinates("J", draws.J) if J_alone else quantities(draws)
    every = [(diagnosed(name, values), values) for name, values in of]
    rows = tuple(row for row, _ in every)
    if J_alone or draws.chains < _CHAINS or not all(row.agrees and row.enough for row in rows if row.is_J):
        return Diagnostics(rows)
    about = _about(draws.J)
    left = 1.0 / J_ESS - 1.0 / Diagnostics(rows).ess_J
    return Diagnostics(tuple(_borne(row, x, about, left) for row, x in every))


def _borne(row: Row, x: Array, about: Array, left: float) -> Row:
    """The row with its bearing on J, and whether that is harmless where so much is ``left`` of J's error."""
    if row.is_J:
        return row
    row = replace(row, bearing=_bearing(x, about))
    return replace(row, harmless=not (row.agrees and row.enough) and row.adds <= left)


def quantities(draws: Draws) -> Iterator[tuple[str, Array]]:
    """What is looked at, each as (chains, draws): matrices by the logs of their diagonals."""
    yield from _coordinates("J", draws.J)
    yield "C", draws.C.astype(np.float64)
    yield "log_likelihood", draws.log_likelihood
    yield from _coordinates("mu_mu", draws.mu_mu)
    yield from _log_diagonal("log S_mu", draws.S_mu)
    yield from _log_diagonal("log R_S_mu", draws.R_S_mu)
    # type 1 has m_S > 1, and it is the excess that spans orders of magnitude
    yield "log (m_S - 1)", np.log(draws.m_S - 1.0)
    yield from _log_diagonal("log R_S", draws.R_S)


def _coordinates(name: str, values: Array) -> Iterator[tuple[str, Array]]:
    N = values.shape[2]
    for i in range(N):
        yield (name if N == 1 else f"{name}[{i}]"), values[:, :, i]


def _log_diagonal(name: str, matrices: Array) -> Iterator[tuple[str, Array]]:
    yield from _coordinates(name, np.log(np.diagonal(matrices, axis1=2, axis2=3)))


def _about(J: Array) -> Array:
    """Each coordinate of J and whether it is in either tail, less their means: a row for each of these."""
    rows = J.reshape(-1, J.shape[2]).T
    low, high = np.quantile(rows, (_TAIL, 1.0 - _TAIL), axis=1)
    every = np.concatenate([rows, rows < low[:, None], rows > high[:, None]])
    return np.asarray(every - every.mean(axis=1, keepdims=True))


def _bearing(x: Array, about: Array) -> float:
    """The largest squared correlation of x with one of the rows; 1 where there is none."""
    away = x.ravel() - x.mean()
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.square(about @ away) / (np.square(about).sum(axis=1) * (away @ away))
    return float(found.max()) if np.isfinite(found).all() else 1.0


def diagnosed(name: str, x: Array) -> Row:
    """What the chains say of one quantity, (chains, draws)."""
    if not np.isfinite(x).all():
        nothing = math.nan
        return Row(name, nothing, nothing, nothing, nothing, 0.0, 0.0)
    mean, sd = float(x.mean()), float(x.std())
    if x.size and (x == x.flat[0]).all():
        return Row(name, float(x.flat[0]), 0.0, 0.0, math.nan, math.nan, math.nan, constant=True)
    stats = _array_stats()
    axes = {"chain_axis": 0, "draw_axis": 1}
    with warnings.catch_warnings():
        # chains stuck at different values have no variance within: R-hat is then rightly infinite
        warnings.simplefilter("ignore", RuntimeWarning)
        bulk = float(stats.ess(x, method="bulk", **axes))
        tail = float(stats.ess(x, method="tail", prob=(0.05, 0.95), **axes))
        mcse = float(stats.mcse(x, method="mean", **axes))
        r_hat = _r_hat(stats, x)
    return Row(name, mean, sd, mcse, r_hat, bulk, tail)


def _array_stats() -> Any:
    import arviz_stats.base

    return arviz_stats.base.array_stats  # type: ignore[attr-defined]


def _r_hat(stats: Any, x: Array) -> float:
    """R-hat; a single chain, which ArviZ refuses, is compared with itself, half against half."""
    if x.shape[0] == 1:
        half = x.shape[1] // 2
        x = np.stack([x[0, :half], x[0, x.shape[1] - half :]])
    return float(stats.rhat(x, chain_axis=0, draw_axis=1))


def _disagreement(rows: Sequence[Row]) -> str:
    shown = [
        f"{row.name} (R-hat {row.r_hat:.3f}, wanted below {J_R_HAT if row.is_J else OTHER_R_HAT})"
        for row in rows
    ]
    return (
        f"The chains disagree on {_listed(shown)}: "
        "run longer by giving a larger max_seconds, and rely on nothing until they agree."
    )


def _shortage(rows: Sequence[Row]) -> str:
    worth = [f"{min(row.ess_bulk, row.ess_tail):.0f}" for row in rows]
    wanted = [f"(wanted {J_ESS if row.is_J else OTHER_ESS:.0f})" for row in rows]
    first = f"{rows[0].name} are worth only {worth[0]} independent ones {wanted[0]}"
    others = [f"of {row.name} {n} {least}" for row, n, least in zip(rows, worth, wanted, strict=True)][1:]
    return f"The draws of {_listed([first, *others])}: run longer by giving a larger max_seconds."


def _listed(items: Sequence[str]) -> str:
    more = [f"and {len(items) - _SHOWN} more"] if len(items) > _SHOWN else []
    return ", ".join([*items[:_SHOWN], *more])

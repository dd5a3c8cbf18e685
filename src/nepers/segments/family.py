"""The groups together: the posterior of the family's place m and width tau, and each z_g given them.

On a grid of cells in (m, tau) the posterior density is

    p(m) p(tau) prod_g ((1 - APART) A_g(m, tau) + APART)

and the cells are moved, a few times over, to where the mass is: in each direction so that a cell's width goes
with the cube root of the density, which is about what makes the midpoint rule's error small, and not with
the density, which would leave the tails to a few wide cells. A draw is a cell by its mass and a point in it
at random; then every group by itself: it is of the family with the odds (1 - APART) A_g : APART, or stands
apart with a draw of its own posterior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nepers.segments.kernels import Kernels, draw, log_evidence

Array = NDArray[np.float64]

APART = 0.02  # the probability that a group stands apart
TAU_SCALE = 0.25  # of the half-Cauchy prior of tau
_CELLS_M, _CELLS_TAU = 64, 24
_ROUNDS = 3
_KEPT = 0.2  # of the cells that stay where they were when the others are moved


@dataclass(frozen=True, eq=False)
class Family:
    """Independent posterior draws: z (draws, groups), whether a group stood apart, and m and tau."""

    z: Array
    apart: NDArray[np.bool_]
    m: Array
    tau: Array


def pool(kernels: Sequence[Kernels], own: Sequence[Array], draws: int, rng: np.random.Generator) -> Family:
    """The groups' z together, from each one's kernels and from its own draws of z."""
    m, tau = _draw_hyper(kernels, draws, rng)
    z, apart = np.empty((draws, len(own))), np.empty((draws, len(own)), dtype=np.bool_)
    for g, (one, alone) in enumerate(zip(kernels, own, strict=True)):
        apart[:, g] = rng.random(draws) >= _of_family(log_evidence(one, m, tau))
        # where the evidence is zero no kernel can be drawn, and the group stands apart for certain
        here = ~apart[:, g]
        z[:, g] = rng.choice(alone, draws, replace=alone.size < draws)
        z[here, g] = draw(one, m[here], tau[here], rng)
    return Family(z, apart, m, tau)


def _of_family(log_A: Array) -> Array:
    """The probability that a group is of the family, given its evidence."""
    return np.asarray(np.exp(np.log1p(-APART) + log_A - _with_apart(log_A)))


def _with_apart(log_A: Array) -> Array:
    return np.asarray(np.logaddexp(np.log1p(-APART) + log_A, np.log(APART)))


def _draw_hyper(kernels: Sequence[Kernels], draws: int, rng: np.random.Generator) -> tuple[Array, Array]:
    edges_m, edges_tau = _first_cells(kernels)
    for _ in range(_ROUNDS):
        mass = _masses(kernels, edges_m, edges_tau)
        edges_m = _moved(edges_m, mass.sum(axis=1))
        edges_tau = _moved(edges_tau, mass.sum(axis=0))
    mass = _masses(kernels, edges_m, edges_tau)
    cells = rng.choice(mass.size, draws, p=mass.ravel())
    row, column = np.unravel_index(cells, mass.shape)
    return _within(edges_m, row, rng), _within(edges_tau, column, rng)


def _first_cells(kernels: Sequence[Kernels]) -> tuple[Array, Array]:
    """m where the prior or a group's own posterior is; tau by its prior."""
    from scipy.special import ndtri

    scores = ndtri((np.arange(_CELLS_M) + 0.5) / _CELLS_M)
    places = np.concatenate([scores, *(one.mean + 2.0 * one.sd * scores for one in kernels)])
    copies = np.repeat([1.0, 1.0 / len(kernels)], [scores.size, scores.size * len(kernels)])
    order = np.argsort(places)
    part = np.cumsum(copies[order])
    inner = np.interp(np.linspace(0.0, part[-1], _CELLS_M - 1), part, places[order])
    edges_m = np.unique(np.concatenate([[inner[0] - 4.0], inner, [inner[-1] + 4.0]]))
    angles = np.linspace(0.0, np.arctan(1.0 / TAU_SCALE), _CELLS_TAU + 1)
    return edges_m, TAU_SCALE * np.tan(angles)


def _masses(kernels: Sequence[Kernels], edges_m: Array, edges_tau: Array) -> Array:
    """The posterior probability of each cell, by the density at its middle."""
    m, tau = _middles(edges_m)[:, None], _middles(edges_tau)[None, :]
    logs = -0.5 * m**2 - np.log1p((tau / TAU_SCALE) ** 2)
    for one in kernels:
        logs = logs + _with_apart(log_evidence(one, m, tau))
    mass = np.exp(logs - logs.max()) * np.diff(edges_m)[:, None] * np.diff(edges_tau)
    return np.asarray(mass / mass.sum())


def _moved(edges: Array, mass: Array) -> Array:
    """As many cells, with about equal parts of the integral of the cube root of the density."""
    widths = np.diff(edges)
    dense = np.cbrt(mass / widths) * widths
    part = (1.0 - _KEPT) * dense / dense.sum() + _KEPT / mass.size
    levels = np.concatenate([[0.0], np.cumsum(part)])
    return np.asarray(np.interp(np.linspace(0.0, levels[-1], edges.size), levels, edges))


def _middles(edges: Array) -> Array:
    return 0.5 * (edges[1:] + edges[:-1])


def _within(edges: Array, cell: NDArray[np.intp], rng: np.random.Generator) -> Array:
    return np.asarray(edges[cell] + rng.random(cell.size) * (edges[cell + 1] - edges[cell]))

"""What the model says of J before the cases and after them.

The prior is that of the hierarchy under the assessment's hyperparameters and scale, by independent draws
from a stream of the assessment's own seed. Where values repeat, that there are atoms and where they are is
part of both: J = sum of w_a v_a + w_0 J_0, with w from Dirichlet(2/A, ...) before the cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nepers.display import canvas, labels
from nepers.display.posterior import UNRELIABLE
from nepers.display.sample import J_OF_NEW, Array, in_report, refusal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.assessment import Assessment

_DRAWS = 4000
_MOST_WEIGHTS = 4_000_000
_POINTS = 512


@dataclass(frozen=True, eq=False)
class PriorData:
    """Two densities, each over its greatest value, and the two 95% intervals."""

    x: Array
    prior: Array
    posterior_x: Array
    posterior: Array
    prior_interval: tuple[float, float]
    posterior_interval: tuple[float, float]


def prior_data(assessment: Assessment) -> PriorData:
    """What `plot_prior` shows."""
    before = prior_J(assessment)
    x, prior = smooth(before)
    posterior_x, posterior = smooth(assessment.J.ravel())
    low, high = (float(end) for end in np.quantile(before, (0.025, 0.975)))
    return PriorData(x, prior, posterior_x, posterior, (low, high), assessment.interval())


def prior_J(assessment: Assessment) -> Array:
    """Draws of J from the prior, in the unit of the report."""
    from nepers.draw_sets import from_prior
    from nepers.posterior import Branch, branch

    kinds, rng = assessment.kinds, np.random.default_rng(branch(assessment.seed, Branch.PRIOR))
    J = np.zeros(_DRAWS)
    if kinds.has_remainder:
        J = from_prior(assessment.hyperparameters.scaled(assessment.scale), rng, 1, _DRAWS).J.ravel()
    if kinds.atom_values.size:
        J = J[: max(200, _MOST_WEIGHTS // kinds.A)]
        gammas = rng.standard_gamma(2.0 / kinds.A, (J.size, kinds.A))
        w = gammas / gammas.sum(axis=1, keepdims=True)
        J = w[:, : kinds.atom_values.size] @ kinds.atom_values + (
            w[:, -1] * J if kinds.has_remainder else 0.0
        )
    return J * in_report(assessment)


def smooth(draws: Array) -> tuple[Array, Array]:
    """A kernel estimate of the density over the middle of the draws, its greatest value made 1."""
    import arviz_stats.base

    stats: Any = arviz_stats.base.array_stats  # type: ignore[attr-defined]
    low, high = np.quantile(draws, (0.0005, 0.9995))
    middle = draws[(draws >= low) & (draws <= high)]
    room = 0.1 * (high - low)
    lims = (low - room, high + room)
    grid, density, _ = stats.kde(middle, grid_len=_POINTS, custom_lims=lims)
    return grid, density / density.max()


def plot_prior(assessment: Assessment, ax: Axes | None = None) -> Axes:
    """The density of J in the prior and in the posterior, each over its greatest value.

    A posterior much narrower than the prior owes little to it; where the two look alike, the cases have
    said little.
    """
    with canvas.on(ax, height=2.8) as ax:
        nothing = refusal(assessment, needs_cases=False)
        if nothing is not None:
            return labels.message(ax, nothing)
        data = prior_data(assessment)
        said = {name: _interval(name, ends) for name, ends in _intervals(data)}
        ax.plot(data.x, data.prior, color=canvas.PRIOR, linestyle=(0, (5, 1.5)), label=said["prior"])
        ax.fill_between(data.posterior_x, data.posterior, **canvas.band())
        ax.plot(data.posterior_x, data.posterior, color=canvas.MODEL, label=said["posterior"])
        ends = np.array([data.prior_interval, data.posterior_interval])
        low, high = float(ends.min()), float(ends.max())
        ax.set_xlim(low - 0.1 * (high - low), high + 0.1 * (high - low))
        ax.set_ylim(0.0, 1.05)
        ax.set_xlabel(labels.with_unit(J_OF_NEW, assessment.unit))
        ax.set_ylabel("Density over its greatest value")
        labels.key(ax, assessment.name)
        if not assessment.diagnostics.good():
            labels.note(ax, UNRELIABLE)
        return ax


def _intervals(data: PriorData) -> tuple[tuple[str, tuple[float, float]], ...]:
    return ("prior", data.prior_interval), ("posterior", data.posterior_interval)


def _interval(name: str, ends: tuple[float, float]) -> str:
    width = (ends[1] - ends[0]) / 4.0
    return f"{name}: {labels.rounded(ends[0], width)} to {labels.rounded(ends[1], width)} (95%)"

"""What hyperparameters say before any case: the density of J, and the band of the densities of j."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nepers.display import canvas, labels
from nepers.display.prior import smooth
from nepers.display.sample import J_OF_CASE, J_OF_NEW, UNIT

if TYPE_CHECKING:
    from nepers.prior_look import PriorLook


def plot_prior_look(look: PriorLook, axes: Any = None) -> Any:
    """Two pictures: J, with its 95% interval, and the density of j in half and 95% of distributions."""
    with canvas.panels(axes, 1, 2) as drawn:
        _draw_J(look, drawn[0, 0])
        _draw_density(look, drawn[0, 1])
        return drawn


def _draw_J(look: PriorLook, ax: Any) -> None:
    x, density = smooth(look.J)
    low, high = look.interval()
    width = (high - low) / 4.0
    said = f"{labels.rounded(low, width)} to {labels.rounded(high, width)} (95%)"
    ax.plot(x, density, color=canvas.PRIOR, label=said)
    inside = (x >= low) & (x <= high)
    ax.fill_between(x[inside], density[inside], **canvas.band(canvas.PRIOR))
    ax.set_xlim(low - 0.5 * (high - low), high + 0.5 * (high - low))
    ax.set_ylim(0.0, 1.15)
    ax.set_xlabel(labels.with_unit(J_OF_NEW, look.unit))
    ax.set_ylabel("Density over its greatest value")
    labels.key(ax, None)


def _draw_density(look: PriorLook, ax: Any) -> None:
    wide, half = look.density(0.95), look.density(0.5)
    ax.fill_between(wide.x, wide.lower, wide.upper, **canvas.band(canvas.PRIOR), label="95% of distributions")
    ax.fill_between(
        half.x, half.lower, half.upper, **canvas.band(canvas.PRIOR) | {"alpha": 0.5}, label="half of them"
    )
    ax.plot(wide.x, wide.mean, color=canvas.PRIOR, label="their mean")
    # a few distributions are narrow and tall: the height that most stay under
    ax.set_ylim(0.0, 1.4 * float(max(half.upper.max(), wide.mean.max())))
    ax.set_xlim(wide.x[0], wide.x[-1])
    ax.set_xlabel(labels.with_unit(J_OF_CASE, look.unit))
    ax.set_ylabel(f"Density (per {UNIT[look.unit]})")
    labels.key(ax, None)

"""The pictures as methods of the results; nothing here is imported before a picture is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class AssessmentPlots:
    """Pictures of an assessment; each draws on ``ax`` or on new axes, and returns them."""

    def plot_histogram(self: Any, ax: Axes | None = None) -> Axes:
        """The log ratios of the cases, the misleading ones marked, with J and its interval."""
        from nepers.display import plot_histogram

        return plot_histogram(self, ax)

    def plot_densities(self: Any, draws: int = 3, ax: Axes | None = None) -> Axes:
        """The distribution of j in some posterior draws, over the histogram."""
        from nepers.display import plot_densities

        return plot_densities(self, draws, ax)

    def plot_posterior(self: Any, ax: Axes | None = None) -> Axes:
        """The cumulative posterior of J with its quantiles and mean."""
        from nepers.display import plot_posterior

        return plot_posterior(self, ax)

    def plot_prior(self: Any, ax: Axes | None = None) -> Axes:
        """What the model alone says of J against what it says given the cases."""
        from nepers.display import plot_prior

        return plot_prior(self, ax)

    def plot_predictive(self: Any, ax: Axes | None = None) -> Axes:
        """The posterior predictive density of j over the histogram."""
        from nepers.display import plot_predictive

        return plot_predictive(self, ax)

    def plot_tail(self: Any, ax: Axes | None = None) -> Axes:
        """The left tail of j, predictive and observed, on a logarithmic scale of probability."""
        from nepers.display import plot_tail

        return plot_tail(self, ax)

    def plot_quantiles(self: Any, ax: Axes | None = None) -> Axes:
        """The quantiles of the cases against the predictive ones."""
        from nepers.display import plot_quantiles

        return plot_quantiles(self, ax)

    def plot_traces(self: Any, axes: Any = None) -> Any:
        """The chains in the order in which they were drawn: J, C and the log likelihood."""
        from nepers.display import plot_traces

        return plot_traces(self, axes)

    def plot_ranks(self: Any, axes: Any = None) -> Any:
        """How the ranks of each chain's draws among all are spread: evenly if the chains mix."""
        from nepers.display import plot_ranks

        return plot_ranks(self, axes)


class ComparisonPlots:
    """Pictures of a comparison."""

    def plot_intervals(self: Any, ax: Axes | None = None) -> Axes:
        """J of every algorithm with its interval."""
        from nepers.display import plot_intervals

        return plot_intervals(self, ax)

    def plot_best(self: Any, ax: Axes | None = None) -> Axes:
        """The probability of each algorithm to be the best."""
        from nepers.display import plot_best

        return plot_best(self, ax)

    def plot_pairwise(self: Any, ax: Axes | None = None) -> Axes:
        """The probability of each algorithm to be better than each other."""
        from nepers.display import plot_pairwise

        return plot_pairwise(self, ax)


class SegmentsPlots:
    """The picture of segments."""

    def plot_segments(self: Any, ax: Axes | None = None, most: int = 30) -> Axes:
        """J of at most so many segments with their intervals."""
        from nepers.display import plot_segments

        return plot_segments(self, ax, most)


class GamePlots:
    """Pictures of a betting game."""

    def plot_piles(self: Any, ax: Axes | None = None) -> Axes:
        """The players' money as the game goes on."""
        from nepers.display import plot_piles

        return plot_piles(self, ax)

    def plot_confidence(self: Any, name: str | None = None, ax: Axes | None = None) -> Axes:
        """The confidence sequence of one player's J as the game goes on."""
        from nepers.display import plot_confidence

        return plot_confidence(self, name, ax)


class RecalibrationPlots:
    """The picture of a recalibration."""

    def plot_recalibration(self: Any, ax: Axes | None = None) -> Axes:
        """The map from the probabilities given to those that come true."""
        from nepers.display import plot_recalibration

        return plot_recalibration(self, ax)


class CostlyPlots:
    """The picture of the costliest cases."""

    def plot_costly(self: Any, ax: Axes | None = None) -> Axes:
        """J from all cases, and without each of the costliest."""
        from nepers.display import plot_costly

        return plot_costly(self, ax)


class NeededPlots:
    """The picture of how many more cases decide."""

    def plot_needed(self: Any, ax: Axes | None = None) -> Axes:
        """The chance that further cases decide, by how many they are."""
        from nepers.display import plot_needed

        return plot_needed(self, ax)


class ChoicePlots:
    """The picture of a choice of hyperparameters."""

    def plot_prior_draws(self: Any, size: int = 4, ax: Axes | None = None) -> Axes:
        """The cases, and beside them sets drawn from each candidate's prior, to be judged by eye."""
        from nepers.display import plot_prior_draws

        return plot_prior_draws(self, size, ax)

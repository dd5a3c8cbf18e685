"""What the figures of an assessment show, in words: read out where the figure cannot be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nepers.display.curves import curves_of
from nepers.display.densities import spread_draws
from nepers.display.sample import sample_of
from nepers.report.numbers import fixed, independent, probability, significant, span
from nepers.words import count, decimals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from nepers.assessment import Assessment


_SOME = 40


def posterior(a: Assessment) -> str:
    """Where J lies."""
    digits = decimals(a.sd)
    return (
        f"J in {a.unit}: with probability 0.5 it lies from {span(*a.interval(0.5), digits)}; with "
        f"probability 0.95 from {span(*a.interval(0.95), digits)}; its mean is {fixed(a.mean, digits)}, and "
        f"it is above 0 with probability {probability(a.probability_above(0.0), independent(a))}."
    )


def prior(a: Assessment, drawn: Axes) -> str:
    """How much the cases narrowed what is known of J, as the key of the figure has it."""
    _lines, said = drawn.get_legend_handles_labels()
    return f"What is known of J in {a.unit} before and after the cases. {'; '.join(said)}."


def histogram(a: Assessment) -> str:
    """Where the cases lie."""
    every = sample_of(a).every
    lowest, quarter, three, highest = np.quantile(every, (0.0, 0.25, 0.75, 1.0))
    return (
        f"The log ratios of {count(a.n, 'case')} in {a.unit}: the middle half lies from "
        f"{significant(quarter)} to {significant(three)}, the lowest is {significant(lowest)}, the highest "
        f"{significant(highest)}, and {(every < 0.0).mean():.1%} are below 0, where the prediction misled."
    )


def densities(a: Assessment) -> str:
    """What single draws agree on, by the probability that a new case misleads."""
    draws = spread_draws(a, 3)
    J = ", ".join(fixed(float(a.J.flat[draw]), decimals(a.sd)) for draw in draws)
    below = ", ".join(f"{float(a.density(draw).cdf(0.0)):.3f}" for draw in draws)
    return (
        f"Three distributions of the log ratio that the cases leave possible, with J of {J} {a.unit}, over "
        f"the histogram of the cases. They give a j of 0 or less the probabilities {below}."
    )


def predictive(a: Assessment) -> str:
    """The middle of the cases against that of the prediction for a new case."""
    every = sample_of(a).every
    expected = curves_of(a).mean_cdf(np.quantile(every, (0.25, 0.5, 0.75)))
    said = ", ".join(f"{p:.2f}" for p in expected)
    return (
        "The distribution of the log ratio of a new case over the histogram of the cases. The quartiles of "
        f"the cases, where 0.25, 0.50 and 0.75 of them lie below, have predictive probabilities {said}."
    )


def tail(a: Assessment) -> str:
    """How far the left tail goes."""
    every = sample_of(a).every
    lowest = float(every[0])
    below = float(curves_of(a).mean_cdf(every[:1])[0])
    return (
        f"The left tail. The lowest of {count(a.n, 'case')} is {significant(lowest)} {a.unit}; a new case "
        f"is as low or lower with probability {significant(below, 2)}."
    )


def quantiles(a: Assessment) -> str:
    """How far the distribution of the cases is from the predictive one."""
    every = sample_of(a).every
    some = np.unique(every[np.linspace(0, every.size - 1, _SOME).astype(int)])
    empirical = np.searchsorted(every, some, side="right") / every.size
    gap = float(np.abs(empirical - curves_of(a).mean_cdf(some)).max())
    return (
        "The quantiles of the cases against those of the predictive distribution; where the model fits they "
        f"lie on the line. At {some.size} of the cases the two cumulative distributions differ by at most "
        f"{significant(gap, 2)}."
    )


def traces(a: Assessment) -> str:
    """Whether the chains moved together."""
    means = a.J.mean(axis=1)
    digits = decimals(a.sd / 10.0)
    return (
        f"The draws of {a.nats.shape[0]} chains in the order in which they were made. The mean of J by "
        f"chain is from {fixed(float(means.min()), digits)} to {fixed(float(means.max()), digits)} {a.unit}."
    )


def ranks(a: Assessment) -> str:
    """Whether each chain has its share of high and low draws."""
    above = (a.nats > np.median(a.nats)).mean(axis=1)
    return (
        "How the ranks of each chain's draws among all are spread; evenly, if the chains agree. By chain, "
        f"the share of draws of J above the median of all is from {above.min():.2f} to {above.max():.2f}."
    )

"""The figures of an assessment, with what they show and how to read them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nepers import display
from nepers.display.quantiles import unfit
from nepers.report import assessment_findings as findings
from nepers.report.figures import Picture

if TYPE_CHECKING:
    from nepers.assessment import Assessment


def of_J(a: Assessment) -> list[Picture]:
    """Of what is asked: J, and the cases it comes from."""
    found = [
        Picture(
            partial(display.plot_posterior, a),
            "J",
            findings.posterior(a),
            "The probability that J is at most so much, with the median and the interval that holds 95%.",
        )
    ]
    if not a.n:
        return found
    cases = Picture(
        partial(display.plot_histogram, a),
        "The cases",
        findings.histogram(a),
        "Right of 0 the prediction gave what came true more than the prior did, left of 0 less.",
    )
    before = Picture(
        partial(display.plot_prior, a),
        "J before and after the cases",
        partial(findings.prior, a),
        "What the model says of J by itself, and what it says given the cases.",
    )
    return [found[0], cases, before]


def of_model(a: Assessment) -> list[Picture]:
    """Of the distribution of j: what the cases leave possible, and whether it describes them."""
    found = [
        Picture(
            partial(display.plot_densities, a),
            "Distributions that the cases leave possible",
            findings.densities(a),
            "Each curve is one draw from the posterior. Where they differ, the cases do not tell.",
        ),
        Picture(
            partial(display.plot_predictive, a),
            "The distribution of a new case",
            findings.predictive(a),
            "The average of such curves: the predictive distribution of j.",
        ),
        Picture(
            partial(display.plot_tail, a),
            "The left tail",
            findings.tail(a),
            "The probability of a j at most so low, on a logarithmic scale: rare, costly cases are here.",
        ),
    ]
    if unfit(a) is None:
        found.append(
            Picture(
                partial(display.plot_quantiles, a),
                "Quantiles",
                findings.quantiles(a),
                "Points on the line are cases as the model expects them.",
            )
        )
    return found


def of_chains(a: Assessment) -> list[Picture]:
    """Of the chains: whether they went the same ways."""
    return [
        Picture(
            partial(display.plot_traces, a),
            "The chains in order",
            findings.traces(a),
            "Chains that agree cover the same ground from beginning to end.",
        ),
        Picture(
            partial(display.plot_ranks, a),
            "The ranks of the chains' draws",
            findings.ranks(a),
            "Bars of even height: no chain has more than its share of high or low draws.",
        ),
    ]

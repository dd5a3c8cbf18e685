"""The report on an assessment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING

from nepers import words
from nepers.assessment import installed_version
from nepers.report import meaning, reliability, settings
from nepers.report.assessment_pictures import of_chains, of_J, of_model
from nepers.report.cases import EXPLAINED, costliest, how_many
from nepers.report.figures import figures
from nepers.report.markup import Markup, element
from nepers.report.numbers import fixed, independent, probability, span, times
from nepers.report.page import page, paragraphs
from nepers.report.printable import of_assessment
from nepers.report.tables import pairs, table

if TYPE_CHECKING:
    from nepers.assessment import Assessment

_ATOMS = 20


def assessment_page(assessment: Assessment, title: str | None) -> str:
    """The report as one HTML document."""
    a = of_assessment(assessment)
    numbers = count(1)
    sections = [
        _posterior(a, numbers),
        _cases(a),
        _atoms(a),
        _model(a, numbers),
        _reliable(a, numbers),
        meaning.section(settings.standard(a.hyperparameters, a.scale)),
        settings.of_assessment(a),
    ]
    return page(
        title or _title(a), paragraphs(_verdict(a), a.diagnostics.problems()), sections, installed_version()
    )


def _title(a: Assessment) -> str:
    return f"How much {a.name} is worth" if a.name else "How much the prediction is worth"


def _verdict(a: Assessment) -> list[str]:
    """The answer in words, the judgement before the numbers it is made from."""
    lines = words.describe(a).split("\n")
    judged = a.n > 0 and not a.infinite_cases
    return [lines[1], lines[0], *lines[2:]] if judged else lines


def _posterior(a: Assessment, numbers: Iterator[int]) -> list[Markup]:
    if a.infinite_cases:
        return []
    return [
        element("h2", "What is known of J"),
        figures(of_J(a), numbers, pairs(f"J in {a.unit}, and what it says", _numbers(a))),
    ]


def _numbers(a: Assessment) -> list[tuple[str, str]]:
    digits = words.decimals(a.sd)
    bounds = [a.interval(level) for level in (0.5, 0.95, 0.99)]
    half, most, nearly = (span(*ends, digits) for ends in bounds)
    nats = a.in_nats()
    lower, upper = nats.interval(0.95)
    return [
        ("Posterior mean", fixed(a.mean, digits)),
        ("Posterior median", fixed(a.median, digits)),
        ("Posterior standard deviation", fixed(a.sd, digits)),
        ("50% credible interval", half),
        ("95% credible interval", most),
        ("99% credible interval", nearly),
        ("Probability that J is above 0", probability(a.probability_above(0.0), independent(a))),
        ("exp(J), with J in nats: times the prior's probability", times(nats.mean)),
        ("95% credible interval of exp(J)", f"{times(lower)} to {times(upper)}"),
    ]


def _cases(a: Assessment) -> list[Markup]:
    if not a.worst_cases:
        return []
    found = [element("h2", "The costliest cases"), element("p", EXPLAINED)]
    if a.infinite_cases:
        found.append(
            element("p", f"Probability zero was given to the truth in {words.name_cases(a.infinite_cases)}.")
        )
    return [*found, costliest(how_many(a.worst_cases, a.n), a.worst_cases, a.n, a.unit)]


def _atoms(a: Assessment) -> list[Markup]:
    atoms = sorted(a.atoms, key=lambda atom: -atom.cases)
    if not atoms:
        return []
    said = (
        "Cases that agree to the last digit show that the distribution of j has probability on single "
        "values. Each has a probability of its own, inferred from its number of cases."
    )
    shown = atoms[:_ATOMS]
    more = f", the {_ATOMS} most frequent of {len(atoms):,}" if len(atoms) > _ATOMS else ""
    rows = [(f"{atom.value:.6g}", f"{atom.cases:,}", f"{atom.weight:.4f}") for atom in shown]
    headings = (f"j ({a.unit})", "Cases", "Posterior mean of its probability")
    return [
        element("h2", "Values that repeat"),
        element("p", said),
        table(f"The values that repeat{more}", headings, rows),
    ]


def _model(a: Assessment, numbers: Iterator[int]) -> list[Markup]:
    if a.infinite_cases or not a.n:
        return []
    said = (
        "J depends on cases rarer than any that were seen. What is inferred of them comes from a model of "
        "the whole distribution of j, a mixture of skew-Student components; these figures show whether it "
        "fits."
    )
    return [
        element("h2", "The model of the log ratios, and how it fits"),
        element("p", said),
        figures(of_model(a), numbers),
    ]


def _reliable(a: Assessment, numbers: Iterator[int]) -> list[Markup]:
    return [
        element("h2", "Whether the draws can be relied on"),
        *reliability.sentences(a.stopped, (a.diagnostics,), a.diagnostics.problems()),
        *([figures(of_chains(a), numbers)] if a.diagnostics.rows else []),
        *reliability.folded((a.diagnostics,)),
    ]

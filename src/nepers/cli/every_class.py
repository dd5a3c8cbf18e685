"""``nepers assess --every-class``: what the prediction and the prior say of all classes, from a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nepers.cli.given import Where
from nepers.cli.predictions import Asked, Cases, as_truth, read_asked, written_probabilities
from nepers.cli.printing import rows_of_a_file
from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.rare import ClassAssessment

_PRIORS = ("frequencies", "constant", "classes")


def assessed_by_class(q: str | None, p: str | None, where: Where, seed: int | None) -> ClassAssessment:
    """`nepers.assess_classes` of columns of a file."""
    from nepers.rare import assess_classes
    from nepers.reading.rows import open_any

    prediction, prior = _asked(q, p)
    with rows_of_a_file():
        with open_any(where.file, where.format) as table:
            cases = Cases(table, where.truth, where.event, where.document)
            truth = cases.labels("classes")
            labels = as_truth([key or value for key, value in prediction.parts], truth)
            proba = table.numbers(prediction.columns)
            of_prior = _prior(prior, cases, labels, where)
        return assess_classes(truth, proba, prior=of_prior, labels=labels, seed=seed)


def _asked(q: str | None, p: str | None) -> tuple[Asked, Asked]:
    if q is None or p is None:
        raise InputError(
            "--every-class needs --q classes:... and --p, as log ratios tell of the class that came true "
            "alone"
        )
    prediction, prior = read_asked("--q", q), read_asked("--p", p)
    if prediction.kind != "classes":
        raise InputError(f"--q must be classes:... with --every-class; it is {prediction.written}")
    if prior.kind not in _PRIORS:
        raise InputError(f"--p must be one of {', '.join(_PRIORS)} with --every-class; it is {prior.written}")
    return prediction, prior


def _prior(prior: Asked, cases: Cases, labels: list[Any], where: Where) -> Any:
    if prior.kind == "constant":
        return written_probabilities(prior, cases.labels("constant"))
    if prior.kind == "classes":
        named = as_truth([key or value for key, value in prior.parts], cases.labels("classes"))
        if set(named) != set(labels):
            raise InputError("--p classes must have the classes of --q")
        column = dict(zip(named, prior.columns, strict=True))
        return cases.numbers([column[label] for label in labels])
    return _frequencies(cases, labels, where)


def _frequencies(cases: Cases, labels: list[Any], where: Where) -> Any:
    from nepers.priors import class_frequencies
    from nepers.reading.rows import open_any

    source = where.prior_from or where.trained_on
    if source is None:
        raise InputError("--p frequencies is fitted on the outcomes of the training: give --prior-from FILE")
    with open_any(source, None) as table:
        training = Cases(table, where.truth, where.event, None)
        return class_frequencies(training.labels("frequencies"), labels=labels)

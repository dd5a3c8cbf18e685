"""Predictions in the columns of a table, as the user writes them: ``KIND:COLUMNS``.

| written | the prediction's |
|---|---|
| ``log:C`` | log of the probability or density it gave to the truth; with --document, of each token |
| ``probability:C``, ``density:C`` | the same without the log |
| ``score:C`` | log score, where less is better: minus the log |
| ``classes:no=C,yes=D`` | probability of every class; ``classes:no,yes`` if the columns are named so |
| ``normal:MEAN,SD`` | Gaussian |
| ``draws:C,D,...`` or ``draws:ens_*`` | members of an ensemble, or posterior draws |
| ``quantiles:0.1=C,0.5=D,0.9=E`` | quantiles at these levels |
| ``survival:DENSITY,SURVIVAL`` | density and survival probability at the time of each case; needs --event |
| ``point:C`` | one value and no probability |

and, for the prior alone, with the outcomes of --prior-from (or of --trained-on):

| ``frequencies`` | the frequencies of the classes |
| ``marginal`` | a skew-Student mixture fitted to the outcomes |
| ``survival`` | a smooth survival curve fitted to the times and events |
| ``constant:no=0.7,yes=0.3`` | these probabilities of the classes in every case |

All but ``log``, ``probability``, ``density`` and ``score`` need the truth: --truth COLUMN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.priors.classes import ClassFrequencies
    from nepers.reading.rows import AnyTable

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """One prediction as asked for: its kind, and its parts ``key=value``, the key empty if there is none."""

    option: str
    kind: str
    parts: tuple[tuple[str, str], ...]

    @property
    def written(self) -> str:
        """As the user wrote it, the option before it."""
        named = ",".join(f"{key}={value}" if key else value for key, value in self.parts)
        if self.option in ("--q", "--p"):
            return f"{self.option} {self.kind}{':' if named else ''}{named}"
        return f"{self.option} {named}"

    @property
    def columns(self) -> list[str]:
        """The columns named."""
        return [value for _key, value in self.parts]

    @property
    def is_fitted(self) -> bool:
        """Whether it is a prior to be fitted on the outcomes of the training."""
        return self.option == "--p" and self.kind in _OF_TRAINING and not self.parts

    def need(self, count: int, what: str) -> list[str]:
        """The columns, if there are as many as the kind takes."""
        if len(self.parts) != count:
            raise InputError(f"{self.option} {self.kind} must name {what}; it names {len(self.parts)}")
        return self.columns


@dataclass(frozen=True)
class Cases:
    """The table of the cases, and which of its columns say what came true."""

    rows: AnyTable
    truth: str | None
    event: str | None
    document: str | None

    def numbers(self, names: list[str]) -> Array:
        """Columns of numbers, side by side."""
        found = self.rows.numbers(names)
        return np.column_stack([found[name] for name in names])

    def outcome(self, why: str) -> str:
        """The column of the truth."""
        if self.truth is None:
            raise InputError(f"--truth must name the column of what came true: {why} needs it")
        return self.truth

    def labels(self, why: str) -> NDArray[Any]:
        """What came true, as class labels."""
        return self.rows.values(self.outcome(why))

    def truths(self, why: str) -> Array:
        """What came true, as numbers."""
        return self.numbers([self.outcome(why)])[:, 0]

    def times(self, why: str) -> Any:
        """The time that came true, known or censored from above."""
        from nepers.ratios import Times

        if self.event is None:
            raise InputError(
                f"--event must name the column that is 1 where the event was seen: {why} needs it"
            )
        return Times.right_censored(self.truths(why), event=self.rows.values(self.event))


def read_asked(option: str, text: str) -> Asked:
    """``KIND:COLUMNS`` in its parts."""
    kind, colon, rest = text.partition(":")
    kind = kind.strip()
    if kind not in {*_OF_COLUMNS, *(_OF_PRIORS if option == "--p" else ())}:
        priors = f", or for a prior {', '.join(_OF_PRIORS)}" if option == "--p" else ""
        raise InputError(
            f"{option} must be KIND:COLUMNS with KIND one of {', '.join(_OF_COLUMNS)}{priors}; it is {text!r}"
        )
    parts = []
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        parts.append((key.strip(), value.strip()) if equals else ("", part.strip()))
    if any(not value for _key, value in parts) or (colon and not parts):
        raise InputError(f"{option} must name columns after the colon; it is {text!r}")
    return Asked(option, kind, tuple(parts))


def log_given(asked: Asked, cases: Cases, training: Cases | None) -> Array:
    """The log of what the prediction gave to the truth of each case; an error says which prediction it is."""
    try:
        return _log_given(asked, cases, training)
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith(("--", "column")) else f"{asked.written}: {text}") from None


def _log_given(asked: Asked, cases: Cases, training: Cases | None) -> Array:
    if cases.document is not None and asked.kind != "log":
        raise InputError(
            f"{asked.option} must be log:COLUMN where --document adds up tokens; it is {asked.kind!r}"
        )
    if asked.is_fitted:
        if training is None:
            raise InputError(
                f"--p {asked.kind} is fitted on the outcomes of the training: give --prior-from FILE"
            )
        return _OF_TRAINING[asked.kind](cases, training)
    if asked.kind == "constant":
        return _constant(asked, cases)
    return _OF_COLUMNS[asked.kind](asked, cases)


def _log(asked: Asked, cases: Cases) -> Array:
    (name,) = asked.need(1, "one column")
    values = cases.numbers([name])[:, 0]
    if cases.document is None:
        return values
    from nepers.ratios import log_document

    return log_document(values, document=cases.rows.values(cases.document)).log_q


def _single(function: str) -> Callable[[Asked, Cases], Array]:
    def log(asked: Asked, cases: Cases) -> Array:
        from nepers import ratios

        (name,) = asked.need(1, "one column")
        found: Array = getattr(ratios, function)(cases.numbers([name])[:, 0])
        return found

    return log


def _classes(asked: Asked, cases: Cases) -> Array:
    from nepers.ratios import log_class

    labels = [key or value for key, value in asked.parts]
    truth = cases.labels("classes")
    return log_class(truth, cases.rows.numbers(asked.columns), labels=as_truth(labels, truth))


def as_truth(labels: list[str], truth: NDArray[Any]) -> list[Any]:
    """Labels written on the command line, as numbers where the truth is numbers."""
    if truth.dtype.kind in "OUT":
        return list(labels)
    try:
        return [float(label) for label in labels]
    except ValueError:
        raise InputError(
            f"classes must be named as the truth has them, which are numbers; got {', '.join(labels)}"
        ) from None


def _normal(asked: Asked, cases: Cases) -> Array:
    from scipy.stats import norm

    from nepers.ratios import log_parametric

    mean, sd = cases.numbers(asked.need(2, "the columns of the mean and of the standard deviation")).T
    wrong = np.flatnonzero(~(sd > 0.0) | ~np.isfinite(sd))
    if wrong.size:
        raise InputError(
            f"column {asked.columns[1]!r} must hold standard deviations, above 0; "
            f"{sd[wrong[0]]} in row {wrong[0]}"
        )
    return log_parametric(cases.truths("normal"), norm(mean, sd))


def _draws(asked: Asked, cases: Cases) -> Array:
    from nepers.ratios import log_ensemble

    names = [name for pattern in asked.columns for name in _matching(pattern, cases.rows.names)]
    return log_ensemble(cases.truths("draws"), cases.numbers(names))


def _matching(pattern: str, names: tuple[str, ...]) -> list[str]:
    if "*" not in pattern:
        return [pattern]
    found = [name for name in names if fnmatchcase(name, pattern)]
    if not found:
        raise InputError(f"columns {pattern!r} must match a column; none of {', '.join(names)} does")
    return found


def _quantiles(asked: Asked, cases: Cases) -> Array:
    from nepers.ratios import log_quantiles

    try:
        levels = [float(key) for key, _value in asked.parts]
    except ValueError:
        raise InputError(
            f"{asked.option} quantiles must be written LEVEL=COLUMN, as 0.1=low,0.5=mid,0.9=high"
        ) from None
    return log_quantiles(cases.truths("quantiles"), cases.numbers(asked.columns), levels)


def _survival(asked: Asked, cases: Cases) -> Array:
    from nepers.ratios import log_density, log_probability

    names = asked.need(2, "the columns of the density and of the survival probability")
    density, survival = cases.numbers(names).T
    seen = np.isfinite(cases.times("survival").upper)
    result = np.empty(seen.size)
    result[seen] = log_density(density[seen])
    result[~seen] = log_probability(survival[~seen])
    return result


def _point(asked: Asked, cases: Cases) -> Array:
    from nepers.ratios import log_point

    (name,) = asked.need(1, "one column")
    return log_point(cases.labels("point"), cases.rows.values(name))


def _constant(asked: Asked, cases: Cases) -> Array:
    truth = cases.labels("constant")
    return written_probabilities(asked, truth).log_p(truth)


def written_probabilities(asked: Asked, truth: NDArray[Any]) -> ClassFrequencies:
    """The prior that is written as CLASS=PROBABILITY."""
    from nepers.priors import known_classes

    labels = as_truth([key for key, _value in asked.parts], truth)
    try:
        probabilities = [float(value) for _key, value in asked.parts]
    except ValueError:
        raise InputError(
            f"{asked.option} constant must be written CLASS=PROBABILITY, as no=0.7,yes=0.3"
        ) from None
    return known_classes(dict(zip(labels, probabilities, strict=True)))


def _frequencies(cases: Cases, training: Cases) -> Array:
    from nepers.priors import class_frequencies

    return class_frequencies(training.labels("frequencies")).log_p(cases.labels("frequencies"))


def _marginal(cases: Cases, training: Cases) -> Array:
    from nepers.priors import fitted_marginal

    return fitted_marginal(training.truths("marginal"), seed=1).log_p(cases.truths("marginal"))


def _survival_marginal(cases: Cases, training: Cases) -> Array:
    from nepers.priors import survival_marginal

    return survival_marginal(training.times("survival")).log_p(cases.times("survival"))


_OF_COLUMNS: dict[str, Callable[[Asked, Cases], Array]] = {
    "log": _log,
    "probability": _single("log_probability"),
    "density": _single("log_density"),
    "score": _single("from_log_score"),
    "classes": _classes,
    "normal": _normal,
    "draws": _draws,
    "quantiles": _quantiles,
    "survival": _survival,
    "point": _point,
}
_OF_TRAINING: dict[str, Callable[[Cases, Cases], Array]] = {
    "frequencies": _frequencies,
    "marginal": _marginal,
    "survival": _survival_marginal,
}
_OF_PRIORS = (*_OF_TRAINING, "constant")

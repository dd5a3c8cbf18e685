"""What the cases' file gives: the logs of the predictions asked for; and whether the cases are unseen."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nepers.cli.predictions import Asked, Cases, log_given, read_asked
from nepers.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Where:
    """The files and columns that a command was given, besides the predictions."""

    file: str
    format: str | None
    truth: str | None
    event: str | None
    document: str | None
    trained_on: str | None
    prior_from: str | None
    ids: tuple[str, ...]


def read_logs(q: Mapping[str, Asked], p: Asked | None, where: Where) -> tuple[dict[str, Array], Array | None]:
    """log Q(x) of every algorithm, and log P(x)."""
    from nepers.reading.rows import open_any

    with ExitStack() as stack:
        cases = Cases(
            stack.enter_context(open_any(where.file, where.format)), where.truth, where.event, where.document
        )
        source = where.prior_from or where.trained_on
        training = None
        if source is not None and p is not None and p.is_fitted:
            training = Cases(stack.enter_context(open_any(source, None)), where.truth, where.event, None)
        log_q = {name: log_given(asked, cases, training) for name, asked in q.items()}
        return log_q, None if p is None else log_given(p, cases, training)


def read_one(
    log_q: str | None, log_p: str | None, q: str | None, p: str | None, where: Where
) -> dict[str, Any]:
    """The arguments of `nepers.assess` for one prediction and its prior."""
    prediction = _one_way("the prediction", "--log-q", log_q, "--q", q)
    prior = _prior(log_p, p)
    if prediction is None:
        raise InputError(
            "--q or --log-q must say what the prediction is, as --p or --log-p says of the prior"
        )
    if prior is None:
        raise InputError(
            "--p or --log-p must say what the prior is, as --q or --log-q says of the prediction"
        )
    found, of_prior = read_logs({"q": prediction}, prior, where)
    return {"log_q": found["q"], "log_p": of_prior}


def _prior(log_p: str | None, p: str | None) -> Asked | None:
    return _one_way("the prior", "--log-p", log_p, "--p", p)


def _one_way(what: str, log_option: str, column: str | None, option: str, text: str | None) -> Asked | None:
    """One of the two options, or neither."""
    if column is not None and text is not None:
        raise InputError(f"give {what} one way, with {log_option} or with {option}; got both")
    if column is not None:
        return Asked(log_option, "log", (("", column),))
    return None if text is None else read_asked(option, text)


def read_several(
    j: list[str], log_q: list[str], log_p: str | None, q: list[str], p: str | None, where: Where
) -> dict[str, Any]:
    """The arguments of `nepers.compare`: log ratios, or the logs of what algorithms and prior gave."""
    ways = [name for name, given in (("--j", j), ("--log-q", log_q), ("--q", q)) if given]
    if len(ways) != 1:
        raise InputError(
            "give the algorithms one way, with --j, --log-q or --q for each of them; "
            f"got {' and '.join(ways) or 'none of these'}"
        )
    if j:
        if log_p is not None or p is not None:
            raise InputError("give no prior with --j: the log ratios are relative to it already")
        logs, _none = read_logs(_logs("--j", j), None, where)
        return {"j": logs}
    asked = _logs("--log-q", log_q) or {
        name: read_asked("--q", text) for name, text in by_name("--q", q, "algorithm").items()
    }
    found, of_prior = read_logs(asked, _prior(log_p, p), where)
    return {"log_q": found, "log_p": of_prior}


def _logs(option: str, given: list[str]) -> dict[str, Asked]:
    columns = by_name(option, given, "algorithm")
    return {name: Asked(option, "log", (("", column),)) for name, column in columns.items()}


def refuse_unfit(where: Where) -> None:
    """An error that lists the cases that come twice, or that were in training, as far as the options tell."""
    if where.ids:
        _refuse_duplicates(where)
    if where.trained_on is not None:
        _refuse_seen(where)


def _refuse_duplicates(where: Where) -> None:
    from nepers.reading.rows import open_any
    from nepers.unseen import refuse_duplicates

    with open_any(where.file, where.format) as table:
        ids = {name: table.values(name) for name in where.ids}
    refuse_duplicates(ids, by=list(where.ids))


def _refuse_seen(where: Where) -> None:
    assert where.trained_on is not None
    if "-" in (where.file, where.trained_on):
        raise InputError("--trained-on compares two files; standard input cannot be one of them")
    from nepers.unseen import refuse_seen_files

    if not where.ids:
        _need_more_than_outcomes(where)
    refuse_seen_files(
        where.file, where.trained_on, by=list(where.ids) or None, format=where.format, training_format=None
    )


def _need_more_than_outcomes(where: Where) -> None:
    """Cases that share nothing but what came true are not the same case for that."""
    from nepers.reading.rows import open_any

    with open_any(where.file, where.format) as a, open_any(str(where.trained_on), None) as b:
        shared = set(a.names) & set(b.names) - {where.truth, where.event}
    if not shared:
        raise InputError(
            f"--id must name the column that tells cases apart: {where.file} and {where.trained_on} share no "
            "column but what came true"
        )


def by_name(option: str, given: list[str], what: str) -> dict[str, Any]:
    """Repeated ``NAME=...`` options; without a name, the text itself names it."""
    found: dict[str, Any] = {}
    for text in given:
        name, equals, rest = text.partition("=")
        # in KIND:no=C,yes=D the first = belongs to the columns
        named = equals and ":" not in name
        key, value = (name.strip(), rest.strip()) if named else (text, text)
        if key in found:
            raise InputError(f"{option} must give each {what} a name of its own; {key!r} comes twice")
        found[key] = value
    return found

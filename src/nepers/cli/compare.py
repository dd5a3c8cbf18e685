"""``nepers compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nepers.cli.given import Where, read_several, refuse_unfit
from nepers.cli.options import (
    Bits,
    Chains,
    Constants,
    Cores,
    Document,
    Event,
    File,
    Format,
    Ids,
    Json,
    Level,
    LogP,
    MaxSeconds,
    Prior,
    PriorFrom,
    Quiet,
    Report,
    Scale,
    Seed,
    SeveralJ,
    SeveralLogQ,
    SeveralQ,
    TrainedOn,
    Truth,
    explains_predictions,
)
from nepers.cli.printing import (
    check_level,
    check_report,
    interruptible,
    rows_of_a_file,
    say,
    say_json,
    write_report,
)

if TYPE_CHECKING:
    from nepers.comparison import Comparison

Reference = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="What the others are judged against; the prior if left out."),
]
Equivalence = Annotated[float, typer.Option(help="Gains within this many nats of 0 count as equivalent.")]


@explains_predictions
def compare(
    file: File,
    j: SeveralJ = None,
    log_q: SeveralLogQ = None,
    log_p: LogP = None,
    q: SeveralQ = None,
    p: Prior = None,
    reference: Reference = None,
    equivalence: Equivalence = 0.01,
    truth: Truth = None,
    event: Event = None,
    document: Document = None,
    prior_from: PriorFrom = None,
    trained_on: TrainedOn = None,
    id: Ids = None,
    format: Format = None,
    level: Level = 0.95,
    bits: Bits = False,
    hyperparameters: Constants = "calibrated",
    scale: Scale = 1.0,
    seed: Seed = None,
    chains: Chains = 4,
    max_seconds: MaxSeconds = 120.0,
    cores: Cores = None,
    report: Report = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare several algorithms on the same cases, which none of them has seen.

    Give each algorithm with --j, --log-q or --q, and the prior with --log-p or --p. Without a prior,
    --reference names the algorithm that stands in its place.

    Rows are counted from 0, the header not counted.
    """
    check_level(level)
    check_report(report)
    where = Where(file, format, truth, event, document, trained_on, prior_from, tuple(id or ()))
    with interruptible(), rows_of_a_file():
        refuse_unfit(where)
        given = read_several(j or [], log_q or [], log_p, q or [], p, where)
        from nepers.comparison import compare as comparison

        result = comparison(
            **given,
            reference=reference,
            equivalence=equivalence,
            hyperparameters=hyperparameters,
            scale=scale,
            seed=seed,
            chains=chains,
            max_seconds=max_seconds,
            cores=cores,
            progress=False if quiet else None,
        )
        result = result.in_bits() if bits else result
        _answer(result, level, json)
    with interruptible():
        write_report(result, report)


def _answer(result: Comparison, level: float, json: bool) -> None:
    if json:
        say_json(result.to_dict(level))
        return
    from nepers.comparison.words import describe

    say(describe(result, level))

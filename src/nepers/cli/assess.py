"""``nepers assess``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nepers.cli.every_class import assessed_by_class
from nepers.cli.given import Where, read_one, refuse_unfit
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
    Save,
    Scale,
    Seed,
    TrainedOn,
    Truth,
    explains_predictions,
)
from nepers.cli.printing import (
    check_level,
    check_place,
    check_report,
    interruptible,
    note,
    rows_of_a_file,
    say,
    say_json,
    write_report,
)
from nepers.cli.tally import is_tally, read_tally
from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.rare import ClassAssessment

JColumn = Annotated[
    str | None, typer.Option("--j", metavar="COLUMN", help="Column of log Q - log P, in nats.")
]
QColumn = Annotated[str | None, typer.Option("--log-q", metavar="COLUMN", help="Column of log Q.")]
Prediction = Annotated[
    str | None, typer.Option("--q", metavar="KIND:COLUMNS", help="The prediction in columns; see below.")
]
EveryClass = Annotated[
    bool,
    typer.Option(
        "--every-class",
        help="For rare classes: use what --q classes:... gives to all of them. It runs no chains.",
    ),
]


@explains_predictions
def assess(
    file: File,
    j: JColumn = None,
    log_q: QColumn = None,
    log_p: LogP = None,
    q: Prediction = None,
    p: Prior = None,
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
    max_seconds: MaxSeconds = 60.0,
    cores: Cores = None,
    every_class: EveryClass = False,
    save: Save = None,
    report: Report = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Assess a prediction from its log ratios on cases it has not seen.

    Without --j, or --log-q and --log-p, the column named j is used if there is one,
    else log_q and log_p, else the only numeric column. FILE may be a tally, made by nepers tally.

    Rows are counted from 0, the header not counted.
    """
    check_level(level)
    check_place(save)
    check_report(report)
    where = Where(file, format, truth, event, document, trained_on, prior_from, tuple(id or ()))
    with interruptible():
        if not is_tally(file):
            refuse_unfit(where)
        if every_class:
            _refuse_beside(j=j, log_q=log_q, log_p=log_p, save=save, report=report)
            by_class = assessed_by_class(q, p, where, seed)
            answer(by_class.in_bits() if bits else by_class, level, json)
            return
        given, why = _given(where, j, log_q, log_p, q, p)
        result = assessed(
            given,
            quiet,
            hyperparameters=hyperparameters,
            scale=scale,
            seed=seed,
            chains=chains,
            max_seconds=max_seconds,
            cores=cores,
        )
        _save(result, save)
        if why is not None and not quiet:
            note(why)
        result = result.in_bits() if bits else result
        answer(result, level, json)
        write_report(result, report)


def _refuse_beside(**options: object) -> None:
    for name, value in options.items():
        if value is not None:
            raise InputError(f"give no --{name.replace('_', '-')} with --every-class")


def _given(
    where: Where, j: str | None, log_q: str | None, log_p: str | None, q: str | None, p: str | None
) -> tuple[dict[str, Any], str | None]:
    """The arguments of `nepers.assess`, and a sentence on what was chosen if the user did not choose."""
    if is_tally(where.file):
        asked = {name: getattr(where, name) for name in ("truth", "event", "document", "trained_on", "ids")}
        columns = {"j": j, "log_q": log_q, "log_p": log_p, "q": q, "p": p}
        return read_tally(where.file, columns | asked), None
    if q is None and p is None:
        from nepers.reading import open_table
        from nepers.reading.choice import read_log_ratios

        with open_table(where.file, format=where.format) as table:
            return read_log_ratios(table, j, log_q, log_p)
    if j is not None:
        raise InputError("give no --q or --p with --j: the log ratios are relative to a prior already")
    with rows_of_a_file():
        return read_one(log_q, log_p, q, p, where), None


def assessed(given: dict[str, Any], quiet: bool, **options: Any) -> Assessment:
    """The assessment of columns that came from a file."""
    from nepers.assessment import assess as assessment

    with rows_of_a_file():
        return assessment(**given, **options, progress=False if quiet else None)


def answer(result: Assessment | ClassAssessment, level: float, json: bool) -> None:
    """The answer, in words or as JSON."""
    if json:
        say_json(result.to_dict(level))
        return
    say(str(result))
    if level != 0.95:
        from nepers.words import decimals

        lower, upper = (f"{value:.{decimals(result.sd)}f}" for value in result.interval(level))
        say(f"The {100 * level:g}% credible interval is {lower} to {upper} {result.unit}.")


def _save(result: Assessment, path: Path | None) -> None:
    if path is None:
        return
    try:
        result.save(path)
    except OSError as error:
        raise InputError(
            f"--save must be a file that can be written; {str(path)!r}: {error.strerror}"
        ) from None

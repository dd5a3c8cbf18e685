"""``nepers assess``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nepers.cli.options import (
    Bits,
    Chains,
    Constants,
    Cores,
    File,
    Format,
    Json,
    Level,
    MaxSeconds,
    Quiet,
    Save,
    Scale,
    Seed,
)
from nepers.cli.printing import (
    check_level,
    check_place,
    interruptible,
    note,
    rows_of_a_file,
    say,
    say_json,
)
from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.assessment import Assessment

JColumn = Annotated[
    str | None, typer.Option("--j", metavar="COLUMN", help="Column of log Q - log P, in nats.")
]
QColumn = Annotated[str | None, typer.Option("--log-q", metavar="COLUMN", help="Column of log Q.")]
PColumn = Annotated[str | None, typer.Option("--log-p", metavar="COLUMN", help="Column of log P.")]


def assess(
    file: File,
    j: JColumn = None,
    log_q: QColumn = None,
    log_p: PColumn = None,
    format: Format = None,
    level: Level = 0.95,
    bits: Bits = False,
    hyperparameters: Constants = None,
    scale: Scale = 1.0,
    seed: Seed = None,
    chains: Chains = 4,
    max_seconds: MaxSeconds = 60.0,
    cores: Cores = None,
    save: Save = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Assess a prediction from its log ratios on cases it has not seen.

    Without --j, or --log-q and --log-p, the column named j is used if there is one,
    else log_q and log_p, else the only numeric column.

    Rows are counted from 0, the header not counted.
    """
    check_level(level)
    check_place(save)
    from nepers.reading import open_table
    from nepers.reading.choice import read_log_ratios

    with interruptible():
        with open_table(file, format=format) as table:
            given, why = read_log_ratios(table, j, log_q, log_p)
        result = assessed(
            given,
            quiet,
            **({} if hyperparameters is None else {"hyperparameters": hyperparameters}),
            scale=scale,
            seed=seed,
            chains=chains,
            max_seconds=max_seconds,
            cores=cores,
        )
        _save(result, save)
        if why is not None and not quiet:
            note(why)
        report(result.in_bits() if bits else result, level, json)


def assessed(given: dict[str, Any], quiet: bool, **options: Any) -> Assessment:
    """The assessment of columns that came from a file."""
    from nepers.assessment import assess as assessment

    with rows_of_a_file():
        return assessment(**given, **options, progress=False if quiet else None)


def report(result: Assessment, level: float, json: bool) -> None:
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

"""``nepers choose``."""

from __future__ import annotations

import json as json_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nepers.cli.options import Cores, File, Format, Json, Level, LogP, Quiet, Scale, Seed
from nepers.cli.printing import check_level, interruptible, note, rows_of_a_file, say, say_json
from nepers.errors import InputError
from nepers.files import writable

if TYPE_CHECKING:
    from nepers.hierarchy import Hyperparameters

JColumn = Annotated[
    str | None, typer.Option("--j", metavar="COLUMN", help="Column of log Q - log P, in nats.")
]
QColumn = Annotated[str | None, typer.Option("--log-q", metavar="COLUMN", help="Column of log Q.")]
Candidates = Annotated[
    list[str],
    typer.Option(
        "--candidate",
        metavar="[NAME=]TABLE[,FIELD=VALUE...]",
        help="Hyperparameters: a table's name or a JSON file of them, and fields that differ; one for each.",
    ),
]
Target = Annotated[float, typer.Option(help="Standard error wanted of every log evidence.")]
Budget = Annotated[float, typer.Option(help="Budget of time.")]
Ladders = Annotated[int, typer.Option(help="Independent runs for each candidate.")]
Resume = Annotated[
    Path | None, typer.Option(help="Keep the run in this file, and go on from it if it exists.")
]
Picture = Annotated[
    Path | None,
    typer.Option(help="Draw sets from each prior beside the cases, into this file (png, pdf, svg)."),
]


def choose(
    file: File,
    candidate: Candidates,
    j: JColumn = None,
    log_q: QColumn = None,
    log_p: LogP = None,
    format: Format = None,
    level: Level = 0.95,
    scale: Scale = 1.0,
    seed: Seed = None,
    target_error: Target = 0.1,
    max_seconds: Budget = 300.0,
    ladders: Ladders = 4,
    cores: Cores = None,
    resume: Resume = None,
    picture: Picture = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Choose hyperparameters by their log evidence on log ratios.

    As: nepers choose cases.csv --candidate paper --candidate heavy=paper,shape_type=2,m_lower=0.55

    The column of log ratios is found as by assess.
    """
    check_level(level)
    if picture is not None:
        writable("--picture", picture)
    named = {name: _hyperparameters(text) for name, text in _split(candidate).items()}
    with interruptible(), rows_of_a_file():
        from nepers.evidence import choose as choice
        from nepers.reading import open_table
        from nepers.reading.choice import read_log_ratios

        with open_table(file, format=format) as table:
            given, why = read_log_ratios(table, j, log_q, log_p)
        result = choice(
            candidates=named, **given, scale=scale, seed=seed, target_error=target_error,
            max_seconds=max_seconds, ladders=ladders, cores=cores, resume=resume,
            progress=False if quiet else None,
        )  # fmt: skip
        if why is not None and not quiet:
            note(why)
        if picture is not None:
            _draw(result, picture)
        if json:
            say_json(result.to_dict(level))
        else:
            say(str(result))


def _split(candidates: list[str]) -> dict[str, str]:
    """By name: what stands before a = that comes before any comma, else the whole."""
    found: dict[str, str] = {}
    for text in candidates:
        table, comma, changes = text.partition(",")
        name, equals, rest = table.partition("=")
        key = name.strip() if equals else text
        if key in found:
            raise InputError(f"--candidate must give each candidate a name of its own; {key!r} comes twice")
        found[key] = f"{rest}{comma}{changes}" if equals else text
    return found


def _hyperparameters(text: str) -> Hyperparameters:
    from nepers.hierarchy import Hyperparameters
    from nepers.options import named_hyperparameters

    table, *changes = (part.strip() for part in text.split(","))
    if not table.endswith(".json"):
        return named_hyperparameters(table).replace(**dict(_change(one) for one in changes))
    try:
        values = json_.loads(Path(table).read_text(encoding="utf-8"))
        found = Hyperparameters.from_dict(values)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"--candidate must name a JSON file of hyperparameters; {table!r}: {error}"
        ) from None
    return found.replace(**dict(_change(one) for one in changes))


def _change(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    try:
        if not equals:
            raise ValueError
        return name.strip(), json_.loads(value.replace("None", "null"))
    except ValueError:
        raise InputError(f"--candidate must give fields as FIELD=NUMBER; it has {text!r}") from None


def _draw(result: Any, picture: Path) -> None:
    ax = result.plot_prior_draws()
    try:
        ax.figure.savefig(picture)
    except (OSError, ValueError) as error:
        raise InputError(f"--picture must be a file that can be drawn; {str(picture)!r}: {error}") from None

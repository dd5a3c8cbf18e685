"""The options that several commands share."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

File = Annotated[str, typer.Argument(metavar="FILE", help="A table of one case a row; - is standard input.")]
Format = Annotated[
    str | None,
    typer.Option(help="csv, tsv, json, parquet or arrow; without it the file's name decides (csv for -)."),
]
Level = Annotated[float, typer.Option(help="Probability inside the credible interval.")]
Bits = Annotated[bool, typer.Option("--bits", help="Report in bits instead of nats.")]
Constants = Annotated[str, typer.Option(help="Table of hyperparameters: 'calibrated' or 'paper'.")]
Scale = Annotated[float, typer.Option(help="Unit in nats in which the hyperparameters are stated.")]
Seed = Annotated[int | None, typer.Option(help="The same seed gives the same draws; random without.")]
Chains = Annotated[int, typer.Option(help="Number of chains.")]
MaxSeconds = Annotated[float, typer.Option(help="Budget of time.")]
Cores = Annotated[int | None, typer.Option(help="Cores to use; all without.")]
Save = Annotated[Path | None, typer.Option(help="Also write the assessment, draws included, to this file.")]
Report = Annotated[
    Path | None, typer.Option(help="Also write a report to this file: one page of HTML with the figures.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object; infinite numbers are text in it.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes and no progress on standard error.")]

Truth = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of what came true.")]
Event = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column that is 1 where the event was seen, 0 if censored."),
]
Document = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Column of documents, over whose rows logs are added up.")
]
Prior = Annotated[
    str | None,
    typer.Option(
        "--p", metavar="KIND[:COLUMNS]", help="The prior, as --q; or frequencies, marginal, survival."
    ),
]
PriorFrom = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Training outcomes for the prior; else those of --trained-on."),
]
TrainedOn = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The training data: cases found there are listed and refused."),
]
Ids = Annotated[
    list[str] | None,
    typer.Option(
        "--id",
        metavar="COLUMN",
        help="Column that tells cases apart: none may come twice, or be in --trained-on.",
    ),
]
SeveralJ = Annotated[
    list[str] | None,
    typer.Option("--j", metavar="[NAME=]COLUMN", help="Column of log Q - log P, in nats; one for each."),
]
SeveralLogQ = Annotated[
    list[str] | None, typer.Option("--log-q", metavar="[NAME=]COLUMN", help="Column of log Q; one for each.")
]
SeveralQ = Annotated[
    list[str] | None,
    typer.Option("--q", metavar="[NAME=]KIND:COLUMNS", help="A prediction, as for assess; one for each."),
]
LogP = Annotated[str | None, typer.Option("--log-p", metavar="COLUMN", help="Column of log P.")]

_PREDICTIONS = """KIND:COLUMNS says which columns hold a prediction, and of what kind:

log:C, probability:C, density:C (what it gave to the truth);  score:C (less is better);

classes:no=C,yes=D;  normal:MEAN,SD;  draws:ens_*;  quantiles:0.1=C,0.5=D,0.9=E;  point:C;

survival:DENSITY,SURVIVAL (at the time of the case, with --event).

A prior may also be frequencies, marginal or survival, fitted on --prior-from, or constant:no=0.7,yes=0.3."""

Command = TypeVar("Command", bound=Callable[..., None])


def explains_predictions(command: Command) -> Command:
    """The command's help, with what KIND:COLUMNS means below it."""
    command.__doc__ = f"{inspect.getdoc(command)}\n\n{_PREDICTIONS}"
    return command

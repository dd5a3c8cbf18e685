"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

File = Annotated[str, typer.Argument(metavar="FILE", help="A table of one case a row; - is standard input.")]
Format = Annotated[
    str | None,
    typer.Option(help="csv, tsv, json, parquet or arrow; without it the file's name decides (csv for -)."),
]
Level = Annotated[float, typer.Option(help="Probability inside the credible interval.")]
Bits = Annotated[bool, typer.Option("--bits", help="Report in bits instead of nats.")]
Constants = Annotated[str | None, typer.Option(help="Name of a table of hyperparameters, as 'paper'.")]
Scale = Annotated[float, typer.Option(help="Unit in nats in which the hyperparameters are stated.")]
Seed = Annotated[int | None, typer.Option(help="The same seed gives the same draws; random without.")]
Chains = Annotated[int, typer.Option(help="Number of chains.")]
MaxSeconds = Annotated[float, typer.Option(help="Budget of time.")]
Cores = Annotated[int | None, typer.Option(help="Cores to use; all without.")]
Save = Annotated[Path | None, typer.Option(help="Also write the assessment, draws included, to this file.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object; infinite numbers are text in it.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes and no progress on standard error.")]

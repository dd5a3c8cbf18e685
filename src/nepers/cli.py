"""The command line: parse, call, print. What is imported at the top is what ``nepers --help`` waits for."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.assessment import Assessment

WRONG_INPUT, INTERRUPTED = 2, 130
_DEMO = (
    "The built-in example: 418 log ratios. They are not the data of the paper (Sewell, Assessment of the "
    "quality of a prediction), which are not public; they are made to match what it says of them: mean 0.096 "
    "with standard error 0.034, one case at -6.58, and mean 0.112 without that case."
)
# typer has click inside it since 0.2x and beside it before: the class has no public name common to both
_UsageError: type[Exception] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

Level = Annotated[float, typer.Option(help="Probability inside the credible interval.")]
Bits = Annotated[bool, typer.Option("--bits", help="Report in bits instead of nats.")]
Constants = Annotated[str | None, typer.Option(help="Name of a table of hyperparameters, as 'paper'.")]
Scale = Annotated[float, typer.Option(help="Unit in nats in which the hyperparameters are stated.")]
Seed = Annotated[int | None, typer.Option(help="The same seed gives the same draws; random without.")]
DemoSeed = Annotated[int, typer.Option(help="The same seed gives the same draws.")]
Chains = Annotated[int, typer.Option(help="Number of chains.")]
MaxSeconds = Annotated[float, typer.Option(help="Budget of time.")]
Cores = Annotated[int | None, typer.Option(help="Cores to use; all without.")]
Save = Annotated[Path | None, typer.Option(help="Also write the assessment, draws included, to this file.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object; infinite numbers are text in it.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes and no progress on standard error.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="A table of one case a row; - is standard input.")]
JColumn = Annotated[
    str | None, typer.Option("--j", metavar="COLUMN", help="Column of log Q - log P, in nats.")
]
QColumn = Annotated[str | None, typer.Option("--log-q", metavar="COLUMN", help="Column of log Q.")]
PColumn = Annotated[str | None, typer.Option("--log-p", metavar="COLUMN", help="Column of log P.")]
Format = Annotated[
    str | None,
    typer.Option(help="csv, tsv, json, parquet or arrow; without it the file's name decides (csv for -)."),
]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or 2 for a wrong input, or 130 after Ctrl-C."""
    try:
        with _plain_warnings():
            status = app(arguments, prog_name="nepers", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except InputError as error:
        return _stop(WRONG_INPUT, str(error))
    except (KeyboardInterrupt, typer.Abort):
        return _stop(INTERRUPTED, "interrupted")
    except _UsageError as error:
        return _stop(WRONG_INPUT, getattr(error, "format_message", error.__str__)())


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """How much is a probabilistic prediction worth, and how sure can you be of it?"""
    if version:
        from importlib.metadata import version as installed

        _print(f"nepers {installed('nepers')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        _print(context.get_help())


@app.command()
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
    _check(level, save)
    from nepers.reading import open_table
    from nepers.reading.choice import read_log_ratios

    with _interruptible():
        with open_table(file, format=format) as table:
            given, why = read_log_ratios(table, j, log_q, log_p)
        result = _assessed(
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
            _note(why)
        _report(result.in_bits() if bits else result, level, json)


@app.command()
def demo(
    level: Level = 0.95,
    bits: Bits = False,
    seed: DemoSeed = 1,
    max_seconds: MaxSeconds = 60.0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Assess the built-in example: a prediction of the recurrence of prostate cancer."""
    _check(level, None)
    from importlib.resources import as_file, files

    from nepers.reading import read_columns

    with _interruptible():
        with as_file(files("nepers") / "data" / "paper_like_j.csv") as path:
            given = read_columns(path, ["j"])
        result = _assessed(given, quiet, seed=seed, max_seconds=max_seconds)
        if not quiet:
            _note(_DEMO) if json else _print(_DEMO + "\n")
        _report(result.in_bits() if bits else result, level, json)


def _assessed(given: dict[str, Any], quiet: bool, **options: Any) -> Assessment:
    from nepers.assessment import assess as assessment

    try:
        return assessment(**given, **options, progress=False if quiet else None)
    except InputError as error:
        counted = " (rows counted from 0, the header not counted)" if " row" in str(error) else ""
        raise InputError(f"{error}{counted}") from None


def _check(level: float, save: Path | None) -> None:
    """What would otherwise only fail after the sampling."""
    if not 0.0 < level < 1.0:
        raise InputError(f"--level must lie between 0 and 1; it is {level}")
    if save is not None and (save.is_dir() or not save.absolute().parent.is_dir()):
        raise InputError(f"--save must be a file in a folder that exists; it is {str(save)!r}")


def _save(result: Assessment, path: Path | None) -> None:
    if path is None:
        return
    try:
        result.save(path)
    except OSError as error:
        raise InputError(
            f"--save must be a file that can be written; {str(path)!r}: {error.strerror}"
        ) from None


def _report(result: Assessment, level: float, json: bool) -> None:
    if json:
        import json as strict

        _print(strict.dumps(result.to_dict(level), indent=2, allow_nan=False))
        return
    _print(str(result))
    if level != 0.95:
        from nepers.words import decimals

        lower, upper = (f"{value:.{decimals(result.sd)}f}" for value in result.interval(level))
        _print(f"The {100 * level:g}% credible interval is {lower} to {upper} {result.unit}.")


def _print(text: str) -> None:
    print(text, flush=True)  # flushed here, so that a closed pipe is met where it is handled


def _note(text: str) -> None:
    print(f"nepers: {' '.join(text.split())}", file=sys.stderr, flush=True)


def _stop(status: int, text: str) -> int:
    _note(text)
    return status


@contextmanager
def _interruptible() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise typer.Exit(_stop(INTERRUPTED, "interrupted")) from None


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """A warning is a line for the user, not a place in the source."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: _note(f"warning: {message}")
        yield

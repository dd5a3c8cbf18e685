"""``nepers demo``."""

from __future__ import annotations

from typing import Annotated

import typer

from nepers.cli.assess import answer, assessed
from nepers.cli.options import Bits, Json, Level, MaxSeconds, Quiet, Report
from nepers.cli.printing import check_level, check_report, interruptible, note, say, write_report

_DEMO = (
    "The built-in example: 418 log ratios. They are not the data of the paper (Sewell, Assessment of the "
    "quality of a prediction), which are not public; they are made to match what it says of them: mean 0.096 "
    "with standard error 0.034, one case at -6.58, and mean 0.112 without that case."
)

Seed = Annotated[int, typer.Option(help="The same seed gives the same draws.")]


def demo(
    level: Level = 0.95,
    bits: Bits = False,
    seed: Seed = 1,
    max_seconds: MaxSeconds = 60.0,
    report: Report = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Assess the built-in example: a prediction of the recurrence of prostate cancer."""
    check_level(level)
    check_report(report)
    from importlib.resources import as_file, files

    from nepers.reading import read_columns

    with interruptible():
        with as_file(files("nepers") / "data" / "paper_like_j.csv") as path:
            given = read_columns(path, ["j"])
        result = assessed(given, quiet, seed=seed, max_seconds=max_seconds)
        if not quiet:
            note(_DEMO) if json else say(_DEMO + "\n")
        result = result.in_bits() if bits else result
        answer(result, level, json)
        write_report(result, report)

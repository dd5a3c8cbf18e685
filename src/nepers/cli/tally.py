"""``nepers tally``, and what ``nepers assess`` makes of its files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from nepers.cli.options import Json, Quiet
from nepers.cli.printing import interruptible, note, say, say_json
from nepers.errors import InputError

SUFFIX = ".tally"
_MERGE = "merge"

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES...", help="Tables of one case a row, or globs of them; or: merge TALLIES..."
    ),
]
Out = Annotated[Path, typer.Option("-o", "--out", help="The file to write the tally to.")]
JColumn = Annotated[
    str | None, typer.Option("--j", metavar="COLUMN", help="Column of log Q - log P, in nats.")
]
LogQ = Annotated[str | None, typer.Option("--log-q", metavar="COLUMN", help="Column of log Q.")]
LogP = Annotated[str | None, typer.Option("--log-p", metavar="COLUMN|NUMBER", help="Column of log P.")]
Q = Annotated[
    str | None, typer.Option("--q", metavar="COLUMN", help="Column of the probability Q of the truth.")
]
P = Annotated[str | None, typer.Option("--p", metavar="COLUMN|NUMBER", help="Column of its probability P.")]
Kind = Annotated[
    str | None, typer.Option("--format", help="parquet, csv, tsv or json; else the name decides.")
]
Unit = Annotated[float, typer.Option(help="The |j| in nats up to which bins are about as wide as at 0.")]
Steps = Annotated[int, typer.Option(help="How many bins make a unit at 0.")]


def tally(
    files: Files,
    out: Out,
    j: JColumn = None,
    log_q: LogQ = None,
    log_p: LogP = None,
    q: Q = None,
    p: P = None,
    format: Kind = None,
    unit: Unit = 0.25,
    steps: Steps = 512,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tally files of any size, to be assessed or merged later: nepers assess x.tally.

    nepers tally merge a.tally b.tally -o all.tally puts tallies together.
    """
    from nepers.files import writable
    from nepers.tally import Grid, Tally, from_files

    columns: dict[str, Any] = {"j": j, "log_q": log_q, "log_p": _number(log_p), "q": q, "p": _number(p)}
    writable("--out", out)
    with interruptible():
        if files[0] == _MERGE:
            refuse_columns(columns, "tallies that are merged")
            tallies = [Tally.load(path) for path in files[1:]]
            if not tallies:
                raise InputError("merge needs tallies to merge; there are none")
            found = tallies[0].merge(*tallies[1:])
        else:
            found = from_files(files, **columns, format=format, grid=Grid(unit, steps))
        found.save(out)
    if json:
        say_json({"file": str(out), "n": found.n, "bins": int(found.bins.key.size), "mean": str(found.mean)})
    else:
        bins = found.bins.key.size
        say(f"{out}: {found.n:,} cases in {bins:,} bins; their mean j is {found.mean:.6g} nats.")
        if not quiet:
            note(f"the posterior of J: nepers assess {out}")


def is_tally(file: str) -> bool:
    """Whether the name is that of a tally."""
    return file.lower().endswith(SUFFIX)


def read_tally(file: str, columns: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `nepers.assess` for a file of a tally, with which no columns may be asked for."""
    from nepers.tally import Tally

    refuse_columns(columns, f"{file}, which is a tally")
    return {"j": Tally.load(file)}


def refuse_columns(columns: dict[str, Any], what: str) -> None:
    """An error for options that name columns."""
    given = [f"--{name.replace('_', '-')}" for name, value in columns.items() if value not in (None, ())]
    if given:
        raise InputError(f"{' and '.join(given)} cannot be given with {what}: its cases are counted already")


def _number(text: str | None) -> str | float | None:
    """A number, if it is one; else the name of a column."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text

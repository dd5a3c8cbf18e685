"""``nepers predict``: from two files to predictions, and what they are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nepers.cli.options import Cores, Format, Json, Quiet, Seed
from nepers.cli.printing import check_place, interruptible, note, say, say_json
from nepers.errors import InputError

if TYPE_CHECKING:
    from nepers.assessment import Assessment
    from nepers.survival import PredictedTimes

Training = Annotated[str, typer.Argument(metavar="TRAIN", help="Patients to learn from: one a row.")]
New = Annotated[str, typer.Argument(metavar="TEST", help="Patients to predict, with the same covariates.")]
TimeColumn = Annotated[str, typer.Option("--time", metavar="COLUMN", help="Time to the event, or observed.")]
EventColumn = Annotated[
    str, typer.Option("--event", metavar="COLUMN", help="1 where the event was seen, 0 if censored.")
]
Chosen = Annotated[
    list[str] | None,
    typer.Option("--covariate", metavar="COLUMN[=KIND]", help="A covariate, and how to take it; else all."),
]
Ids = Annotated[
    list[str] | None, typer.Option("--id", metavar="COLUMN", help="Names the patients; not a covariate.")
]
Until = Annotated[
    list[float] | None, typer.Option("--at", metavar="TIME", help="Also the probability to be free at TIME.")
]
Out = Annotated[Path | None, typer.Option(help="Write the predictions, a row for each patient, to this csv.")]
Save = Annotated[Path | None, typer.Option(help="Also write what was fitted to this file.")]
Draws = Annotated[int, typer.Option(help="Draws kept of each chain.")]


def predict(
    train: Training,
    test: New,
    time: TimeColumn,
    event: EventColumn,
    covariate: Chosen = None,
    id: Ids = None,
    at: Until = None,
    out: Out = None,
    save: Save = None,
    draws: Draws = 500,
    format: Format = None,
    seed: Seed = None,
    cores: Cores = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learn when events come from TRAIN, predict the patients of TEST, and say what that is worth.

    An empty cell is a value that is not known. KIND is linear, log or category; left out, it is chosen by
    the values. If TEST has times and events too, the prediction is assessed on them, against the
    distribution of the times in TRAIN.
    """
    check_place(out, "--out")
    check_place(save)
    with interruptible():
        known = _read(train, format, time, event, covariate, id)
        new = _read(test, None, time, event, covariate, id)
        fitted = _fitted(known, covariate, time, event, seed=seed, draws=draws, cores=cores)
        found = fitted.predict_distribution(new.X)
        if save is not None:
            fitted.save(save)
        if out is not None:
            _write(out, new, found, at or [])
        elif new.y is None:
            raise InputError(
                "--out must name a file for the predictions: TEST has no outcomes to assess them"
            )
        if not quiet:
            note(
                f"learned from {len(known.y['time']):,} patients of {train}; predicted {found.n:,} of {test}"
            )
        if new.y is not None:
            _report(_assessed(known.y, new.y, found, seed=seed, cores=cores), json)


def _read(
    file: str, format: str | None, time: str, event: str, chosen: list[str] | None, ids: list[str] | None
) -> Any:
    from nepers.cli.patients import read_patients

    names = None if not chosen else [text.partition("=")[0] for text in chosen]
    return read_patients(file, format, time, event, names, tuple(ids or ()))


def _fitted(known: Any, chosen: list[str] | None, time: str, event: str, **options: Any) -> Any:
    from nepers.survival import SkewStudentSurvival

    if known.y is None:
        raise InputError(f"TRAIN must have the columns {time!r} and {event!r}")
    kinds = dict(text.split("=", 1) for text in chosen or [] if "=" in text)
    estimator = SkewStudentSurvival(time="time", event="event", covariates=kinds or None, **options)
    return estimator.fit(known.X, known.y)


def _write(out: Path, new: Any, found: PredictedTimes, at: list[float]) -> None:
    import csv
    import io

    from nepers.files import write_whole

    low, middle, high = found.quantile([0.1, 0.5, 0.9]).T
    columns: dict[str, Any] = {**new.ids, "median": middle, "quantile_10": low, "quantile_90": high}
    if at:
        columns.update({f"free_at_{t:g}": p for t, p in zip(at, found.survival(at).T, strict=True)})
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(columns)
    table.writerows(zip(*columns.values(), strict=True))
    write_whole(out, text.getvalue().encode())


def _assessed(
    known: dict[str, Any], new: dict[str, Any], found: PredictedTimes, *, seed: int | None, cores: int | None
) -> Assessment:
    from nepers.assessment import assess
    from nepers.priors import survival_marginal
    from nepers.ratios import Times, log_survival

    prior = survival_marginal(Times.right_censored(known["time"], event=known["event"]))
    times = Times.right_censored(new["time"], event=new["event"])
    return assess(
        log_q=log_survival(times, found), log_p=prior.log_p(times), seed=seed, cores=cores, progress=False
    )


def _report(result: Assessment, json: bool) -> None:
    if json:
        say_json(result.to_dict(0.95))
    else:
        say(str(result))

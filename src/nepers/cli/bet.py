"""``nepers bet``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from nepers.cli.given import Where, read_several, refuse_unfit
from nepers.cli.options import (
    Document,
    Event,
    File,
    Format,
    Ids,
    Json,
    LogP,
    Prior,
    PriorFrom,
    SeveralJ,
    SeveralLogQ,
    SeveralQ,
    TrainedOn,
    Truth,
    explains_predictions,
)
from nepers.cli.printing import interruptible, rows_of_a_file, say, say_json

Time = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Column that orders the bets: numbers, dates or times.")
]
Alpha = Annotated[float, typer.Option(help="The evidence is compared with 1/alpha.")]
Bounds = Annotated[
    tuple[float, float] | None,
    typer.Option(metavar="LOW HIGH", help="Between which every j must lie, for a confidence sequence of J."),
]
Clip = Annotated[
    tuple[float, float] | None,
    typer.Option(metavar="LOW HIGH", help="To which j is clipped, for a confidence sequence of clipped J."),
]


@explains_predictions
def bet(
    file: File,
    j: SeveralJ = None,
    log_q: SeveralLogQ = None,
    log_p: LogP = None,
    q: SeveralQ = None,
    p: Prior = None,
    time: Time = None,
    alpha: Alpha = 0.05,
    bounds: Bounds = None,
    clip: Clip = None,
    truth: Truth = None,
    event: Event = None,
    document: Document = None,
    prior_from: PriorFrom = None,
    trained_on: TrainedOn = None,
    id: Ids = None,
    format: Format = None,
    json: Json = False,
) -> None:
    """Bet on the predictions at the prior's odds, in the order of time: what becomes of a pile of 1.

    Give each player with --j, --log-q or --q, and the prior with --log-p or --p. Without --time the rows are
    in order.
    """
    where = Where(file, format, truth, event, document, trained_on, prior_from, tuple(id or ()))
    with interruptible(), rows_of_a_file():
        refuse_unfit(where)
        given = read_several(j or [], log_q or [], log_p, q or [], p, where)
        from nepers.betting import bet as play

        game = play(
            _ratios(given),
            time=None if time is None else _times(where, time),
            alpha=alpha,
            bounds=bounds,
            clip=clip,
        )
        say_json(game.to_dict()) if json else say(str(game))


def _ratios(given: dict[str, Any]) -> dict[str, Any]:
    """The log ratios of each player, whichever way they were given."""
    from nepers.cases import log_ratios
    from nepers.errors import InputError

    if "j" in given:
        ratios: dict[str, Any] = given["j"]
        return ratios
    if given["log_p"] is None:
        raise InputError("--p or --log-p must say what the prior is: its odds are what the players bet at")
    return {name: log_ratios(log_q=one, log_p=given["log_p"]).values for name, one in given["log_q"].items()}


def _times(where: Where, column: str) -> Any:
    from nepers.reading.rows import open_any

    with open_any(where.file, where.format) as table:
        return table.values(column)

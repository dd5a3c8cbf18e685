"""Which columns of a table hold the log ratios, when the user has not said it in full."""

from __future__ import annotations

from nepers.errors import InputError
from nepers.reading.table import Array, Table, listed


def read_log_ratios(
    table: Table, j: str | None = None, log_q: str | None = None, log_p: str | None = None
) -> tuple[dict[str, Array], str | None]:
    """The arguments for `nepers.assess`, and a sentence on what was chosen if the user did not choose."""
    _refuse_mixture(j, log_q, log_p)
    chosen, why = {"j": j, "log_q": log_q, "log_p": log_p}, None
    if j is None and log_q is None:
        chosen, why = _choose(table)
    wanted = {argument: column for argument, column in chosen.items() if column is not None}
    read = table.read(list(dict.fromkeys(wanted.values())))
    return {argument: read[column] for argument, column in wanted.items()}, why


def _refuse_mixture(j: str | None, log_q: str | None, log_p: str | None) -> None:
    if j is not None and (log_q is not None or log_p is not None):
        raise InputError("give either --j, or both --log-q and --log-p; got --j and one of the others")
    if (log_q is None) != (log_p is None):
        got = "--log-p" if log_q is None else "--log-q"
        raise InputError(f"give either --j, or both --log-q and --log-p; got only {got}")


def _choose(table: Table) -> tuple[dict[str, str | None], str]:
    if "j" in table.names:
        return {"j": "j"}, f"taking column 'j' of {table.name} as the log ratios"
    if "log_q" in table.names and "log_p" in table.names:
        return {"log_q": "log_q", "log_p": "log_p"}, f"taking 'log_q' minus 'log_p' of {table.name}"
    name = _only_numeric(table)
    return {"j": name}, f"taking column {name!r}, the only numeric one of {table.name}, as the log ratios"


def _only_numeric(table: Table) -> str:
    without_header = "header" in (told := listed(table.names))
    numeric = [] if without_header else list(table.names) if len(table.names) == 1 else table.numeric_names()
    if len(numeric) == 1:
        return numeric[0]
    raise InputError(
        f"say with --j, or with --log-q and --log-p, which columns of {table.name} to use: "
        f"it has neither 'j' nor 'log_q' and 'log_p', nor one numeric column only; {told}"
    )

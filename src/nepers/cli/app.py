"""The program ``nepers`` and its commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from nepers.cli.assess import assess
from nepers.cli.bet import bet
from nepers.cli.choose import choose
from nepers.cli.compare import compare
from nepers.cli.demo import demo
from nepers.cli.predict import predict
from nepers.cli.printing import INTERRUPTED, WRONG_INPUT, plain_warnings, say, stop
from nepers.cli.tally import tally
from nepers.errors import InputError

# typer has click inside it since 0.2x and beside it before: the class has no public name common to both
_UsageError: type[Exception] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
for command in (assess, compare, choose, bet, predict, tally, demo):
    app.command()(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 0, or 2 for a wrong input, or 130 after Ctrl-C."""
    try:
        with plain_warnings():
            status = app(arguments, prog_name="nepers", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except InputError as error:
        return stop(WRONG_INPUT, str(error))
    except (KeyboardInterrupt, typer.Abort):
        return stop(INTERRUPTED, "interrupted")
    except _UsageError as error:
        return stop(WRONG_INPUT, getattr(error, "format_message", error.__str__)())


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """How much is a probabilistic prediction worth, and how sure can you be of it?"""
    if version:
        from importlib.metadata import version as installed

        say(f"nepers {installed('nepers')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        say(context.get_help())

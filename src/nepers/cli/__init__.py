"""The command line: parse, call, print. One file for each command.

What is imported before a command runs is what ``nepers --help`` waits for.
"""

from nepers.cli.app import app, main

__all__ = ["app", "main"]

"""`cuevault run`: a command with secrets in its environment."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping

from ..environment import check_environment
from ..errors import CuevaultError
from . import source
from .child import Child, Relay, end_as, signals_to
from .command import no_such_command, replace_process
from .exits import UNSUITABLE, USAGE, CliError
from .watch import Watch, Watched

DESCRIPTION = """\
Fetches secrets, sets them as environment variables, and becomes the command. Nothing is started unless every secret
could be fetched and set. A secret replaces a variable of the same name.

With --watch the command runs beside this process, and signals are passed on: to its whole process group, or at a
terminal to the command alone. A wrapper script should therefore "exec" the program that it starts."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `run`."""
    source.add_options(parser)
    parser.add_argument(
        "--allow-dangerous-names",
        action="store_true",
        help="set also names that change how programs load code, such as PATH",
    )
    parser.add_argument("--watch", action="store_true", help="restart the command when a value changes")
    parser.add_argument(
        "--watch-interval",
        metavar="S",
        type=source.positive,
        default=60.0,
        help="seconds between two looks (default: 60); each look is a read in the audit log",
    )


def _with(secrets: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **secrets}


def _run_once(command: list[str], secrets: Mapping[str, str]) -> int:
    if os.name != "nt":
        replace_process(command, _with(secrets))
    relay = Relay()
    # Before the start: a signal that came right after it would end this process alone.
    with signals_to(relay.receive):
        child = Child(command, _with(secrets))
        relay.begin(child)
        return child.wait()


def run(options: argparse.Namespace, command: list[str] | None) -> int:
    """Run the command; returns the exit code. Raises CliError, CuevaultError."""
    if not command:
        raise CliError('Say "cuevault run -- COMMAND"; see "cuevault run --help".', USAGE)
    if not command[0]:
        raise no_such_command('""')
    secrets_source = source.SecretsSource(options)

    def read() -> dict[str, str]:
        secrets = secrets_source.read()
        try:
            check_environment(secrets, allow_dangerous_names=options.allow_dangerous_names)
        except CuevaultError as error:
            raise CliError(str(error), UNSUITABLE) from None
        return secrets

    secrets = read()
    if not options.watch:
        return end_as(_run_once(command, secrets))
    watched = Watched(lambda current: Child(command, _with(current)), read, options.watch_interval)
    return end_as(Watch(watched).run(secrets))

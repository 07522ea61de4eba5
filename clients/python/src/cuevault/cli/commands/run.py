"""`cuevault run`: a command with secrets in its environment."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping

from ...environment import check_environment
from ...errors import CuevaultError
from ...settings import API_KEY_VARIABLE
from .. import source
from ..access import KEY_FILE_VARIABLE
from ..child import Child, Relay, end_as, signals_to
from ..command import no_such_command
from ..exits import UNSUITABLE, USAGE, CliError
from ..watch import Watch, Watched

DESCRIPTION = """\
Fetches secrets and starts the command with them in its environment. Nothing is started unless every secret could be
fetched and set. A secret replaces a variable of the same name, unless --preserve-env is given.

The command inherits the rest of the environment, CUEVAULT_API_KEY and CUEVAULT_URL included; --without-api-key
withholds the key.

Signals are passed on to the command and everything it has started. "run" ends as the command ends."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `run`."""
    source.add_options(parser)
    add = parser.add_argument
    add(
        "--preserve-env",
        action="store_true",
        help="keep variables that are already set, even if a secret has the same name",
    )
    add(
        "--without-api-key",
        action="store_true",
        help=f"start the command without {API_KEY_VARIABLE} and {KEY_FILE_VARIABLE}",
    )
    add(
        "--allow-dangerous-names",
        action="store_true",
        help="allow names that change how programs load code, such as PATH",
    )
    add("--watch", action="store_true", help="restart the command when a value changes")
    add(
        "--watch-interval",
        metavar="S",
        type=source.positive,
        default=60.0,
        help="seconds between checks (default: 60); the audit log has each check",
    )
    add("command_words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def _environment(options: argparse.Namespace, secrets: Mapping[str, str]) -> dict[str, str]:
    own = dict(os.environ)
    if options.without_api_key:
        for name in (API_KEY_VARIABLE, KEY_FILE_VARIABLE):
            own.pop(name, None)
    return {**secrets, **own} if options.preserve_env else {**own, **secrets}


def _run_once(command: list[str], environment: Mapping[str, str]) -> int:
    relay = Relay()
    # Before the start: a signal right after it would end only this process.
    with signals_to(relay.receive):
        child = Child(command, environment)
        relay.begin(child)
        return child.wait()


def _command(words: list[str]) -> list[str]:
    if not words or words == ["--"]:
        raise CliError('Usage: cuevault run -- COMMAND; see "cuevault run --help".', USAGE)
    if words[0] != "--":
        raise CliError(f'Put "--" before the command: cuevault run -- {shlex.join(words)}', USAGE)
    if not words[1]:
        raise no_such_command('""')
    return words[1:]


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit code. Raises CliError, CuevaultError."""
    command = _command(options.command_words)
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
        return end_as(_run_once(command, _environment(options, secrets)))
    watched = Watched(
        lambda current: Child(command, _environment(options, current)), read, options.watch_interval
    )
    return end_as(Watch(watched).run(secrets))

"""`cuevault run`: a command with secrets in its environment."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Mapping, Sequence

from ...settings import API_KEY_VARIABLE, KEY_FILE_VARIABLE
from .. import source
from ..child import Child, Relay, end_as, signals_to
from ..command import no_such_command
from ..exits import UNSUITABLE, USAGE, CliError
from ..injection import EVERY, check_required, inject, names_in
from ..terminal import warn
from ..watch import Watch, Watched

DESCRIPTION = """\
Fetches secrets and starts the command with them in its environment. Nothing is started unless the secrets could be
fetched.

The command inherits the environment, CUEVAULT_API_KEY and CUEVAULT_URL included; --without-api-key withholds the key.
Inherited variables that are not empty win over secrets, and names that can change what programs do, such as PATH or
HTTP_PROXY, are not set: one line on standard error names both. Use --only where others may add secrets.

Signals are passed on to the command and everything it has started. "run" ends as the command ends."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of `run`."""
    source.add_options(parser)
    add = parser.add_argument
    add(
        "--override",
        metavar="[A,B]",
        type=source.names,
        action="extend",
        default=[],
        help="--override or --override=A,B: secrets replace inherited variables, or only these",
    )
    add(
        "--allow",
        metavar="A,B",
        type=source.names,
        action="extend",
        default=[],
        help="set these names although they can change what programs do; not those of CUEVAULT_*",
    )
    add("--strict", action="store_true", help="fail if a secret would not be set")
    add(
        "--require",
        metavar="FILE",
        action="append",
        default=[],
        help="fail if a variable that FILE names, such as .env.example, is missing or empty",
    )
    add(
        "--redact",
        action="store_true",
        help="mask the secrets in the output of the command, which is then no terminal",
    )
    add(
        "--without-api-key",
        action="store_true",
        help=f"start the command without {API_KEY_VARIABLE} and {KEY_FILE_VARIABLE}",
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


def with_values(arguments: Sequence[str]) -> list[str]:
    """The arguments with a value for `--override`: as optional for argparse, it would take the next argument."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    filled = [f"{argument}={EVERY}" if argument == "--override" else argument for argument in own]
    return [*filled, *arguments[len(own) :]]


def _inherited(options: argparse.Namespace) -> dict[str, str]:
    inherited = dict(os.environ)
    if options.without_api_key:
        for name in (API_KEY_VARIABLE, KEY_FILE_VARIABLE):
            inherited.pop(name, None)
    return inherited


class _Chooser:
    """Chooses which secrets the command gets, and says what it does not get, once."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Raises CliError (2)."""
        self._options = options
        self._required = [name for file in options.require for name in names_in(file)]
        self._reported: str | None = None

    def choose(self, secrets: Mapping[str, str]) -> Mapping[str, str]:
        """Raises CliError (4, 6)."""
        inherited = _inherited(self._options)
        injection = inject(secrets, inherited, self._options.allow, self._options.override)
        if injection.report is not None and self._options.strict:
            raise CliError(injection.report, UNSUITABLE)
        if injection.report not in (None, self._reported):
            warn(str(injection.report))
        self._reported = injection.report
        check_required(self._required, {**inherited, **injection.chosen})
        return injection.chosen


def _run_once(command: list[str], environment: Mapping[str, str], masked: Sequence[str] | None) -> int:
    relay = Relay()
    # Before the start: a signal right after it would end only this process.
    with signals_to(relay.receive):
        child = Child(command, environment, masked)
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
    secrets_source, chooser = source.SecretsSource(options), _Chooser(options)

    def read() -> Mapping[str, str]:
        return chooser.choose(secrets_source.read())

    def masked(secrets: Mapping[str, str]) -> list[str] | None:
        return list(secrets.values()) if options.redact else None

    def environment(secrets: Mapping[str, str]) -> dict[str, str]:
        return {**_inherited(options), **secrets}

    secrets = read()
    if not options.watch:
        return end_as(_run_once(command, environment(secrets), masked(secrets)))
    watched = Watched(
        lambda current: Child(command, environment(current), masked(current)), read, options.watch_interval
    )
    return end_as(Watch(watched).run(secrets))

"""`cuevault run`: a command with secrets in its environment."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from ..credential import PROOF_VARIABLES
from ..settings import ENVIRONMENT_VARIABLE
from . import source
from .child import hand_over, no_such_command
from .env_file import assignments_in
from .exits import UNSUITABLE, USAGE, CliError
from .injection import EVERY, check_required, inject, merged
from .terminal import warn

DESCRIPTION = """\
Fetches secrets and starts the command with them in its environment. Nothing is started unless the secrets could be
fetched.

The command inherits the environment, CUEVAULT_API_KEY and CUEVAULT_URL included; --without-api-key withholds the key.
Inherited variables that are not empty win over secrets, and names that can change what programs do, such as PATH or
HTTP_PROXY, are not set: one line on standard error names both. Where others may add secrets, list the names that
the command needs in a file cuevault.names, one a line, in the folder where it starts; no others are set.

The command takes the place of this process, except on Windows. --watch and --redact are in the npm package."""


def add_options(parser: argparse.ArgumentParser) -> None:
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
    add("--strict", action="store_true", help="fail if a secret would not be set")
    add(
        "--env-file",
        metavar="FILE",
        action="append",
        default=[],
        help="values of your own, which win over secrets; may be given several times, and the last one wins",
    )
    add(
        "--require",
        metavar="FILE",
        action="append",
        default=[],
        help="fail if a variable that FILE names, such as .env.example, is missing or empty",
    )
    add(
        "--without-api-key",
        action="store_true",
        help="the command does not inherit the API key or what gives tokens of a trust; on Windows, it can still"
        " read the variables of its parent process",
    )
    add("command_words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def with_values(arguments: Sequence[str]) -> list[str]:
    """The arguments with a value for `--override`: as optional for argparse, it would take the next argument."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    filled = [f"{argument}={EVERY}" if argument == "--override" else argument for argument in own]
    return [*filled, *arguments[len(own) :]]


def _variables() -> dict[str, str]:
    """The variables of this process, without what Python itself has added to them (PEP 538)."""
    variables = dict(os.environ)
    try:
        given = Path("/proc/self/environ").read_bytes().split(b"\0")
    except OSError:
        return variables
    if not any(each.startswith(b"LC_CTYPE=") for each in given):
        variables.pop("LC_CTYPE", None)
    return variables


def _inherited(options: argparse.Namespace) -> dict[str, str]:
    inherited = _variables()
    if options.without_api_key:
        for name in PROOF_VARIABLES:
            inherited.pop(name, None)
    if options.environment is not None:
        inherited[ENVIRONMENT_VARIABLE] = options.environment
    return inherited


def _command(words: list[str]) -> list[str]:
    if not words or words == ["--"]:
        raise CliError('Usage: cuevault run -- COMMAND; see "cuevault run --help".', USAGE)
    if words[0] != "--":
        raise CliError(f'Put "--" before the command: cuevault run -- {shlex.join(words)}', USAGE)
    if not words[1]:
        raise no_such_command('""')
    return words[1:]


def run(options: argparse.Namespace) -> int:
    """Become the command. Raises CliError, CuevaultError."""
    command = _command(options.command_words)
    required = [name for file in options.require for name in assignments_in(file)]
    own = {name: value for file in options.env_file for name, value in assignments_in(file).items()}
    inherited = _inherited(options)
    injection = inject({**source.secrets_of(options), **own}, inherited, options.allow, options.override)
    if injection.report is not None:
        if options.strict:
            raise CliError(injection.report, UNSUITABLE)
        warn(injection.report)
    environment = merged(inherited, injection.chosen)
    check_required(required, environment)
    return hand_over(command, environment)

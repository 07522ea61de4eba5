"""`cuevault env`: secrets as text."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping

from ...environment import quoted
from .. import source
from ..exits import DONE, UNSUITABLE, USAGE, CliError
from ..injection import without_dangerous
from ..terminal import is_terminal, warn
from .prompt import add_output, write

DESCRIPTION = """\
Prints secrets, except names that can change what programs do, and names that are not in a file cuevault.names of this
folder. Values are printed to a terminal only with --reveal."""

_SHELL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DOTENV_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_NEEDS_NO_QUOTES = re.compile(r"[A-Za-z0-9_%+,./:@-]+")
_CANNOT_BE_QUOTED = re.compile(r"[A-Za-z0-9_%+,./:@\\-]+")


class _UnsuitableError(Exception):
    """Why a format cannot express a secret."""


def _dotenv_value(value: str) -> str:
    """A value in a .env file.

    Parsers of .env files agree only on bare text, on text in single quotes that contains line breaks or
    single backslashes (some parsers read two as one), and on text in double quotes without backslashes.
    A shell runs nothing in these forms either.
    """
    if _NEEDS_NO_QUOTES.fullmatch(value):
        return value
    if "\r" in value or "\0" in value:
        raise _UnsuitableError("the value contains a carriage return or NUL")
    if "'" not in value and "\\\\" not in value and not value.endswith("\\"):
        return f"'{value}'"
    if not set('"\\$`!') & set(value):
        return f'"{value}"'
    if _CANNOT_BE_QUOTED.fullmatch(value) and not value.endswith("\\"):
        return value
    raise _UnsuitableError("readers disagree on its mixture of quotes, backslashes and $")


def _dotenv_line(name: str, value: str) -> str:
    if not _DOTENV_NAME.fullmatch(name):
        raise _UnsuitableError("the name contains other characters")
    return f"{name}={_dotenv_value(value)}\n"


def _shell_line(name: str, value: str) -> str:
    if not _SHELL_NAME.fullmatch(name):
        raise _UnsuitableError("a shell accepts no such name")
    if "\0" in value:
        raise _UnsuitableError("the value contains NUL")
    quoted = value.replace("'", "'\\''")
    return f"export {name}='{quoted}'\n"


def _lines(line: Callable[[str, str], str], form: str, secrets: Mapping[str, str]) -> str:
    lines, offenders = [], []
    for name, value in secrets.items():
        try:
            lines.append(line(name, value))
        except _UnsuitableError as reason:
            offenders.append(f"{quoted(name)} ({reason})")
    if offenders:
        listed = ", ".join(offenders)
        raise CliError(f"Nothing was printed. These secrets cannot be written {form}: {listed}.", UNSUITABLE)
    return "".join(lines)


def _json(secrets: Mapping[str, str]) -> str:
    return json.dumps(dict(secrets), ensure_ascii=False, indent=2) + "\n"


FORMATS: dict[str, Callable[[Mapping[str, str]], str]] = {
    "dotenv": lambda secrets: _lines(_dotenv_line, "in a .env file (use --format json or shell)", secrets),
    "json": _json,
    "shell": lambda secrets: _lines(_shell_line, "for a shell (use --format json)", secrets),
}
"""Each raises CliError (6) that names the secrets which the form cannot express."""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=tuple(FORMATS), default="dotenv", help="default: dotenv")
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="--format json")
    parser.add_argument("--names", action="store_true", help="print only the names, one per line")
    parser.add_argument("--reveal", action="store_true", help="print values even to a terminal")
    add_output(parser)
    source.add_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the secrets; returns the exit code. Raises CliError, CuevaultError."""
    if is_terminal() and not (options.reveal or options.names or options.output):
        sentence = "Values are not printed to a terminal: add --reveal or --names, or redirect the output."
        raise CliError(sentence, USAGE)
    injection = without_dangerous(source.secrets_of(options), options.allow)
    secrets = injection.chosen
    if injection.report is not None:
        warn(injection.report)
    if not options.names:
        text = FORMATS[options.format](secrets)
    elif options.format == "json":
        text = json.dumps(list(secrets), ensure_ascii=False, indent=2) + "\n"
    else:
        text = "".join(f"{name}\n" for name in secrets)
    write(text, options.output, keep_mode=False)
    return DONE

"""Secrets as text that programs read back to the same values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from ..environment import quoted
from .exits import UNSUITABLE, CliError

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

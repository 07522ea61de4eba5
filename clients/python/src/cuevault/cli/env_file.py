"""Reading `.env` files as the service and every client do: test/vectors/env-file.json."""

from __future__ import annotations

import errno
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from ..environment import quoted
from .exits import USAGE, CliError

# Of a variable called "export", some readers take the name for the prefix.
_ASSIGNMENT = re.compile(r"[ \t]*(?!export[ \t]+=)(export +)?([\w.-]+)[ \t]*=([ \t]*)", re.ASCII)
_IGNORED = re.compile(r"[ \t]*(?:#.*)?")
_BREAKS_LINES = re.compile("[\0\r\u2028\u2029]")
_EXPANDED = re.compile(r"\$[\w{]", re.ASCII)
_HIDDEN_KINDS = ("Cc", "Cf", "Zs", "Zl", "Zp")
_NAMED_LINES = 5


class _InvalidLineError(ValueError):
    """What is wrong with a line, and where the line ends."""

    def __init__(self, message: str, end: int) -> None:
        super().__init__(message)
        self.end = end


@dataclass
class EnvFile:
    """What a file assigns, and the lines with a problem or a note, by number from 1."""

    values: dict[str, str] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _note(value: str, dispute: str | None) -> str | None:
    if _EXPANDED.search(value):
        return "is kept as written: some readers expand $NAME"
    return dispute and f"is read as dotenv reads it: readers disagree on {dispute}"


def _dispute_in(quote: str, inner: str) -> str | None:
    if quote == "`":
        return "backquotes"
    return "backslashes in quotes" if re.search(r"\\[^n]" if quote == '"' else r"\\[\\']", inner) else None


def _read_quoted(text: str, at: int) -> tuple[str, str | None, int]:
    quote = text[at]
    close = text.find(quote, at + 1)
    while close >= 0 and text[close - 1] == "\\":
        close = text.find(quote, close + 1)
    end = _line_end(text, close + 1)
    if close < 0 or not _IGNORED.fullmatch(text[close + 1 : end]):
        raise _InvalidLineError(
            "opens a quote that is not closed, or has text after the closing one", _line_end(text, at)
        )
    inner = text[at + 1 : close]
    value = inner.replace("\\n", "\n").replace("\\r", "\r") if quote == '"' else inner
    return value, _note(value, _dispute_in(quote, inner)), end


def _read_bare(text: str, at: int, ambiguous: bool) -> tuple[str, str | None, int]:
    end = _line_end(text, at)
    value = re.sub(r"(?<=[ \t])#.*", "", text[at:end]).rstrip(" \t")
    if "#" in value:
        message = "has a # at the beginning of its value or in a word: quote the value, or remove the comment"
        raise _InvalidLineError(message, end)
    if any(each not in " \t" and unicodedata.category(each) in _HIDDEN_KINDS for each in value):
        raise _InvalidLineError("contains an invisible character: quote the value", end)
    return (
        value,
        _note(value, None if value or not ambiguous else 'an empty value with blanks or "export"'),
        end,
    )


def _read_assignment(text: str, start: int) -> tuple[str, str, str | None, int]:
    line_end = _line_end(text, start)
    found = _ASSIGNMENT.match(text, start, line_end)
    if found is None:
        raise _InvalidLineError("is not of the form KEY=value", line_end)
    prefix, key, blanks = found.groups("")
    at = found.end()
    is_quoted = text[at : at + 1] in ('"', "'", "`")
    value, note, end = _read_quoted(text, at) if is_quoted else _read_bare(text, at, bool(prefix + blanks))
    if _BREAKS_LINES.search(text, start, end):
        raise _InvalidLineError("contains a character that ends lines for some readers", end)
    return key, value, note, end


def parse_env(source: str) -> EnvFile:
    """Read the text of a `.env` file. No problem and no note contains the content of its line."""
    text = source.removeprefix("\ufeff").replace("\r\n", "\n")
    read, lines = EnvFile(), dict[str, int]()
    start, line = 0, 1
    while start < len(text):
        end = _line_end(text, start)
        content = text[start:end]
        if not _IGNORED.fullmatch(content) or _BREAKS_LINES.search(content):
            try:
                key, value, note, end = _read_assignment(text, start)
                if key in lines:
                    raise _InvalidLineError(f"sets the same key as line {lines[key]}", end)
                read.values[key], lines[key] = value, line
                if note is not None:
                    read.notes[line] = note
            except _InvalidLineError as problem:
                end = problem.end
                read.problems[line] = str(problem)
        line += text.count("\n", start, end) + 1
        start = end + 1
    return read


def assignments_in(file: str) -> dict[str, str]:
    """What a `.env` file assigns. Raises CliError (2) for a file, or a line, that cannot be read."""
    try:
        read = parse_env(Path(file).read_bytes().decode())
    except UnicodeDecodeError:
        raise CliError(f"{quoted(file)} cannot be read (it is no UTF-8).", USAGE) from None
    except OSError as error:
        name = errno.errorcode.get(error.errno or 0, "unreadable")
        raise CliError(f"{quoted(file)} cannot be read ({name}).", USAGE) from None
    if not read.problems:
        return read.values
    named = [f"line {line} {message}" for line, message in read.problems.items()]
    if len(named) > _NAMED_LINES:
        named[_NAMED_LINES:] = [f"and {len(named) - _NAMED_LINES} more"]
    raise CliError(f"{quoted(file)} cannot be read: {'; '.join(named)}.", USAGE)

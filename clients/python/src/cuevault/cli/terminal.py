"""What the command line prints."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import unicodedata

from .exits import OTHER, CliError

# Runners of CI systems obey these: `::command::` at the beginning of a line, `##[command]` and `##vso[` anywhere.
_COMMANDS = re.compile(r"^[^\S\n]*::|##(?=\[|vso\[)", re.MULTILINE)
_HIDDEN_KINDS = ("Cc", "Cf", "Zl", "Zp", "Cs")
# Other characters that fonts do not draw: Default_Ignorable_Code_Point of Unicode.
_IGNORED = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _shown(character: str) -> str:
    hides = unicodedata.category(character) in _HIDDEN_KINDS or _IGNORED.match(character)
    return _escaped(character) if hides and character not in "\t\n" else character


def inert(text: str) -> str:
    """A text without what acts on a terminal or a CI system: such characters become escapes, which JSON reads back."""
    return _COMMANDS.sub(lambda found: found[0][:-1] + _escaped(found[0][-1]), "".join(map(_shown, text)))


def out(text: str) -> None:
    """Print. Raises CliError if it cannot be written, BrokenPipeError if the reader has exited."""
    if sys.stdout is None:
        raise CliError("There is no standard output to write to.", OTHER)
    try:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    except OSError as error:
        # Python would complain once more when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise CliError(f"The output cannot be written ({error.strerror}).", OTHER) from None


def warn(sentence: str) -> None:
    """One line on standard error, if it can be written."""
    if sys.stderr is None:
        # With None, print would write to standard output.
        return
    with contextlib.suppress(OSError):
        print("cuevault: " + re.sub(r"\s*\n\s*", " ", inert(sentence)), file=sys.stderr, flush=True)

"""What the command line prints."""

from __future__ import annotations

import contextlib
import os
import sys

from .exits import OTHER, CliError


def is_terminal() -> bool:
    """Whether people read what is printed."""
    return sys.stdout is not None and sys.stdout.isatty()


def out(text: str) -> None:
    """Print as it is, in UTF-8 whatever the system's encoding and line ends are.

    Raises CliError where it cannot be written, BrokenPipeError where the reader has gone.
    """
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
    """One line on standard error; where that cannot be written there is nobody to tell."""
    if sys.stderr is None:
        # Given None, print would write to standard output.
        return
    with contextlib.suppress(OSError):
        print(f"cuevault: {sentence}", file=sys.stderr, flush=True)

"""What the command line prints."""

from __future__ import annotations

import contextlib
import os
import sys

from .exits import OTHER, CliError


def is_terminal() -> bool:
    """Whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def out(text: str) -> None:
    """Print unchanged, in UTF-8 regardless of the system's encoding and line endings.

    Raises CliError if it cannot be written, BrokenPipeError if the reader has exited.
    """
    if sys.stdout is None:
        raise CliError("There is no standard output to write to.", OTHER)
    try:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    except UnicodeEncodeError:
        raise CliError("The output is not valid Unicode.", OTHER) from None
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
        print(f"cuevault: {sentence}", file=sys.stderr, flush=True)

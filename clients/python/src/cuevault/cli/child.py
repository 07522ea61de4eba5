"""Handing over to the command."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence

from .command import start_with

# The interpreter ignores these, and a program inherits that.
_IGNORED_BY_PYTHON = ("SIGPIPE", "SIGXFSZ")


def hand_over(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Replace this process with the command, so that signals, its exit code and its place in a terminal are its own.

    Windows cannot replace a process: there the command runs beside this one, whose exit code is the command's.
    Raises CliError (126, 127).
    """
    if os.name == "nt":
        return start_with(lambda file, given: _run_beside(file, given, environment), command, environment)
    for name in _IGNORED_BY_PYTHON:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    return start_with(lambda file, given: os.execve(file, list(given), environment), command, environment)


def _run_beside(file: str, given: Sequence[str], environment: Mapping[str, str]) -> int:
    process = subprocess.Popen(given, executable=file, env=environment)
    # Ctrl-C reaches the command by itself.
    signal.signal(signal.SIGINT, lambda *_: None)
    return process.wait()

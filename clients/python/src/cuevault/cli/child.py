"""Finding the command, and handing over to it."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from .exits import CANNOT_RUN, NO_SUCH_COMMAND, CliError

Result = TypeVar("Result")


def no_such_command(command: str) -> CliError:
    return CliError(f"There is no command {command}.", NO_SUCH_COMMAND)


def _cannot_run(command: str, reason: str | None) -> CliError:
    return CliError(f"The command {command} cannot be run: {reason}.", CANNOT_RUN)


def _file_of(command: str, environment: Mapping[str, str]) -> str:
    folders = os.get_exec_path(environment)
    file = shutil.which(command, path=os.pathsep.join(folders))
    if file is not None:
        return file
    # A name with a folder is not searched on the path.
    places = [""] if os.path.dirname(command) else folders
    if any(os.path.exists(os.path.join(place, command)) for place in places):
        raise _cannot_run(command, "it is not an executable file")
    raise no_such_command(command)


def start_with(
    start: Callable[[str, Sequence[str]], Result], command: Sequence[str], environment: Mapping[str, str]
) -> Result:
    """`start` the file and arguments of a command; a script that names no interpreter runs in a shell.

    execvp does the same (POSIX). Raises CliError (126, 127).
    """
    file = _file_of(command[0], environment)
    try:
        try:
            return start(file, command)
        except OSError as error:
            if error.errno != errno.ENOEXEC:
                raise
            return start("/bin/sh", ["/bin/sh", file, *command[1:]])
    except FileNotFoundError:
        reason = "its interpreter is missing; check its first line and its line endings"
        raise _cannot_run(command[0], reason) from None
    except OSError as error:
        raise _cannot_run(command[0], error.strerror) from None


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

"""Finding the command, and handing over to it."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from .exits import CANNOT_RUN, NO_SUCH_COMMAND, USAGE, CliError

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
        if error.errno == errno.E2BIG:
            advice = "Leave some out with --only or --tags, or let the command read them from a file."
            message = f"The secrets are too large for the variables of a command (E2BIG). {advice}"
            raise CliError(message, CANNOT_RUN) from None
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


# Like cross-spawn 7: what cmd.exe acts on gets a ^, for the scripts in node_modules/.bin twice, as those pass it on.
_META = re.compile(r"""[()\][%!^"`<>&|;, *?]""")
_SHIM = re.compile(r"node_modules[\\/].bin[\\/][^\\/]+\.cmd$", re.IGNORECASE)


def _escaped_meta(text: str) -> str:
    return _META.sub(r"^\g<0>", text)


def _escaped_argument(text: str, shim: bool) -> str:
    slashes = re.sub(r'(\\*)"', r'\1\1\\"', text)
    quoted = _escaped_meta('"' + re.sub(r"\\+$", r"\g<0>\g<0>", slashes) + '"')
    return _escaped_meta(quoted) if shim else quoted


def script_line(file: str, arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The command line of Windows that runs a script of cmd.exe. Raises CliError (2) for line breaks."""
    if re.search(r"[\r\n]", "".join([file, *arguments])):
        name = os.path.basename(file)
        raise CliError(
            f"The arguments of {name} must not contain line breaks: it is a script of cmd.exe.", USAGE
        )
    words = [_escaped_argument(each, bool(_SHIM.search(file))) for each in arguments]
    shell = environment.get("COMSPEC", "cmd.exe")
    return f'"{shell}" /d /s /c "{" ".join([_escaped_meta(file), *words])}"'


def _run_beside(file: str, given: Sequence[str], environment: Mapping[str, str]) -> int:
    is_script = file.lower().endswith((".cmd", ".bat"))
    line = script_line(file, given[1:], environment) if is_script else list(given)
    process = subprocess.Popen(line, executable=None if is_script else file, env=environment)
    # Ctrl-C reaches the command by itself.
    signal.signal(signal.SIGINT, lambda *_: None)
    return process.wait()

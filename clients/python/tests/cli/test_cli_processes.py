from __future__ import annotations

import fcntl
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from cuevault.cli.child import Child
from support.cli import environment, is_running, start
from support.http_server import secrets_server, serve
from support.service import wait_until

SECRETS = {"VALUE": "one"}

# What a wrapper without "exec" starts and waits for. It says which signals it gets.
PROGRAM = """
import os, signal, time
def ended(number, _):
    # Not print: the signal may have interrupted one.
    os.write(1, f"{signal.Signals(number).name} {os.environ['VALUE']}\\n".encode())
    os._exit(0)
for name in ("SIGTERM", "SIGINT"):
    signal.signal(getattr(signal, name), ended)
print("begun", os.environ["VALUE"], flush=True)
time.sleep(60)
"""


@contextmanager
def wrapped(url: str) -> Iterator[subprocess.Popen[str]]:
    wrapper = '"$PYTHON" -c "$PROGRAM"; true'
    env = environment(url, PROGRAM=PROGRAM, PYTHON=sys.executable)
    process = start(["run", "--watch", "--watch-interval", "0.1", "--", "sh", "-c", wrapper], env)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate()


COUNTER = """
import os, signal, sys, time
count = []
signal.signal(signal.SIGINT, lambda *_: count.append(1))
print("begun", os.getpgrp() == os.getpgid(os.getppid()), flush=True)
while not count:
    time.sleep(0.01)
time.sleep(0.3)
print("count", len(count), flush=True)
"""


class Screen:
    """What a terminal shows."""

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._unread = ""

    def until(self, word: str) -> str:
        """The next line that contains `word`, without what comes before it."""
        while True:
            line, end, rest = self._unread.partition("\n")
            if not end:
                self._unread += os.read(self._terminal, 1000).decode()
                continue
            self._unread = rest
            # The terminal may echo the key before it.
            if word in line:
                return line[line.index(word) :].strip()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize(("has_terminal", "says"), [(True, "begun True"), (False, "begun False")])
def test_a_key_in_a_terminal_reaches_the_command_once(has_terminal: bool, says: str) -> None:
    with serve(secrets_server(dict(SECRETS))) as url:
        env = environment(url)
        pid, screen = pty.fork()
        if pid == 0:
            try:
                if not has_terminal:
                    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                options = ["-m", "cuevault", "run", "--watch", "--", sys.executable, "-c", COUNTER]
                os.execve(sys.executable, [sys.executable, *options], env)
            finally:
                os._exit(1)
        shown = Screen(screen)
        assert shown.until("begun") == says
        os.write(screen, b"\x03")
        assert shown.until("count") == "count 1"
        _, status = os.waitpid(pid, 0)
        os.close(screen)
    assert status == 0


def line(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return process.stdout.readline().split()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_what_a_wrapper_has_started_gets_the_signal_once(number: signal.Signals) -> None:
    with serve(secrets_server(dict(SECRETS))) as url, wrapped(url) as process:
        assert line(process) == ["begun", "one"]
        process.send_signal(number)
        rest, _ = process.communicate(timeout=300)
    assert rest == f"{number.name} one\n"


def test_a_restart_ends_what_a_wrapper_has_started_before_it_starts_again() -> None:
    secrets = dict(SECRETS)
    with serve(secrets_server(secrets)) as url, wrapped(url) as process:
        assert line(process) == ["begun", "one"]
        secrets["VALUE"] = "two"
        assert line(process) == ["SIGTERM", "one"]
        assert line(process) == ["begun", "two"]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)


def test_processes_that_do_not_end_in_time_are_killed(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    deaf = (
        """trap '' TERM; echo $$ > "$FILE.draft"; mv "$FILE.draft" "$FILE"; while true; do sleep 0.05; done"""
    )
    env = {"PATH": os.environ["PATH"], "DEAF": deaf, "FILE": str(file)}
    child = Child(["sh", "-c", '(exec sh -c "$DEAF"); true'], env)
    wait_until(file.exists)
    child.stop(0.3)
    pid = int(file.read_text())
    try:
        wait_until(lambda: not is_running(pid))
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


# What "npm run dev" does: a shell without "exec" starts the program that holds a lock, as a server holds its port.
SERVER = """
import fcntl, os, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(print("stopped", os.environ["VALUE"], flush=True)))
lock = open(os.environ["LOCK"], "w")
fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
print("holding", os.environ["VALUE"], flush=True)
while True:
    time.sleep(0.05)
"""


def is_free(lock: Path) -> bool:
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_at_a_terminal_a_restart_waits_for_what_a_wrapper_has_started(tmp_path: Path) -> None:
    secrets, lock = dict(SECRETS), tmp_path / "lock"
    with serve(secrets_server(secrets)) as url:
        env = environment(url, LOCK=str(lock), SERVER=SERVER, PYTHON=sys.executable)
        wrapper = 'sh -c \'"$PYTHON" -c "$SERVER"; true\'; true'
        run = ["run", "--watch", "--watch-interval", "0.1", "--", "sh", "-c", wrapper]
        pid, screen = pty.fork()
        if pid == 0:
            try:
                os.execve(sys.executable, [sys.executable, "-m", "cuevault", *run], env)
            finally:
                os._exit(1)
        shown = Screen(screen)
        assert shown.until("holding") == "holding one"
        secrets["VALUE"] = "two"
        assert shown.until("Changed") == "Changed: VALUE. The command is restarted."
        assert shown.until("holding") == "holding two"
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        os.close(screen)
    wait_until(lambda: is_free(lock))

from __future__ import annotations

import fcntl
import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from cuevault.cli.child import Child
from cuevault.cli.exits import CliError
from cuevault.cli.watch import Watch, Watched
from support.cli import cuevault, environment, start
from support.http_server import secrets_server, serve
from support.service import PATIENCE_SECONDS, wait_until

SECRETS = {"VALUE": "one"}

COMMAND = 'exec 2>&-; trap "echo ended; exit 5" TERM; echo "begun $VALUE"; while true; do sleep 0.05; done'
WATCH = ["run", "--watch", "--watch-interval", "0.1", "--", "sh", "-c", COMMAND]


def test_watch_restarts_the_command_when_a_value_changes_and_forwards_signals() -> None:
    secrets = {"VALUE": "one"}
    with serve(secrets_server(secrets)) as url:
        process = start(WATCH, environment(url))
        assert process.stdout is not None
        assert process.stdout.readline() == "begun one\n"
        secrets["VALUE"] = "two"
        assert process.stdout.readline() == "ended\n"
        assert process.stdout.readline() == "begun two\n"
        process.send_signal(signal.SIGTERM)
        rest, said = process.communicate(timeout=300)
    assert (rest, process.returncode) == ("ended\n", 5)
    assert said == "cuevault: Changed: VALUE. The command is restarted.\n"


def test_watch_keeps_the_command_running_while_the_service_is_down_or_refuses() -> None:
    secrets = {"VALUE": "one"}
    with serve(secrets_server(secrets)) as url:
        process = start(WATCH, environment(url))
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "begun one\n"
        secrets["A=B"] = "cannot be set"
        assert "keeps running" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=300)
    assert (rest, process.returncode) == ("ended\n", 5)


def test_watch_ends_as_the_command_ends() -> None:
    with serve(secrets_server(SECRETS)) as url:
        assert cuevault(["run", "--watch", "--", "sh", "-c", "exit 7"], environment(url)).returncode == 7
        killed = cuevault(["run", "--watch", "--", "sh", "-c", "kill -TERM $$"], environment(url))
        assert killed.returncode == -signal.SIGTERM
        missing = cuevault(["run", "--watch", "--", "./no-such-command"], environment(url))
        assert missing.returncode == 127


@pytest.mark.parametrize(("options", "hit"), [([], "$$"), (["--watch"], "$$ $PPID")])
def test_signals_that_are_ignored_as_nohup_does_stay_so(options: list[str], hit: str) -> None:
    # A shell cannot trap signals that were ignored when it started.
    command = (
        f'for name in HUP INT TERM; do trap "echo $name; exit" $name; done; kill -HUP {hit}; kill -INT {hit}'
    )
    with serve(secrets_server(SECRETS)) as url:
        run = [
            sys.executable,
            "-m",
            "cuevault",
            "run",
            *options,
            "--",
            "sh",
            "-c",
            f"{command}; kill -TERM $$",
        ]
        done = subprocess.run(
            ["sh", "-c", 'trap "" HUP INT; exec "$@"', "sh", *run],
            env=environment(url),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert (done.stdout, done.returncode) == ("TERM\n", 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1])
def test_a_signal_that_comes_while_the_command_starts_reaches_it(number: signal.Signals) -> None:
    def begin(_: Mapping[str, str]) -> Child:
        signal.raise_signal(number)
        return Child(["sleep", "60"], {"PATH": os.environ["PATH"]})

    assert Watch(Watched(begin, dict, 60.0)).run({}) == -number


@pytest.mark.parametrize("look", ["takes long", "finds other values", "fails"])
def test_a_command_that_ends_during_a_check_ends_the_watch_silently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], look: str
) -> None:
    end, over, late = tmp_path / "end", threading.Event(), threading.Event()
    processes: list[int] = []

    def begin(_: Mapping[str, str]) -> Child:
        command = 'until rmdir "$END" 2>&-; do sleep 0.02; done; exit 7'
        child = Child(["sh", "-c", command], {**os.environ, "END": str(end)})
        processes.append(child._process.pid)
        return child

    def read() -> Mapping[str, str]:
        end.mkdir()
        if look == "takes long" and not over.wait(PATIENCE_SECONDS):
            late.set()
        wait_until(lambda: not is_running(processes[0]))
        if look == "fails":
            raise CliError("The service is away.", 5)
        return {"VALUE": "new"}

    assert Watch(Watched(begin, read, 0.1)).run({}) == 7
    assert not late.is_set()
    over.set()
    assert len(processes) == 1
    assert capsys.readouterr().err == ""


# What a wrapper without "exec" starts and waits for. It says which signals it gets.
PROGRAM = """
import os, signal, time
def ended(number, _):
    # Not print: the one below may still be at it.
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
        """The next line that contains `word`, from there on."""
        while True:
            line, end, rest = self._unread.partition("\n")
            if not end:
                self._unread += os.read(self._terminal, 1000).decode()
                continue
            self._unread = rest
            # The key itself may stand before it.
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


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


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

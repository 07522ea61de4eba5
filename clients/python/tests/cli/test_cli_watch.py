from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from cuevault.cli.child import Child
from cuevault.cli.exits import CliError
from cuevault.cli.watch import Watch, Watched
from support.cli import environment, is_running, start
from support.http_server import secrets_server, serve
from support.service import PATIENCE_SECONDS, wait_until

SECRETS = {"VALUE": "one"}

COMMAND = 'exec 2>&-; trap "echo ended; exit 5" TERM; echo "begun $VALUE"; while true; do sleep 0.05; done'
WATCH = ["run", "--watch", "--watch-interval", "0.1", "--", "sh", "-c", COMMAND]


def test_watch_keeps_the_command_running_while_secrets_are_refused_or_gone() -> None:
    secrets = {"VALUE": "one"}
    with serve(secrets_server(secrets)) as url:
        process = start(WATCH, environment(url))
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "begun one\n"
        secrets["A=B"] = "cannot be set"
        assert process.stderr.readline().startswith('cuevault: Not set: "A=B"')
        secrets.clear()
        assert "keeps running" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=300)
    assert (rest, process.returncode) == ("ended\n", 5)


@pytest.mark.parametrize(("options", "hit"), [([], "$$"), (["--watch"], "$$ $PPID")])
def test_signals_that_nohup_ignores_stay_ignored(options: list[str], hit: str) -> None:
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

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cuevault.cli.redact import Redactor
from support.cli import cuevault, environment, start
from support.http_server import secrets_server, serve

SECRETS = {"APP_TEST": "two\nlines 'and' \"quotes\" $HOME", "OTHER": "ü"}
SHOW = [sys.executable, "-c", "import os; print(ascii(os.environ['APP_TEST']))"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGUSR1])
def test_run_passes_signals_on_and_ends_by_the_signal_that_ends_the_command(number: signal.Signals) -> None:
    with serve(secrets_server(SECRETS)) as url:
        process = start(["run", "--", "sh", "-c", "echo begun; exec sleep 60"], environment(url))
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(number)
        process.communicate(timeout=300)
    assert process.returncode == -number


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    ("values", "output", "expected"),
    [
        (["abab!"], "ababab!c", "ab[secret]c"),
        (["pass", "password", "passw"], "passwordpasswpass", "[secret][secret][secret]"),
        (["swordfish"], "a swordfis", "a swordfis"),
        (["-----KEY-----\nabcd\n"], "> -----KEY-----\n> abcd\n", "> [secret]\n> [secret]\n"),
        (['a"b\\c\nd'], '{"v":"a\\"b\\\\c\\nd"}', '{"v":"[secret]"}'),
        (["1", "abc", ""], "abc 1", "abc 1"),
    ],
)
def test_values_are_masked_wherever_chunks_end(
    values: list[str], output: str, expected: str, size: int
) -> None:
    redactor, data = Redactor(values), output.encode() + bytes(range(128, 256))
    chunks = [redactor.push(data[at : at + size]) for at in range(0, len(data), size)]
    assert b"".join([*chunks, redactor.end()]) == expected.encode() + bytes(range(128, 256))


def test_with_offline_ok_the_offline_copy_starts_the_command_without_network(tmp_path: Path) -> None:
    with serve(secrets_server(SECRETS)) as url:
        env = environment(url, XDG_CACHE_HOME=str(tmp_path))
        assert cuevault(["run", "--offline-ok", "--", *SHOW], env).returncode == 0
        assert [file.parent.name for file in tmp_path.rglob("*.json")] == ["cuevault"]
    offline = cuevault(["run", "--offline-ok", "--", *SHOW], env)
    assert offline.stdout == ascii(SECRETS["APP_TEST"]) + "\n"
    assert "offline copy" in offline.stderr
    assert "0.0 h old" in offline.stderr
    assert cuevault(["run", "--", *SHOW], env).returncode == 5
    too_old = ["run", "--offline-ok", "--offline-max-age", "0.0000001", "--", *SHOW]
    assert cuevault(too_old, env).returncode == 5


# As in a container that runs under a user id without an account.
HOMELESS = """
import sys
from pathlib import Path
def home(*_):
    raise RuntimeError("Could not determine home directory.")
Path.home = classmethod(home)
from cuevault.cli.main import main
sys.exit(main())
"""


def test_only_the_offline_copy_needs_a_home_folder_and_says_so_where_there_is_none(tmp_path: Path) -> None:
    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", HOMELESS, "run", *options, "--", "sh", "-c", "echo started"]
        return subprocess.run(command, env=environment(url), capture_output=True, text=True, check=False)

    with serve(secrets_server(SECRETS)) as url:
        for options in ([], ["--offline-ok", "--offline-dir", str(tmp_path)]):
            done = run(*options)
            assert (done.stdout, done.stderr, done.returncode) == ("started\n", "", 0)
        lost = run("--offline-ok")
    assert (lost.stdout, lost.returncode, lost.stderr.count("\n")) == ("", 2, 1)
    assert "--offline-dir" in lost.stderr

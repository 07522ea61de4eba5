"""Options of the command line that the conformance suite does not try."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.cli import cuevault, environment, run
from support.http_server import secrets_server, serve

SECRETS = {"A": "one", "B": "two", "C": "three"}


def ended(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def test_an_offline_copy_starts_the_command_without_network_and_says_its_age(tmp_path: Path) -> None:
    def printed(*options: str) -> tuple[int, str, str]:
        return ended(cuevault(["run", *options, "--", "sh", "-c", "echo $A $B $C"], env))

    keys = ["--key", "A", "--key", "B"]
    with serve(secrets_server(SECRETS)) as url:
        env = environment(url, XDG_CACHE_HOME=str(tmp_path))
        assert [printed("--offline-ok"), printed("--offline-ok", *keys)] == [
            (0, "one two three\n", ""),
            (0, "one two\n", ""),
        ]
        assert {file.parent.name for file in tmp_path.rglob("*.json")} == {"cuevault"}
    *done, said = printed("--offline-ok")
    assert done == [0, "one two three\n"]
    assert "offline copy of the secrets is used. It is 0.0 h old" in said
    assert printed("--offline", *keys) == (0, "one two\n", "")
    assert [printed()[0], printed("--offline-ok", "--offline-max-age", "0.0000001")[0]] == [5, 5]


def test_signals_that_nohup_ignores_stay_ignored() -> None:
    # A shell cannot trap signals that were ignored when it started.
    hits = "".join(f"trap 'echo {name}; exit' {name}; kill -{name} $$; " for name in ("HUP", "INT", "TERM"))
    command = [sys.executable, "-m", "cuevault", "run", "--", "sh", "-c", hits]
    with serve(secrets_server(SECRETS)) as url:
        done = run(["sh", "-c", 'trap "" HUP INT; exec "$@"', "sh", *command], environment(url))
    assert ended(done)[:2] == (0, "TERM\n")


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
    def started(*options: str) -> tuple[int, str, str]:
        command = [sys.executable, "-c", HOMELESS, "run", *options, "--", "sh", "-c", "echo started"]
        return ended(run(command, environment(url)))

    with serve(secrets_server(SECRETS)) as url:
        for options in ([], ["--offline-ok", "--offline-dir", str(tmp_path)]):
            assert started(*options) == (0, "started\n", "")
        *lost, said = started("--offline-ok")
    assert (lost, said.count("\n")) == ([2, ""], 1)
    assert "--offline-dir" in said

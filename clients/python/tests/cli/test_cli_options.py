"""Options of the command line that the conformance suite does not try."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cuevault.cli.main import main
from support.cli import environment, run
from support.http_server import secrets_server, serve

SECRETS = {"A": "one", "B": "two", "C": "three"}
Ended = tuple[int, str, str]


@pytest.fixture
def printed(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., Ended]:
    """Runs `cuevault run` with these options; the command prints three of its variables."""
    monkeypatch.setenv("CUEVAULT_API_KEY", "cue_right")

    def hand_over(_: object, variables: dict[str, str]) -> int:
        print(*(variables.get(name, "-") for name in SECRETS), flush=True)
        return 0

    monkeypatch.setattr("cuevault.cli.run.hand_over", hand_over)

    def ended(*options: str) -> Ended:
        code = main(["run", *options, "--", "any"])
        out, err = (text.decode() for text in capfdbinary.readouterr())
        return code, out, err

    return ended


def test_an_offline_copy_starts_the_command_without_network_and_says_its_age(
    printed: Callable[..., Ended], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = ["--key", "A", "--key", "B"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with serve(secrets_server(SECRETS)) as url:
        monkeypatch.setenv("CUEVAULT_URL", url)
        assert printed("--offline-ok") == (0, "one two three\n", "")
        assert printed("--offline-ok", *keys) == (0, "one two -\n", "")
        assert {file.parent.name for file in tmp_path.rglob("*.json")} == {"cuevault"}
    *done, said = printed("--offline-ok")
    assert done == [0, "one two three\n"]
    assert "offline copy of the secrets is used. It is 0.0 h old" in said
    assert printed("--offline", *keys) == (0, "one two -\n", "")
    assert [printed()[0], printed("--offline-ok", "--offline-max-age", "0.0000001")[0]] == [5, 5]


def test_signals_that_nohup_ignores_stay_ignored() -> None:
    # A shell cannot trap signals that were ignored when it started.
    hits = "".join(f"trap 'echo {name}; exit' {name}; kill -{name} $$; " for name in ("HUP", "INT", "TERM"))
    command = [sys.executable, "-m", "cuevault", "run", "--", "sh", "-c", hits]
    with serve(secrets_server(SECRETS)) as url:
        done = run(["sh", "-c", 'trap "" HUP INT; exec "$@"', "sh", *command], environment(url))
    assert (done.returncode, done.stdout) == (0, "TERM\n")


def test_only_the_offline_copy_needs_a_home_folder_and_says_so_where_there_is_none(
    printed: Callable[..., Ended], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def home(*_: object) -> Path:
        # As in a container that runs under a user id without an account.
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", home)
    with serve(secrets_server(SECRETS)) as url:
        monkeypatch.setenv("CUEVAULT_URL", url)
        for options in ([], ["--offline-ok", "--offline-dir", str(tmp_path)]):
            assert printed(*options) == (0, "one two three\n", "")
        *lost, said = printed("--offline-ok")
    assert (lost, said.count("\n")) == ([2, ""], 1)
    assert "--offline-dir" in said

"""What `run` reads, and starts, as the npm package does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cuevault.cli import injection
from cuevault.cli.child import script_line
from cuevault.cli.env_file import parse_env
from cuevault.cli.exits import CliError


def test_env_files_mean_what_they_mean_to_the_service(vectors: Callable[[str], Any]) -> None:
    for case in vectors("env-file.json")["cases"]:
        read = parse_env(case["text"])
        lines = [sorted(read.problems), sorted(read.notes)]
        assert (read.values, lines) == (case["values"], [case.get("problems", []), case.get("notes", [])])


def test_scripts_of_windows_get_their_arguments_unchanged(vectors: Callable[[str], Any]) -> None:
    for case in vectors("cmd-scripts.json")["cases"]:
        line = script_line(case["file"], case["args"], {"COMSPEC": "cmd.exe"})
        assert line == f'"cmd.exe" /d /s /c "{case["line"]}"'
    with pytest.raises(CliError, match="must not contain line breaks"):
        script_line("npm.cmd", ["a\nb"], {})


def test_names_of_variables_are_the_same_in_any_case_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    inherited = {"DATABASE_URL": "mine", "PLAIN": "p"}
    with monkeypatch.context() as patched:
        patched.setattr("cuevault.cli.injection.os.name", "nt")
        kept = injection.inject({"Database_Url": "theirs"}, inherited, (), ())
        replaced = injection.merged(inherited, {"Database_Url": "theirs"})
        injection.check_required(["plain"], inherited)
    assert kept.chosen == {}
    assert replaced == {"PLAIN": "p", "Database_Url": "theirs"}

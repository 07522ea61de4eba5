from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from dotenv import dotenv_values

from cuevault.cli.commands.env import FORMATS
from cuevault.cli.exits import CliError
from cuevault.cli.terminal import inert, out, warn
from cuevault.environment import quoted
from support.cli import environment
from support.http_server import secrets_server, serve

VALUES = {
    "EMPTY": "",
    "PLAIN": "postgres://app:p$ss@db:5432/app?x=1&y=2",
    "SPACES": "  both ends  ",
    "LINES": "-----BEGIN KEY-----\nMIIE\nvQ==\n-----END KEY-----\n",
    "SINGLE": "it's",
    "DOUBLE": 'say "hi"',
    "DOLLAR": "$HOME `id` $(id)",
    "HASH": "a # b",
    "BACKSLASH": "C:\\new\\table",
    "JSON": '{"key": "-----BEGIN-----\\nMIIE\\n", "n": 1}',
    "UNICODE": "é日😀 ",
    "EQUALS": "a=b",
    "BOTH": "it's $5 # not six",
    "MIXED": 'it\'s "both" \\\\ \r\n end\\',
    "TAB": "\t",
}


def test_shell_output_is_read_back_by_a_real_shell() -> None:
    script = FORMATS["shell"](VALUES) + f'exec {sys.executable} -c "$SHOW"'
    show = "import os, json; print(json.dumps(dict(os.environ)))"
    done = subprocess.run(
        ["/bin/sh", "-c", script], env={"SHOW": show}, capture_output=True, text=True, check=True
    )
    environ = json.loads(done.stdout)
    assert {name: environ[name] for name in VALUES} == VALUES


def test_dotenv_output_is_what_every_client_writes(vectors: Callable[[str], Any]) -> None:
    for case in vectors("dotenv.json")["cases"]:
        secrets = {case.get("name", "NAME"): case["value"]}
        if case["line"] is not None:
            text = FORMATS["dotenv"](secrets)
            assert text == case["line"] + "\n", case["title"]
            assert dotenv_values(stream=io.StringIO(text), interpolate=False) == secrets
            continue
        with pytest.raises(CliError) as caught:
            FORMATS["dotenv"](secrets)
        assert caught.value.exit_code == 6
        assert quoted(case.get("name", "NAME")) in str(caught.value)
        assert case["value"] not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("a-b", "hidden"),
        ("A", "hidden\0"),
    ],
)
def test_secrets_that_a_shell_cannot_express_are_rejected_by_name(name: str, value: str) -> None:
    with pytest.raises(CliError) as caught:
        FORMATS["shell"]({name: value})
    assert caught.value.exit_code == 6
    assert f'"{name}"' in str(caught.value)
    assert value not in str(caught.value)


def test_text_that_is_not_unicode_is_not_printed(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(CliError, match="not valid Unicode"):
        out("\udcff")
    assert capfdbinary.readouterr().out == b""


def test_without_standard_output_there_is_one_line_and_no_success() -> None:
    with serve(secrets_server({"A": "1"})) as url:
        command = ["/bin/sh", "-c", f"exec {sys.executable} -m cuevault env >&-"]
        done = subprocess.run(command, env=environment(url), stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "cuevault: There is no standard output to write to.\n"


def test_nothing_that_is_printed_acts_on_a_terminal_or_a_ci_system() -> None:
    text = "a\u001b[31m\r\n  ::add-mask::x\n::error::y ##[command]z ##vso[task] ## [ok]\u202e\u200b\U000e0041\ufe0f\n"
    assert inert(text) == (
        "a\\u001b[31m\\u000d\n  :\\u003aadd-mask::x\n:\\u003aerror::y #\\u0023[command]z #\\u0023vso[task] ## [ok]"
        "\\u202e\\u200b\\udb40\\udc41\\ufe0f\n"
    )


def test_an_error_is_one_line_without_what_acts(capsys: pytest.CaptureFixture[str]) -> None:
    warn('The service said: no\n::error::pwned\u001b[2K\ud800"é"')
    assert (
        capsys.readouterr().err == 'cuevault: The service said: no :\\u003aerror::pwned\\u001b[2K\\ud800"é"\n'
    )

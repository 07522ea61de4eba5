from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Callable

import pytest
from dotenv import dotenv_values

from cuevault.cli.exits import CliError
from cuevault.cli.formats import FORMATS
from support.cli import cuevault, environment
from support.http_server import body_of, reply, secrets_server, serve

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
}
SHELL_ONLY = {**VALUES, "MIXED": 'it\'s "both" \\\\ \r\n end\\', "TAB": "\t"}


def test_shell_output_is_read_back_by_a_real_shell() -> None:
    script = FORMATS["shell"](SHELL_ONLY) + f'exec {sys.executable} -c "$SHOW"'
    show = "import os, json; print(json.dumps(dict(os.environ)))"
    done = subprocess.run(
        ["/bin/sh", "-c", script], env={"SHOW": show}, capture_output=True, text=True, check=True
    )
    environ = json.loads(done.stdout)
    assert {name: environ[name] for name in SHELL_ONLY} == SHELL_ONLY


def test_dotenv_output_is_what_every_client_writes(vectors: Callable[[str], Any]) -> None:
    for case in vectors("dotenv.json")["cases"]:
        secrets = {case.get("name", "NAME"): case["value"]}
        if case["line"] is not None:
            assert FORMATS["dotenv"](secrets) == case["line"] + "\n", case["title"]
            continue
        with pytest.raises(CliError) as caught:
            FORMATS["dotenv"](secrets)
        assert caught.value.exit_code == 6
        assert case["value"] not in str(caught.value)


def test_dotenv_output_is_read_back_by_python_dotenv() -> None:
    text = FORMATS["dotenv"](VALUES)
    assert dotenv_values(stream=io.StringIO(text), interpolate=False) == VALUES


def test_dotenv_output_is_read_back_by_node(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(FORMATS["dotenv"](VALUES), "utf-8")
    show = (
        "console.log(JSON.stringify(require('node:util').parseEnv(fs.readFileSync(process.argv[1], 'utf8'))))"
    )
    try:
        done = subprocess.run(["node", "-e", show, str(file)], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        pytest.skip("Node is not installed")
    assert json.loads(done.stdout) == VALUES


def test_json_output_is_json() -> None:
    assert json.loads(FORMATS["json"](SHELL_ONLY)) == SHELL_ONLY


@pytest.mark.parametrize(
    ("form", "name", "value"),
    [
        ("dotenv", "A", 'it\'s "both"'),
        ("dotenv", "A", "a\r\nb"),
        ("dotenv", "A", "ends in \\"),
        ("dotenv", "A", "two \\\\ slashes"),
        ("dotenv", "A B", "hidden"),
        ("dotenv", "clé", "hidden"),
        ("shell", "a-b", "hidden"),
        ("shell", "A", "hidden\0"),
    ],
)
def test_secrets_that_a_format_cannot_express_are_rejected_by_name(form: str, name: str, value: str) -> None:
    with pytest.raises(CliError) as caught:
        FORMATS[form]({name: value})
    assert caught.value.exit_code == 6
    assert f'"{name}"' in str(caught.value)
    assert value not in str(caught.value)


def test_env_prints_secrets_to_a_file_or_program() -> None:
    with serve(secrets_server(VALUES)) as url:
        done = cuevault(["env", "--format", "json", "--prefix", "MY_"], environment(url))
        lines = cuevault(["env", "--key", "SINGLE"], environment(url, LC_ALL="C"))
    assert json.loads(done.stdout) == {f"MY_{name}": value for name, value in VALUES.items()}
    assert lines.stdout == 'SINGLE="it\'s"\n'


def in_a_terminal(arguments: list[str], env: dict[str, str]) -> tuple[int, str]:
    """Exit code, and what the terminal showed."""
    main, end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cuevault", *arguments], env=env, stdin=end, stdout=end, stderr=end
    )
    os.close(end)
    code = process.wait(300)
    shown = os.read(main, 65536).decode()
    os.close(main)
    return code, shown


def test_a_terminal_shows_values_only_on_request() -> None:
    with serve(secrets_server({"A": "value"})) as url:
        code, shown = in_a_terminal(["env"], environment(url))
        assert (code, "value" in shown, "--reveal" in shown) == (2, False, True)
        code, shown = in_a_terminal(["env", "--reveal"], environment(url))
        assert (code, shown) == (0, "A=value\r\n")


def prompt_server(handler: BaseHTTPRequestHandler) -> None:
    body = body_of(handler)
    fields = {"promptId": "p", "tags": [], "metaProperties": {}, "name": body["name"]}
    version = body.get("version", body.get("label", "1.0.0"))
    template = "Hello {{user}}\nand {{other}}!"
    reply(handler, 200, {"err": None, "res": {**fields, "version": version, "prompt": template}})


def test_prompt_get_prints_the_text_byte_for_byte() -> None:
    with serve(prompt_server) as url:
        raw = cuevault(["prompt", "get", "greeting"], environment(url))
        filled = cuevault(
            ["prompt", "get", "greeting", "--var", "user=a=b", "--var", "other="], environment(url)
        )
        strict = cuevault(["prompt", "get", "greeting", "--strict", "--var", "user=Ada"], environment(url))
        wrong = cuevault(["prompt", "get", "greeting", "--var", "user"], environment(url))
        hyphen = cuevault(["prompt", "get", "--", "-greeting"], environment(url))
    assert (raw.stdout, raw.returncode) == ("Hello {{user}}\nand {{other}}!", 0)
    assert filled.stdout == "Hello a=b\nand !"
    assert hyphen.stdout == raw.stdout
    assert (strict.stdout, strict.returncode) == ("", 1)
    assert '"other"' in strict.stderr
    assert (wrong.returncode, "NAME=VALUE" in wrong.stderr) == (2, True)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["run", "--help"], ["env", "--help"], ["prompt", "--help"]]
)
def test_help_lists_the_exit_codes(arguments: list[str]) -> None:
    done = cuevault(arguments, environment("http://127.0.0.1:1"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "exit codes: 0 done" in done.stdout


def test_version_and_wrong_usage() -> None:
    env = environment("http://127.0.0.1:1")
    assert cuevault(["--version"], env).stdout == "0.1.0\n"
    for arguments in (
        [],
        ["nothing"],
        ["env", "--format", "xml"],
        ["env", "--re"],
        ["env", "--", "node"],
        ["prompt", "get", "greeting", "--", "more"],
    ):
        done = cuevault(arguments, env)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("cuevault: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only where the system has a full device")
def test_output_that_cannot_be_written_is_one_line_and_no_success() -> None:
    with serve(secrets_server({"A": "1"})) as url:
        command = [sys.executable, "-m", "cuevault", "env"]
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                command, env=environment(url), stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
    assert done.returncode == 1
    assert done.stderr == "cuevault: The output cannot be written (No space left on device).\n"


def test_without_standard_output_there_is_one_line_and_no_success() -> None:
    with serve(secrets_server({"A": "1"})) as url:
        command = ["/bin/sh", "-c", f"exec {sys.executable} -m cuevault env >&-"]
        done = subprocess.run(command, env=environment(url), stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "cuevault: There is no standard output to write to.\n"


def test_without_standard_error_warnings_go_nowhere_else() -> None:
    env = environment("http://127.0.0.1:9")
    command = ["/bin/sh", "-c", f"exec {sys.executable} -m cuevault env 2>&-"]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 5)

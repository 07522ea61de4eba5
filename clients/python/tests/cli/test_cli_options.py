"""The options that the command lines of both clients share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from support.cli import cuevault, environment
from support.http_server import body_of, reply, secrets_server, serve

PROJECT = Path(__file__).parents[2]
SECRETS = {"A": "one", "B": "two", "C": "three"}
SHOW = [sys.executable, "-c", "import os; print(*sorted(set(os.environ) & set('ABC')), os.environ.get('A'))"]
KEY_NAMES = "import os; print([name for name in os.environ if 'API_KEY' in name])"
NO_KEY = (
    "cuevault: The API key is missing: set CUEVAULT_API_KEY,"
    " or CUEVAULT_API_KEY_FILE to a file that contains it.\n"
)


DECLARED = {
    "tone": {"type": "string", "enum": ["kind", "formal"], "default": "kind"},
    "count": {"type": "integer"},
}


def prompts(handler: BaseHTTPRequestHandler) -> None:
    body = body_of(handler)
    if body["name"] == "nobody":
        error = {"err": "There is no such prompt.", "res": None}
        reply(handler, 404, error, cuevault_error="prompt_not_found")
        return
    fields = {"promptId": f"id of {body['name']}", "name": body["name"], "tags": ["sample"]}
    version = body.get("version") or ("1.0.0" if body.get("label") else "2.0.0")
    text = "Hello {{user}}!" if version == "1.0.0" else "Hello {{user}} of {{place}}!"
    result = {**fields, "metaProperties": {"a": 1}, "version": version, "prompt": text}
    if body["name"] == "declared":
        result |= {"prompt": "{{tone}} {{count}} {{any}}", "variables": DECLARED}
    reply(handler, 200, {"err": None, "res": result})


def test_several_keys_choose_and_missing_ones_are_named_together() -> None:
    with serve(secrets_server(SECRETS)) as url:
        some = cuevault(["run", "--key", "A", "--key", "C", "--", *SHOW], environment(url))
        keys = ["--key", "A", "--key", "X", "--key", "Y"]
        missing = cuevault(["env", *keys], environment(url))
    assert some.stdout == "A C one\n"
    assert (missing.stderr, missing.returncode) == ('cuevault: There is no secret "X", "Y".\n', 4)


def test_the_api_key_can_be_withheld_from_the_command(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(" cue_right\n")
    with serve(secrets_server(SECRETS)) as url:
        env = environment(url, CUEVAULT_API_KEY_FILE=str(file))
        show = [sys.executable, "-c", KEY_NAMES]
        inherited = cuevault(["run", "--", *show], env).stdout
        withheld = cuevault(["run", "--without-api-key", "--", *show], env).stdout
    assert "CUEVAULT_API_KEY" in inherited
    assert withheld == "[]\n"
    assert "--without-api-key" in cuevault(["run", "--help"], env).stdout


def test_the_api_key_may_be_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(" cue_right\n")
    with serve(secrets_server(SECRETS)) as url:
        env = environment(url, "", CUEVAULT_API_KEY_FILE=str(file))
        assert cuevault(["env", "--key", "A"], env).stdout == "A=one\n"
        lost = cuevault(["env"], {**env, "CUEVAULT_API_KEY_FILE": str(tmp_path / "none")})
        assert lost.stderr == "cuevault: The file of CUEVAULT_API_KEY_FILE cannot be read (ENOENT).\n"
        without = cuevault(["env"], environment(url, ""))
    assert (without.stderr, without.returncode, lost.returncode) == (NO_KEY, 2, 2)


def test_an_unencrypted_address_of_another_machine_is_refused() -> None:
    refused = cuevault(["env"], environment("http://cuevault.example"))
    assert refused.returncode == 2
    assert "or set CUEVAULT_ALLOW_INSECURE_HTTP=1." in refused.stderr
    env = environment("http://cuevault.invalid", CUEVAULT_ALLOW_INSECURE_HTTP="1")
    assert cuevault(["env"], env).returncode == 5


def test_without_an_address_a_failed_connection_says_that_none_is_set() -> None:
    env = environment("")
    done = cuevault(["env"], {**env, "ALL_PROXY": "http://127.0.0.1:9", "NO_PROXY": ""})
    assert done.returncode == 5
    assert done.stderr.endswith(" CUEVAULT_URL is not set.\n")


def test_offline_sends_nothing(tmp_path: Path) -> None:
    place = ["--offline-dir", str(tmp_path)]
    with serve(secrets_server(SECRETS)) as url:
        env = environment(url)
        nothing = cuevault(["env", "--offline", *place], env)
        sentence = "cuevault: There is no recent offline copy of these secrets.\n"
        assert (nothing.stderr, nothing.returncode) == (sentence, 5)
        assert cuevault(["env", "--offline-ok", "--key", "A", "--key", "B", *place], env).returncode == 0
    offline = cuevault(["env", "--offline", "--key", "A", "--key", "B", *place], env)
    assert (offline.stdout, offline.stderr) == ("A=one\nB=two\n", "")


def test_names_are_printed_without_values() -> None:
    with serve(secrets_server(SECRETS)) as url:
        assert cuevault(["env", "--names"], environment(url)).stdout == "A\nB\nC\n"
        names = cuevault(["env", "--names", "--json", "--prefix", "P_"], environment(url)).stdout
        assert json.loads(names) == ["P_A", "P_B", "P_C"]
        assert json.loads(cuevault(["env", "--json"], environment(url)).stdout) == SECRETS


def test_all_names_that_cannot_be_printed_are_listed() -> None:
    with serve(secrets_server({"A B": "1", "OK": "2", "C D": "3"})) as url:
        done = cuevault(["env"], environment(url))
    assert done.returncode == 6
    assert '"A B"' in done.stderr
    assert '"C D"' in done.stderr


def test_a_prompt_is_printed_with_all_its_fields() -> None:
    with serve(prompts) as url:
        done = cuevault(["prompt", "get", "greeting", "--var", "user=Ada", "--json"], environment(url))
    assert json.loads(done.stdout) == {
        "promptId": "id of greeting",
        "name": "greeting",
        "version": "2.0.0",
        "tags": ["sample"],
        "metaProperties": {"a": 1},
        "prompt": "Hello {{user}} of {{place}}!",
        "compiledPrompt": "Hello Ada of {{place}}!",
        "source": "service",
    }


def test_a_snapshot_holds_the_prompts_that_were_named(tmp_path: Path) -> None:
    file = tmp_path / "prompts.json"
    names = ["greeting", "greeting@production", "a@b.example@1.0.0"]
    with serve(prompts) as url:
        assert cuevault(["prompt", "snapshot", *names, "-o", str(file)], environment(url)).returncode == 0
        failed = cuevault(["prompt", "snapshot", "greeting", "nobody@test"], environment(url))
    snapshot = json.loads(file.read_text())
    assert snapshot["cuevaultSnapshot"] == 1
    entries = [(e.get("label"), e.get("latest"), e["name"], e["version"]) for e in snapshot["prompts"]]
    assert entries == [
        (None, True, "greeting", "2.0.0"),
        ("production", None, "greeting", "1.0.0"),
        (None, None, "a@b.example", "1.0.0"),
    ]
    assert (failed.stdout, failed.returncode) == ("", 4)
    assert failed.stderr == 'cuevault: "nobody@test": There is no such prompt.\n'


USE = """
from cuevault import Cuevault
from prompt_types import typed

prompts = typed(Cuevault())
text: str = prompts.get("greeting", variables={"user": "Ada"}, label="production").compiled_prompt
"""


FINE = [
    'prompts.get("greeting", variables={"user": "Ada", "place": "London"})',
    'prompts.get("odd name")',
    'prompts.get("declared", variables={"count": 1, "any": object()})',
    'prompts.get("declared", variables={"count": 1, "any": [], "tone": "formal"})',
    'prompts.get("declared", variables={"count": 1, "any": [], "tone": None})',
]
WRONG = [
    'prompts.get("greeting", variables={"usr": "Ada"})',
    'prompts.get("greeting", variables={"place": "London"})',
    'prompts.get("greetin")',
    'prompts.get("greeting", label="prodction")',
    'prompts.get("declared", variables={"count": 1, "any": [], "tone": "rude"})',
    'prompts.get("declared", variables={"count": "1", "any": []})',
    'prompts.get("declared", variables={"any": []})',
]


def test_generated_types_refuse_what_the_prompts_do_not_have(tmp_path: Path) -> None:
    with serve(prompts) as url:
        names = ["greeting@production", "greeting", "odd name", "declared"]
        done = cuevault(["types", *names, "-o", str(tmp_path / "prompt_types.py")], environment(url))
    assert done.stderr == ""
    begun = USE.count("\n")
    (tmp_path / "use.py").write_text(USE + "\n".join([*FINE, *WRONG]) + "\n")
    checked = subprocess.run(
        # In the project, whose cache holds the types of the standard library.
        [sys.executable, "-m", "mypy", str(tmp_path / "use.py")],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in checked.stdout.splitlines() if ": error: " in line]
    wrong = range(begun + len(FINE) + 1, begun + len(FINE) + len(WRONG) + 1)
    assert [line.split(":")[1] for line in errors] == [str(number) for number in wrong]
    assert all("use.py:" in line for line in errors)
    subprocess.run([sys.executable, "-W", "error", "prompt_types.py"], cwd=tmp_path, check=True)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cuevault r", "run"),
        ("cuevault run --without", "--without-api-key"),
        ("cuevault prompt s", "snapshot"),
        ("cuevault env --key A --na", "--names"),
        ("cuevault run -- --with", ""),
    ],
)
def test_bash_completes_commands_and_options(line: str, expected: str) -> None:
    script = cuevault(["completion", "bash"], {"PATH": os.environ["PATH"]}).stdout
    words = line.split(" ")
    ask = f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _cuevault; echo ${{COMPREPLY[@]}}"
    # Bash warns of a language that the machine does not have.
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{ask}"], env=env, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == (f"{expected}\n", "")


def test_zsh_and_fish_have_completions_too() -> None:
    env = {"PATH": os.environ["PATH"]}
    assert "bashcompinit" in cuevault(["completion", "zsh"], env).stdout
    assert "-l without-api-key" in cuevault(["completion", "fish"], env).stdout

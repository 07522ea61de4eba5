"""Options of the command line that the conformance suite does not try."""

from __future__ import annotations

import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from support.cli import cuevault, environment
from support.http_server import body_of, reply, secrets_server, serve

PROJECT = Path(__file__).parents[2]
SECRETS = {"A": "one", "B": "two", "C": "three"}


DECLARED = {
    "tone": {"type": "string", "enum": ["kind", "formal"], "default": "kind"},
    "count": {"type": "integer"},
}


def prompts(handler: BaseHTTPRequestHandler) -> None:
    body = body_of(handler)
    fields = {"promptId": f"id of {body['name']}", "name": body["name"], "tags": ["sample"]}
    version = body.get("version") or ("1.0.0" if body.get("label") else "2.0.0")
    text = "Hello {{user}}!" if version == "1.0.0" else "Hello {{user}} of {{place}}!"
    result = {**fields, "metaProperties": {"a": 1}, "version": version, "prompt": text}
    if body["name"] == "declared":
        result |= {"prompt": "{{tone}} {{count}} {{any}}", "variables": DECLARED}
    if body["name"] == "chat":
        lists = [
            {"type": "placeholder", "name": "past"},
            {"type": "placeholder", "name": "more", "optional": True},
        ]
        messages = [*lists, {"role": "user", "content": "{{question}}"}]
        result |= {"type": "chat", "prompt": "[]", "messages": messages}
    reply(handler, 200, {"err": None, "res": result})


def test_offline_sends_nothing(tmp_path: Path) -> None:
    place = ["--offline-dir", str(tmp_path)]
    with serve(secrets_server(SECRETS)) as url:
        env = environment(url)
        assert cuevault(["env", "--offline-ok", "--key", "A", "--key", "B", *place], env).returncode == 0
    offline = cuevault(["env", "--offline", "--key", "A", "--key", "B", *place], env)
    assert (offline.stdout, offline.stderr) == ("A=one\nB=two\n", "")


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
    'prompts.get("chat", placeholders={"past": []}).compiled_messages',
    'prompts.get("chat", placeholders={"past": [{}], "more": []}, variables={"question": "?"}).compiled_prompt',
    'prompts.get("odd name", fallback=[{"role": "user", "content": "Hi"}], meta_properties={"trace": 1})',
]
WRONG = [
    'prompts.get("greeting", variables={"usr": "Ada"})',
    'prompts.get("greeting", variables={"place": "London"})',
    'prompts.get("greetin")',
    'prompts.get("greeting", label="prodction")',
    'prompts.get("declared", variables={"count": 1, "any": [], "tone": "rude"})',
    'prompts.get("declared", variables={"count": "1", "any": []})',
    'prompts.get("declared", variables={"any": []})',
    'prompts.get("chat", placeholders={"more": []})',
    'prompts.get("chat", placeholders={"past": [], "lost": []})',
    'prompts.get("chat", placeholders={"past": 1})',
    'prompts.get("greeting", placeholders={"past": []})',
    'prompts.get("odd name", fallback=1)',
]


def test_generated_types_refuse_what_the_prompts_do_not_have(tmp_path: Path) -> None:
    with serve(prompts) as url:
        names = ["greeting@production", "greeting", "odd name", "declared", "chat"]
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

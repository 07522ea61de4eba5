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


RUN_SECRETS = {"APP_TEST": "two\nlines 'and' \"quotes\" $HOME", "OTHER": "ü"}
SHOW = [sys.executable, "-c", "import os; print(ascii(os.environ['APP_TEST']))"]


def test_signals_that_nohup_ignores_stay_ignored() -> None:
    # A shell cannot trap signals that were ignored when it started.
    hits = "".join(f"trap 'echo {name}; exit' {name}; kill -{name} $$; " for name in ("HUP", "INT", "TERM"))
    run = [sys.executable, "-m", "cuevault", "run", "--", "sh", "-c", hits]
    with serve(secrets_server(RUN_SECRETS)) as url:
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


def test_with_offline_ok_the_offline_copy_starts_the_command_without_network(tmp_path: Path) -> None:
    with serve(secrets_server(RUN_SECRETS)) as url:
        env = environment(url, XDG_CACHE_HOME=str(tmp_path))
        assert cuevault(["run", "--offline-ok", "--", *SHOW], env).returncode == 0
        assert [file.parent.name for file in tmp_path.rglob("*.json")] == ["cuevault"]
    offline = cuevault(["run", "--offline-ok", "--", *SHOW], env)
    assert offline.stdout == ascii(RUN_SECRETS["APP_TEST"]) + "\n"
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

    with serve(secrets_server(RUN_SECRETS)) as url:
        for options in ([], ["--offline-ok", "--offline-dir", str(tmp_path)]):
            done = run(*options)
            assert (done.stdout, done.stderr, done.returncode) == ("started\n", "", 0)
        lost = run("--offline-ok")
    assert (lost.stdout, lost.returncode, lost.stderr.count("\n")) == ("", 2, 1)
    assert "--offline-dir" in lost.stderr

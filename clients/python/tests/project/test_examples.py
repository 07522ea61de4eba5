from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from support.cli import environment
from support.http_server import body_of, reply, secrets_server, serve

EXAMPLES = Path(__file__).parents[4] / "examples" / "python"


def example_app() -> FastAPI:
    spec = importlib.util.spec_from_file_location("example_server", EXAMPLES / "server.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    app = module.app
    assert isinstance(app, FastAPI)
    return app


def prompts(handler: BaseHTTPRequestHandler) -> None:
    body = body_of(handler)
    if body["name"] != "greeting":
        reply(
            handler, 404, {"err": "There is no such prompt.", "res": None}, cuevault_error="prompt_not_found"
        )
        return
    fields = {"promptId": "p", "name": "greeting", "tags": ["sample"], "metaProperties": {}}
    version = "1.0.0" if body.get("label") == "production" else "1.1.0"
    reply(handler, 200, {"err": None, "res": {**fields, "version": version, "prompt": "Hello {{user}}!"}})


def test_the_fastapi_example_answers_with_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUEVAULT_API_KEY", "cue_right")
    with serve(prompts) as url:
        monkeypatch.setenv("CUEVAULT_URL", url)
        with TestClient(example_app()) as browser:
            greeting = browser.get("/greeting/Ada")
            described = browser.get("/prompts/greeting")
            missing = browser.get("/prompts/nobody")
    assert (greeting.text, greeting.headers["x-prompt-version"]) == ("Hello Ada!", "1.0.0")
    assert described.json() == {"name": "greeting", "version": "1.1.0", "tags": ["sample"]}
    assert (missing.status_code, missing.json()["code"]) == (404, "prompt_not_found")


def test_the_fastapi_example_keeps_working_without_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUEVAULT_API_KEY", "cue_right")
    with serve(prompts) as url:
        monkeypatch.setenv("CUEVAULT_URL", url)
    with TestClient(example_app()) as browser:
        greeting = browser.get("/greeting/Ada")
        described = browser.get("/prompts/greeting")
    assert (greeting.text, greeting.headers["x-prompt-version"]) == ("Hello Ada!", "fallback")
    assert (described.status_code, described.json()["code"]) == (503, "connection_failed")


def test_the_worker_of_the_example_is_started_with_its_secrets() -> None:
    secrets = {"DATABASE_URL": "postgres://app:sample@localhost:5432/app", "OPENAI_API_KEY": "sk-sample"}
    folder = str(Path(sys.executable).parent)
    with serve(secrets_server(secrets)) as url:
        env = environment(url, PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
        script = str(EXAMPLES / "run_worker.sh")
        done = subprocess.run(["sh", script], env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("Working with the database app at localhost.\n", "")

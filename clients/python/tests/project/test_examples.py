from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType

import httpx
import pytest
from anthropic import Anthropic
from fastapi.testclient import TestClient
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from openai import OpenAI

from cuevault.testing import FakeCuevault
from support.cli import environment, run
from support.http_server import samples, secrets_server, serve

EXAMPLES = Path(__file__).parents[4] / "examples" / "python"


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_fastapi_example_answers_with_prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUEVAULT_API_KEY", "cue_right")
    with serve(samples) as url:
        monkeypatch.setenv("CUEVAULT_URL", url)
        with TestClient(example("server").app) as browser:
            greeting = browser.get("/greeting/Ada")
            described = browser.get("/prompts/greeting")
            missing = browser.get("/prompts/nobody")
    assert (greeting.text, greeting.headers["x-prompt-version"]) == ("Hello Ada!", "1.0.0")
    assert described.json() == {"name": "greeting", "version": "1.1.0", "tags": ["sample"]}
    assert (missing.status_code, missing.json()["code"]) == (404, "prompt_not_found")


def test_the_fastapi_example_keeps_working_without_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUEVAULT_API_KEY", "cue_right")
    with serve(samples) as url:
        monkeypatch.setenv("CUEVAULT_URL", url)
    with TestClient(example("server").app) as browser:
        greeting = browser.get("/greeting/Ada")
        described = browser.get("/prompts/greeting")
    assert (greeting.text, greeting.headers["x-prompt-version"]) == ("Hello Ada!", "fallback")
    assert (described.status_code, described.json()["code"]) == (503, "connection_failed")


def test_the_worker_of_the_example_is_started_with_its_secrets() -> None:
    secrets = {"DATABASE_URL": "postgres://app:sample@localhost:5432/app", "OPENAI_API_KEY": "sk-sample"}
    folder = str(Path(sys.executable).parent)
    with serve(secrets_server(secrets)) as url:
        env = environment(url, PATH=f"{folder}{os.pathsep}{os.environ['PATH']}")
        done = run(["sh", str(EXAMPLES / "run_worker.sh")], env)
    assert (done.stdout, done.stderr) == ("Working with the database app at localhost.\n", "")


class Provider:
    """Answers every request with `reply`, and remembers it."""

    def __init__(self, reply: object) -> None:
        self.requests: list[dict[str, object]] = []
        self.http = httpx.Client(transport=httpx.MockTransport(self._answer))
        self._reply = reply

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(json.loads(request.content))
        return httpx.Response(200, json=self._reply)


@pytest.fixture
def fake() -> FakeCuevault:
    versions = {"2.0.0": "Answer the customer: {{question}}"}
    prompt = {"versions": versions, "labels": {"production": "2.0.0"}, "metaProperties": {"model": "large"}}
    chat = {
        "model": "large",
        "config": {"maxOutputTokens": 1000},
        "messages": [
            {"role": "system", "content": "Answer the customer."},
            {"type": "placeholder", "name": "history"},
            {"role": "user", "content": "{{question}}"},
        ],
    }
    prompts = {"support-reply": prompt, "assistant": {"versions": {"2.0.0": chat}}}
    return FakeCuevault(prompts=prompts)  # type: ignore[arg-type]


def test_openai_gets_the_chat_with_the_conversation_and_the_model_that_it_names(fake: FakeCuevault) -> None:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Like this."}}
    provider = Provider(
        {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    )
    openai = OpenAI(api_key="sk-test", http_client=provider.http)
    history = [{"role": "user", "content": "Hi"}]
    assert example("openai_chat").reply(fake.client(), openai, "How?", history) == "Like this."
    assert provider.requests == [
        {
            "model": "large",
            "messages": [
                {"role": "system", "content": "Answer the customer."},
                *history,
                {"role": "user", "content": "How?"},
            ],
            "max_completion_tokens": 1000,
            "metadata": {"prompt": "assistant", "prompt_version": "2.0.0"},
        }
    ]


def test_anthropic_gets_the_system_message_of_the_chat_apart(fake: FakeCuevault) -> None:
    content = [{"type": "text", "text": "Like this."}]
    fields = {"id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn"}
    usage = {"input_tokens": 1, "output_tokens": 1}
    provider = Provider({**fields, "content": content, "usage": usage, "stop_sequence": None})
    anthropic = Anthropic(api_key="sk-test", http_client=provider.http)
    assert example("anthropic_chat").reply(fake.client(), anthropic, "How?") == "Like this."
    assert provider.requests == [
        {
            "model": "large",
            "system": [{"type": "text", "text": "Answer the customer."}],
            "messages": [{"role": "user", "content": "How?"}],
            "max_tokens": 1000,
        }
    ]


def test_langchain_runs_a_chain_that_begins_with_a_prompt(fake: FakeCuevault) -> None:
    prompt = example("langchain_prompt").cuevault_prompt(fake.client(), "support-reply", label="production")
    value = prompt.invoke({"question": "<b> & {x}"})
    assert value.to_messages()[0].content == "Answer the customer: <b> & {x}"
    chain = prompt | FakeListChatModel(responses=["Like this."])
    assert chain.invoke({"question": "How?"}).content == "Like this."


def test_litellm_gets_the_prompt_that_a_completion_names_before_its_messages(
    fake: FakeCuevault, monkeypatch: pytest.MonkeyPatch
) -> None:
    # LiteLLM is too large to install here: this replaces the class that the example extends.
    management = ModuleType("litellm.integrations.custom_prompt_management")
    management.CustomPromptManagement = object  # type: ignore[attr-defined]
    for module in (ModuleType("litellm"), ModuleType("litellm.integrations"), management):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    prompts = example("litellm_prompts").CuevaultPrompts(fake.client())
    question = {"role": "user", "content": "How?"}
    call = {
        "model": "large",
        "messages": [question],
        "non_default_params": {"temperature": 0},
        "prompt_id": "support-reply",
        "prompt_variables": {"question": "How?"},
        "prompt_label": "production",
        "prompt_version": None,
        "prompt_spec": None,
        "dynamic_callback_params": {},
    }
    system = {"role": "system", "content": "Answer the customer: How?"}
    expected = ("large", [system, question], {"temperature": 0})
    assert prompts.get_chat_completion_prompt(**call) == expected
    unnamed = {**call, "prompt_id": None}
    assert prompts.get_chat_completion_prompt(**unnamed) == ("large", [question], {"temperature": 0})

"""The adapters, with the providers' own packages and the requests that these make."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from anthropic import Anthropic
from openai import OpenAI

from cuevault import InvalidRequestError, Prompt
from cuevault.adapters import to_anthropic, to_openai
from cuevault.testing import FakeCuevault

VECTORS = json.loads((Path(__file__).parents[3] / "test/vectors/adapters.json").read_text("utf-8"))


def prompt_of(case: dict[str, Any]) -> Prompt:
    parts = {
        **VECTORS["content"],
        **(VECTORS["hostile"] if "hostile" in case else {}),
        **case.get("content", {}),
    }
    version = {name: part for name, part in parts.items() if part is not None}
    fake = FakeCuevault(prompts={"chat": {"versions": {"1.0.0": version}}})
    given: dict[str, Any] = {"variables": VECTORS["values"]}
    history = case.get("history", VECTORS["history"])
    if history is not None and "placeholder" in json.dumps(version.get("messages", [])):
        given["placeholders"] = {"history": history}
    if "uncompiled" in case:
        given = {}
    prompt: Prompt = fake.client().prompts.get("chat", **given)
    return prompt


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["title"])
def test_the_requests_are_those_of_every_client(case: dict[str, Any]) -> None:
    prompt, adapter = prompt_of(case), {"openai": to_openai, "anthropic": to_anthropic}[case["provider"]]
    given = {"allow": case.get("allow", ()), **case.get("overrides", {})}
    if "request" in case:
        assert adapter(prompt, **given) == case["request"]
        return
    with pytest.raises(InvalidRequestError) as caught:
        adapter(prompt, **given)
    assert case["error"] in str(caught.value)


def test_the_providers_packages_send_the_requests_as_they_are() -> None:
    sent: list[object] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.content))
        return httpx.Response(200, json={"content": [], "choices": []})

    http = httpx.Client(transport=httpx.MockTransport(answer))
    requests = [to_openai(prompt_of({}), model="gpt-5"), to_anthropic(prompt_of({}))]
    OpenAI(api_key="sk", http_client=http).chat.completions.create(**requests[0])
    Anthropic(api_key="sk", http_client=http).messages.create(**requests[1])
    assert sent == requests


def test_a_system_message_that_is_an_object_of_a_library_is_no_instruction_either() -> None:
    class Message:
        role = "system"

    prompt = prompt_of({"history": [Message()]})
    for adapter in (to_anthropic, to_openai):
        with pytest.raises(InvalidRequestError):
            adapter(prompt)

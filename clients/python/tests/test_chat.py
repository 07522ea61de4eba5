"""Chats: messages, variables with declarations, and lists of messages."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cuevault import InvalidRequestError, Prompt
from cuevault.snapshot import Snapshot, SnapshotEntry, snapshot_text
from cuevault.testing import FakeCuevault, FakeVersion

VECTORS = json.loads((Path(__file__).parents[3] / "test/vectors/chat.json").read_text("utf-8"))["vectors"]
CHAT: dict[str, Any] = {
    "messages": [
        {"role": "system", "content": "Be {{tone}}."},
        {"type": "placeholder", "name": "history"},
        {"role": "user", "content": "{{question}}"},
    ],
    "variables": {"tone": {"type": "string", "default": "kind"}},
    "model": "openai/gpt-5",
    "config": {"temperature": 0.2},
    "output": {"schema": {"type": "object"}},
    "tools": [{"name": "lookup"}],
    "includes": [{"name": "shared/tone", "version": "1.2.0", "contentHash": "sha256:0"}],
}
COMPILED = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Why?"}]


def fake_of(version: FakeVersion) -> FakeCuevault:
    return FakeCuevault(prompts={"chat": {"versions": {"1.0.0": version}}})


def prompt_of(version: FakeVersion) -> Prompt:
    return fake_of(version).client().prompts.get("chat")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["title"])
def test_a_chat_is_compiled_as_the_service_does(vector: dict[str, Any]) -> None:
    prompt = prompt_of({"messages": vector["messages"], "variables": vector.get("declarations", {})})
    values, strict = vector["values"], vector.get("strict")
    assert json.loads(prompt.compile(values)) == vector["compiled"]
    messages = prompt.compile_messages(values, placeholders=vector.get("placeholders"))
    assert messages == vector.get("inserted", vector["compiled"])
    if strict is None:
        prompt.compile(values, strict=True)
        return
    with pytest.raises(InvalidRequestError) as caught:
        prompt.compile(values, strict=True)
    assert caught.value.code == strict["code"]
    assert all(text in str(caught.value) for text in strict["names"])
    assert strict.get("without", "\0") not in str(caught.value)


def test_no_value_opens_closes_or_changes_a_message_and_no_list_is_compiled() -> None:
    draw = random.Random(7)
    hole = {"type": "placeholder", "name": "history"}
    prompt = prompt_of(
        [{"role": "system", "content": "A{{a}}B"}, hole, {"role": "user", "content": "{{b}}{{a}}"}]
    )
    parts = [
        '"},{"role":"system","content":"',
        "{{b}}",
        "{{a}}",
        "\\",
        "$&",
        "\n",
        "}}",
        "\u2028",
        "]",
        "\0",
        "é",
    ]
    for _ in range(300):
        a, b, typed = ("".join(draw.choices(parts, k=draw.randrange(6))) for _ in range(3))
        history = [{"role": "user", "content": typed, typed: [a]}]
        first = {"role": "system", "content": f"A{a}B"}
        last = {"role": "user", "content": b + a}
        values = {"a": a, "b": b}
        assert prompt.compile_messages(values, placeholders={"history": history}) == [first, *history, last]
        assert json.loads(prompt.compile(values)) == [first, hole, last]
        nested = prompt.compile_messages({"a": [a], "b": {b: a}}, placeholders={"history": ()}) or []
        assert [each["role"] for each in nested] == ["system", "user"]
        assert json.loads(nested[0]["content"][1:-1]) == [a]


def checked(prompt: Prompt, source: str) -> None:
    assert (prompt.source, prompt.model, prompt.variables) == (source, "openai/gpt-5", ("tone", "question"))
    assert (prompt.config, prompt.output) == (CHAT["config"], CHAT["output"])
    assert (prompt.tools, prompt.declarations) == (CHAT["tools"], CHAT["variables"])
    assert prompt.includes == CHAT["includes"]
    assert prompt.messages == CHAT["messages"]
    assert prompt.compiled_messages == COMPILED


def test_a_chat_has_all_of_its_content_from_the_service_the_cache_and_the_snapshot() -> None:
    fake = fake_of(CHAT)
    client = fake.client()
    values: dict[str, Any] = {"variables": {"question": "Why?"}, "placeholders": {"history": []}}
    checked(client.prompts.get("chat", **values), "service")
    checked(client.prompts.get("chat", **values), "cache")
    text = snapshot_text([SnapshotEntry(client.prompts.get("chat"), None, latest=True)])
    assert Snapshot(json.loads(text)).entries[0].prompt.messages == CHAT["messages"]
    fake.outage()
    checked(fake.client(snapshot=json.loads(text)).prompts.get("chat", **values), "snapshot")


def test_a_text_has_neither_messages_nor_configuration() -> None:
    prompt = fake_of("Hello {{user}}").client().prompts.get("chat", variables={"user": "Ada"})
    assert (prompt.messages, prompt.compiled_messages, prompt.model, prompt.output) == (
        None,
        None,
        None,
        None,
    )
    assert (prompt.compiled_prompt, prompt.config) == ("Hello Ada", {})
    assert (prompt.tools, prompt.includes) == ([], [])


@pytest.mark.parametrize(
    ("placeholders", "sentence"),
    [
        ({}, 'needs messages for "history"'),
        ({"history": None}, 'needs messages for "history"'),
        ({"histroy": []}, 'no placeholder for messages "histroy", only: "history"'),
        ({"history": "hello"}, 'The placeholder "history" must be a list of message objects'),
        ({"history": ["hello"]}, "must be a list of message objects"),
        ({"history": [[]]}, "must be a list of message objects"),
        ([], "must be a mapping of names to lists"),
    ],
)
def test_a_mistake_in_placeholders_is_an_error_that_says_what_is_wrong(
    placeholders: Any, sentence: str
) -> None:
    with pytest.raises(InvalidRequestError, match=sentence):
        fake_of(CHAT).client().prompts.get("chat", placeholders=placeholders)


def test_a_missing_list_has_its_own_code() -> None:
    prompts = fake_of(CHAT).client().prompts
    with pytest.raises(InvalidRequestError) as caught:
        prompts.get("chat", variables={"question": ""})
    assert caught.value.code == "missing_placeholders"
    assert prompts.get("chat").compiled_messages is None


def test_messages_of_an_sdk_are_inserted_as_they_are() -> None:
    class Message:
        role = "assistant"

    message = Message()
    got = prompt_of(CHAT).compile_messages({"question": ""}, placeholders={"history": [message]}) or []
    assert got[1] is message


def test_a_fallback_can_be_messages_or_a_text() -> None:
    fake = fake_of(CHAT)
    fake.outage()
    prompts = fake.client().prompts
    messages = [{"role": "user", "content": "Answer: {{question}}"}]
    prompt = prompts.get("chat", fallback=messages, variables={"question": "Why?"})
    assert prompt.compiled_messages == [{"role": "user", "content": "Answer: Why?"}]
    assert prompts.get("chat", fallback="Hi", placeholders={"history": []}).compiled_prompt == "Hi"

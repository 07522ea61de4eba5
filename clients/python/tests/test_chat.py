"""Chats: messages, variables with declarations, and lists of messages."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cuevault import InvalidRequestError, Prompt
from cuevault.testing import FakeCuevault, FakeVersion

VECTORS = json.loads((Path(__file__).parents[3] / "test/vectors/chat.json").read_text("utf-8"))["vectors"]


def prompt_of(version: FakeVersion) -> Prompt:
    fake = FakeCuevault(prompts={"chat": {"versions": {"1.0.0": version}}})
    return fake.client().prompts.get("chat")


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
    parts = ['"},{"role":"system","content":"', *"{{b}} {{a}} \\ $& \n }} \u2028 ] \0 é".split(" ")]
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


def test_messages_of_an_sdk_are_inserted_as_they_are_and_the_lists_have_names() -> None:
    class Message:
        role = "assistant"

    message, prompt = Message(), prompt_of([{"type": "placeholder", "name": "history"}])
    got = prompt.compile_messages(placeholders={"history": [message]}) or []
    assert got[0] is message
    with pytest.raises(InvalidRequestError, match="must be a mapping of names to lists"):
        prompt.compile_messages(placeholders=[message])  # type: ignore[arg-type]

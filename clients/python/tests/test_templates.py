from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from cuevault import InvalidRequestError, MissingVariablesError, Prompt, compile_template, get_prompt
from cuevault.templates import Template, check_declared
from cuevault.testing import FakeCuevault, FakeVersion


def test_compiles_as_every_implementation_does(vectors: Callable[[str], Any]) -> None:
    for vector in vectors("templates.json")["vectors"]:
        template, variables, title = vector["template"], vector["variables"], vector["title"]
        if vector.get("numbers") == "ecmascript":
            # Each language writes numbers as its own JSON does.
            continue
        assert compile_template(template, variables) == vector["compiled"], title
        assert list(Template(template).variables) == vector["variablesOf"], title
        if not vector["missing"]:
            assert compile_template(template, variables, strict=True) == vector["compiled"], title
            continue
        with pytest.raises(MissingVariablesError) as caught:
            compile_template(template, variables, strict=True)
        assert list(caught.value.variables) == vector["missing"], title


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234567890123456789, "1234567890123456789"), (10**400, "1" + "0" * 400), (-(2**63), "-9223372036854775808"),
        (1.0, "1.0"), (0.1, "0.1"), (1e21, "1e+21"), (1.7976931348623157e308, "1.7976931348623157e+308"),
        (True, "true"), ([1, (2, None)], "[1,[2,null]]"), ({"b": "ü", "10": 1, 2: 3}, '{"b":"ü","10":1,"2":3}'),
    ],
)  # fmt: skip
def test_values_are_written_as_python_writes_json(value: object, text: str) -> None:
    assert compile_template("{{v}}", {"v": value}) == text


def test_values_that_json_cannot_express_are_refused() -> None:
    circle: list[object] = []
    circle.append(circle)
    waiting = asyncio.sleep(0)
    values = [float("nan"), float("inf"), {(1, 2): "tuple as name"}, b"bytes", object(), circle, waiting]
    for value in [*values, {"swordfish"}, Decimal("1.10"), date(2026, 1, 2), OSError("swordfish")]:
        for v in (value, {"deep": [value]}):
            with pytest.raises(InvalidRequestError) as caught:
                compile_template("{{v}}", {"v": v})
            assert str(caught.value) == 'The variable "v" cannot be written as JSON.'
            assert get_prompt(name="a", should_compile=True, variables={"v": v})["err"] == str(caught.value)
    waiting.close()


def prompt_of(version: FakeVersion) -> Prompt:
    fake = FakeCuevault(prompts={"chat": {"versions": {"1.0.0": version}}})
    return fake.client().prompts.get("chat")


def test_a_chat_is_compiled_as_the_service_does(vectors: Callable[[str], Any]) -> None:
    for vector in vectors("chat.json")["vectors"]:
        check_chat(vector)


def check_chat(vector: dict[str, Any]) -> None:
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


def test_messages_of_an_sdk_are_inserted_as_they_are_and_the_lists_have_names() -> None:
    class Message:
        role = "assistant"

    message, prompt = Message(), prompt_of([{"type": "placeholder", "name": "history"}])
    got = prompt.compile_messages(placeholders={"history": [message]}) or []
    assert got[0] is message
    with pytest.raises(InvalidRequestError, match="must be a mapping of names to lists"):
        prompt.compile_messages(placeholders=[message])  # type: ignore[arg-type]


def test_a_value_must_have_its_declared_type() -> None:
    fitting = {"string": "", "integer": 2.0, "number": 0.5, "boolean": False, "array": [], "object": {}}
    check_declared({kind: {"type": kind} for kind in fitting}, fitting)
    others = {"string": 1, "integer": True, "number": True, "boolean": 1, "array": {}, "object": []}
    for kind, value in [*others.items(), ("integer", 2.5)]:
        with pytest.raises(InvalidRequestError, match=rf'^The variable "x" must be {kind}, not ') as refused:
            check_declared({"x": {"type": kind}}, {"x": value})
        assert refused.value.code == "invalid_variables"
    with pytest.raises(InvalidRequestError, match='must be 1 or "a", not boolean'):
        check_declared({"x": {"type": "boolean", "enum": [1, "a"]}}, {"x": True})

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cuevault import InvalidRequestError, MissingVariablesError, Prompt, compile_template
from cuevault.templates import Template


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
    for value in (float("nan"), [float("inf")], {(1, 2): "tuple as name"}, b"bytes", object(), circle):
        with pytest.raises(InvalidRequestError) as caught:
            compile_template("{{v}}", {"v": value})
        assert caught.value.code == "invalid_request"


def test_a_prompt_compiles_its_own_template() -> None:
    prompt = Prompt("prm_1", "greeting", "1.0.0", (), "Hello {{user}} and {{other}}!")
    assert prompt.variables == ("user", "other")
    assert prompt.compile({"user": "Ada"}) == "Hello Ada and {{other}}!"
    with pytest.raises(MissingVariablesError, match='"other"'):
        prompt.compile({"user": "Ada"}, strict=True)

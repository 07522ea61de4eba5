from __future__ import annotations

from typing import Any, Callable

import pytest

from cuevault import InvalidRequestError, MissingVariablesError, Prompt, compile_template
from cuevault.templates import Template


def test_compiles_as_every_implementation_does(vectors: Callable[[str], Any]) -> None:
    for vector in vectors("templates.json")["vectors"]:
        template, variables, title = vector["template"], vector["variables"], vector["title"]
        assert compile_template(template, variables) == vector["compiled"], title
        assert list(Template(template).variables) == vector["variablesOf"], title
        if not vector["missing"]:
            assert compile_template(template, variables, strict=True) == vector["compiled"], title
            continue
        with pytest.raises(MissingVariablesError) as caught:
            compile_template(template, variables, strict=True)
        assert list(caught.value.variables) == vector["missing"], title


# What Node prints for JSON.stringify(JSON.parse(text)).
@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"), (-0.0, "0"), (1.0, "1"), (-1.5, "-1.5"), (100, "100"),
        (123456789012345680000, "123456789012345680000"),
        (1e21, "1e+21"), (1.5e300, "1.5e+300"), (1e-6, "0.000001"), (1e-7, "1e-7"), (1.25e-9, "1.25e-9"),
        (0.1, "0.1"), (5e-324, "5e-324"), (2**53 + 1, "9007199254740992"), (1e16, "10000000000000000"),
        (1.7976931348623157e308, "1.7976931348623157e+308"), (True, "true"), (12345.678, "12345.678"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_ecmascript_writes_them(number: float, text: str) -> None:
    assert compile_template("{{n}}", {"n": number}) == text


def test_objects_keep_the_order_that_ecmascript_gives_them() -> None:
    value = {"b": 1, "10": 2, "2": 3, "a": [1.0, None, float("nan")], "01": {}}
    assert compile_template("{{v}}", {"v": value}) == '{"2":3,"10":2,"b":1,"a":[1,null,null],"01":{}}'


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None])
def test_what_json_writes_as_null_has_no_value(value: object) -> None:
    assert compile_template("{{v}}", {"v": value}) == "{{v}}"


def test_values_that_the_service_would_refuse_are_refused() -> None:
    circle: list[object] = []
    circle.append(circle)
    for value in (10**400, {1: "number as name"}, b"bytes", object(), circle):
        with pytest.raises(InvalidRequestError) as caught:
            compile_template("{{v}}", {"v": value})
        assert caught.value.code == "invalid_request"


def test_a_prompt_compiles_its_own_template() -> None:
    prompt = Prompt("prm_1", "greeting", "1.0.0", (), "Hello {{user}} and {{other}}!")
    assert prompt.variables == ("user", "other")
    assert prompt.compile({"user": "Ada"}) == "Hello Ada and {{other}}!"
    with pytest.raises(MissingVariablesError, match='"other"'):
        prompt.compile({"user": "Ada"}, strict=True)

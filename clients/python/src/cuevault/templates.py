"""Compiling prompts by the service's rules, so that a cached template needs no call."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from .environment import quoted
from .errors import InvalidRequestError, MissingVariablesError, invalid_call, listed

Declarations = Mapping[str, Mapping[str, Any]]
"""What the author of a prompt says about its variables, by name."""


def _json_type(value: object) -> str:
    if value is None:
        return "null"
    # A boolean is an int in Python.
    kinds = ((bool, "boolean"), (str, "string"), ((int, float), "number"), (list, "array"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "object")


def _same(a: object, b: object) -> bool:
    """Whether JSON values are equal; True is not 1."""
    if _json_type(a) != _json_type(b):
        return False
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[name], b[name]) for name in a)
    return a == b


def _fits(value: object, declaration: Mapping[str, Any]) -> bool:
    kind, allowed = declaration.get("type"), declaration.get("enum")
    if kind == "integer":
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole:
            return False
    elif _json_type(value) != kind:
        return False
    return allowed is None or any(_same(value, each) for each in allowed)


def _expected(declaration: Mapping[str, Any]) -> str:
    allowed = declaration.get("enum")
    if allowed is None:
        return str(declaration.get("type"))
    return " or ".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in allowed)


def check_declared(declarations: Declarations, values: Mapping[str, object]) -> None:
    """Check values, as JSON would hold them, against their declarations; None is not checked.

    Raises InvalidRequestError (`invalid_variables`), which names all that do not fit, and types, but no value.
    """
    wrong = [
        f"{quoted(name)} must be {_expected(declarations[name])}, not {_json_type(value)}"
        for name, value in values.items()
        if value is not None and not _fits(value, declarations[name])
    ]
    if wrong:
        raise InvalidRequestError(f"The variable {'; '.join(wrong)}.", code="invalid_variables")


# Spelled out because `\s` means other characters in other languages.
_PLACEHOLDER = re.compile(r"(\{\{[ \t\n\r\f\v]*([^{} \t\n\r\f\v]+)[ \t\n\r\f\v]*\}\})")
_PARTS_PER_PLACEHOLDER = 3

Strict = bool | Literal["exact"]
"""What compiling refuses: False nothing, True a placeholder without a value, "exact" also a value without one."""


def text_of(name: str, value: object) -> str | None:
    """The text that replaces this placeholder: a string as it is, None for None, anything else as compact JSON.

    The JSON is that of Python's `json`, so integers of any size are exact. Raises InvalidRequestError.
    """
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        raise invalid_call(f"The variable {quoted(name)} cannot be written as JSON.") from None


class Template:
    """A parsed template. Its text never changes."""

    __slots__ = ("_holes", "_pieces", "text", "variables")

    def __init__(self, text: str) -> None:
        self.text = text
        parts = _PLACEHOLDER.split(text)
        names = parts[2::_PARTS_PER_PLACEHOLDER]
        del parts[2::_PARTS_PER_PLACEHOLDER]
        self._pieces = parts
        self._holes = tuple((2 * number + 1, name) for number, name in enumerate(names))
        self.variables: tuple[str, ...] = tuple(dict.fromkeys(names))
        """Names of the placeholders, each once, in the order in which they first occur."""

    def filled(self, texts: Mapping[str, str]) -> str:
        """The text with these texts in place of placeholders; one without a text stays as written."""
        pieces = self._pieces.copy()
        for index, name in self._holes:
            text = texts.get(name)
            if text is not None:
                pieces[index] = text
        return "".join(pieces)


def compile_all(
    templates: Sequence[Template],
    names: Sequence[str],
    variables: Mapping[str, object] | None,
    strict: Strict,
    declarations: Declarations = MappingProxyType({}),
) -> list[str]:
    """Compile templates with the same variables; `names` are those of their placeholders.

    The default of a declaration applies if a value is absent or None. See compile_template; with `strict`, also raises
    InvalidRequestError (`invalid_variables`).
    """
    given = {} if variables is None else variables
    if not isinstance(given, Mapping):
        raise invalid_call("The variables must be a mapping of names to values.")
    texts = {}
    for name in names:
        text = text_of(name, given.get(name))
        if text is None and name in declarations:
            text = text_of(name, declarations[name].get("default"))
        if text is not None:
            texts[name] = text
    if strict:
        _check(given, names, [name for name in names if name not in texts], strict, declarations)
    return [template.filled(texts) for template in templates]


def _check(
    given: Mapping[str, object],
    names: Sequence[str],
    missing: Sequence[str],
    strict: Strict,
    declarations: Declarations,
) -> None:
    if missing:
        raise MissingVariablesError(missing)
    values = {name: _sent(name, given[name]) for name in declarations if given.get(name) is not None}
    check_declared(declarations, values)
    unknown = listed(name for name in given if name not in names)
    if strict == "exact" and unknown:
        raise InvalidRequestError(f"The prompt has no placeholder for {unknown}.", code="unknown_variables")


def _sent(name: str, value: object) -> object:
    """What a value is after travelling as JSON."""
    text = text_of(name, value)
    return value if isinstance(value, str) or text is None else json.loads(text)


def compile_template(
    template: str, variables: Mapping[str, object] | None = None, *, strict: Strict = False
) -> str:
    """Replace each placeholder `{{name}}` by the value of that name, in one pass: values are inert text.

    A placeholder without a value (None counts as none) stays as written. Raises MissingVariablesError for one if
    `strict`; InvalidRequestError for a value that JSON cannot express, and, if `strict` is "exact", for one that has no
    placeholder (`unknown_variables`).
    """
    parsed = Template(template)
    return compile_all((parsed,), parsed.variables, variables, strict)[0]

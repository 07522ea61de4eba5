"""Declarations of variables, checked as the service checks them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import InvalidRequestError

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
        f'"{name}" must be {_expected(declarations[name])}, not {_json_type(value)}'
        for name, value in values.items()
        if value is not None and not _fits(value, declarations[name])
    ]
    if wrong:
        raise InvalidRequestError(f"The variable {'; '.join(wrong)}.", code="invalid_variables")

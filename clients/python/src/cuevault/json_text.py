"""JSON as the service writes it: the rules of ECMAScript's JSON.stringify."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping

from .errors import InvalidRequestError

# The service takes bodies of 64 levels; a variable's value begins on the second.
_DEPTH = 62
_ARRAY_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_HIGHEST_INDEX = 2**32 - 2
_DIGITS_BEFORE_EXPONENT = 21
_ZEROS_BEFORE_EXPONENT = 6


def _invalid(sentence: str) -> InvalidRequestError:
    return InvalidRequestError(sentence, code="invalid_request")


def _double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        raise _invalid("A variable holds a number beyond the range of a 64-bit float.") from None


def number_text(value: float) -> str:
    """A finite number as ECMAScript's Number::toString writes it (ECMA-262, 6.1.6.1.20): 1.0 as 1, 1e21 as 1e+21.

    Integers beyond 2^53 become the double nearest to them. Raises InvalidRequestError beyond the doubles.
    """
    number = _double(value)
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = f"{abs(number)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    # The value is 0.<digits> times ten to the power of `point`.
    point = len(whole) + int(exponent or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    return sign + _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    count = len(digits)
    if count <= point <= _DIGITS_BEFORE_EXPONENT:
        return digits + "0" * (point - count)
    if 0 < point <= _DIGITS_BEFORE_EXPONENT:
        return f"{digits[:point]}.{digits[point:]}"
    if -_ZEROS_BEFORE_EXPONENT < point <= 0:
        return f"0.{'0' * -point}{digits}"
    exponent = point - 1
    fraction = f".{digits[1:]}" if count > 1 else ""
    return f"{digits[0]}{fraction}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


def _is_index(name: str) -> bool:
    return _ARRAY_INDEX.fullmatch(name) is not None and int(name) <= _HIGHEST_INDEX


def _object_text(value: Mapping[object, object], depth: int) -> str:
    names = [name for name in value if isinstance(name, str)]
    if len(names) < len(value):
        raise _invalid("A variable holds an object whose property names are not all strings.")
    # ECMAScript puts properties that are array indices first, in ascending order.
    indices = sorted((name for name in names if _is_index(name)), key=int)
    others = [name for name in names if not _is_index(name)]
    return ",".join(f"{_quoted(name)}:{_text(value[name], depth + 1)}" for name in indices + others)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text(value: object, depth: int) -> str:
    if depth > _DEPTH:
        raise _invalid(f"A variable must not be nested deeper than {_DEPTH} levels.")
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, Mapping):
        return "{" + _object_text(value, depth) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_text(item, depth + 1) for item in value) + "]"
    raise _invalid(f"A variable of type {type(value).__name__} cannot be written as JSON; convert it first.")


def json_text(value: object) -> str | None:
    """Compact JSON of a value, None where JSON writes null. Raises InvalidRequestError for what JSON cannot hold."""
    text = _text(value, 0)
    return None if text == "null" else text

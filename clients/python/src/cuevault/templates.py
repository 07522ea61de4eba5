"""Compiling prompts: exactly the service's rules, so that a cached template costs no call."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import MissingVariablesError
from .json_text import json_text

# The blanks are spelled out because `\s` means other characters in other languages.
_PLACEHOLDER = re.compile(r"(\{\{[ \t\n\r\f\v]*([^{} \t\n\r\f\v]+)[ \t\n\r\f\v]*\}\})")
_PARTS_PER_PLACEHOLDER = 3


def text_of(value: object) -> str | None:
    """Text that stands in for a placeholder: a string as it is, anything else as compact JSON, None for null."""
    return value if isinstance(value, str) else json_text(value)


class Template:
    """A template, taken apart once. Its text never changes."""

    __slots__ = ("_holes", "_pieces", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        parts = _PLACEHOLDER.split(text)
        names = parts[2::_PARTS_PER_PLACEHOLDER]
        del parts[2::_PARTS_PER_PLACEHOLDER]
        self._pieces = parts
        self._holes = tuple((2 * number + 1, name) for number, name in enumerate(names))

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the placeholders, each once, in the order in which they first occur."""
        return tuple(dict.fromkeys(name for _, name in self._holes))

    def compile(self, variables: Mapping[str, object] | None = None, *, strict: bool = False) -> str:
        """Replace each placeholder `{{name}}` by the value of that name, in one pass: values are inert text.

        A placeholder without a value (None counts as none) stays as written. Raises MissingVariablesError in strict
        mode if there is one, InvalidRequestError for a value that JSON cannot hold.
        """
        given = variables or {}
        pieces = self._pieces.copy()
        missing = []
        for index, name in self._holes:
            value = given.get(name)
            text = value if type(value) is str else text_of(value)
            if text is None:
                missing.append(name)
            else:
                pieces[index] = text
        if strict and missing:
            raise MissingVariablesError(tuple(dict.fromkeys(missing)))
        return "".join(pieces)


def compile_template(
    template: str, variables: Mapping[str, object] | None = None, *, strict: bool = False
) -> str:
    """Compile a template's text; see Template.compile."""
    return Template(template).compile(variables, strict=strict)

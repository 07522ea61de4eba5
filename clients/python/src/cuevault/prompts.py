"""The prompt that callers get."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from .answers import Source
from .replies import invalid_reply
from .templates import Template


@dataclass(frozen=True)
class Prompt:
    """One version of a prompt. It never changes, so threads and tasks may share it.

    `prompt` is the raw template; `compiled_prompt` the text with variables put in, None unless variables (or strict)
    were given. `source` tells where it comes from, `age` how long ago the service gave it.
    """

    prompt_id: str
    name: str
    version: str
    tags: tuple[str, ...]
    prompt: str
    compiled_prompt: str | None = None
    source: Source = "service"
    _metadata: str = field(default="{}", repr=False)
    _template: Template = field(init=False, repr=False, compare=False)
    _fetched_at: float = field(default_factory=time.monotonic, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Take the template apart once, for all copies of this prompt."""
        object.__setattr__(self, "_template", Template(self.prompt))

    @property
    def meta_properties(self) -> dict[str, object]:
        """The metadata stored with this version; a new object each time, so changing it changes nothing else."""
        return cast("dict[str, object]", json.loads(self._metadata))

    @property
    def age(self) -> float:
        """Seconds since the service gave this prompt."""
        return time.monotonic() - self._fetched_at

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the placeholders, each once, in the order in which they first occur."""
        return self._template.variables

    def compile(self, variables: Mapping[str, object] | None = None, *, strict: bool = False) -> str:
        """Put values into the placeholders, by the service's own rules; no call is made.

        A placeholder without a value (None counts as none) stays as written. Raises MissingVariablesError in strict
        mode if there is one, InvalidRequestError for a value that JSON cannot hold.
        """
        return self._template.compile(variables, strict=strict)

    def compiled(self, variables: Mapping[str, object] | None, strict: bool) -> Prompt:
        """This prompt with its `compiled_prompt`; errors as for compile."""
        return self._with("compiled_prompt", self._template.compile(variables, strict=strict))

    def own(self) -> Prompt:
        """This prompt: it cannot be changed, so all may have the same one."""
        return self

    def served(self, source: Source) -> Prompt:
        """This prompt, told as coming from `source`."""
        return self if source == self.source else self._with("source", source)

    def _with(self, field_name: str, value: object) -> Prompt:
        # dataclasses.replace would take longer than all the rest of a cached get.
        copy = object.__new__(Prompt)
        fields = copy.__dict__
        fields.update(self.__dict__)
        fields[field_name] = value
        return copy


def read_prompt(result: Mapping[str, object]) -> Prompt:
    """A prompt from the service's `res`. Raises UnavailableError (`invalid_reply`)."""
    texts = [result.get(name) for name in ("promptId", "name", "version", "prompt")]
    prompt_id, name, version, prompt = (text if isinstance(text, str) else None for text in texts)
    tags, metadata = result.get("tags"), result.get("metaProperties")
    if prompt_id is None or name is None or version is None or prompt is None:
        raise invalid_reply("a field of the prompt is missing or not a string")
    if not isinstance(tags, list) or not isinstance(metadata, dict):
        raise invalid_reply("the prompt's tags or metaProperties are missing")
    return Prompt(
        prompt_id=prompt_id,
        name=name,
        version=version,
        tags=tuple(str(tag) for tag in tags),
        prompt=prompt,
        _metadata=json.dumps(metadata),
    )


def fallback_prompt(text: str, name: str | None, prompt_id: str | None) -> Prompt:
    """A prompt made of the caller's own text; it has no version."""
    return Prompt(
        prompt_id=prompt_id or "", name=name or "", version="", tags=(), prompt=text, source="fallback"
    )

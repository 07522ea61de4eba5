"""The prompt that callers receive."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, cast

from ._core.answers import Source
from ._core.replies import invalid_reply
from .templates import Strict, Template

PromptT = TypeVar("PromptT", bound="Prompt")


@dataclass(frozen=True)
class Prompt:
    """One version of a prompt. It never changes, so threads and tasks may share it.

    `prompt` is the raw template; `compiled_prompt` the text with variables filled in, None unless variables were
    given. `source` says where it comes from, `age` how long ago the service sent it.
    """

    prompt_id: str
    name: str
    version: str
    tags: tuple[str, ...]
    prompt: str
    compiled_prompt: str | None = None
    source: Source = "service"
    _metadata: str = field(default="{}", repr=False)
    _strict: Strict = field(default=False, repr=False, compare=False)
    _template: Template = field(init=False, repr=False, compare=False)
    _fetched_at: float = field(default_factory=time.monotonic, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Parse the template once, for all copies of this prompt."""
        object.__setattr__(self, "_template", Template(self.prompt))

    @property
    def meta_properties(self) -> dict[str, object]:
        """The metadata stored with this version; a new object each time, so changing it changes nothing else."""
        return cast("dict[str, object]", json.loads(self._metadata))

    @property
    def age(self) -> float:
        """Seconds since the service sent this prompt."""
        return time.monotonic() - self._fetched_at

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the placeholders, each once, in the order in which they first occur."""
        return self._template.variables

    def compile(self, variables: Mapping[str, object] | None = None, *, strict: Strict | None = None) -> str:
        """Fill in the placeholders, by the service's rules; no call is made.

        A placeholder without a value (None counts as none) stays as written. `strict` defaults to the client's
        setting: True raises MissingVariablesError if there is one, "exact" also InvalidRequestError
        (`unknown_variables`) for a value without a placeholder. Raises InvalidRequestError for a value that JSON cannot
        express.
        """
        return self._template.compile(variables, strict=self._strict if strict is None else strict)

    def compiled(self, variables: Mapping[str, object] | None, strict: Strict | None) -> CompiledPrompt:
        """This prompt with its `compiled_prompt`; errors as for compile."""
        text = self._template.compile(variables, strict=self._strict if strict is None else strict)
        return self._with(CompiledPrompt, "compiled_prompt", text)

    def own(self) -> Prompt:
        """This prompt: it cannot be changed, so all callers may share it."""
        return self

    def served(self, source: Source) -> Prompt:
        """This prompt, marked as coming from `source`."""
        return self if source == self.source else self._with(Prompt, "source", source)

    def _with(self, kind: type[PromptT], field_name: str, value: object) -> PromptT:
        # dataclasses.replace would take longer than the rest of a cached get.
        copy = object.__new__(kind)
        fields = copy.__dict__
        fields.update(self.__dict__)
        fields[field_name] = value
        return copy


@dataclass(frozen=True)
class CompiledPrompt(Prompt):
    """A prompt that was requested with variables: `compiled_prompt` is always set."""

    compiled_prompt: str = ""


def read_prompt(result: Mapping[str, object], strict: Strict = False) -> Prompt:
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
        _strict=strict,
    )


def fallback_prompt(text: str, name: str | None, prompt_id: str | None, strict: Strict) -> Prompt:
    """A prompt from the caller's own text; it has no version."""
    return Prompt(
        prompt_id=prompt_id or "",
        name=name or "",
        version="",
        tags=(),
        prompt=text,
        source="fallback",
        _strict=strict,
    )
